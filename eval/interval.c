/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of a proportion, on GSL's quantiles. */
#include "eval/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

fp_interval fp_wilson(uint64_t successes, uint64_t trials, double confidence) {
    if (trials == 0) return (fp_interval){NAN, NAN};
    double n = (double)trials, p = (double)successes / n;
    double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2), square = z * z;
    double centre = (p + square / (2 * n)) / (1 + square / n);
    double half = z / (1 + square / n) * sqrt(p * (1 - p) / n + square / (4 * n * n));
    return (fp_interval){successes == 0 ? 0 : fmax(0, centre - half), successes == trials ? 1 : fmin(1, centre + half)};
}

fp_interval fp_clopper_pearson(uint64_t successes, uint64_t trials, double confidence) {
    if (trials == 0) return (fp_interval){NAN, NAN};
    double tail = (1 - confidence) / 2, k = (double)successes, n = (double)trials;
    double low = successes == 0 ? 0 : gsl_cdf_beta_Pinv(tail, k, n - k + 1);
    double high = successes == trials ? 1 : gsl_cdf_beta_Qinv(tail, k + 1, n - k);
    return (fp_interval){low, high};
}
