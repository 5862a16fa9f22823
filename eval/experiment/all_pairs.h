/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * all_pairs.h - distances of all pairs of a corpus whose truth is its groups: a pair is positive when both documents
 * are in one group. Memory grows with the documents, not with the pairs. Each way gives the histogram that
 * `distance`, asked for every pair, would give.
 */
#ifndef FP_ALL_PAIRS_H
#define FP_ALL_PAIRS_H

#include "eval/experiment/near_pairs.h"

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
/* Sparse vectors (fp_algorithm.vector): through postings (index/postings.h). */
fp_status fp_all_pairs_shared(const fp_all_pairs *all, fp_error *error);

/* Whether the ways count the pairs of a document. */
static inline bool fp_all_pairs_counts(const fp_all_pairs *all, size_t document) {
    return !fp_measurement_silent(all->measurement, document, document);
}

#endif
