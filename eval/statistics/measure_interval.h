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

/* The smallest distance that reaches the largest F1, with the percentile interval of the same over the replicates:
 * order statistics, taken outwards, so that the limits are thresholds too. For an arm with further seeds, the mean over
 * them, and the replicates of all: the range of the best threshold for one hash seed. NaN without positives, and an
 * interval of NaN when more than half of the replicates have none. Replicates of documents or groups with product
 * weights vary more than the measure does (dyadic_variance.h) and cannot be shrunk on a discrete scale: the interval is
 * then too wide rather than too narrow. `scratch` is reset. */
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
 * The interval at one threshold covers the true value in 95% of samples; all intervals together do so less often. The
 * band is made of the same intervals at a higher level, the same at every threshold: that of the sup-t critical value
 * c, the quantile of the largest |deviation|/error over the thresholds (Montiel Olea, Plagborg-Møller, Journal of
 * Applied Econometrics 34, 2019). Deviations are sampled from the normal distribution with the correlations of the unit
 * sums s_u(h) of the influence values (dyadic_variance.h), which is what Σ_u g_u s_u(h) has for independent standard
 * normal g_u. Where neighbouring thresholds rise and fall together c is little more than z, and never more than
 * Bonferroni's.
 */

enum {
    FP_SIMULTANEOUS_DRAWS = 10000,
    FP_SIMULTANEOUS_POINTS = 100 /* thresholds that call the same pairs are one; of more, as many evenly among them */
};

typedef struct fp_simultaneous_options {
    fp_method method;
    double confidence; /* that all intervals of the curve hold, in (0, 1) */
    uint64_t seed;
} fp_simultaneous_options;

/* The confidence at which each interval of the curve is taken: 2Φ(c) − 1. Thresholds at which the measure does not vary
 * have an unknown correlation and count together as one more independent threshold; those at which it is not defined do
 * not count. `measure` is a measure at a threshold; its own threshold is not read. `scratch` is reset. */
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

/* Of an arm under one seed. The correlation, in [−1, 1], is from the variances of each rate and of their sum, units
 * without their share of the pairs in all three, for it is not the same one; 0 where pairs are independent. `scratch`
 * is reset. */
fp_status fp_rates_find(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_method method,
                        double confidence, fp_arena *scratch, fp_rates *rates, fp_error *error);

/* Precision at a prevalence in (0, 1), by fp_precision_at_interval (proportion_interval.h); `value` may be one by rule,
 * where nothing is called, and then has no interval. */
fp_estimate fp_rates_carry(const fp_rates *rates, double prevalence, double value);

/* ----
 * Precision at other shares of duplicates than the set's own. A balanced set does not show the precision in a crawl in
 * which one pair in a million is a duplicate: precision there is TPR·π/(TPR·π + FPR·(1 − π)) (Bayes).
 */

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

/* Precision of an arm at a threshold (position in bootstrap->thresholds) at each of the prevalences. Intervals carry
 * the replicates, or the intervals of the two rates, through to each π (FP_METHOD_MID_P): if there are no false
 * positives, the upper limit of the false positive rate is still above 0, and so the lower limit is below 1. `scratch`
 * is reset. */
fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error);

/* The prevalences of a report: 1, 1.5, 2, 3, 5 and 7 times the powers of ten from 10⁻⁶ to 0.5, and `stated` (in (0, 1))
 * in order among them. grid[FP_PREVALENCE_GRID]; returns their number. */
enum { FP_PREVALENCE_GRID = 36 };
size_t fp_prevalence_grid(double stated, double *grid);

#endif
