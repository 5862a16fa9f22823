/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_strata [REPETITIONS]: how often the intervals that tables of strata and edits add hold the truth: of the
 * threshold with the best F1, and of a mean distance. The best threshold is a step of a scale, and its interval ends at
 * steps, so that it can hold the truth more often than it says; it must not do so less often. Exit status 1 when a
 * share lies outside its bounds. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/statistics/measure_interval.h"
#include "eval/statistics/proportion_interval.h"
#include "tests/deep/intervals/coverage_worlds.h"
#include "tests/deep/intervals/repetitions.h"

enum { REPLICATES = 200 };

typedef struct expected {
    double best, mean; /* threshold; distance */
} expected;

/* By the normal law of distances, as find_truth. */
static expected expect(const world *of) {
    double noise = COMMON[0] * COMMON[0] + OWN[0] * OWN[0], inside = 2 * of->document * of->document + noise,
           share = SHARE, tpr = 0, fpr = 0, largest = -1;
    if (of->shape == GROUPS) share = (double)(of->documents * (of->size - 1) / 2) / (double)of->pairs;
    double near = sqrt(inside + of->group * of->group), far = sqrt(inside + 2 * of->group * of->group);
    expected made = {0, 0};
    for (int d = 0; d <= 64; d++) {
        double hits = reached(NEAR, near, d) - tpr, alarms = reached(FAR, far, d) - fpr;
        tpr += hits;
        fpr += alarms;
        made.mean += d * (share * hits + (1 - share) * alarms);
        double f1 = 2 * share * tpr / (share * tpr + (1 - share) * fpr + share);
        if (f1 > largest) largest = f1, made.best = d;
    }
    return made;
}

typedef struct held {
    size_t best, mean;
    double steps; /* mean width of the interval of the best threshold */
} held;

static const fp_progress ALONE = {.threads = 1}; /* one of many repetitions side by side */

static void repeat(const world *of, size_t repetition, const expected *wanted, held *sums) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    sample *drawn = fp_arena_raw(arena, 1, sizeof *drawn);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    fp_error error = {0};
    gsl_rng_set(random, repetition + 1);
    draw_sample(of, random, drawn);
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate best;
    fp_mean mean;
    const double *distance = drawn->distance[0];
    static const fp_measure BEST = {.row = &fp_measure_best_threshold};
    fp_bootstrap_options options = {.replicates = REPLICATES,
                                    .seed = repetition,
                                    .thresholds = LIMIT,
                                    .threshold_count = LIMITS,
                                    .ranked = &BEST,
                                    .ranked_count = 1};
    const uint32_t *group = of->shape == GROUPS ? drawn->group : NULL;
    must(fp_resample_make(drawn->pairs, drawn->count, group, of->documents, FP_SAMPLING_AUTO, arena, &resample, &error),
         &error);
    must(fp_bootstrap_run(&resample, &(fp_paired_distances){drawn->pairs, &distance, 1}, &options, &ALONE, arena,
                          &bootstrap, &error),
         &error);
    must(fp_best_threshold(&bootstrap, 0, 0.95, scratch, &best, &error), &error);
    must(fp_mean_of(&resample, distance, 0.95, scratch, &mean, &error), &error);
    sums->best += best.interval.low <= wanted->best && wanted->best <= best.interval.high;
    sums->mean += mean.interval.low <= wanted->mean && wanted->mean <= mean.interval.high;
    sums->steps += best.interval.high - best.interval.low;
    gsl_rng_free(random);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

typedef struct job {
    const world *of;
    expected wanted;
    pthread_mutex_t lock;
    held sums;
} job;

static fp_status run_repetition(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    job *on = context;
    held one = {0, 0, 0};
    repeat(on->of, index, &on->wanted, &one);
    pthread_mutex_lock(&on->lock);
    on->sums = (held){on->sums.best + one.best, on->sums.mean + one.mean, on->sums.steps + one.steps};
    pthread_mutex_unlock(&on->lock);
    return FP_OK;
}

static held run_world(const world *of, size_t repetitions) {
    job on = {.of = of, .wanted = expect(of), .lock = PTHREAD_MUTEX_INITIALIZER};
    repeat_all(repetitions, run_repetition, &on);
    return on.sums;
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 2000;
    int bad = 0;
    printf("best threshold (width)   mean distance; at least 0.94, and 0.935 to 0.97\n");
    for (size_t w = 0; w < WORLD_COUNT; w++) {
        const world *of = WORLDS + w;
        held sums = run_world(of, repetitions);
        double all = (double)repetitions, of_best = (double)sums.best / all, of_mean = (double)sums.mean / all;
        bool outside = of_best < 0.94 || of_mean < 0.935 || of_mean > 0.97;
        printf("%.4f (%4.1f)   %.4f%s  %s\n", of_best, sums.steps / all, of_mean, outside ? "!" : " ", of->name);
        bad |= outside;
    }
    return bad;
}
