/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stage.h - a stage of the lab's work, and beside it its limit: a bare loop of what the stage cannot do without, and of
 * nothing else, so that the lab cannot beat it. Both work on the same made or shipped data, on one thread. The table of
 * all stages is stages.def.
 */
#ifndef FP_BENCH_STAGE_H
#define FP_BENCH_STAGE_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"

/* Makes what the lab and the limit work on: called once, when first asked for. */
typedef void *bench_open(fp_arena *arena);
/* Does the work once and returns how many units of it. */
typedef double bench_work(void *state);

#define STAGE(name, unit, open, lab, limit, limit_does, peer) \
    bench_open open;                                          \
    bench_work lab, limit;
#include "bench/stages/stages.def"
#undef STAGE

/* name(state, i) is the loop name_body(state, i), compiled for any processor and for AVX-512, and chosen at run time.
 * The lab's own choice of kernels has no part in it, so that the stages go with other versions of the lab too. */
#define BENCH_BODY static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define BENCH_WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,popcnt,bmi2")))
static inline bool bench_is_wide(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}
#else
#define BENCH_WIDE
static inline bool bench_is_wide(void) { return false; }
#endif
#define BENCH_LOOP(name, state)                                                                      \
    BENCH_WIDE static uint64_t name##_wide(const state *of, size_t i) { return name##_body(of, i); } \
    static uint64_t name##_plain(const state *of, size_t i) { return name##_body(of, i); }           \
    static uint64_t name(const state *of, size_t i) { return (bench_is_wide() ? name##_wide : name##_plain)(of, i); }

/* What a loop finds is added here, so that it cannot be left out. */
extern volatile uint64_t bench_found;

/* Stops the program where the lab refuses. */
void bench_must(fp_status status, const fp_error *error);
void *bench_room(fp_arena *arena, size_t count, size_t size);
fp_arm *bench_arm(const char *spec, fp_arena *arena);
/* The texts that ship for tests, of about 600 characters. */
const fp_string *bench_texts(fp_arena *arena, size_t *count, double *bytes);

#endif
