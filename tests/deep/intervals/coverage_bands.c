/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_bands [REPETITIONS]: how often a simultaneous band at 95% over fourteen thresholds contains the whole curve
 * of a measure, as far as five successes and five failures or more are expected, beside how often all pointwise
 * intervals do, in worlds whose truth is known (coverage_worlds.h). Exit status 1 when a band holds the curve in less
 * than 93% or more than 99% of them, or below 91% in a world of few units. Bands may hold more often than 95%: an
 * interval that is on the safe side at any of the thresholds makes the band so. */
#include <stdio.h>
#include <stdlib.h>

#include "eval/statistics/measure_interval.h"
#include "eval/statistics/simultaneous.h"
#include "tests/deep/intervals/coverage_worlds.h"
#include "tests/deep/intervals/repetitions.h"

enum { POINTS = 14, ROWS = 3 };
static const fp_measure_row *const ROW[ROWS] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1};
static const fp_progress ALONE = {.threads = 1};

/* From the law of the distances of the first arm; NaN where fewer than five pairs are expected in a cell. */
static double value_at(const world *of, const truth *t, size_t row, int h) {
    double noise = COMMON[0] * COMMON[0] + OWN[0] * OWN[0], inside = 2 * of->document * of->document + noise;
    double recall = reached(NEAR, sqrt(inside + of->group * of->group), h), n = (double)of->pairs;
    double false_calls = (1 - t->share) * reached(FAR, sqrt(inside + 2 * of->group * of->group), h);
    double hits = t->share * recall, misses = t->share - hits, called = hits + false_calls;
    bool enough = hits * n >= 5 && (row == 1 || false_calls * n >= 5) && (row == 0 || misses * n >= 5);
    if (!enough) return NAN;
    return row == 0 ? hits / called : row == 1 ? recall : 2 * hits / (called + t->share);
}

typedef struct tally {
    size_t band[ROWS], pointwise[ROWS];
} tally;

static void count(const world *of, const fp_bootstrap *bootstrap, uint64_t seed, fp_arena *scratch, tally *to) {
    truth t = world_truth(of, 0);
    fp_error error = {0};
    fp_simultaneous_options options = {FP_METHOD_MID_P, 0.95, seed};
    for (size_t row = 0; row < ROWS; row++) {
        fp_measure measure = {.row = ROW[row]};
        fp_interval band[POINTS];
        bool all = true, each = true;
        must(fp_simultaneous_band(bootstrap, 0, measure, &options, scratch, band, &error), &error);
        for (measure.threshold = 0; measure.threshold < POINTS; measure.threshold++) {
            double value = value_at(of, &t, row, (int)bootstrap->options.thresholds[measure.threshold]);
            fp_estimate alone;
            if (isnan(value)) continue;
            must(fp_bootstrap_estimate(bootstrap, 0, measure, options.method, 0.95, scratch, &alone, &error), &error);
            all &= band[measure.threshold].low <= value && value <= band[measure.threshold].high;
            each &= alone.interval.low <= value && value <= alone.interval.high;
        }
        to->band[row] += all;
        to->pointwise[row] += each;
    }
}

typedef struct job {
    const world *of;
    tally *tallies; /* [repetitions] */
    double thresholds[POINTS];
} job;

static fp_status repeat(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const job *work = context;
    fp_arena *arena = fp_arena_new();
    sample *drawn = arena ? fp_arena_raw(arena, 1, sizeof *drawn) : NULL;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    if (!drawn) exit(1);
    gsl_rng_set(random, (uint32_t)fp_mix(index, (uint64_t)(work->of - WORLDS) + 100));
    draw_sample(work->of, random, drawn);
    gsl_rng_free(random);
    fp_resample resample;
    fp_bootstrap bootstrap;
    const double *distances[1] = {drawn->distance[0]};
    fp_bootstrap_options options = {
        .replicates = 1, .seed = index, .thresholds = work->thresholds, .threshold_count = POINTS};
    must(fp_resample_make(drawn->pairs, drawn->count, drawn->group, work->of->documents, FP_SAMPLING_AUTO, arena,
                          &resample, error),
         error);
    must(fp_bootstrap_run(&resample, &(fp_paired_distances){drawn->pairs, distances, 1}, &options, &ALONE, arena,
                          &bootstrap, error),
         error);
    count(work->of, &bootstrap, index, scratch, work->tallies + index);
    fp_arena_free(arena);
    return FP_OK;
}

static bool run_world(const world *of, size_t repetitions, fp_arena *arena) {
    job work = {.of = of, .tallies = fp_arena_alloc(arena, repetitions, sizeof *work.tallies)};
    bool good = true;
    if (!work.tallies) exit(1);
    for (size_t h = 0; h < POINTS; h++) work.thresholds[h] = 3 + (double)h;
    repeat_all(repetitions, repeat, &work);
    printf("%-58s", of->name);
    for (size_t row = 0; row < ROWS; row++) {
        tally sum = {0};
        for (size_t i = 0; i < repetitions; i++) {
            sum.band[row] += work.tallies[i].band[row];
            sum.pointwise[row] += work.tallies[i].pointwise[row];
        }
        double n = (double)repetitions, band = (double)sum.band[row] / n;
        bool outside = band < (of->small ? 0.91 : 0.93) || band > 0.99;
        printf("  %.3f%s (%.3f)", band, outside ? "!" : " ", (double)sum.pointwise[row] / n);
        good &= !outside;
    }
    printf("\n");
    return good;
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1000;
    bool good = true;
    fp_arena *arena = fp_arena_new();
    if (!arena) return 1;
    printf("whole curve held (by all pointwise intervals)               precision       recall          F1\n");
    for (size_t i = 0; i < WORLD_COUNT; i++) {
        fp_arena_reset(arena);
        good &= run_world(WORLDS + i, repetitions, arena);
        fflush(stdout);
    }
    fp_arena_free(arena);
    return !good;
}
