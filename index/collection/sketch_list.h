/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sketch_list.h - a growing list of numbered sketches, which look-ups scan: those added since tables were made.
 */
#ifndef FP_SKETCH_LIST_H
#define FP_SKETCH_LIST_H

#include "algorithms/arms/pipeline.h"
#include "base/base.h"

/* A result. */
typedef struct fp_near {
    uint32_t number;
    double distance;
} fp_near;

/* Results, in an arena. */
typedef struct fp_near_list {
    fp_arena *arena;
    fp_near *found;
    size_t count, room;
} fp_near_list;
fp_status fp_near_list_add(fp_near_list *list, uint32_t number, double distance, fp_error *error);
/* Sorts by ascending distance, then number, and removes repetitions, which have the same distance. */
void fp_near_list_sort(fp_near_list *list);

/* Sketches compared at a time. */
enum { FP_SKETCHES_NEAR = 2048 };

typedef struct fp_sketch_list {
    fp_store sketches; /* in an arena of the list */
    uint32_t *number;  /* [sketches.count] ascending */
    size_t room;       /* of `number` */
} fp_sketch_list;

/* For sketches of this layout, with the allocator of `like`; free with fp_sketch_list_free, also after an error. */
fp_status fp_sketch_list_open(fp_sketch_list *list, const fp_layout *layout, const fp_arena *like, fp_error *error);
void fp_sketch_list_free(fp_sketch_list *list);
/* Adds a copy. FP_ERROR_SYNTAX: not of the size of the layout. */
fp_status fp_sketch_list_add(fp_sketch_list *list, uint32_t number, fp_string sketch, fp_error *error);
/* Keeps only the first `count`. */
void fp_sketch_list_cut(fp_sketch_list *list, size_t count);
fp_sketches fp_sketch_list_view(const fp_sketch_list *list);

/* Appends those within the distance to `found`. Thread-safe while nothing is added. */
fp_status fp_sketch_list_near(const fp_sketch_list *list, const fp_arm *arm, fp_sketch query, double within,
                              fp_near_list *found, fp_error *error);

/* ---- Classes of sketches with the same bytes; the first one represents its class ---- */

typedef struct fp_equals {
    uint32_t *first; /* [count] the first sketch, in the order of `rank`, with the same bytes */
    bool *left_out;  /* [count] not the first one, or excluded before */
} fp_equals;

/* rank[] NULL: the order of the sketches. Sketches in left_out (may be NULL) represent themselves; so do all without
 * `together`, for texts that may be far apart in time. Lives in `arena`. */
fp_status fp_equal_sketches(const fp_sketches *sketches, const bool *left_out, const uint32_t *rank, bool together,
                            fp_arena *arena, fp_equals *equal, fp_error *error);

#endif
