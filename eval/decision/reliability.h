/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reliability.h - whether forecast probabilities hold: how often pairs with a forecast are duplicates, and scores.
 *
 * Pairs weigh π/P each if they are duplicates and (1 − π)/N otherwise, so that all is said for a share π of duplicates.
 * The Brier score, Σ w·(p − y)², is miscalibration − discrimination + uncertainty, exactly: uncertainty is π(1 − π),
 * the score of who always says π; miscalibration is what would be gained if every forecast were replaced by the share
 * of duplicates among the pairs that have it, and discrimination what these shares gain on π (Bröcker, Quarterly
 * Journal of the Royal Meteorological Society 135, 2009). The shares are pooled to rise with the forecast (Dimitriadis,
 * Gneiting, Jordan, PNAS 118, 2021), which needs no bins.
 */
#ifndef FP_RELIABILITY_H
#define FP_RELIABILITY_H

#include "eval/decision/forecast.h"
#include "eval/statistics/proportion_interval.h"

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
