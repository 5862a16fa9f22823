/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * two_rates.h - recall and specificity at a threshold with their limits, and precision at any prevalence from them.
 */
#ifndef FP_TWO_RATES_H
#define FP_TWO_RATES_H

#include "eval/statistics/bootstrap.h"

typedef struct fp_rates {
    fp_estimate recall, specificity;
    double correlation; /* of recall and the false positive rate */
} fp_rates;

/* Of an arm under one seed. The correlation, in [−1, 1], is from the variances of each rate and of their sum, units
 * without their share of the pairs in all three, for it is not the same one; 0 where pairs are independent. `scratch`
 * is reset. */
fp_status fp_rates_find(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_method method,
                        double confidence, fp_arena *scratch, fp_rates *rates, fp_error *error);

/* Precision at a prevalence in (0, 1), by fp_precision_at_interval (share_interval.h); `value` may be one by rule,
 * where nothing is called, and then has no interval. */
fp_estimate fp_rates_carry(const fp_rates *rates, double prevalence, double value);

#endif
