/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * columns.h - the distances of one document to many, in the order that is asked for: what `distance` gives for each, by
 * the fastest way that the algorithm has.
 */
#ifndef FP_COLUMNS_H
#define FP_COLUMNS_H

#include "eval/experiment/experiment.h"
#include "index/posting_tile.h"

/* Documents in an order, the first of which are the columns. */
typedef struct fp_column_order {
    const uint32_t *document; /* [rows] every document once */
    size_t rows;
    size_t columns; /* ≤ rows */
} fp_column_order;

typedef struct fp_columns {
    const fp_measurement *measurement;
    fp_column_order order;
    fp_sketches near; /* the columns side by side, for fp_algorithm.distances */
    size_t silent_count;
    const uint32_t *silent; /* [silent_count] columns that say nothing */
    /* Sparse vectors: */
    const fp_vector *vectors; /* [rows] */
    fp_join join;
    size_t longest;         /* keys of a vector */
    fp_posting_terms terms; /* of the columns */
    fp_entry_table entries; /* likewise */
    size_t tile_count;
    fp_posting_tile *tiles;
    double apart; /* the distance of two documents that share nothing, unless both are empty */
} fp_columns;

/* Keeps the measurement, whose sketches must be there, and the order. Made in `arena`, but for what fp_columns_free
 * releases, also on failure. */
fp_status fp_columns_open(const fp_measurement *measurement, fp_column_order order, fp_arena *arena,
                          fp_columns *columns, fp_error *error);
void fp_columns_free(fp_columns *columns);

/* Room that a thread needs. */
typedef struct fp_column_room {
    uint32_t *which; /* [columns] */
    double *sum;     /* [columns] */
    fp_entry_table row;
    uint32_t *from; /* [longest] */
} fp_column_room;
fp_status fp_column_room_make(const fp_columns *columns, fp_arena *arena, fp_column_room *room, fp_error *error);

/* The distances of the document in place `row` of the order to all columns, itself among them; distance[columns].
 * Thread-safe. */
void fp_columns_distances(const fp_columns *columns, size_t row, fp_column_room *room, double *distance);

#endif
