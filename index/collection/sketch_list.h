/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sketch_list.h - sketches with their numbers, of which more may come: what was added since tables were made. Every one
 * is looked at.
 */
#ifndef FP_SKETCH_LIST_H
#define FP_SKETCH_LIST_H

#include "algorithms/arms/arm.h"
#include "base/base.h"

/* A document that was found. */
typedef struct fp_near {
    uint32_t number;
    double distance;
} fp_near;

/* Those found, in an arena. */
typedef struct fp_near_list {
    fp_arena *arena;
    fp_near *found;
    size_t count, room;
} fp_near_list;
fp_status fp_near_list_add(fp_near_list *list, uint32_t number, double distance, fp_error *error);
/* By ascending distance, then number; what was found several times, at the same distance, stays once. */
void fp_near_list_sort(fp_near_list *list);

/* Sketches that are compared at a time. */
enum { FP_SKETCHES_NEAR = 2048 };

typedef struct fp_sketch_list {
    const fp_arena *like; /* where it has its memory */
    size_t stride;        /* 0: sizes vary */
    size_t count, room;   /* sketches */
    size_t bytes, space;  /* of `data`, where sizes vary */
    unsigned char *data;
    size_t *offset, *size; /* where sizes vary: [count + 1], [count] */
    uint32_t *number;      /* [count] ascending */
} fp_sketch_list;

/* Of sketches of this layout; released by fp_sketch_list_free. */
void fp_sketch_list_open(fp_sketch_list *list, const fp_layout *layout, const fp_arena *like);
void fp_sketch_list_free(fp_sketch_list *list);
/* A copy. FP_ERROR_SYNTAX for a sketch of another size than the layout's. */
fp_status fp_sketch_list_add(fp_sketch_list *list, uint32_t number, fp_string sketch, fp_error *error);
/* Only the first `count` stay. */
void fp_sketch_list_cut(fp_sketch_list *list, size_t count);
fp_sketches fp_sketch_list_view(const fp_sketch_list *list);

/* Adds those within the distance. Thread-safe while nothing is added. `arena` of `found` is not reset. */
fp_status fp_sketch_list_near(const fp_sketch_list *list, const fp_arm *arm, fp_sketch query, double within,
                              fp_near_list *found, fp_error *error);

/* ---- sketches that are the same bytes: each class of them has a first one, which stands for all. ---- */

typedef struct fp_equals {
    uint32_t
        *first; /* [count] the position of the first sketch, in the order of `rank`, that has the bytes of this one */
    bool *left_out; /* [count] those that need not be looked at: not the first, or left out before */
} fp_equals;

/* rank[] NULL: the order of the sketches. Those of left_out (may be NULL) stand for themselves, and without `together`
 * all do, as where equal texts may be far apart in time. Lives in `arena`. */
fp_status fp_equal_sketches(const fp_sketches *sketches, const bool *left_out, const uint32_t *rank, bool together,
                            fp_arena *arena, fp_equals *equal, fp_error *error);

#endif
