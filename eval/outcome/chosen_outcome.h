/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chosen_outcome.h - arms that come with a threshold of their own, as tuning chose it, each at that threshold.
 */
#ifndef FP_CHOSEN_OUTCOME_H
#define FP_CHOSEN_OUTCOME_H

#include "eval/outcome/outcome.h"

typedef struct fp_chosen_arm {
    size_t arm;
    double threshold;
    fp_confusion counts;
    fp_estimate precision, recall, f1;
} fp_chosen_arm;

typedef struct fp_chosen_outcome {
    const fp_outcome *outcome;
    size_t count;
    const fp_chosen_arm *arms; /* [count] in the order of the outcome's arms */
} fp_chosen_outcome;

/* thresholds[outcome->count]: NaN for an arm without one. Intervals as of the outcome's own inference, which is there.
 * Everything lives in `arena`. */
fp_status fp_chosen_outcome_make(const fp_outcome *outcome, const double *thresholds,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_chosen_outcome *out, fp_error *error);

#endif
