/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interval.h - confidence intervals of a proportion from independent trials.
 */
#ifndef FP_INTERVAL_H
#define FP_INTERVAL_H

#include <stdint.h>

typedef struct fp_interval {
    double low, high; /* NaN when there were no trials */
} fp_interval;

/* Wilson's score interval (Wilson, JASA 22, 1927, equation 9) for `successes` of `trials` at `confidence` in (0, 1). */
fp_interval fp_wilson(uint64_t successes, uint64_t trials, double confidence);
/* The exact interval of Clopper and Pearson (Biometrika 26, 1934), from beta quantiles. */
fp_interval fp_clopper_pearson(uint64_t successes, uint64_t trials, double confidence);

#endif
