/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ones.h - the hot loop of sign fingerprints whose weights are all 1: how often each bit is set.
 */
#ifndef FP_ONES_H
#define FP_ONES_H

#include "base/cpu.h"

enum { FP_ONES = 64 };

/* ones[j] += how many of word[0 … count) have bit j, j < 64. */
typedef void (*fp_ones_kernel)(const uint64_t *word, size_t count, uint64_t *ones);

extern const fp_ones_kernel fp_ones_kernels[FP_CPU_LEVELS];

static inline void fp_ones_add(const uint64_t *word, size_t count, uint64_t *ones) {
    fp_ones_kernels[fp_cpu_chosen()](word, count, ones);
}

#endif
