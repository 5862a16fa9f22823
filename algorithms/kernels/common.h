/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * common.h - the hot loop of one pair of sets: how many elements two sorted sets have in common.
 */
#ifndef FP_COMMON_H
#define FP_COMMON_H

#include "base/cpu.h"

/* |A ∩ B| of sets of 64-bit values, each in ascending order without repeats. */
typedef size_t (*fp_common_kernel)(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);

extern const fp_common_kernel fp_common_kernels[FP_CPU_LEVELS];

static inline size_t fp_common(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    return fp_common_kernels[fp_cpu_chosen()](a, a_count, b, b_count);
}

#endif
