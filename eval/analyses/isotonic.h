/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * isotonic.h - the probability of a duplicate as a decreasing function of the distance, and for other shares of
 * duplicates than the set's own.
 *
 * Neighbouring distances are pooled until the shares fall strictly (Ayer, Brunk, Ewing, Reid, Silverman, Annals of
 * Mathematical Statistics 26, 1955). Of all decreasing functions these have the largest likelihood and the least
 * squared error (Barlow, Bartholomew, Bremner, Brunk 1972, section 1.2). The ends of the pools are the corners of the
 * convex hull of the ROC curve (Fawcett, Niculescu-Mizil, Machine Learning 68, 2007), so that the threshold with the
 * least cost is the one at which the probability falls below what the costs require. Another share of duplicates
 * multiplies all odds by one factor, and keeps the pools.
 */
#ifndef FP_ISOTONIC_H
#define FP_ISOTONIC_H

#include "eval/measures/histogram.h"
#include "eval/measures/ranking.h"
#include "eval/units/split.h"
#include "eval/statistics/proportion_interval.h"

typedef struct fp_pool {
    double from, to; /* smallest and largest observed distance */
    uint64_t positives, negatives;
} fp_pool;

/* Pools bars[count], ascending strictly in distance; empty ones are skipped. pools[count] in the order of the bars,
 * their shares falling strictly; returns the number of pools. Counts up to 2⁵³ are exact. */
size_t fp_pools_make(const fp_bar *bars, size_t count, fp_pool *pools);
/* The same with half a pair added to each class, a non-duplicate at the smallest distance, a duplicate at the largest,
 * so that no share is 0 or 1 (docs/evaluation-analyses.md). Counts are in halves of a pair. */
size_t fp_pools_guarded(const fp_bar *bars, size_t count, fp_pool *pools);
/* The share of duplicates in a pool, and in all pools together. */
double fp_pool_share(const fp_pool *pool);
double fp_pools_share(const fp_pool *pools, size_t count);
/* The pool that contains a distance. NULL if it lies between two pools, or outside all of them. */
const fp_pool *fp_pool_at(const fp_pool *pools, size_t count, double distance);
/* The share at any distance: that of its pool; linear between two pools; outside all, that of the nearest (as
 * scikit-learn's IsotonicRegression with out_of_bounds="clip"). NaN without pools. */
double fp_pools_share_at(const fp_pool *pools, size_t count, double distance);

/* Converts a share of duplicates from a set with a prevalence of `own` to one of `stated`, both in (0, 1): the odds are
 * multiplied by odds(stated)/odds(own) (Saerens, Latinne, Decaestecker, Neural Computation 14, 2002). Shares of 0, 1
 * and NaN stay. */
double fp_share_restated(double share, double own, double stated);

/* ----
 * Forecasts: the probability that a pair is a duplicate, from the pools of the pairs that touch none of its one or two
 * folds (split.h): no unit contributes to its own forecast.
 */

enum { FP_FORECAST_FOLDS = 5 };

typedef struct fp_forecast {
    double probability;
    uint64_t positives, negatives; /* pairs with that forecast */
} fp_forecast;

typedef struct fp_forecasts {
    size_t count;
    const fp_forecast *each; /* [count] ascending strictly */
    const uint32_t *of;      /* [pair_count] position of each pair's forecast */
} fp_forecasts;

/* Forecasts of the pairs of a ranking, at a prevalence in (0, 1); if the other folds have only one class, the forecast
 * is the prevalence. Lives in `arena`. */
fp_status fp_forecasts_make(const fp_ranking *ranking, const fp_pair *pairs, const fp_split *split, double prevalence,
                            fp_arena *arena, fp_forecasts *forecasts, fp_error *error);

/* ----
 * Calibration: how often pairs with a given forecast are duplicates, and scores of the forecasts.
 *
 * Duplicates weigh π/P each, others (1 − π)/N, so that all results are for a share π of duplicates. The Brier score,
 * Σ w·(p − y)², is miscalibration − discrimination + uncertainty: uncertainty is π(1 − π), the score of the constant
 * forecast π; miscalibration the gain if every forecast were replaced by the share of duplicates among the pairs that
 * have it; discrimination the gain of these shares over π (Bröcker, Quarterly Journal of the Royal Meteorological
 * Society 135, 2009). The shares are pooled to rise with the forecast (Dimitriadis, Gneiting, Jordan, PNAS 118, 2021).
 */

enum { FP_RELIABILITY_BINS = 10 };

typedef struct fp_reliability_bin {
    uint64_t positives, negatives;
    double predicted, observed; /* mean forecast, and share of duplicates, at the prevalence */
    fp_interval interval;       /* of `observed` */
    double weight;              /* of its pairs; sums to 1 over the bins */
    double variance;            /* of observed − predicted */
} fp_reliability_bin;

typedef struct fp_reliability {
    double brier, miscalibration, discrimination, uncertainty;
    /* Root mean square of observed − predicted over the bins. The variance of each bin is subtracted from its square;
     * otherwise the error would grow with the number of bins and shrink with the number of pairs (Bröcker, Climate
     * Dynamics 39, 2012; Kumar, Liang, Ma, NeurIPS 2019, section 4); 0 if the rest is not positive. */
    double calibration_error;
    size_t bin_count;
    fp_reliability_bin bins[FP_RELIABILITY_BINS];
} fp_reliability;

/* Of forecasts of labelled pairs with both classes, made at `prevalence`. Each bin holds a tenth of the pairs, where
 * all duplicates together count as much as all others; equal forecasts are in one bin. `scratch` is not reset. */
fp_status fp_reliability_of(const fp_resample *resample, const fp_pair *pairs, const fp_forecasts *forecasts,
                            double prevalence, double confidence, fp_arena *scratch, fp_reliability *reliability,
                            fp_error *error);

#endif
