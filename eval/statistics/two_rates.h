/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * two_rates.h - recall and specificity at a threshold with their limits, and precision at any prevalence from them.
 */
#ifndef FP_TWO_RATES_H
#define FP_TWO_RATES_H

#include "eval/statistics/measure_interval.h"

typedef struct fp_rates {
    fp_estimate recall, specificity;
    double correlation; /* of recall and the false positive rate */
} fp_rates;

/* Of an arm under its own seed. The correlation, in [−1, 1], follows from the variances of each rate and of their sum,
 * all three without the shares of units, which differ; 0 for independent pairs. `scratch` is reset. */
fp_status fp_rates_find(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_method method,
                        double confidence, fp_arena *scratch, fp_rates *rates, fp_error *error);

/* Precision at a prevalence in (0, 1), by fp_precision_at_interval; without an interval if nothing is called and
 * `value` is set by rule. */
fp_estimate fp_rates_carry(const fp_rates *rates, double prevalence, double value);

/* ---- Precision at other shares π of duplicates than the set's own: TPR·π/(TPR·π + FPR·(1 − π)) (Bayes) ---- */

typedef struct fp_prevalence_point {
    double prevalence;
    fp_estimate precision;
} fp_prevalence_point;

typedef struct fp_prevalence_options {
    const double *prevalences; /* [count] */
    size_t count;
    fp_method method;
    double confidence;
} fp_prevalence_options;

/* Precision of an arm at a threshold (position in the list) at each of the prevalences, each in (0, 1). The intervals
 * come from the replicates, or from the intervals of the two rates; so the lower limit is below 1 even without false
 * positives. `scratch` is reset. */
fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error);

/* The prevalences of a report: 1, 1.5, 2, 3, 5 and 7 times the powers of ten from 10⁻⁶ to 0.5, and `stated` (in (0, 1))
 * in order among them. grid[FP_PREVALENCE_GRID]; returns their number. */
enum { FP_PREVALENCE_GRID = 36 };
size_t fp_prevalence_grid(double stated, double *grid);

#endif
