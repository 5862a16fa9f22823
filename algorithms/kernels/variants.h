/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * variants.h - kernels with one body per level: an array of variants, best first, with the members
 *
 *     const char *name;            NULL ends the array, after the portable one
 *     fp_cpu level;                FPLAB_CPU must permit it
 *     bool (*supported)(void);     the processor must have it
 *
 * and further ones. The choice is made once, at run time.
 */
#ifndef FP_VARIANTS_H
#define FP_VARIANTS_H

#include "base/cpu.h"

static inline bool fp_variant_always(void) { return true; }
#if defined(__x86_64__)
static inline bool fp_variant_avx2(void) { return fp_cpu_best() >= FP_CPU_AVX2; }
/* It also needs VPOPCNTDQ, which is not part of the level. */
static inline bool fp_variant_avx512(void) {
    return fp_cpu_best() >= FP_CPU_AVX512 && __builtin_cpu_supports("avx512vpopcntdq");
}
#endif

/* Defines fp_NAME_chosen(): the best usable one of fp_NAME_variants. Every thread would choose the same, so that a race
 * between two first calls is harmless. */
#define FP_VARIANT_CHOSEN(name)                                             \
    const fp_##name##_variant *fp_##name##_chosen(void) {                   \
        static _Atomic(const fp_##name##_variant *) chosen;                 \
        const fp_##name##_variant *best = chosen;                           \
        if (best) return best;                                              \
        best = fp_##name##_variants;                                        \
        while (best->level > fp_cpu_chosen() || !best->supported()) best++; \
        chosen = best;                                                      \
        return best;                                                        \
    }

#endif
