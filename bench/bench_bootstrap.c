/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_bootstrap [SECONDS]: time of 1,000 bootstrap replicates of every measure of 12 arms over 20,000 labelled pairs
 * (8 arms with whole distances of 64, 4 with real ones), with the intervals of all measures at ten thresholds, in the
 * three cases of resampling, and pairs × replicates × arms per second. Best of three rounds, all threads
 * (OMP_NUM_THREADS). Exit status 1 when the slowest case takes more than SECONDS. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/statistics/bootstrap.h"

enum { PAIRS = 20000, ARMS = 12, WHOLE = 8, ROUNDS = 3, THRESHOLDS = 10 };

typedef struct data {
    fp_pair *pairs;
    uint32_t *group;
    const double **distances;
    size_t documents;
} data;

/* `documents` = 2·PAIRS: no document is shared; otherwise pairs of documents at random, in groups of three. */
static bool make_data(size_t documents, fp_arena *arena, data *made) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    *made = (data){.pairs = fp_arena_alloc(arena, PAIRS, sizeof(fp_pair)),
                   .group = fp_arena_alloc(arena, documents, sizeof(uint32_t)),
                   .distances = fp_arena_alloc(arena, ARMS, sizeof(double *)),
                   .documents = documents};
    if (!generator || !made->pairs || !made->group || !made->distances) return false;
    for (uint32_t i = 0; i < documents; i++) made->group[i] = i / 3;
    for (uint32_t i = 0; i < PAIRS; i++) {
        uint32_t a = 2 * i, b = 2 * i + 1;
        if (documents < 2 * PAIRS) {
            a = (uint32_t)gsl_rng_uniform_int(generator, documents);
            b = i % 3 ? (uint32_t)gsl_rng_uniform_int(generator, documents) : a / 3 * 3 + (a + 1) % 3;
        }
        made->pairs[i] = (fp_pair){a, b, i % 3 == 0};
    }
    for (size_t arm = 0; arm < ARMS; arm++) {
        double *distance = fp_arena_alloc(arena, PAIRS, sizeof *distance);
        if (!distance) return false;
        for (size_t i = 0; i < PAIRS; i++) {
            double d = (made->pairs[i].label ? 8 : 26) + gsl_ran_gaussian(generator, 5);
            distance[i] = fmin(64, fmax(0, arm < WHOLE ? rint(d) : d));
        }
        made->distances[arm] = distance;
    }
    gsl_rng_free(generator);
    return true;
}

static fp_status estimate_all(const fp_bootstrap *bootstrap, fp_arena *scratch, double *sum, fp_error *error) {
    static const fp_measure_row *const ROWS[] = {&fp_measure_precision, &fp_measure_recall,
                                                 &fp_measure_f1,        &fp_measure_average_precision,
                                                 &fp_measure_best_f1,   &fp_measure_roc_area};
    for (size_t arm = 0; arm < ARMS; arm++) {
        for (size_t kind = 0; kind < sizeof ROWS / sizeof *ROWS; kind++) {
            size_t rows = fp_measure_at_threshold(ROWS[kind]) ? THRESHOLDS : 1;
            for (size_t t = 0; t < rows; t++) {
                fp_estimate estimate;
                fp_measure measure = {.row = ROWS[kind], .threshold = t};
                FP_TRY(fp_bootstrap_estimate(bootstrap, arm, measure, FP_METHOD_BCA, 0.95, scratch, &estimate, error));
                *sum += estimate.interval.high - estimate.interval.low;
            }
        }
    }
    return FP_OK;
}

static fp_status run_once(const data *from, fp_sampling_unit unit, const uint32_t *group, double seconds[2],
                          const char **text, fp_arena *arena, fp_error *error) {
    static const double LIMITS[THRESHOLDS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const fp_measure RANKED[] = {
        {.row = &fp_measure_average_precision}, {.row = &fp_measure_best_f1}, {.row = &fp_measure_roc_area}};
    fp_bootstrap_options options = {.replicates = 1000,
                                    .seed = 1,
                                    .thresholds = LIMITS,
                                    .threshold_count = THRESHOLDS,
                                    .ranked = RANKED,
                                    .ranked_count = 3};
    fp_resample resample;
    fp_bootstrap bootstrap;
    double sum = 0, start = fp_seconds();
    FP_TRY(fp_resample_make(from->pairs, PAIRS, group, from->documents, unit, arena, &resample, error));
    FP_TRY(fp_bootstrap_run(&resample, &(fp_paired_distances){from->pairs, from->distances, ARMS}, &options, NULL,
                            arena, &bootstrap, error));
    seconds[0] = fp_seconds() - start;
    fp_arena *scratch = fp_arena_new();
    fp_status status = scratch ? estimate_all(&bootstrap, scratch, &sum, error) : fp_no_memory(error);
    fp_arena_free(scratch);
    seconds[1] = fp_seconds() - start;
    *text = fp_resample_describe(&resample, arena);
    return status;
}

static double measure(const char *name, size_t documents, bool grouped) {
    fp_arena *arena = fp_arena_new(), *round_arena = fp_arena_new();
    fp_error error = {0};
    data from;
    double best[2] = {INFINITY, INFINITY};
    const char *text = "";
    if (!arena || !round_arena || !make_data(documents, arena, &from)) exit(1);
    for (int round = 0; round < ROUNDS; round++) {
        double seconds[2];
        fp_arena_reset(round_arena);
        if (run_once(&from, FP_SAMPLING_AUTO, grouped ? from.group : NULL, seconds, &text, round_arena, &error) !=
            FP_OK) {
            fprintf(stderr, "bench_bootstrap: %s\n", error.message);
            exit(1);
        }
        for (int i = 0; i < 2; i++) best[i] = fmin(best[i], seconds[i]);
    }
    printf(
        "%-10s replicates %.3f s (%.0f million pairs × replicates × arms a second), with all intervals %.3f s\n  %s\n",
        name, best[0], (double)PAIRS * 1000 * ARMS / best[0] / 1e6, best[1], text);
    fp_arena_free(round_arena);
    fp_arena_free(arena);
    return best[1];
}

int main(int argc, char **argv) {
    printf("%d pairs, %d arms, 1000 replicates, %d threads\n", PAIRS, ARMS, fp_threads(NULL));
    double slowest = measure("pairs", 2 * PAIRS, false);
    slowest = fmax(slowest, measure("documents", 6000, false));
    slowest = fmax(slowest, measure("groups", 6000, true));
    return argc > 1 && slowest > strtod(argv[1], NULL);
}
