/* SPDX-License-Identifier: GPL-3.0-or-later
 * The level of the processor. */
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
static const char *const NAMES[FP_CPU_NAMED] = {"portable", "neon"};
#else
static const char *const NAMES[FP_CPU_NAMED] = {"portable", "avx2", "avx512"};
#endif

const char *fp_cpu_name(fp_cpu level) { return NAMES[level]; }

fp_cpu fp_cpu_best(void) {
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (avx2) return avx512 ? FP_CPU_AVX512 : FP_CPU_AVX2;
    return FP_CPU_PORTABLE;
#elif defined(__aarch64__)
    return FP_CPU_NEON;
#else
    return FP_CPU_PORTABLE;
#endif
}

bool fp_cpu_known(const char *name) {
    for (fp_cpu level = FP_CPU_PORTABLE; level < FP_CPU_NAMED; level++)
        if (strcmp(NAMES[level], name) == 0) return true;
    return false;
}

static fp_cpu choose(void) {
    const char *forced = getenv("FPLAB_CPU");
    fp_cpu best = fp_cpu_best();
    for (fp_cpu level = FP_CPU_PORTABLE; forced && level < best; level++)
        if (strcmp(NAMES[level], forced) == 0) return level;
    return best;
}

fp_cpu fp_cpu_chosen(void) {
    /* 0: not chosen yet. Every thread chooses the same level, so a race between two first calls is harmless. */
    static _Atomic int chosen;
    int level = chosen;
    if (level == 0) chosen = level = (int)choose() + 1;
    return (fp_cpu)(level - 1);
}
