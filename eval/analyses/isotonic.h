/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * isotonic.h - the share of duplicates as a function that falls with the distance, and at other shares of duplicates
 * than the set's own.
 *
 * Neighbouring distances are pooled until the shares fall strictly (Ayer, Brunk, Ewing, Reid, Silverman, Annals of
 * Mathematical Statistics 26, 1955): of all functions that fall, the pools' shares are the likeliest and have the least
 * squared error (Barlow, Bartholomew, Bremner, Brunk 1972, section 1.2). Nothing else is assumed of the shape, and
 * nothing else is what a threshold assumes: the ends of the pools are the corners of the convex hull of the ROC curve
 * (Fawcett, Niculescu-Mizil, Machine Learning 68, 2007), so that the threshold which costs least and the one at which
 * the probability falls below what the costs ask for are the same. The pools do not depend on the share of duplicates
 * in the set: another one changes the odds of all by one factor.
 */
#ifndef FP_ISOTONIC_H
#define FP_ISOTONIC_H

#include "eval/measures/histogram.h"
#include "eval/measures/ranking.h"
#include "eval/units/split.h"
#include "eval/statistics/proportion_interval.h"

typedef struct fp_pool {
    double from, to; /* the smallest and the largest distance that was seen in it */
    uint64_t positives, negatives;
} fp_pool;

/* Pools bars[count], ascending strictly in distance; empty ones are skipped. pools[count] in the order of the bars,
 * their shares falling strictly; returns the number of pools. Counts up to 2⁵³ are exact. */
size_t fp_pools_make(const fp_bar *bars, size_t count, fp_pool *pools);
/* The same with half a pair added to each class: a non-duplicate at the smallest distance, a duplicate at the largest.
 * Counts are in halves of a pair. So no share is 0 or 1, which no finite sample supports, and forecasts for held-out
 * pairs have a smaller error (docs/evaluation-analyses.md). */
size_t fp_pools_guarded(const fp_bar *bars, size_t count, fp_pool *pools);
/* The share of a pool, and of all. */
double fp_pool_share(const fp_pool *pool);
double fp_pools_share(const fp_pool *pools, size_t count);
/* The pool that holds a distance. NULL where it lies between two pools, or beyond the first or the last. */
const fp_pool *fp_pool_at(const fp_pool *pools, size_t count, double distance);
/* The share at any distance: that of its pool; between two pools, where no pair lies, linear from one to the other;
 * beyond all that of the nearest (as scikit-learn's IsotonicRegression with out_of_bounds="clip"). NaN without pools.
 */
double fp_pools_share_at(const fp_pool *pools, size_t count, double distance);

/* What a share of duplicates, found where they are `own` of all, is where they are `stated` of all and each class has
 * the distances that it has: the odds are multiplied by those of `stated` over those of `own` (Saerens, Latinne,
 * Decaestecker, Neural Computation 14, 2002). Both in (0, 1); 0 and 1 stay, and NaN. */
double fp_share_restated(double share, double own, double stated);

/* ----
 * the probability that a pair is a duplicate, as pairs say that share nothing with it.
 *
 * Units are dealt into folds (split.h). The pairs inside a fold are forecast by the pools (isotonic.h) of the pairs of
 * all other folds, those across two folds by the pools of the pairs that touch neither: no unit has a say in its own
 * forecast, and no pair is left out.
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

/* Forecasts of the pairs of a ranking, at a prevalence in (0, 1); where the other folds have but one class, the
 * forecast is the prevalence. Lives in `arena`. */
fp_status fp_forecasts_make(const fp_ranking *ranking, const fp_pair *pairs, const fp_split *split, double prevalence,
                            fp_arena *arena, fp_forecasts *forecasts, fp_error *error);

/* ----
 * whether forecast probabilities hold: how often pairs with a forecast are duplicates, and scores.
 *
 * Pairs weigh π/P each if they are duplicates and (1 − π)/N otherwise, so that all is said for a share π of duplicates.
 * The Brier score, Σ w·(p − y)², is miscalibration − discrimination + uncertainty, exactly: uncertainty is π(1 − π),
 * the score of who always says π; miscalibration is what would be gained if every forecast were replaced by the share
 * of duplicates among the pairs that have it, and discrimination what these shares gain on π (Bröcker, Quarterly
 * Journal of the Royal Meteorological Society 135, 2009). The shares are pooled to rise with the forecast (Dimitriadis,
 * Gneiting, Jordan, PNAS 118, 2021), which needs no bins.
 */

enum { FP_RELIABILITY_BINS = 10 };

typedef struct fp_reliability_bin {
    uint64_t positives, negatives;
    double predicted, observed; /* mean forecast, and share of duplicates, at the prevalence */
    fp_interval interval;       /* of `observed` */
    double weight;              /* of its pairs; all bins: 1 */
    double variance;            /* of observed − predicted */
} fp_reliability_bin;

typedef struct fp_reliability {
    double brier, miscalibration, discrimination, uncertainty;
    /* The root of the mean square of observed − predicted over bins, each less its variance, without which it would
     * grow with the number of bins and shrink with that of pairs (Bröcker, Climate Dynamics 39, 2012; Kumar, Liang, Ma,
     * NeurIPS 2019, section 4); 0 where nothing is left. */
    double calibration_error;
    size_t bin_count;
    fp_reliability_bin bins[FP_RELIABILITY_BINS];
} fp_reliability;

/* Of forecasts of labelled pairs with both classes, made at `prevalence`. Bins hold a tenth of the pairs each, the
 * duplicates together counting as much as the others; equal forecasts stand in one. `scratch` is not reset. */
fp_status fp_reliability_of(const fp_resample *resample, const fp_pair *pairs, const fp_forecasts *forecasts,
                            double prevalence, double confidence, fp_arena *scratch, fp_reliability *reliability,
                            fp_error *error);

#endif
