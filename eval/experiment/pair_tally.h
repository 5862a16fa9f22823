/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pair_tally.h - all pairs where a kernel counts whole distances without writing them down: once for all documents,
 * and once for each group. The ways differ in how sketches lie and in the kernel.
 */
#ifndef FP_PAIR_TALLY_H
#define FP_PAIR_TALLY_H

#include "algorithms/kernels/tally/tally.h"
#include "eval/experiment/pair_counter.h"

/* Sketches of which all pairs are counted. */
typedef struct fp_tally_set {
    uint32_t *document; /* [count] whose they are, in the order in which they lie */
    size_t count;
    size_t parted; /* rows of one piece of work are all before this place, or all behind */
    bool group;    /* of one group, otherwise of all documents */
    void *sketches;
} fp_tally_set;

/* Told of near pairs by a kernel: places among rows that begin at `row`, and among others that begin at `other`. */
typedef struct fp_pair_watch {
    fp_tally_watch watch;
    const fp_all_pairs *all;
    const fp_tally_set *set;
    size_t row, other, thread;
    fp_status status;
    fp_error *error;
} fp_pair_watch;

/* First member of what a way needs. */
typedef struct fp_tally_way {
    const fp_all_pairs *all;
    size_t distances; /* 0 … distances − 1 */
    size_t tally;     /* counts that a kernel fills: tables of `distances`, one after the other */
    size_t rows;      /* of a piece of work */
    /* Puts the sketches of set->document[set->count] into the set, and may bring these into another order. Called for
     * the set of all documents first. */
    fp_status (*fill)(struct fp_tally_way *way, fp_arena *arena, fp_tally_set *set, fp_error *error);
    /* Every pair of rows begin … end − 1 and others from … to − 1 of the set; `from` is `begin`, `end` or, where
     * that is all rows, `to`. `watch` may be NULL. */
    fp_status (*count)(const struct fp_tally_way *way, const fp_tally_set *set, size_t begin, size_t end, size_t from,
                       size_t to, fp_pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error);
    /* What `count` takes for the distance of a row and itself. */
    uint32_t (*own)(const struct fp_tally_way *way, const fp_tally_set *set, size_t row);
    /* The distance of two documents. */
    uint32_t (*distance)(const struct fp_tally_way *way, size_t a, size_t b);
} fp_tally_way;

/* Leaves out the documents that say nothing, and tells the near pairs of the others. */
fp_status fp_pair_tally(fp_tally_way *way, fp_error *error);

#endif
