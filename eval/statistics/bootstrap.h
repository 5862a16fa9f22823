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
#include "eval/statistics/hash_seeds.h"
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

#endif
