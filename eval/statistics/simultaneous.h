/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simultaneous.h - simultaneous bands: intervals of a measure that cover the whole curve at all thresholds.
 *
 * Each interval of the band is the pointwise one at a higher level, the same at every threshold: that of the sup-t
 * critical value c, the quantile of the largest |deviation|/error over the thresholds (Montiel Olea, Plagborg-Møller,
 * Journal of Applied Econometrics 34, 2019). Deviations are sampled from the normal distribution with the correlations
 * of the unit sums s_u(h) of the influence values (dyadic_variance.h). Where neighbouring thresholds rise and fall
 * together c is little more than z; it is at most Bonferroni's.
 */
#ifndef FP_SIMULTANEOUS_H
#define FP_SIMULTANEOUS_H

#include "eval/statistics/bootstrap.h"

enum {
    FP_SIMULTANEOUS_DRAWS = 10000,
    FP_SIMULTANEOUS_POINTS = 100 /* most thresholds that call different pairs; of more, evenly spaced ones */
};

typedef struct fp_simultaneous_options {
    fp_method method;
    double confidence; /* that all intervals of the curve hold, in (0, 1) */
    uint64_t seed;
} fp_simultaneous_options;

/* The confidence of each interval of the curve: 2Φ(c) − 1. Thresholds at which the measure does not vary count together
 * as one independent threshold; those at which it is not defined do not count. `measure` is a measure at a threshold,
 * whose own threshold is not read. `scratch` is reset. */
fp_status fp_simultaneous_level(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                                const fp_simultaneous_options *options, fp_arena *scratch, double *level,
                                fp_error *error);

/* band[threshold_count]; NaN where the measure is not defined. `scratch` is reset. */
fp_status fp_simultaneous_band(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                               const fp_simultaneous_options *options, fp_arena *scratch, fp_interval *band,
                               fp_error *error);

#endif
