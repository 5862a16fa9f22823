/* SPDX-License-Identifier: GPL-3.0-or-later
 * Equivalence, and numbers of units. */
#include "eval/statistics/equivalence.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double fp_equivalence_confidence(double confidence) { return 2 * confidence - 1; }

static double up_to_two_digits(double count) {
    if (!isfinite(count)) return count;
    if (count <= 2) return 2;
    double unit = pow(10, floor(log10(count)) - 1);
    return ceil(count / fmax(1, unit) - 1e-9) * fmax(1, unit);
}

/* Units for which `quantiles` errors are no more than `distance`; `wide`: the error that the interval allows for. */
static double units_for(const fp_estimated *difference, double wide, double quantiles, double distance) {
    if (!(difference->error > 0)) return NAN;
    if (!(distance > 0)) return INFINITY;
    double shrinks = fmax(0, difference->error * difference->error - difference->fixed);
    double left = pow(distance / quantiles, 2) - difference->fixed;
    if (!(left > 0)) return INFINITY;
    return up_to_two_digits(difference->units * fmax(shrinks / left, wide * quantiles / distance));
}

fp_equivalence fp_equivalence_of(const fp_estimated *difference, const fp_equivalence_options *options) {
    fp_interval interval = difference->interval;
    double alpha = 1 - options->confidence, margin = options->margin, power = FP_EQUIVALENCE_POWER;
    bool known = !isnan(interval.low) && !isnan(interval.high);
    if (!known) return fp_equivalence_unknown(margin);
    double away = fabs(difference->value), farthest = fmax(fabs(interval.low), fabs(interval.high));
    double z = gsl_cdf_ugaussian_Qinv(alpha), wide = (interval.high - interval.low) / 2 / z;
    double differ = gsl_cdf_ugaussian_Qinv(alpha / 2 / (double)options->tests) + gsl_cdf_ugaussian_Pinv(power);
    double equal = z + gsl_cdf_ugaussian_Pinv((1 + power) / 2);
    return (fp_equivalence){.margin = margin,
                            .units = difference->units,
                            .interval = interval,
                            .farthest = farthest,
                            .within = farthest < margin,
                            .to_differ = units_for(difference, wide, differ, away),
                            .to_equal = units_for(difference, wide, equal, margin - away)};
}

fp_equivalence fp_equivalence_unknown(double margin) {
    return (fp_equivalence){margin, NAN, {NAN, NAN}, NAN, false, NAN, NAN};
}
