/* SPDX-License-Identifier: GPL-3.0-or-later
 * Minima of shifted functions. The limit is arithmetic: two 64-bit products a feature and slot. A block of slots stays
 * in registers while the features pass. */
#include "algorithms/kernels/sketch_kernels.h"

#include "base/base.h"

enum { BLOCK = 16 };

FP_BODY void body(const uint64_t *value, size_t values, uint64_t *minimum, size_t slots) {
    for (size_t from = 0; from < slots; from += BLOCK) {
        size_t some = slots - from < BLOCK ? slots - from : BLOCK;
        uint64_t least[BLOCK], shift[BLOCK];
        for (size_t lane = 0; lane < BLOCK; lane++) least[lane] = UINT64_MAX, shift[lane] = (from + lane) * FP_MIX_STEP;
        for (size_t f = 0; f < values; f++) {
            for (size_t lane = 0; lane < BLOCK; lane++) {
                uint64_t candidate = fp_mix(value[f] + shift[lane], 0);
                least[lane] = candidate < least[lane] ? candidate : least[lane];
            }
        }
        for (size_t lane = 0; lane < some; lane++)
            minimum[from + lane] = least[lane] < minimum[from + lane] ? least[lane] : minimum[from + lane];
    }
}

FP_KERNELS(fp_minima_kernel, fp_minima_kernels, body,
           (const uint64_t *value, size_t values, uint64_t *minimum, size_t slots), (value, values, minimum, slots))
