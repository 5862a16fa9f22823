/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sketch_list.h - sketches with their numbers, of which more may come: what was added since tables were made. Every one
 * is looked at.
 */
#ifndef FP_SKETCH_LIST_H
#define FP_SKETCH_LIST_H

#include "algorithms/arms/arm.h"

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
/* By ascending distance, then number. */
void fp_near_list_sort(fp_near_list *list);

/* Which of the sketches first … first + count − 1, count ≤ FP_SKETCHES_NEAR, are within the distance: place[i] behind
 * `first`, ascending, at distance[i]; both have room for `count`. Returns how many. Thread-safe. */
enum { FP_SKETCHES_NEAR = 2048 };
size_t fp_sketches_near(const fp_arm *arm, fp_sketch query, double within, const fp_sketches *all, size_t first,
                        size_t count, uint32_t *place, double *distance);

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

#endif
