/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * consistent.h - the hot loop of weighted minhash: improved consistent weighted sampling (Ioffe, ICDM 2010, algorithm
 * 1). For every slot and every feature of weight S, with r, c ~ Gamma(2, 1) and β ~ U[0, 1) drawn from the feature and
 * the slot alone: t = ⌊ln S/r + β⌋,   y = exp(r·(t − β)),   a = c/(y·exp(r)); the slot samples the pair (feature, t) of
 * the smallest a.
 */
#ifndef FP_CONSISTENT_H
#define FP_CONSISTENT_H

#include "base/cpu.h"

/* sample[i] = a hash of the pair that slot i samples, i < slots; UINT64_MAX when there are no features. `weight` > 0
 * and finite. The arithmetic is correctly rounded operations only, no library function, so that all machines agree to
 * the last bit. */
typedef void (*fp_consistent_kernel)(const uint64_t *value, const double *weight, size_t values, uint64_t *sample,
                                     size_t slots);

extern const fp_consistent_kernel fp_consistent_kernels[FP_CPU_LEVELS];

static inline void fp_consistent(const uint64_t *value, const double *weight, size_t values, uint64_t *sample,
                                 size_t slots) {
    fp_consistent_kernels[fp_cpu_chosen()](value, weight, values, sample, slots);
}

#endif
