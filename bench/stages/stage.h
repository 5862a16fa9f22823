/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stage.h - a stage of the lab's work, and beside it the bare loop that bounds it: what the stage cannot do without,
 * and nothing else. Both are done on the same made or shipped data, on one thread.
 */
#ifndef FP_BENCH_STAGE_H
#define FP_BENCH_STAGE_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"

/* Does the work once and returns how many units of it. */
typedef double fp_bench_work(void *state);

typedef struct fp_bench_stage {
    const char *name, *unit;
    void *(*open)(fp_arena *arena); /* what both work on; called once, when first asked for; NULL: state is shared */
    fp_bench_work *lab;
    fp_bench_work *limit;   /* NULL: none is known */
    const char *limit_does; /* in words */
} fp_bench_stage;

/* Ended by a name of NULL. */
extern const fp_bench_stage fp_bench_text[], fp_bench_sketches[], fp_bench_pairs[], fp_bench_index[];

/* Bare loops are bodies that are compiled twice: for any processor, and for AVX-512 with VPOPCNTDQ where there is that.
 * Nothing of the lab's own choice of kernels is used, so that the stages also go with other versions of it. */
#define FP_BENCH_BODY static inline __attribute__((always_inline))
#if defined(__x86_64__)
#define FP_BENCH_WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,popcnt,bmi2")))
static inline bool fp_bench_is_wide(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}
#else
#define FP_BENCH_WIDE
static inline bool fp_bench_is_wide(void) { return false; }
#endif

/* What a loop finds is kept here, so that it cannot be left out. */
extern volatile uint64_t fp_bench_kept;

/* Stops the program where the lab refuses. */
void fp_bench_must(fp_status status, const fp_error *error);
void *fp_bench_room(fp_arena *arena, size_t count, size_t size);
fp_arm *fp_bench_arm(const char *spec, fp_arena *arena);
/* The texts that ship, of about 600 characters. */
const fp_string *fp_bench_texts(fp_arena *arena, size_t *count, double *bytes);

#endif
