/* SPDX-License-Identifier: GPL-3.0-or-later
 * The minhash family and the set samplers: time to sketch a document, time of a distance, and the kernels of every
 * level of the processor against the portable ones, in one run. `bench_minhash [FEATURES]` (300). Each figure is the
 * best of several rounds. */
#include <stdio.h>
#include <stdlib.h>

#include "algorithms/arms/arm.h"
#include "algorithms/kernels/consistent.h"
#include "algorithms/kernels/least_products.h"
#include "algorithms/kernels/slots.h"
#include "base/parallel.h"

enum { ROUNDS = 9, DOCUMENTS = 50, SLOTS = 64, SKETCHES = 256 };

#define BEST(seconds, times, ...)                                     \
    do {                                                              \
        (seconds) = 1e9;                                              \
        for (int round_ = 0; round_ < ROUNDS; round_++) {             \
            double start_ = fp_seconds();                             \
            for (size_t time = 0; time < (times); time++) {           \
                __VA_ARGS__;                                          \
            }                                                         \
            double took_ = (fp_seconds() - start_) / (double)(times); \
            if (took_ < (seconds)) (seconds) = took_;                 \
        }                                                             \
    } while (0)

static void bench_arm(const char *spec, const uint64_t *hash, const double *weight, size_t count, fp_arena *arena) {
    fp_arm *arm;
    fp_error error;
    fp_sketch sketch[2] = {0};
    double sketching, comparing, sum = 0;
    fp_arena *scratch = fp_arena_new();
    if (!scratch || fp_arm_parse(spec, arena, &arm, &error) != FP_OK) exit(1);
    const fp_algorithm *algorithm = arm->instance.algorithm;
    /* Every document begins one feature later, so that neighbours share all but two. */
    BEST(sketching, DOCUMENTS, {
        fp_document document = {.features = {count, hash + time, weight, NULL, count, hash + time}};
        if (time % 2 == 0) fp_arena_reset(scratch);
        algorithm->sketch(&arm->instance, &document, scratch, sketch + time % 2, &error);
    });
    BEST(comparing, DOCUMENTS * 20, sum += algorithm->distance(&arm->instance, sketch[0], sketch[1]));
    printf("%-40s %9.2f µs a document %9.1f ns a distance\n", spec, sketching * 1e6, sum >= 0 ? comparing * 1e9 : 0);
    fp_arena_free(scratch);
}

static void bench_kernels(const uint64_t *hash, const double *weight, size_t count, fp_arena *arena) {
    uint64_t value[SLOTS], *data = fp_arena_raw(arena, SKETCHES * SLOTS, sizeof *data);
    uint32_t out[SKETCHES];
    float *level_of = fp_arena_raw(arena, count, sizeof *level_of);
    double minima[FP_CPU_LEVELS], consistent[FP_CPU_LEVELS], slots[FP_CPU_LEVELS];
    fp_slots_form form = {.slots = SLOTS, .bytes = SLOTS * 4};
    if (!data || !level_of) exit(1);
    fp_consistent_levels(weight, count, level_of);
    for (size_t i = 0; i < SKETCHES * SLOTS; i++) data[i] = fp_mix(i / 3, 0) & UINT64_C(0x100000001);
    for (size_t i = 0; i < SLOTS; i++) value[i] = UINT64_MAX;
    for (int level = 0; level <= (int)fp_cpu_best(); level++) {
        BEST(minima[level], DOCUMENTS, fp_least_products_kernels[level](hash, count, value, SLOTS));
        BEST(consistent[level], 3, fp_consistent_kernels[level](hash, level_of, count, value, SLOTS));
        BEST(slots[level], DOCUMENTS, fp_slots_kernels[level](&form, data, data, SKETCHES, out));
        printf(
            "%-10s minima %7.2f µs (%4.1f times)  consistent samples %7.1f µs (%4.1f times)  differing slots %6.2f ns (%4.1f times)\n",
            fp_cpu_name((fp_cpu)level), minima[level] * 1e6, minima[0] / minima[level], consistent[level] * 1e6,
            consistent[0] / consistent[level], slots[level] * 1e9 / SKETCHES, slots[0] / slots[level]);
    }
}

int main(int argc, char **argv) {
    static const char *const ARMS[] = {"minhash",         "minhash:b=1",
                                       "minhash:b=8",     "oneperm",
                                       "cminhash",        "superminhash",
                                       "weightedminhash", "weightedminhash:weight=logtf",
                                       "fracminhash",     "winnowing",
                                       "jaccard",         "jaccard:measure=weighted",
                                       "hyperplane",      "hyperplane:weight=logtf"};
    size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    fp_arena *arena = fp_arena_new();
    uint64_t *hash = arena ? fp_arena_raw(arena, count + DOCUMENTS, sizeof *hash) : NULL;
    double *weight = arena ? fp_arena_raw(arena, count + DOCUMENTS, sizeof *weight) : NULL;
    if (!hash || !weight) return 1;
    for (size_t i = 0; i < count + DOCUMENTS; i++) hash[i] = fp_mix(i, 1), weight[i] = 1 + (double)(hash[i] % 4);
    printf("%zu features, level %s\n", count, fp_cpu_name(fp_cpu_chosen()));
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) bench_arm(ARMS[i], hash, weight, count, arena);
    bench_kernels(hash, weight, count, arena);
    fp_arena_free(arena);
    return 0;
}
