/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forecast.h - the probability that a pair is a duplicate, as pairs say that share nothing with it.
 *
 * Units are dealt into folds (split.h). The pairs inside a fold are forecast by the pools (isotonic.h) of the pairs of
 * all other folds, those across two folds by the pools of the pairs that touch neither: no unit has a say in its own
 * forecast, and no pair is left out.
 */
#ifndef FP_FORECAST_H
#define FP_FORECAST_H

#include "eval/splits/split.h"
#include "eval/measures/ranking.h"

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

#endif
