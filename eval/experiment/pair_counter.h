/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pair_counter.h - distances of all pairs of a corpus whose truth is its groups: a pair is positive when both documents
 * are in one group. Memory grows with the documents, not with the pairs. Each way gives the histogram that
 * `distance`, asked for every pair, would give.
 */
#ifndef FP_PAIR_COUNTER_H
#define FP_PAIR_COUNTER_H

#include "eval/experiment/near_pairs.h"
#include "algorithms/kernels/tally/slot_tally.h"
#include "base/parallel.h"

/* One piece of work for all of them. The measurement's histogram is filled, and not finished. */
typedef struct fp_all_pairs {
    const fp_stage *stage;
    fp_measurement *measurement;
    const fp_arenas *arenas;
    fp_arena *arena; /* what lives as long as the work */
    const fp_groups *groups;
    fp_near_finder *near; /* is told of the near pairs; it may want none */
} fp_all_pairs;

/* Chooses among the ways below and the one for anything, row by row, which leave out the documents whose sketch is of
 * nothing; adds their pairs. */
fp_status fp_all_pairs_measure(const fp_all_pairs *all, fp_error *error);
/* Bit fingerprints (layout.bits > 0): counted, without a distance being written (algorithms/kernels/tally/tally.h). */
fp_status fp_all_pairs_bits(const fp_all_pairs *all, fp_error *error);
/* Signatures (layout.slots > 0): the same (algorithms/kernels/tally/slot_tally.h). */
fp_status fp_all_pairs_slots(const fp_all_pairs *all, fp_error *error);

/* Whether the ways count the pairs of a document. */
static inline bool fp_all_pairs_counts(const fp_all_pairs *all, size_t document) {
    return !fp_measurement_silent(all->measurement, document, document);
}

/* ---- what becomes of the distances of all pairs: each is counted, and listed where it is near. ---- */

/* Distances of one document to others. */
typedef struct fp_pair_row {
    size_t row, count;
    size_t first;          /* the others are first, first + 1, …, */
    const uint32_t *other; /* or these, where not NULL */
    double *distance;      /* [count] overwritten */
    double off;            /* 0; or by how much distances may be off at most: where that matters, they are asked for.
                              Only where fp_pair_counters_on_grid, and where the near finder knows */
} fp_pair_row;

/* One thread's counts. */
typedef struct fp_pair_counter {
    fp_histogram histogram;
    uint64_t *whole; /* negatives at each whole distance, in lanes; NULL where distances need not be whole */
    uint32_t *grid;  /* negatives at each multiple of the step; NULL until the histogram goes over to one */
    size_t on_grid;  /* how many it holds */
} fp_pair_counter;

typedef struct fp_pair_counters {
    const fp_all_pairs *all;
    size_t wholes; /* whole distances there can be */
    size_t steps;  /* multiples of the finest step that there can be; 0: the histogram may need a coarser one */
    fp_pair_counter *each;
} fp_pair_counters;

/* For as many threads as there are arenas. */
fp_status fp_pair_counters_open(const fp_all_pairs *all, fp_pair_counters *counters, fp_error *error);
/* Counts a row; pairs of documents that say nothing are left out. */
fp_status fp_pair_counters_take(const fp_pair_counters *counters, size_t thread, const fp_pair_row *row,
                                fp_error *error);
/* Whether negatives are counted on a grid from now on. Not while rows are counted. */
bool fp_pair_counters_on_grid(const fp_pair_counters *counters);
/* Adds all to the measurement's histogram when all went well so far, and releases the counters. Does not depend on
 * which thread counted what. Returns the status given, or that of the merge. */
fp_status fp_pair_counters_close(fp_pair_counters *counters, fp_status status, fp_error *error);

/* ----
 * signatures as tiles of small numbers (algorithms/kernels/tally/slot_tally.h). In each slot the
 * values that several of the signatures hold are numbered; two signatures agree in a slot just when they have one
 * number there, which is not FP_SLOT_ALONE.
 */

/* In a tile: what no other signature holds; and what stands for it in a query, so that it agrees with nothing. */
enum { FP_SLOT_ALONE = 0, FP_SLOT_ALONE_ASKED = 1 };

typedef struct fp_signatures {
    const fp_layout *layout; /* layout->slots > 0 */
    const fp_sketches *sketches;
    const uint32_t *which; /* [count] of the sketches */
    size_t count;
} fp_signatures;

/* The signatures in tiles, in `arena`: 2 bytes a slot, or 4 where a slot has more than 65,534 values that several hold.
 * Besides, each thread needs up to 64 bytes a signature while it works. */
fp_status fp_slot_numbers(const fp_signatures *signatures, const fp_arenas *arenas, const fp_progress *progress,
                          fp_arena *arena, fp_slot_tiles *tiles, fp_error *error);

static inline uint32_t fp_slot_number(const fp_slot_tiles *tiles, size_t signature, size_t slot) {
    size_t at = fp_slot_place(tiles, signature, slot);
    return tiles->wide ? ((const uint32_t *)tiles->at)[at] : ((const uint16_t *)tiles->at)[at];
}

/* Some of the signatures as tiles of their own. */
fp_status fp_slot_tiles_pick(const fp_slot_tiles *from, const uint32_t *which, size_t count, fp_arena *arena,
                             fp_slot_tiles *tiles, fp_error *error);
/* Signatures begin … end − 1 as queries of the kernel. */
fp_status fp_slot_queries(const fp_slot_tiles *tiles, size_t begin, size_t end, fp_arena *arena, void **queries,
                          fp_error *error);

#endif
