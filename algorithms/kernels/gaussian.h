/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gaussian.h - standard normal numbers from a key, 64 at a time.
 */
#ifndef FP_GAUSSIAN_H
#define FP_GAUSSIAN_H

#include "base/cpu.h"

enum { FP_GAUSSIANS = 64 };

/* number[0 … 64): the numbers block·64 … block·64 + 63 of the key, independent of one another and of those of other
 * keys. */
typedef void (*fp_gaussian_kernel)(uint64_t key, size_t block, double number[FP_GAUSSIANS]);

extern const fp_gaussian_kernel fp_gaussian_kernels[FP_CPU_LEVELS];

#endif
