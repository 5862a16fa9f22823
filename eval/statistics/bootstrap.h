/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bootstrap.h - percentile and BCa intervals from sorted replicates of any measure.
 */
#ifndef FP_BOOTSTRAP_H
#define FP_BOOTSTRAP_H

#include <stddef.h>

#include "base/base.h"
#include "base/parallel.h"
#include "eval/measures/measure.h"
#include "eval/measures/ranking.h"
#include "eval/statistics/dyadic_variance.h"
#include "eval/statistics/interval.h"

/* Percentiles (Efron 1979): the (1 − confidence)/2 and (1 + confidence)/2 quantiles of sorted[count], linear between
 * order statistics. NaN when count is 0. */
fp_interval fp_bootstrap_percentile(const double *sorted, size_t count, double confidence);

/* Bias-corrected and accelerated (Efron, JASA 82, 1987, equations 3.7 and 3.8): the quantiles at Φ(z₀ + (z₀ + z)/(1 −
 * a(z₀ + z))), where Φ(z₀) is the share of replicates below `observed`, equal ones counted half, and at least half a
 * replicate away from 0 and 1. */
fp_interval fp_bootstrap_bca(const double *sorted, size_t count, double observed, double acceleration,
                             double confidence);

/* Monte Carlo standard errors of these limits, ≥ 0; NaN if the limits are NaN. That of a quantile at level q: half the
 * distance between the quantiles √(q(1 − q)/count) below and above (Woodruff, JASA 47, 1952). For BCa the level varies
 * as well, with the share of replicates below `observed`, which is correlated with the quantile; the acceleration is
 * taken as given. */
fp_interval fp_bootstrap_percentile_error(const double *sorted, size_t count, double confidence);
fp_interval fp_bootstrap_bca_error(const double *sorted, size_t count, double observed, double acceleration,
                                   double confidence);

/* ----
 * Replicates of every measure of every arm, and intervals from them. All arms use the same resamples, so that
 * differences are paired. The same measures for any number of threads: a replicate depends only on the seed and its
 * number.
 */

/* The default, and the limit of doubling while verdicts are not settled. With fewer than the fewest, a 95% limit is not
 * known to within two of its own standard errors. */
enum { FP_REPLICATES = 1000, FP_REPLICATES_SETTLED = 16000, FP_REPLICATES_FEWEST = 200, FP_REPLICATES_MOST = 1000000 };

typedef struct fp_bootstrap_options {
    size_t replicates; /* 0: only the observed values */
    uint64_t seed;
    const double *thresholds; /* ascending strictly; kept, not copied */
    size_t threshold_count;
    fp_empty empty;           /* the value of precision without predictions, observed and in replicates */
    const fp_measure *ranked; /* the measures over the range of distances computed in every replicate; kept */
    size_t ranked_count;
    const fp_further_seeds *further; /* [arm_count] from place arm_count of the distances on, one after the other in the
                                        order of the arms; as many for every arm that has any. NULL: none has. Kept */
} fp_bootstrap_options;

/* Sums of weights of a replicate. */
typedef struct fp_totals {
    uint64_t positives, negatives;
} fp_totals;

typedef struct fp_bootstrap {
    const fp_resample *resample;
    fp_bootstrap_options options;           /* its `replicates`: the first request */
    size_t replicates;                      /* computed */
    size_t arm_count, lane_count;           /* lanes: the arms, then their further seeds */
    const fp_ranking *rankings;             /* [lane_count] of listed pairs */
    const struct fp_counted_pairs *counted; /* all pairs, if they are not listed (counted.h); else NULL */
    const fp_totals *totals; /* [(replicates + 1)·lane_count]; the last lane_count are what was observed */
    const fp_called *called; /* [(replicates + 1)·lane_count·threshold_count] */
    const double *values;    /* [(replicates + 1)·lane_count·ranked_count] of options.ranked */
    /* Typical size of a unit: the mean number of positives among its pairs, over the units that have any, and of
     * negatives in a dyad that has any. */
    double unit_positives, dyad_negatives;
    double effective_units; /* (Σ n)²/Σ n² over the positives n of units (Kish 1965); all units without positives */
} fp_bootstrap;

/* The same pairs with the distances of several arms. */
typedef struct fp_paired_distances {
    const fp_pair *pairs;           /* [pair_count of the resample] */
    const double *const *distances; /* [arm_count][pair_count of the resample], then those of their further seeds */
    size_t arm_count;
} fp_paired_distances;

/* Computes the replicates. Everything lives in `arena`; `resample` is kept. For a corpus too large to list, negatives
 * beyond the largest threshold may be left out: precision, recall and F1 at the thresholds do not count them. */
fp_status fp_bootstrap_run(const fp_resample *resample, const fp_paired_distances *paired,
                           const fp_bootstrap_options *options, const fp_progress *progress, fp_arena *arena,
                           fp_bootstrap *bootstrap, fp_error *error);

/* Adds replicates up to `replicates`, no fewer than before; the existing ones stay the first. Their old memory stays in
 * the arena. */
fp_status fp_bootstrap_extend(fp_bootstrap *bootstrap, size_t replicates, const fp_progress *progress, fp_arena *arena,
                              fp_error *error);
/* The number of replicates, at most `most`, that stays within a quarter of a gibibyte; at least 1. */
size_t fp_bootstrap_affordable(const fp_bootstrap *bootstrap, size_t most);

/* The value of a measure in a replicate, for an arm with further seeds the mean over those for which it is defined;
 * `replicate` = bootstrap->replicates gives the observed value. NaN if not defined, and for a measure over the range
 * that is not in `ranked`. */
double fp_bootstrap_value(const fp_bootstrap *bootstrap, size_t replicate, size_t arm, fp_measure measure);
/* The same in every replicate; values[replicates]. */
void fp_bootstrap_values(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, double *values);
/* Counts at a threshold for a lane; the lane with an arm's number is the arm under its own seed. */
fp_confusion fp_bootstrap_counts(const fp_bootstrap *bootstrap, size_t replicate, size_t lane, size_t threshold);

/* The value of a measure of one lane. */
double fp_bootstrap_lane_value(const fp_bootstrap *bootstrap, size_t replicate, size_t lane, fp_measure measure);
/* The same replicates, every arm under its own hash seed alone: what it writes. Shares all memory. */
fp_bootstrap fp_bootstrap_own(const fp_bootstrap *bootstrap);
/* A measure of an arm. */
typedef struct fp_side {
    size_t arm;
    fp_measure measure;
} fp_side;

/* The observed value of a measure under the seeds of an arm; with `minus`, the difference from another seed by seed:
 * arms that share a seed may share hash functions. An arm of one seed is compared with each seed of the other. */
fp_status fp_bootstrap_seeds(const fp_bootstrap *bootstrap, fp_side of, const fp_side *minus, fp_arena *scratch,
                             fp_seed_spread *seeds, fp_error *error);

#define FP_NO_FUNCTIONAL SIZE_MAX

/* The derivative of a measure by the weight of a pair, by the place of the pair. */
typedef struct fp_influence {
    bool ranged;        /* by bin and label; otherwise by the cell of the counts at a threshold */
    const double *each; /* of listed pairs: [2·bin_count] in the order of fp_ranked.cells */
    const double *mean; /* [pair_count] of an arm with further seeds: of each listed pair, the mean over them; the rest
                           is not read. NULL: there are none */
    size_t functional;  /* of counted pairs: its position among theirs, or FP_NO_FUNCTIONAL */
    size_t threshold;   /* position in the list of thresholds; beyond it for whole classes */
    fp_cells by;        /* at a threshold: the numbers of its cells */
} fp_influence;

/* The influence of a measure; `each` is in `scratch`, which is not reset. All NaN if the measure is not defined, 0 if
 * its value is set by rule. FP_ERROR_RANGE: a measure over the range is not in bootstrap->ranked, or has no derivative.
 */
fp_status fp_influence_of(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                          fp_influence *influence, fp_error *error);

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
    double trials;    /* effective number of trials of a share, q(1 − q)/V; NaN if it is no share or does not vary */
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

#endif
