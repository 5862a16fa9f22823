/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of a proportion from whole numbers of independent trials, by their definition: sums of binomial
 * probabilities and bisection, without a quantile of anything. */
#ifndef FP_TEST_WHOLE_TRIALS_H
#define FP_TEST_WHOLE_TRIALS_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdint.h>

#include "eval/statistics/interval.h"

/* The p at which P[X < successes] + part·P[X = successes] falls to `level`. */
static inline double binomial_limit(uint64_t successes, uint64_t trials, double part, double level) {
    unsigned x = (unsigned)successes, n = (unsigned)trials;
    double low = 0, high = 1;
    for (int step = 0; step < 200; step++) {
        double p = (low + high) / 2, same = gsl_ran_binomial_pdf(x, p, n);
        double fewer = x > 0 ? gsl_cdf_binomial_P(x - 1, p, n) : 0;
        *(fewer + part * same > level ? &low : &high) = p;
    }
    return (low + high) / 2;
}

static inline fp_interval binomial_limits(uint64_t successes, uint64_t trials, double outer, double confidence) {
    double tail = (1 - confidence) / 2;
    if (trials == 0) return (fp_interval){NAN, NAN};
    return (fp_interval){successes == 0 ? 0 : binomial_limit(successes, trials, 1 - outer, 1 - tail),
                         successes == trials ? 1 : binomial_limit(successes, trials, outer, tail)};
}

/* Half of the probability of what was seen counts with either tail (Lancaster, JASA 56, 1961). */
static inline fp_interval mid_p_of(uint64_t successes, uint64_t trials, double confidence) {
    return binomial_limits(successes, trials, 0.5, confidence);
}

/* All of it (Clopper, Pearson, Biometrika 26, 1934). */
static inline fp_interval clopper_pearson_of(uint64_t successes, uint64_t trials, double confidence) {
    return binomial_limits(successes, trials, 1, confidence);
}

#endif
