/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mean_interval.h - a mean over pairs that are not independent, with its interval.
 */
#ifndef FP_MEAN_INTERVAL_H
#define FP_MEAN_INTERVAL_H

#include "eval/statistics/interval.h"
#include "eval/statistics/dyadic_variance.h"

typedef struct fp_mean {
    double value; /* NaN without pairs */
    fp_interval interval;
    double units; /* over which it is taken */
} fp_mean;

/* The mean of value[pair_count]: Student's interval with the variance and the degrees of freedom of dyadic_variance.h.
 * For independent pairs that is the interval of every textbook. NaN with fewer than two units. `scratch` is not reset.
 */
fp_status fp_mean_of(const fp_resample *resample, const double *value, double confidence, fp_arena *scratch,
                     fp_mean *mean, fp_error *error);

#endif
