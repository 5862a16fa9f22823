/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tabulated.h - the hot loop of hyperplanes: standard normal numbers from a table, times weights, into 64 sums.
 */
#ifndef FP_TABULATED_H
#define FP_TABULATED_H

#include "base/cpu.h"

enum { FP_TABULATED_SUMS = 64 };

/* sum[j] += weight[i] · number j of key[i], for i = 0 … count − 1 in this order; j < 64. Numbers block·64 … block·64 +
 * 63 of a key, each one of 65,536 equally likely ones, by 16 bits of its own. Word w of a key is fp_mix(key, block·16 +
 * w); of word j/2 mod 16 and its half j mod 2, number j takes the lower 16 bits for j < 32 and the upper 16 from there
 * on: 15 of them are a place in fp_table_gaussian, the highest is the sign. The numbers are multiples of 2⁻¹²
 * below 4.3, so that sums of whole weights are exact, in any order, up to 2³⁸. */
typedef void (*fp_tabulated_kernel)(const uint64_t *key, const double *weight, size_t count, size_t block, double *sum);

extern const fp_tabulated_kernel fp_tabulated_kernels[FP_CPU_LEVELS];

static inline void fp_tabulated_add(const uint64_t *key, const double *weight, size_t count, size_t block,
                                    double *sum) {
    fp_tabulated_kernels[fp_cpu_chosen()](key, weight, count, block, sum);
}

#endif
