/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whole numbers of trials are a case of those that need not be whole. */
#include "eval/statistics/interval.h"

#include "eval/statistics/effective.h"

static double share_of(uint64_t successes, uint64_t trials) { return (double)successes / (double)trials; }

fp_interval fp_wilson(uint64_t successes, uint64_t trials, double confidence) {
    return fp_wilson_effective(share_of(successes, trials), (double)trials, confidence);
}

fp_interval fp_clopper_pearson(uint64_t successes, uint64_t trials, double confidence) {
    return fp_clopper_pearson_effective(share_of(successes, trials), (double)trials, confidence);
}
