/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calibration_outcome.h - the probability that a pair at a distance is a duplicate, for every arm of one corpus, and
 * whether such probabilities hold on pairs that had no say in them.
 */
#ifndef FP_CALIBRATION_OUTCOME_H
#define FP_CALIBRATION_OUTCOME_H

#include "eval/decision/isotonic.h"
#include "eval/decision/reliability.h"
#include "eval/outcome/outcome.h"

/* The probability at a distance, from all pairs. Where probabilities fall with the distance, the share of duplicates
 * among the next pairs farther away is no larger, and that among the next ones nearer no smaller: the limits are the
 * lower limit of the first and the upper one of the second, each over the fewest distances that hold
 * FP_CALIBRATION_PAIRS pairs. Which they are does not depend on the labels. */
typedef struct fp_calibrated {
    double distance, probability;
    fp_interval interval;
    const fp_pool *pool; /* that holds the distance, in halves of a pair; NULL: no pair lies there, and the probability
                            is interpolated between the pools on either side, or that of the last */
} fp_calibrated;

enum { FP_CALIBRATION_PAIRS = 50 };

typedef struct fp_calibration_arm {
    size_t count;               /* 0 where a class is empty */
    const fp_calibrated *at;    /* [count] at the thresholds of the list and the ends of the pools, ascending */
    fp_reliability reliability; /* of forecasts by other folds; no bins where there are none */
} fp_calibration_arm;

typedef struct fp_calibration_outcome {
    const fp_outcome *outcome;
    double own, prevalence; /* shares of duplicates in the set, and the one that probabilities are for */
    const char *unforecast; /* why nothing is forecast by other folds; NULL: it is */
    const fp_calibration_arm *arms;
} fp_calibration_outcome;

/* The truth must be labelled pairs. options->prevalence is the stated one; 0: the set's own. options->seed deals the
 * folds. Same outcome for any number of threads. Everything lives in `arena`. */
fp_status fp_calibration_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                      const fp_progress *progress, fp_arena *arena, fp_calibration_outcome *out,
                                      fp_error *error);

#endif
