/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense_sums.h - one document's value of a key joined with those of many, side by side in memory, and added to their
 * sums. Each sum gets one addition, in whatever width: every level gives the same bits.
 */
#ifndef FP_DENSE_SUMS_H
#define FP_DENSE_SUMS_H

#include "base/cpu.h"

/* sum[i] += value·values[i], or the smaller of the two, i < count. Nothing need be aligned beyond 8; `sum` and `values`
 * do not overlap. */
typedef void (*fp_dense_kernel)(double value, const double *values, size_t count, double *sum);

extern const fp_dense_kernel fp_dense_product_kernels[FP_CPU_LEVELS];
extern const fp_dense_kernel fp_dense_minimum_kernels[FP_CPU_LEVELS];

#endif
