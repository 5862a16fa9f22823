/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * two_rates.h - recall and specificity at a threshold with their limits, and precision at any prevalence from them.
 */
#ifndef FP_TWO_RATES_H
#define FP_TWO_RATES_H

#include "eval/statistics/bootstrap.h"

typedef struct fp_rates {
    fp_estimate recall, specificity;
    double correlation; /* of recall and the false positive rate */
} fp_rates;

/* Of an arm under one seed. The correlation, in [−1, 1], is from the variances of each rate and of their sum, units
 * without their share of the pairs in all three, for it is not the same one; 0 where pairs are independent. `scratch`
 * is reset. */
fp_status fp_rates_find(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_method method,
                        double confidence, fp_arena *scratch, fp_rates *rates, fp_error *error);

/* Precision at a prevalence in (0, 1), by fp_precision_at_interval (proportion_interval.h); `value` may be one by rule,
 * where nothing is called, and then has no interval. */
fp_estimate fp_rates_carry(const fp_rates *rates, double prevalence, double value);

/* ----
 * precision at other shares of duplicates than the set's own. A set with as many duplicates as not says
 * little of a crawl in which one pair in a million is one: precision there is TPR·π/(TPR·π + FPR·(1 − π)) (Bayes).
 */

/* FP_ERROR_RANGE, naming the value, unless 0 < π < 1. */
fp_status fp_prevalence_check(double prevalence, fp_error *error);

typedef struct fp_prevalence_point {
    double prevalence;
    fp_estimate precision;
} fp_prevalence_point;

/* At which prevalences, and how sure. */
typedef struct fp_prevalence_options {
    const double *prevalences; /* [count] */
    size_t count;
    fp_method method;
    double confidence;
} fp_prevalence_options;

/* Precision of an arm at a threshold (position in bootstrap->thresholds) at each of the prevalences. Intervals
 * carry the replicates, or the intervals of the two rates, through to each π (FP_METHOD_MID_P): where no wrong pair
 * was called, the upper limit of the false positive rate still stands for those that may be, and the interval reaches
 * down from 1. `scratch` is reset. */
fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error);

/* The prevalences of a report: 1, 1.5, 2, 3, 5 and 7 times the powers of ten from 10⁻⁶ to 0.5, and `stated` (in (0, 1))
 * in its place among them. grid[FP_PREVALENCE_GRID]; returns how many they are. */
enum { FP_PREVALENCE_GRID = 36 };
size_t fp_prevalence_grid(double stated, double *grid);

#endif
