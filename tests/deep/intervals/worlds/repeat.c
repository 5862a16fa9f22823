/* SPDX-License-Identifier: GPL-3.0-or-later
 * One repetition of a cell: a sample, and what the library says of it, by the calls that `eval` makes. */
#include <math.h>

#include "tests/deep/intervals/worlds/default_method.h"
#include "tests/deep/intervals/worlds/population.h"

/* ---- Slots ---- */

static size_t slots_of(const cell *of, size_t arm, size_t figure) {
    const fp_measure_row *row = of->figures[figure].row;
    return !row || fp_measure_at_threshold(row) ? of->threshold_count[arm] : 1;
}

size_t cell_slots(const cell *of) {
    size_t arms = of->arm_count, count = 0;
    if (of->of->contest != NONE && of->of->contest != SEEDS) return arms * (arms - 1) / 2 * of->figure_count;
    for (size_t arm = 0; arm < arms; arm++)
        for (size_t figure = 0; figure < of->figure_count; figure++) count += slots_of(of, arm, figure);
    return count;
}

slot cell_slot(const cell *of, size_t number) {
    size_t arms = of->arm_count, couple = number / of->figure_count;
    slot at = {0};
    if (of->of->contest != NONE && of->of->contest != SEEDS) {
        for (at.second = 1; couple >= arms - at.second; at.arm++, at.second = at.arm + 1) couple -= arms - at.second;
        at.second += couple;
        at.figure = number % of->figure_count;
        return at;
    }
    for (at.arm = 0; at.arm < arms; at.arm++) {
        for (at.figure = 0; at.figure < of->figure_count; at.figure++) {
            size_t count = slots_of(of, at.arm, at.figure);
            if (number < count) {
                at.threshold = number;
                return at;
            }
            number -= count;
        }
    }
    return at;
}

/* ---- Estimates ---- */

/* Seeds beyond the first of an arm lie behind the arms. */
static void add_seeds(const cell *of, size_t arms, fp_arena *arena, fp_bootstrap_options *options) {
#if __has_include("eval/statistics/dyadic_variance.h")
    if (of->of->contest != SEEDS && of->of->contest != SEEDS_EQUAL) return;
    fp_further_seeds *further = fp_arena_raw(arena, arms, sizeof *further);
    for (size_t arm = 0; arm < arms; arm++)
        further[arm] = (fp_further_seeds){arms + arm * (SEEDS_DRAWN - 1), SEEDS_DRAWN - 1};
    options->further = further;
#else
    (void)of;
    (void)arms;
    (void)arena;
    (void)options;
#endif
}

static void run(const cell *of, const fp_resample *resample, const fp_paired_distances *paired, size_t arm,
                uint64_t seed, fp_arena *arena, fp_bootstrap *bootstrap) {
    fp_error error = {0};
    bool differs = of->of->contest != NONE && of->of->contest != SEEDS;
    fp_measure *ranked = fp_arena_raw(arena, of->figure_count, sizeof *ranked);
    fp_bootstrap_options options = {.replicates = differs ? CONTEST_REPLICATES : REPLICATES,
                                    .seed = seed,
                                    .thresholds = of->thresholds[arm],
                                    .threshold_count = of->threshold_count[arm],
                                    .ranked = ranked};
    add_seeds(of, paired->arm_count, arena, &options);
    for (size_t k = 0; k < of->figure_count; k++)
        if (of->figures[k].row && !fp_measure_at_threshold(of->figures[k].row))
            ranked[options.ranked_count++] = of->figures[k];
    check(fp_bootstrap_run(resample, paired, &options, &ALONE, arena, bootstrap, &error), &error);
}

static finding *estimate_arm(const cell *of, const sample *drawn, const fp_resample *resample, size_t arm,
                             uint64_t seed, fp_arena *arena, fp_arena *scratch, finding *to) {
    fp_error error = {0};
    fp_bootstrap bootstrap;
    fp_estimate e;
    const double *const *distances = (const double *const *)drawn->distance + arm;
    run(of, resample, &(fp_paired_distances){drawn->pairs, distances, 1}, arm, seed, arena, &bootstrap);
    for (size_t figure = 0; figure < of->figure_count; figure++) {
        for (size_t t = 0; t < slots_of(of, arm, figure); t++) {
            fp_measure measure = of->figures[figure];
            measure.threshold = t;
            check(fp_bootstrap_estimate(&bootstrap, 0, measure, DEFAULT_METHOD, CONFIDENCE, scratch, &e, &error),
                  &error);
            *to++ = (finding){e.value, e.interval.low, e.interval.high, e.error, e.trials, e.units, NAN, 0,
                              0,       MARKED(&e),     drawn->own};
        }
    }
    return to;
}

static void compare_arms(const cell *of, const sample *drawn, const fp_resample *resample, uint64_t seed,
                         fp_arena *arena, fp_arena *scratch, finding *to) {
    fp_error error = {0};
    fp_bootstrap bootstrap;
    fp_difference d;
    size_t slots = cell_slots(of);
    run(of, resample, &(fp_paired_distances){drawn->pairs, (const double *const *)drawn->distance, of->arm_count}, 0,
        seed, arena, &bootstrap);
    for (size_t k = 0; k < slots; k++) {
        slot at = cell_slot(of, k);
        fp_measure measure = of->figures[at.figure];
        if (!measure.row) {
            double p = mcnemar_of(of, drawn, resample, &bootstrap, at, scratch);
            to[k] = (finding){0, -1, 1, NAN, NAN, NAN, p, 0, 0, false, 0};
            continue;
        }
        check(fp_difference_of(&bootstrap, (fp_side){at.arm, measure}, (fp_side){at.second, measure},
                               METHOD_OF_DIFFERENCES, CONFIDENCE, scratch, &d, &error),
              &error);
        to[k] = (finding){d.value, d.interval.low, d.interval.high, d.error, NAN, d.units, d.p, 0, 0, false, 0};
    }
}

/* ---- All ---- */

static void draw(const cell *of, gsl_rng *random, fp_arena *arena, sample *drawn, fp_resample *resample) {
    fp_error error = {0};
    draw_sample(of, random, arena, drawn);
    check(fp_resample_make(drawn->pairs, drawn->count, drawn->group, drawn->document_count, FP_SAMPLING_AUTO, arena,
                           resample, &error),
          &error);
}

void repeat(const cell *of, uint64_t seed, fp_arena *arena, finding *to) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    fp_arena *scratch = fp_arena_new();
    bool counted = of->of->design == COUNTED, differs = of->of->contest != NONE && of->of->contest != SEEDS;
    fp_resample resample;
    sample drawn;
    gsl_rng_set(random, (uint32_t)fp_mix(seed, 0));
    if (!counted) draw(of, random, arena, &drawn, &resample);
    if (differs) compare_arms(of, &drawn, &resample, seed, arena, scratch, to);
    for (size_t arm = 0; !differs && arm < of->arm_count; arm++) {
        if (counted) to = estimate_many(of, arm, seed, random, arena, to);
        else if (of->of->level != FP_LEVEL_PAIR) to = estimate_level(of, &drawn, arm, seed, arena, to);
        else to = estimate_arm(of, &drawn, &resample, arm, seed, arena, scratch, to);
    }
    fp_arena_free(scratch);
    gsl_rng_free(random);
}
