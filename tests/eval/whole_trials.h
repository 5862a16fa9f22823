/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of a proportion from whole numbers of independent trials. */
#ifndef FP_TEST_WHOLE_TRIALS_H
#define FP_TEST_WHOLE_TRIALS_H

#include "eval/statistics/effective.h"

static inline fp_interval wilson_of(uint64_t successes, uint64_t trials, double confidence) {
    return fp_wilson_effective((double)successes / (double)trials, (double)trials, confidence);
}

static inline fp_interval clopper_pearson_of(uint64_t successes, uint64_t trials, double confidence) {
    return fp_clopper_pearson_effective((double)successes / (double)trials, (double)trials, confidence);
}

#endif
