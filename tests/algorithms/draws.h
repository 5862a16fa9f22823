/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * draws.h - drawn pairs of sets and their statistics, for tests of estimators. A statistic is compared within 4.5 of
 * its standard errors, which a right estimator leaves once in 150 000 times; the seeds are fixed, so that a test that
 * passes does so again. Include it last.
 */
#ifndef FP_TEST_DRAWS_H
#define FP_TEST_DRAWS_H

#include <math.h>

#include "tests/support.h"

enum { MOST = 1024 };
static const double LIMIT = 4.5;
static const uint64_t SEED = 20261120;

/* ---- Drawn documents ---- */

/* Two sets by the sizes of their parts. */
typedef struct sizes {
    size_t common, only_a, only_b;
} sizes;

typedef struct drawn {
    uint64_t hash[MOST];
    double weight[MOST];
    size_t count;
} drawn;

/* A pair for every seed; weights 1. */
static inline void draw(uint64_t seed, sizes size, drawn pair[2]) {
    for (size_t side = 0; side < 2; side++) {
        size_t own = side ? size.only_b : size.only_a;
        pair[side].count = size.common + own;
        for (size_t i = 0; i < pair[side].count; i++) {
            pair[side].hash[i] = fp_mix(seed, i < size.common ? i : (side + 1) * MOST + i);
            pair[side].weight[i] = 1;
        }
    }
}

static inline size_t union_of(sizes size) { return size.common + size.only_a + size.only_b; }
static inline double jaccard_of(sizes size) { return (double)size.common / (double)union_of(size); }

static inline fp_sketch sketch_of(const fp_arm *arm, const uint64_t *hash, const double *weight, size_t count,
                                  fp_arena *arena) {
    fp_document document = {.features = {count, hash, weight, NULL, count, hash}};
    fp_sketch sketch;
    ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &document, arena, &sketch, &test_error));
    return sketch;
}

static inline double distance_of(const fp_arm *arm, const drawn pair[2], fp_arena *arena) {
    fp_sketch sketch[2];
    for (int i = 0; i < 2; i++) sketch[i] = sketch_of(arm, pair[i].hash, pair[i].weight, pair[i].count, arena);
    return fp_arm_distance(arm, sketch[0], sketch[1]);
}

/* ---- Statistics ---- */

typedef struct statistics {
    double mean, mean_error, variance, variance_error;
} statistics;

static inline statistics summarise(const double *value, size_t count) {
    double sum = 0, squares = 0, fourth = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) sum += value[i];
    for (size_t i = 0; i < count; i++) {
        double off = (value[i] - sum / n) * (value[i] - sum / n);
        squares += off;
        fourth += off * off;
    }
    double variance = squares / (n - 1);
    return (statistics){sum / n, sqrt(variance / n), variance, sqrt(fmax(0, fourth / n - variance * variance) / n)};
}

/* The similarity that the arm reads from the distance, over `repeats` drawn pairs; the values go to `similarity` unless
 * it is NULL. */
static inline statistics measure(const char *spec, sizes size, size_t repeats, double *similarity) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    double *value = similarity ? similarity : fp_arena_alloc(arena, repeats, sizeof *value);
    drawn pair[2];
    for (size_t r = 0; r < repeats; r++) {
        fp_arena_reset(scratch);
        draw(fp_mix(SEED, r), size, pair);
        value[r] = arm->instance.algorithm->similarity(&arm->instance, distance_of(arm, pair, scratch));
    }
    statistics result = summarise(value, repeats);
    fp_arena_free(arena);
    fp_arena_free(scratch);
    return result;
}

/* `bias`: what the hashes are known to add. */
static inline void assert_mean(const char *what, statistics found, double truth, double bias) {
    if (!(fabs(found.mean - truth) <= LIMIT * found.mean_error + bias))
        fail_msg("%s: mean %.5f, truth %.5f, standard error %.5f", what, found.mean, truth, found.mean_error);
}

/* From unions of two features, where densification matters, to 570. */
static const sizes CASES[] = {{1, 1, 0},       {1, 1, 1},     {1, 0, 1},   {2, 1, 2},    {3, 2, 2},
                              {4, 1, 0},       {5, 20, 20},   {40, 5, 5},  {64, 0, 128}, {30, 270, 270},
                              {150, 150, 150}, {285, 15, 15}, {290, 0, 30}};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES, REPEATS = 600 };

#endif
