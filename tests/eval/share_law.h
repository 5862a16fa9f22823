/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval of proportion_interval.h from its definition, by bisection over the two laws. */
#ifndef FP_TEST_SHARE_LAW_H
#define FP_TEST_SHARE_LAW_H

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/proportion_interval.h"

/* P[share ≤ x] when a unit of weight `more` was a success through and through: a beta law with the mean (q + w)/(1 + w)
 * and the variance (V + w²(1 − q)(1 − mean))/(1 + w)². */
static inline double law_below(double q, double variance, double more, double wider, double x) {
    double mean = (q + more) / (1 + more);
    double spread = wider * wider * (variance + more * more * (1 - q) * (1 - mean)) / ((1 + more) * (1 + more));
    double trials = mean * (1 - mean) / spread;
    return mean < 1 ? gsl_cdf_beta_P(x, mean * trials, (1 - mean) * trials) : x >= 1;
}

/* The upper limit of the share of successes; `own` is the share whose opposite's one unit more is `wrong`. */
static inline double upper_by_law(double q, const fp_share_spread *of, double right, double wrong, double confidence,
                                  bool exact) {
    double clustered = of->independent > 0 && q > 0 && q < 1 ? fmax(1, of->variance / of->independent) : 1;
    double outer = exact ? 1 : 1 - 1 / (2 * clustered), low = 0, high = 1;
    if (q >= 1) return 1;
    for (int step = 0; step < 2000 && high > low; step++) {
        double x = (low + high) / 2;
        double inner = q > 0 ? 1 - law_below(1 - q, of->variance, wrong, of->wider, 1 - x) : 1;
        double reached = outer * law_below(q, of->variance, right, of->wider, x) + (1 - outer) * inner;
        if (x <= low || x >= high) break;
        *(reached < 1 - (1 - confidence) / 2 ? &low : &high) = x;
    }
    return (low + high) / 2;
}

static inline fp_interval share_by_law(double q, const fp_share_spread *of, double confidence, bool exact) {
    return (fp_interval){1 - upper_by_law(1 - q, of, of->wrong, of->right, confidence, exact),
                         upper_by_law(q, of, of->right, of->wrong, confidence, exact)};
}

#endif
