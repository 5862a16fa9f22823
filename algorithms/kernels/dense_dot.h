/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dense_dot.h - the product of two dense vectors of float, in double. The i-th product goes to sum i mod 16, and the
 * sixteen sums are added in halves: one order, whatever the width, so that every level gives the same bits.
 */
#ifndef FP_DENSE_DOT_H
#define FP_DENSE_DOT_H

#include "base/cpu.h"

enum { FP_DOT_LANES = 16 };

/* Σ a[i]·b[i], i < count. Nothing need be aligned beyond 4. */
typedef double (*fp_dense_dot)(const float *a, const float *b, size_t count);

extern const fp_dense_dot fp_dense_dot_kernels[FP_CPU_LEVELS];

#endif
