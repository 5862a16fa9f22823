/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simultaneous.h - bands that hold a whole curve: the intervals of a measure at all thresholds at once.
 *
 * An interval at each threshold holds the truth there in 95% of samples; that all of them do is rarer. The band is made
 * of the same intervals at a higher level, the same at every threshold: that of the sup-t critical value c, the
 * quantile of the largest |deviation|/error over the thresholds (Montiel Olea, Plagborg-Møller, Journal of Applied
 * Econometrics 34, 2019). Deviations are drawn from the normal distribution that has the correlations of the unit sums
 * s_u(h) of the influence values (dyadic_variance.h), which is what Σ_u g_u s_u(h) has for independent standard normal
 * g_u. Where neighbouring thresholds rise and fall together c is little more than z, and never more than Bonferroni's.
 */
#ifndef FP_SIMULTANEOUS_H
#define FP_SIMULTANEOUS_H

#include "eval/statistics/bootstrap.h"

enum {
    FP_SIMULTANEOUS_DRAWS = 10000,
    FP_SIMULTANEOUS_POINTS = 100 /* thresholds that call the same pairs are one; of more, as many evenly among them */
};

typedef struct fp_simultaneous_options {
    fp_method method;
    double confidence; /* that all intervals of the curve hold, in (0, 1) */
    uint64_t seed;
} fp_simultaneous_options;

/* The confidence at which each interval of the curve is taken: 2Φ(c) − 1. Thresholds where the measure does not vary,
 * so that nothing is known of their correlation, count as one more that is independent; where it is not defined they do
 * not count. `measure` is one at a threshold, whose own is not read. `scratch` is reset. */
fp_status fp_simultaneous_level(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                                const fp_simultaneous_options *options, fp_arena *scratch, double *level,
                                fp_error *error);

/* band[threshold_count]; NaN where the measure is not defined. `scratch` is reset. */
fp_status fp_simultaneous_band(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                               const fp_simultaneous_options *options, fp_arena *scratch, fp_interval *band,
                               fp_error *error);

#endif
