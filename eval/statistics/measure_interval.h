/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure_interval.h - the estimate of a measure with its interval, by its row and the requested method.
 */
#ifndef FP_MEASURE_INTERVAL_H
#define FP_MEASURE_INTERVAL_H

#include "eval/statistics/bootstrap.h"

/* "mid-p", "clopper-pearson", "percentile", "bca". */
const char *fp_method_name(fp_method method);
/* Whether replicates are needed. */
static inline bool fp_method_draws(fp_method method) {
    return method == FP_METHOD_PERCENTILE || method == FP_METHOD_BCA;
}

typedef struct fp_estimate {
    double value; /* observed */
    fp_interval interval;
    fp_method method; /* the one that was used */
    double error;     /* standard error: the root of the spread's variance */
    double trials;    /* effective number of trials, q(1 − q)/V; NaN if the measure is not a share, or V is 0 */
    double units;     /* fp_bootstrap.effective_units */
    bool few;         /* units are resampled and `units` < FP_FEW_UNITS: the interval may be too short */
    size_t undefined; /* replicates in which the measure is not defined; they are left out */
    fp_interval monte_carlo; /* Monte Carlo standard errors of the limits; used if `method` resamples */
    fp_seed_spread seeds;    /* its variance is part of that behind `error` */
} fp_estimate;

/* The measure with its interval at `confidence` in (0, 1): at a threshold, of the arm under its own hash seed, so that
 * the interval is for new documents with this seed; over the range, the mean over its seeds.
 *
 * Mid-p and Clopper-Pearson: the measure as a share of its range, with the variance of dyadic_variance.h, gets the
 * interval of proportion_interval.h (for areas under curves: Kottas, Kuss, Zapf, BMC Medical Research Methodology 14,
 * 2014; Boyd, Eng, Page, ECML PKDD 2013); F1 through TP/(TP + FP + FN), precision at a prevalence through the two
 * rates. One more unit weighs as much as the unit that lowers (raises) the measure most, and no less than a typical
 * unit whose positives are lost, or a dyad that is called as often as duplicates are. For shares of independent pairs
 * that is the plain binomial interval; otherwise it is wider by Student's t over the normal quantile
 * (fp_dyadic_freedom).
 *
 * Percentile and BCa: replicates are shrunk towards the observed value by √(variance/resampled) of dyadic_variance.h,
 * and the interval is wider by the same t (Hesterberg, American Statistician 69, 2015). NaN when more than half of them
 * are undefined. Mid-p if the measure does not vary.
 *
 * All: NaN with fewer than two units. `scratch` is reset. */
fp_status fp_bootstrap_estimate(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_method method,
                                double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error);

/* t/z: the quantile of Student's t over the normal one; infinite without a degree of freedom. */
double fp_by_student(double freedom, double confidence);

/* Input of an interval from replicates. */
typedef struct fp_replicates {
    double observed;
    size_t count; /* replicates in which the value is defined */
    size_t undefined;
    double *drawn; /* [count] shrunk towards `observed` */
    fp_dyadic spread;
} fp_replicates;

/* Shrinks values[count] (NaN if not defined) in place towards `observed` by the factor from the spread. */
void fp_replicates_draw(double *values, size_t count, double observed, const fp_dyadic *spread,
                        fp_replicates *replicates);
/* Percentile or BCa; sorts the replicates; not cut to [0, 1]. *monte_carlo, if not NULL, receives the Monte Carlo
 * standard errors of the limits. NaN when fewer than half of the replicates are defined or there are fewer than two
 * units. */
fp_interval fp_replicates_interval(fp_replicates *replicates, fp_method method, double confidence,
                                   fp_interval *monte_carlo);

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

#endif
