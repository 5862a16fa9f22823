/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expected and measured counts, and the test of the fit. */
#include "eval/analysis/theory.h"

#include <math.h>

#include "algorithms/families/positions.h"
#include "base/parallel.h"
#include "eval/analysis/theory_bins.h"
#include "eval/analysis/theory_law.h"

/* ---- Expected counts ---- */

/* Pairs are taken in blocks, whose sums are added in order: the same figures for any number of threads. */
enum { BLOCK = 256, MOST_BLOCKS = 64 };

typedef struct expectation {
    const fp_instance *instance;
    const fp_theory_pairs *pairs;
    size_t steps, block;
    double *mean, *variance; /* [pairs] */
    double *sums;            /* [blocks][2][steps]: of negatives, of positives */
} expectation;

static fp_status expect_block(void *context, size_t index, fp_arena *arena, fp_error *error) {
    expectation *of = context;
    double *below = fp_arena_raw(arena, of->steps, sizeof *below);
    if (!below) return fp_no_memory(error);
    size_t end = (index + 1) * of->block < of->pairs->count ? (index + 1) * of->block : of->pairs->count;
    for (size_t i = index * of->block; i < end; i++) {
        fp_moments moments = fp_theory_spread_out(of->instance, of->pairs->similarity[i], below);
        double *sum = of->sums + (index * 2 + of->pairs->pairs[i].label) * of->steps;
        for (size_t h = 0; h < of->steps; h++) sum[h] += below[h] - (h ? below[h - 1] : 0);
        of->mean[i] = moments.mean;
        of->variance[i] = moments.variance;
    }
    return FP_OK;
}

static fp_status expect(expectation *of, size_t blocks, fp_theory_step *steps, const fp_progress *progress,
                        fp_arena *arena, fp_error *error) {
    fp_arenas arenas;
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = fp_parallel(blocks, &arenas, true, expect_block, of, "theory", progress, error);
    fp_arenas_free(&arenas);
    for (size_t b = 0; status == FP_OK && b < blocks; b++)
        for (size_t h = 0; h < of->steps; h++) {
            steps[h].negatives_expected += of->sums[b * 2 * of->steps + h];
            steps[h].positives_expected += of->sums[(b * 2 + 1) * of->steps + h];
        }
    return status;
}

static void count(const fp_theory_pairs *pairs, fp_theory_step *steps, size_t step_count) {
    for (size_t i = 0; i < pairs->count; i++) {
        double h = fmin(ceil(pairs->distance[i]), (double)step_count - 1);
        fp_theory_step *step = steps + (size_t)h;
        *(pairs->pairs[i].label ? &step->positives : &step->negatives) += 1;
    }
}

/* ---- Places ---- */

/* The matrix of fit.h, and probabilities as the law's mean has them. */
static fp_status find_places(const fp_instance *instance, const fp_theory_pairs *pairs, const double *mean,
                             fp_arena *arena, fp_fit_input *input, fp_error *error) {
    size_t places = pairs->sketches ? fp_places(instance) : 0, words = fp_fit_words(pairs->count);
    *input = (fp_fit_input){.pair_count = pairs->count};
    if (!places) return FP_OK;
    uint64_t *differs = fp_arena_alloc(arena, places * words, sizeof *differs);
    uint64_t *differing = fp_arena_raw(arena, (places + 63) / 64, sizeof *differing);
    double *probability = fp_arena_raw(arena, pairs->count, sizeof *probability);
    if (!differs || !differing || !probability) return fp_no_memory(error);
    for (size_t i = 0; i < pairs->count; i++) {
        probability[i] = mean[i] / (double)places;
        fp_places_differing(instance, fp_sketches_at(pairs->sketches, pairs->pairs[i].a),
                            fp_sketches_at(pairs->sketches, pairs->pairs[i].b), differing);
        for (size_t j = 0; j < places; j++) differs[j * words + i / 64] |= (differing[j / 64] >> j % 64 & 1) << i % 64;
    }
    *input = (fp_fit_input){pairs->count, places, differs, probability};
    return FP_OK;
}

/* ---- All ---- */

static void summarise(const fp_theory_pairs *pairs, fp_theory *theory) {
    double squares = 0, variances = 0;
    theory->shift = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        double off = pairs->distance[i] - theory->mean[i];
        theory->shift += off / (double)pairs->count;
        squares += off * off;
        variances += theory->variance[i];
        *(pairs->pairs[i].label ? &theory->positives : &theory->negatives) += 1;
    }
    theory->spread = variances > 0 ? squares / variances : NAN;
}

fp_status fp_theory_make(const fp_instance *instance, const fp_theory_pairs *pairs, const fp_theory_options *options,
                         const fp_progress *progress, fp_arena *arena, fp_theory *theory, fp_error *error) {
    if (pairs->count == 0) return fp_fail(error, FP_ERROR_EMPTY, "no labelled pairs");
    expectation of = {instance, pairs, .steps = fp_theory_steps(instance)};
    of.block = pairs->count / MOST_BLOCKS + 1 > BLOCK ? pairs->count / MOST_BLOCKS + 1 : BLOCK;
    size_t blocks = (pairs->count + of.block - 1) / of.block;
    of.mean = fp_arena_raw(arena, pairs->count, sizeof *of.mean);
    of.variance = fp_arena_raw(arena, pairs->count, sizeof *of.variance);
    of.sums = fp_arena_alloc(arena, blocks * 2 * of.steps, sizeof *of.sums);
    fp_theory_step *steps = fp_arena_alloc(arena, of.steps, sizeof *steps);
    if (!of.mean || !of.variance || !of.sums || !steps) return fp_no_memory(error);
    FP_TRY(expect(&of, blocks, steps, progress, arena, error));
    count(pairs, steps, of.steps);
    *theory = (fp_theory){
        .pair_count = pairs->count, .mean = of.mean, .variance = of.variance, .step_count = of.steps, .steps = steps};
    theory->fit = (fp_fit){{NAN, {NAN, NAN}, NAN}, NAN, {NAN, NAN}, NAN, NAN};
    summarise(pairs, theory);
    fp_fit_input input;
    FP_TRY(find_places(instance, pairs, of.mean, arena, &input, error));
    theory->place_count = input.place_count;
    if (input.place_count)
        FP_TRY(
            fp_fit_make(&input, options->confidence, options->replicates, options->seed, arena, &theory->fit, error));
    return fp_theory_divide(pairs, input.place_count ? &input : NULL, options->confidence, arena, theory, error);
}

fp_theory_counts fp_theory_counts_at(const fp_theory *theory, double h) {
    fp_theory_counts sum = {0};
    for (size_t step = 0; step < theory->step_count && (double)step <= h; step++) {
        sum.tp += theory->steps[step].positives;
        sum.fp += theory->steps[step].negatives;
        sum.tp_expected += theory->steps[step].positives_expected;
        sum.fp_expected += theory->steps[step].negatives_expected;
    }
    return sum;
}

double fp_theory_recall(const fp_theory *theory, fp_theory_counts counts) {
    return theory->positives > 0 ? counts.tp_expected / theory->positives : NAN;
}

double fp_theory_precision(fp_theory_counts counts) {
    double calls = counts.tp_expected + counts.fp_expected;
    return calls > 0 ? counts.tp_expected / calls : NAN;
}
