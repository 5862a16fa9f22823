/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_tile.h - the postings of some documents that follow one another: for each term those that have it.
 */
#ifndef FP_POSTING_TILE_H
#define FP_POSTING_TILE_H

#include "algorithms/kernels/distance_kernels.h"
#include "pairs/posting_entries.h"

/* A term that many documents of the tile have is dense: its list has a place for each document in turn, with the value
 * 0 where it is missing, which adds nothing. Dense lists begin and end with a cache line; a list before one begins with
 * some postings of the first document and the value 0, which fill the line. */
typedef struct fp_posting_tile {
    const fp_arena *like; /* where the postings have their memory */
    fp_join join;
    fp_dense_kernel add_dense; /* NULL where no term can be dense */
    size_t width;              /* documents of a whole tile */
    size_t begin, end;         /* documents of this one */
    bool may_be_dense;         /* values are such that 0 adds nothing */
    bool *dense;               /* [term_count]; of the others a list is shorter than the tile */
    uint32_t *first;           /* [term_count + 2] into document and value */
    uint16_t *document;        /* [capacity] from `begin`; 0 in dense lists */
    double *value;             /* [capacity] NULL for FP_JOIN_COUNT */
    size_t capacity;
} fp_posting_tile;

/* Where the tile that begins at `begin` ends. */
static inline size_t fp_tile_end(const fp_entry_table *from, const fp_posting_tile *tile, size_t begin) {
    return from->count - begin < tile->width ? from->count : begin + tile->width;
}

/* Documents of this one. */
static inline size_t fp_tile_size(const fp_posting_tile *tile) { return tile->end - tile->begin; }

/* Every row looks at each of its terms in every tile. Documents of a tile, `least` times a power of two, so that it
 * adds many times as often as it looks. */
size_t fp_tile_width(const fp_entry_table *from, size_t least);

/* Chooses the width; `made` has its `like`. What it holds is released by fp_tile_free, all else lives in `arena`. */
fp_status fp_tile_open(fp_posting_tile *made, const fp_entry_table *from, fp_join join, fp_arena *arena,
                       fp_error *error);
void fp_tile_free(fp_posting_tile *tile);
/* The tile from `begin` on, in the place of the one before. FP_ERROR_RANGE for 2³² postings, FP_ERROR_MEMORY. */
fp_status fp_tile_fill(fp_posting_tile *to, const fp_entry_table *from, size_t begin, fp_error *error);

/* Adds the joined values of row `row` of the table and each document of the tile to sum[width of the tile], in
 * ascending order of the terms. Returns how many postings the row met. */
size_t fp_tile_add_row(const fp_posting_tile *tile, const fp_entry_table *entries, size_t row, double *sum);

#endif
