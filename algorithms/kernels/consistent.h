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

/* level[f] = log₂ weight[f] to about 2⁻²⁰ of it. weight: normal, > 0. */
void fp_consistent_levels(const double *weight, size_t values, float *level);

/* sample[i] = a hash of the pair that slot i samples, i < slots; UINT64_MAX when there are no features. Of the features
 * whose a are alike in single precision, which happens to one slot in 10⁶, the first is taken. Of slot i, the words
 * fp_mix(value, 2i) and fp_mix(value, 2i + 1) give r, β and c. */
typedef void (*fp_consistent_kernel)(const uint64_t *value, const float *level, size_t values, uint64_t *sample,
                                     size_t slots);

extern const fp_consistent_kernel fp_consistent_kernels[FP_CPU_LEVELS];

static inline void fp_consistent(const uint64_t *value, const float *level, size_t values, uint64_t *sample,
                                 size_t slots) {
    fp_consistent_kernels[fp_cpu_chosen()](value, level, values, sample, slots);
}

#endif
