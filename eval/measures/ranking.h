/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranking.h - labelled pairs in the order of their distance, sorted once, so that every measure under any weights of
 * the pairs takes one pass.
 */
#ifndef FP_RANKING_H
#define FP_RANKING_H

#include "eval/measures/curve.h"

/* The pairs of one arm. A bin holds the pairs of one distance. */
typedef struct fp_ranking {
    size_t pair_count, bin_count;
    const double *distance; /* [bin_count] ascending strictly */
    const uint32_t *slot;   /* [pair_count] 2·bin + label */
    size_t threshold_count;
    const size_t *reach; /* [threshold_count] number of bins at a distance ≤ the threshold */
} fp_ranking;

/* A bin that holds positives, with the sums over all bins up to it and with it. */
typedef struct fp_ranked_step {
    size_t bin;
    uint64_t tp, fp;
} fp_ranked_step;

/* Pairs counted, or weighted, per distance and label: all that a measure over the range of distances is made of. Most
 * measures change with the positives alone: in a replicate, real distances have positives in a quarter of their bins,
 * so that the steps, made once, are much shorter than the bins, and no measure adds up for itself. */
typedef struct fp_ranked {
    size_t bin_count;
    const double *distance;        /* [bin_count] ascending strictly */
    const uint64_t *cells;         /* [2·bin_count] at 2·bin negatives, at 2·bin + 1 positives: sums of weights */
    uint64_t positives, negatives; /* of all bins */
    size_t step_count;
    const fp_ranked_step *steps; /* [step_count] in the order of the bins */
} fp_ranked;

/* Counts at a threshold: sums of the weights of the pairs that are called duplicates. */
typedef struct fp_called {
    uint64_t tp, fp;
} fp_called;

/* `distances` (none NaN) belong to `pairs`; `thresholds` ascend strictly. Lives in `arena`. At most 2³¹ − 1 pairs. */
fp_status fp_ranking_make(const double *distances, const fp_pair *pairs, size_t count, const double *thresholds,
                          size_t threshold_count, fp_arena *arena, fp_ranking *ranking, fp_error *error);

/* Adds the weights of the pairs up into cells[2·bin_count], which must be zero; `weight` NULL means 1 each. */
void fp_ranking_fill(const fp_ranking *ranking, const uint32_t *weight, uint64_t *cells);
/* Cells with their sums and steps[bin_count], of which as many are filled as there are; refers to all three. */
fp_ranked fp_ranked_of(size_t bin_count, const double *distance, const uint64_t *cells, fp_ranked_step *steps);
/* Filled cells with their sums, and the counts at each threshold; called[threshold_count]. As above
 * for the rest. */
fp_ranked fp_ranking_count(const fp_ranking *ranking, const uint64_t *cells, fp_ranked_step *steps, fp_called *called);

#endif
