/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters_analysis.h - how well the clusters that every arm finds agree with the true ones, at each threshold.
 */
#ifndef FP_CLUSTERS_ANALYSIS_H
#define FP_CLUSTERS_ANALYSIS_H

#include "eval/evaluation/outcome.h"
#include "eval/statistics/clusters.h"

/* One arm at one threshold. */
typedef struct fp_clusters_cell {
    fp_estimate agreement[FP_AGREEMENT_KINDS];
} fp_clusters_cell;

typedef struct fp_clusters_outcome {
    const fp_outcome *outcome;
    size_t threshold_count;
    const double *thresholds;
    const fp_clusters_cell *cells; /* [outcome->count·threshold_count] */
} fp_clusters_outcome;

/* Single linkage over the labelled pairs at a distance ≤ each threshold of the options; figures are means over the
 * seeds of an arm's hash, and their intervals hold both variances. FP_ERROR_EMPTY without labelled pairs. Everything
 * lives in `arena`. */
fp_status fp_clusters_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                   const fp_progress *progress, fp_arena *arena, fp_clusters_outcome *out,
                                   fp_error *error);

#endif
