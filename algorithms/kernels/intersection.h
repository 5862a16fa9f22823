/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * intersection.h - the hot loop of one pair of sets: how many elements two sorted sets have in common.
 */
#ifndef FP_INTERSECTION_H
#define FP_INTERSECTION_H

#include "base/cpu.h"

/* |A ∩ B| of sets of 64-bit values, each in ascending order without repeats. */
typedef size_t (*fp_intersection_kernel)(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);

extern const fp_intersection_kernel fp_intersection_kernels[FP_CPU_LEVELS];

static inline size_t fp_intersection(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    return fp_intersection_kernels[fp_cpu_chosen()](a, a_count, b, b_count);
}

#endif
