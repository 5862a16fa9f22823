/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cpu.h - instruction-set levels of kernels on this processor. A kernel is one portable body, compiled once for each
 * level: the compiler widens the same operations, so that every level gives the same bytes. A family of kernels is an
 * array indexed by level; level 0 is the reference.
 */
#ifndef FP_CPU_H
#define FP_CPU_H

#include "fplab.h"

/* On 64-bit Arm the level above the portable one is NEON, which all such processors have: the compiler uses it for
 * every body. FP_CPU_NAMED levels have a name. */
typedef enum fp_cpu {
    FP_CPU_PORTABLE,
    FP_CPU_AVX2,
    FP_CPU_AVX512,
    FP_CPU_LEVELS,
#if defined(__aarch64__)
    FP_CPU_NEON = FP_CPU_AVX2,
    FP_CPU_NAMED = FP_CPU_NEON + 1
#else
    FP_CPU_NAMED = FP_CPU_LEVELS
#endif
} fp_cpu;

/* avx2 means AVX2 and POPCNT; avx512 means the F, BW, DQ and VL subsets. On other processors both are portable. Kernels
 * that count bits in vectors (FP_FOR_COUNTING) also need VPOPCNTDQ, and are chosen by fp_cpu_counting. */
#if defined(__x86_64__)
#define FP_FOR_AVX2 __attribute__((target("avx2,popcnt")))
#define FP_FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,popcnt")))
#define FP_FOR_COUNTING __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,popcnt")))
#else
#define FP_FOR_AVX2
#define FP_FOR_AVX512
#define FP_FOR_COUNTING
#endif
/* Marks a body that is inlined into each of its levels. */
#define FP_BODY static inline __attribute__((always_inline))
/* Defines one kernel a level for a body that returns nothing, from its parameters and the arguments of the call;
 * FP_KERNELS also defines the array of kernels. */
#define FP_TWO_LEVELS(body, parameters, arguments)             \
    static void body##_portable parameters { body arguments; } \
    FP_FOR_AVX2 static void body##_avx2 parameters { body arguments; }
#define FP_KERNELS(type, name, body, parameters, arguments)                \
    FP_TWO_LEVELS(body, parameters, arguments)                             \
    FP_FOR_AVX512 static void body##_avx512 parameters { body arguments; } \
    const type name[FP_CPU_LEVELS] = {body##_portable, body##_avx2, body##_avx512};

/* "portable", "avx2", "avx512"; on 64-bit Arm "portable", "neon". level < FP_CPU_NAMED. Static storage. */
const char *fp_cpu_name(fp_cpu level);
/* Whether `name` is the name of a level. */
bool fp_cpu_known(const char *name);
/* The highest level of the processor. */
fp_cpu fp_cpu_best(void);
/* The level in use: the highest that the processor supports and FPLAB_CPU, if it names a level, permits. Constant for
 * the life of the process. Thread-safe. */
fp_cpu fp_cpu_chosen(void);
/* The level of a kernel that counts bits in vectors, on a processor of this level. */
static inline fp_cpu fp_cpu_counting(fp_cpu level) {
#if defined(__x86_64__)
    if (level == FP_CPU_AVX512 && !__builtin_cpu_supports("avx512vpopcntdq")) return FP_CPU_AVX2;
#endif
    return level;
}

#endif
