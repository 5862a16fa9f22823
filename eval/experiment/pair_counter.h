/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pair_counter.h - counts the distances of all pairs of a corpus whose truth is its groups: a pair is positive when
 * both documents are in one group. Memory grows with the documents, not with the pairs. Every method gives the same
 * histogram as `distance` on every pair.
 */
#ifndef FP_PAIR_COUNTER_H
#define FP_PAIR_COUNTER_H

#include "eval/experiment/near_pairs.h"
#include "base/parallel.h"

/* The input of all methods. They fill the measurement's histogram without finishing it. */
typedef struct fp_all_pairs {
    const fp_stage *stage;
    fp_measurement *measurement;
    const fp_arenas *arenas;
    fp_arena *arena; /* of data that lives as long as the count */
    const fp_unit_list *groups;
    fp_near_finder *near; /* receives the near pairs; may be disabled */
} fp_all_pairs;

/* Chooses among the methods below and the general one, row by row. They leave out the empty sketches; this function
 * adds their pairs. */
fp_status fp_all_pairs_measure(const fp_all_pairs *all, fp_error *error);
/* Bit fingerprints (layout.bits > 0): counted without writing any distance (algorithms/kernels/tally/tally.h). */
fp_status fp_all_pairs_bits(const fp_all_pairs *all, fp_error *error);
/* Signatures (layout.slots > 0): the same (algorithms/kernels/tally/slot_tally.h). */
fp_status fp_all_pairs_slots(const fp_all_pairs *all, fp_error *error);

/* Whether the methods count the pairs of a document. */
static inline bool fp_all_pairs_counts(const fp_all_pairs *all, size_t document) {
    return !fp_measurement_empty(all->measurement, document, document);
}

/* ---- Counting distances and listing near pairs ---- */

/* Distances of one document to others. */
typedef struct fp_pair_row {
    size_t row, count;
    size_t first;          /* the others are first, first + 1, …, */
    const uint32_t *other; /* or these, where not NULL */
    double *distance;      /* [count] overwritten */
    double off;            /* 0; or the largest error of the distances: they are recomputed where it matters. Only
                              with fp_pair_counters_on_grid and a near finder whose `off` is set */
} fp_pair_row;

/* One thread's counts. */
typedef struct fp_pair_counter {
    fp_histogram histogram;
    uint64_t *grid; /* negatives at each multiple of the step; NULL until the histogram uses a grid */
} fp_pair_counter;

typedef struct fp_pair_counters {
    const fp_all_pairs *all;
    size_t steps; /* number of multiples of the finest step; 0: the histogram may need a coarser one */
    fp_pair_counter *each;
} fp_pair_counters;

/* For as many threads as there are arenas. */
fp_status fp_pair_counters_open(const fp_all_pairs *all, fp_pair_counters *counters, fp_error *error);
/* Counts a row; leaves out pairs of empty sketches. */
fp_status fp_pair_counters_take(const fp_pair_counters *counters, size_t thread, const fp_pair_row *row,
                                fp_error *error);
/* Whether negatives are counted on a grid from now on. Do not call while rows are counted. */
bool fp_pair_counters_on_grid(const fp_pair_counters *counters);
/* Adds all counts to the measurement's histogram if `status` is FP_OK, and releases the counters. The result does
 * not depend on the thread that counted a row. Returns the given status, or that of the merge. */
fp_status fp_pair_counters_close(fp_pair_counters *counters, fp_status status, fp_error *error);

#endif
