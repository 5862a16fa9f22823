/* SPDX-License-Identifier: GPL-3.0-or-later
 * Equivalence, and sample sizes. */
#include "eval/statistics/equivalence.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/bisection.h"

double fp_equivalence_confidence(double confidence) { return 2 * confidence - 1; }

fp_equivalence fp_equivalence_of(const fp_estimated *difference, const fp_equivalence_options *options) {
    fp_interval interval = difference->interval;
    if (isnan(interval.low) || isnan(interval.high)) return fp_equivalence_unknown(options->margin);
    double farthest = fmax(fabs(interval.low), fabs(interval.high));
    return (fp_equivalence){.margin = options->margin,
                            .units = difference->units,
                            .interval = interval,
                            .farthest = farthest,
                            .within = farthest < options->margin};
}

fp_equivalence fp_equivalence_unknown(double margin) { return (fp_equivalence){margin, NAN, {NAN, NAN}, NAN, false}; }

/* ---- Sample size ---- */

/* The root N of v·G/N·(1 + (w² − 1)·G/N) = what is allowed, `ratio` being v over that. */
static double units_for(double units, double ratio, double wide) {
    double excess = fmax(0, wide * wide - 1), root = (ratio + sqrt(ratio * ratio + 4 * ratio * excess)) / 2;
    return fmax(2, ceil(units * root - 1e-9));
}

fp_sample_size fp_sample_size_of(const fp_estimated *difference, double freedom, const fp_equivalence_options *options,
                                 double detect) {
    fp_sample_size size = {detect, NAN, {NAN, NAN}};
    double alpha = 1 - options->confidence, error = difference->error;
    fp_interval seen = difference->interval;
    if (!(error > 0) || isnan(seen.low) || isnan(seen.high)) return size;
    double quantiles =
        gsl_cdf_ugaussian_Qinv(alpha / 2 / (double)options->tests) + gsl_cdf_ugaussian_Pinv(FP_SAMPLE_SIZE_POWER);
    double wide = (seen.high - seen.low) / 2 / gsl_cdf_ugaussian_Qinv(alpha) / error;
    double varies = error * error - difference->fixed, allowed = pow(detect / quantiles, 2) - difference->fixed;
    if (!(allowed > 0)) return (fp_sample_size){detect, INFINITY, {INFINITY, INFINITY}};
    double ratio = fmax(0, varies) / allowed, units = difference->units;
    size.needed = units_for(units, ratio, wide);
    size.interval = (fp_interval){size.needed, size.needed};
    if (!(freedom > 0) || isinf(freedom)) return size;
    double most = 2 * fp_gamma_quantile(freedom / 2, 1 - alpha / 2),
           least = 2 * fp_gamma_quantile(freedom / 2, alpha / 2);
    size.interval.low = units_for(units, ratio * freedom / most, wide);
    size.interval.high = units_for(units, ratio * freedom / least, wide);
    return size;
}
