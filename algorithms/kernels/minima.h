/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * minima.h - the smallest value of each of many hash functions over a set, where function i is SplitMix64's i-th output
 * from the value on, so that one function is another's shift: what cminhash is made of. Functions that need not be
 * shifts are least_products.h, at half the cost.
 */
#ifndef FP_MINIMA_H
#define FP_MINIMA_H

#include "base/cpu.h"

/* minimum[i] = min(minimum[i], fp_mix(value[f], i) over f < values), i < slots. */
typedef void (*fp_minima_kernel)(const uint64_t *value, size_t values, uint64_t *minimum, size_t slots);

extern const fp_minima_kernel fp_minima_kernels[FP_CPU_LEVELS];

static inline void fp_minima(const uint64_t *value, size_t values, uint64_t *minimum, size_t slots) {
    fp_minima_kernels[fp_cpu_chosen()](value, values, minimum, slots);
}

#endif
