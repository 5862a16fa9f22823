/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure_interval.h - chooses the interval of a measure, by its row and the requested method.
 */
#ifndef FP_MEASURE_INTERVAL_H
#define FP_MEASURE_INTERVAL_H

#include "eval/statistics/bootstrap.h"

/* How much a measure falls if one more typical unit is wrong: its positives are lost, or a dyad is called as often as
 * duplicates are. */
double fp_measure_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure);

/* ---- The threshold with the largest F1, and its interval ---- */

/* The smallest distance that reaches the largest F1, with the percentile interval of the replicates: order statistics,
 * rounded outwards, so that the limits are thresholds too. Of the arm under its own hash seed. NaN without positives;
 * an interval of NaN when more than half of the replicates have none. Replicates with product weights vary more than
 * the measure (dyadic_variance.h) and cannot be shrunk on a discrete scale: the interval is then too wide. `scratch` is
 * reset.
 */
fp_status fp_best_threshold(const fp_bootstrap *bootstrap, size_t arm, double confidence, fp_arena *scratch,
                            fp_estimate *estimate, fp_error *error);

/* The thresholds of two lists, the first ascending strictly and the second in any order, with NaN for none: each once,
 * ascending. *merged lives in `arena`. */
fp_status fp_thresholds_merge(const double *list, size_t count, const double *further, size_t further_count,
                              fp_arena *arena, double **merged, size_t *merged_count, fp_error *error);
/* The position of a threshold in an ascending list; `count` if it is not in the list, or NaN. */
size_t fp_threshold_position(const double *list, size_t count, double threshold);

/* ----
 * Simultaneous bands: intervals of a measure that cover the whole curve at all thresholds.
 *
 * Each interval of the band is the pointwise one at a higher level, the same at every threshold: that of the sup-t
 * critical value c, the quantile of the largest |deviation|/error over the thresholds (Montiel Olea, Plagborg-Møller,
 * Journal of Applied Econometrics 34, 2019). Deviations are sampled from the normal distribution with the correlations
 * of the unit sums s_u(h) of the influence values (dyadic_variance.h). Where neighbouring thresholds rise and fall
 * together c is little more than z; it is at most Bonferroni's.
 */

enum {
    FP_SIMULTANEOUS_DRAWS = 10000,
    FP_SIMULTANEOUS_POINTS = 100 /* most thresholds that call different pairs; of more, evenly spaced ones */
};

typedef struct fp_simultaneous_options {
    fp_method method;
    double confidence; /* that all intervals of the curve hold, in (0, 1) */
    uint64_t seed;
} fp_simultaneous_options;

/* The confidence of each interval of the curve: 2Φ(c) − 1. Thresholds at which the measure does not vary count together
 * as one independent threshold; those at which it is not defined do not count. `measure` is a measure at a threshold,
 * whose own threshold is not read. `scratch` is reset. */
fp_status fp_simultaneous_level(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                                const fp_simultaneous_options *options, fp_arena *scratch, double *level,
                                fp_error *error);

/* band[threshold_count]; NaN where the measure is not defined. `scratch` is reset. */
fp_status fp_simultaneous_band(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                               const fp_simultaneous_options *options, fp_arena *scratch, fp_interval *band,
                               fp_error *error);

/* ---- Recall and specificity at a threshold with their limits, and precision at any prevalence from them ---- */

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
