/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proportion_interval.h - a share among weighted pairs that are not independent, with its interval.
 */
#ifndef FP_PROPORTION_INTERVAL_H
#define FP_PROPORTION_INTERVAL_H

#include "eval/statistics/interval.h"
#include "eval/statistics/dyadic_variance.h"

typedef struct fp_proportion {
    double value; /* Σ weight·success/Σ weight; NaN without trials */
    fp_interval interval;
    double trials; /* effective number of trials, q(1 − q)/V; NaN where nothing varies */
} fp_proportion;

/* weight[pair_count] ≥ 0, 0 for a pair that is no trial; success[pair_count]. The interval of share_interval.h with the
 * variance of dyadic_variance.h, no less than half of what independent pairs have. One unit more weighs as much as a
 * unit of those that have errors (successes), each met with a chance that grows with its own (Tiwari, Clegg, Zou,
 * Statistical Methods in Medical Research 15, 2006), and no less than one of as many trials as the n²/(Σ_u n_u² −
 * Σ_D n_D²) = G units that the n trials come down to when all pairs of a unit agree. Where units are resampled, the
 * variance is larger by G/(G − 1) and the interval wider by Student's t with G − 1 degrees of freedom (Hesterberg,
 * American Statistician 69, 2015). NaN with fewer than two units. `scratch` is not reset.
 */
fp_status fp_proportion_of(const fp_resample *resample, const double *weight, const bool *success, double confidence,
                           fp_arena *scratch, fp_proportion *share, fp_error *error);

#endif
