/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * made_pairs.h - labelled pairs of several shapes for the tests of the statistics. Include it after support.h.
 */
#ifndef FP_TEST_MADE_PAIRS_H
#define FP_TEST_MADE_PAIRS_H

#include <math.h>

#include "eval/statistics/spread.h"

static const double LIMITS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
enum { LIMIT_COUNT = 10 };

static inline bool near(double a, double b, double within) { return fabs(a - b) <= within; }

/* ---- Made-up pairs ---- */

typedef struct set {
    size_t count, documents;
    fp_pair pairs[2000];
    uint32_t group[4000];
    double distance[2][2000]; /* two arms; the second is noisier */
} set;

typedef enum shape { APART, SHARED, GROUPED, STARS } shape;

static inline void make_pair(set *to, shape of, uint64_t seed, size_t i) {
    uint64_t random = fp_mix(i, seed);
    uint32_t a = (uint32_t)(2 * i), b = (uint32_t)(2 * i + 1);
    bool label = random % 10 < 3;
    if (of == STARS) {
        a = (uint32_t)(i / 9 * 10);
        b = (uint32_t)(a + 1 + i % 9);
    } else if (of != APART) {
        a = (uint32_t)(random >> 8) % (uint32_t)to->documents;
        b = label && of == GROUPED
                ? a / 3 * 3 + (a + 1) % 3
                : (a + 1 + (uint32_t)(random >> 40) % (uint32_t)(to->documents - 1)) % (uint32_t)to->documents;
    }
    to->pairs[i] = (fp_pair){a, b, label};
    for (size_t arm = 0; arm < 2; arm++) {
        uint64_t noise = fp_mix(i, seed + 1 + arm);
        double d = (label ? 2 : 7) + (double)(a % 7) / 2 + (double)(b % 5) + (double)(noise % (arm ? 13 : 9));
        to->distance[arm][i] = d;
    }
}

static inline void make_set(set *to, shape of, size_t count, size_t documents, uint64_t seed) {
    to->count = count;
    to->documents = of == APART ? 2 * count : of == STARS ? (count + 8) / 9 * 10 : documents;
    for (uint32_t i = 0; i < to->documents; i++) to->group[i] = i / 3;
    for (size_t i = 0; i < count; i++) make_pair(to, of, seed, i);
}

/* The derivative of a measure by the weight of each pair; value[pair_count]. */
static inline void influence_of(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                                double *value) {
    fp_influence influence;
    ASSERT_GOOD(fp_influence_of(bootstrap, arm, measure, scratch, &influence, &test_error));
    fp_influence_fill(bootstrap->rankings + arm, &influence, value);
}

static inline void resample_set(const set *from, const uint32_t *group, fp_sampling_unit unit, fp_arena *arena,
                                fp_resample *resample) {
    ASSERT_GOOD(fp_resample_make(from->pairs, from->count, group, from->documents, unit, arena, resample, &test_error));
}

/* Shapes in turn; units are what connects their pairs. */
static inline set *make_units(uint64_t seed, size_t count, size_t documents, fp_arena *arena, fp_resample *resample) {
    static const shape SHAPES[] = {SHARED, GROUPED, STARS, APART};
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    shape of = SHAPES[seed % 4];
    make_set(from, of, count, documents, seed);
    resample_set(from, of == GROUPED ? from->group : NULL,
                 of == SHARED  ? FP_SAMPLING_DOCUMENT
                 : of == STARS ? FP_SAMPLING_PART
                               : FP_SAMPLING_AUTO,
                 arena, resample);
    return from;
}

/* The measures over the range. */
static const fp_measure RANKED[] = {{.row = &fp_measure_average_precision},
                                    {.row = &fp_measure_best_f1},
                                    {.row = &fp_measure_roc_area},
                                    {.row = &fp_measure_best_threshold}};
enum { RANKED_COUNT = sizeof RANKED / sizeof *RANKED };

static inline void run_set_over(const fp_progress *progress, const set *from, const fp_resample *resample,
                                size_t replicates, fp_arena *arena, fp_bootstrap *bootstrap) {
    const double *distances[2] = {from->distance[0], from->distance[1]};
    fp_bootstrap_options options = {.replicates = replicates,
                                    .seed = 7,
                                    .thresholds = LIMITS,
                                    .threshold_count = LIMIT_COUNT,
                                    .ranked = RANKED,
                                    .ranked_count = RANKED_COUNT};
    ASSERT_GOOD(fp_bootstrap_run(resample, &(fp_paired_distances){from->pairs, distances, 2}, &options, progress, arena,
                                 bootstrap, &test_error));
}

static inline void run_set(const set *from, const fp_resample *resample, size_t replicates, fp_arena *arena,
                           fp_bootstrap *bootstrap) {
    run_set_over(NULL, from, resample, replicates, arena, bootstrap);
}

static const fp_measure MEASURES[] = {{&fp_measure_precision, 7, 0, false},
                                      {&fp_measure_recall, 4, 0, false},
                                      {&fp_measure_f1, 7, 0, false},
                                      {&fp_measure_specificity, 9, 0, false},
                                      {&fp_measure_none_precision, 6, 0, false},
                                      {&fp_measure_none_f1, 6, 0, false},
                                      {&fp_measure_precision_at, 8, 0.1, false},
                                      {&fp_measure_average_precision, 0, 0, false},
                                      {&fp_measure_best_f1, 0, 0, false},
                                      {&fp_measure_roc_area, 0, 0, false}};
enum { MEASURE_COUNT = sizeof MEASURES / sizeof *MEASURES };

#endif
