/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * signed_sum.h - the hot loop of the sign fingerprints: weights into 64 sums.
 */
#ifndef FP_SIGNED_SUM_H
#define FP_SIGNED_SUM_H

#include "base/cpu.h"

enum { FP_SIGNED_SUMS = 64 };

/* sum[j] += weight[i] where bit j of signs[i] is 1, −weight[i] where it is 0, for i = 0 … count − 1 in this order; j
 * < 64. The lanes are independent, so that every level gives the same sums. */
typedef void (*fp_signed_sum_kernel)(const uint64_t *signs, const double *weight, size_t count, double *sum);

extern const fp_signed_sum_kernel fp_signed_sum_kernels[FP_CPU_LEVELS];

static inline void fp_signed_sum_add(const uint64_t *signs, const double *weight, size_t count, double *sum) {
    fp_signed_sum_kernels[fp_cpu_chosen()](signs, weight, count, sum);
}

#endif
