/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * set_ratios.h - Jaccard distances of many sets from what they share with one.
 */
#ifndef FP_SET_RATIOS_H
#define FP_SET_RATIOS_H

#include "base/cpu.h"

/* shared[i] becomes 64·(1 − shared[i]/(own + size[i] − shared[i])), i < count: whole numbers below 2⁵³, so that nothing
 * but the division and what follows it rounds. The same bits on every level. */
typedef void (*fp_set_ratio_kernel)(double own, const double *size, size_t count, double *shared);

extern const fp_set_ratio_kernel fp_set_ratio_kernels[FP_CPU_LEVELS];

#endif
