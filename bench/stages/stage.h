/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stage.h - a stage of the lab's work, and its limit: a bare loop of only what the stage cannot do without, so that the
 * lab cannot beat it. Both work on the same synthetic or shipped data, on one thread. The table of all stages is
 * stages.def.
 */
#ifndef FP_BENCH_STAGE_H
#define FP_BENCH_STAGE_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"

/* Makes the data that the lab and the limit work on; called once, before the first measurement. */
/* The state of a stage; NULL: the library at hand cannot run it. */
typedef void *bench_open(fp_arena *arena);
/* Does the work once and returns the number of units. */
typedef double bench_work(void *state);

#define STAGE(name, unit, open, lab, limit, limit_does, peer) \
    bench_open open;                                          \
    bench_work lab, limit;
#include "bench/stages/stages.def"
#undef STAGE

/* name(state, i) is the loop name_body(state, i), compiled for any processor and for AVX-512, and chosen at run time,
 * independently of the lab's own choice of kernels, so that the stages also work with other versions of the lab. */
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

/* Loops add their results here, so that the compiler cannot remove them. */
extern volatile uint64_t bench_found;

/* Stops the program if the lab returns an error. */
void bench_must(fp_status status, const fp_error *error);
void *bench_room(fp_arena *arena, size_t count, size_t size);
fp_arm *bench_arm(const char *spec, fp_arena *arena);
/* The texts that ship for tests, of about 600 characters. */
const fp_string *bench_texts(fp_arena *arena, size_t *count, double *bytes);

#endif
