/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals and comparisons of all arms on one corpus, from one set of replicates. */
#include "eval/outcome/inference.h"

#include <math.h>

/* The last of the first list needs a stated prevalence. */
static const fp_measure_kind AT_THRESHOLD[] = {FP_MEASURE_PRECISION, FP_MEASURE_RECALL, FP_MEASURE_F1,
                                               FP_MEASURE_SPECIFICITY, FP_MEASURE_PRECISION_AT};
static const fp_measure_kind WHOLE[] = {FP_MEASURE_AVERAGE_PRECISION, FP_MEASURE_ROC_AREA, FP_MEASURE_BEST_F1};
enum { AT_THRESHOLDS = sizeof AT_THRESHOLD / sizeof *AT_THRESHOLD, WHOLES = sizeof WHOLE / sizeof *WHOLE };

/* What is computed, measure by measure; each piece of work is independent of the others. */
typedef struct work {
    const fp_bootstrap *bootstrap;
    const fp_inference_options *options;
    fp_estimate *threshold[AT_THRESHOLDS];
    fp_estimate *whole[WHOLES];
    fp_comparison *comparisons;
} work;

static fp_status estimate(const work *job, size_t arm, fp_measure measure, fp_arena *scratch, fp_estimate *out,
                          fp_error *error) {
    return fp_bootstrap_estimate(job->bootstrap, arm, measure, job->options->method, job->options->confidence, scratch,
                                 out, error);
}

/* Piece `index` is one arm at one threshold, or, behind those, one arm's measures of the whole range. */
static fp_status estimate_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    size_t thresholds = job->bootstrap->threshold_count, cells = job->bootstrap->arm_count * thresholds;
    if (index >= cells) {
        for (size_t k = 0; k < WHOLES; k++)
            FP_TRY(estimate(job, index - cells, (fp_measure){.kind = WHOLE[k]}, scratch,
                            job->whole[k] + (index - cells), error));
        return FP_OK;
    }
    for (size_t k = 0; k < AT_THRESHOLDS; k++) {
        if (!job->threshold[k]) continue;
        fp_measure measure = {AT_THRESHOLD[k], index % thresholds, job->options->prevalence};
        FP_TRY(estimate(job, index / thresholds, measure, scratch, job->threshold[k] + index, error));
    }
    return FP_OK;
}

/* ---- Comparisons ---- */

/* The position of the threshold with the largest F1; threshold_count when F1 is defined at none. */
static size_t best_threshold(const fp_bootstrap *bootstrap, size_t arm) {
    size_t best = bootstrap->threshold_count;
    double largest = -1;
    for (size_t t = 0; t < bootstrap->threshold_count; t++) {
        double f1 = fp_f1(fp_bootstrap_counts(bootstrap, bootstrap->replicates, arm, t));
        if (isnan(f1) || f1 <= largest) continue;
        largest = f1;
        best = t;
    }
    return best;
}

static fp_status compare_piece(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    fp_comparison *pair = job->comparisons + index;
    fp_measure measure = job->options->compared;
    FP_TRY(fp_difference_of(job->bootstrap, (fp_side){pair->first, measure}, (fp_side){pair->second, measure},
                            FP_METHOD_PERCENTILE, job->options->confidence, scratch, &pair->difference, error));
    pair->first_threshold = best_threshold(job->bootstrap, pair->first);
    pair->second_threshold = best_threshold(job->bootstrap, pair->second);
    size_t none = job->bootstrap->threshold_count;
    if (pair->first_threshold == none || pair->second_threshold == none) {
        pair->mcnemar = (fp_mcnemar){0, 0, NAN, NAN};
        return FP_OK;
    }
    return fp_mcnemar_of(job->bootstrap, pair->first, pair->first_threshold, pair->second, pair->second_threshold,
                         scratch, &pair->mcnemar, error);
}

static fp_status adjust(fp_comparison *comparisons, size_t count, fp_arena *arena, fp_error *error) {
    double *p = fp_arena_raw(arena, count, sizeof *p);
    if (!p) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) p[i] = comparisons[i].difference.p;
    FP_TRY(fp_holm(p, count, p, error));
    for (size_t i = 0; i < count; i++) comparisons[i].adjusted = p[i];
    return FP_OK;
}

/* ---- All ---- */

static fp_status open_work(work *job, size_t arms, size_t thresholds, bool prevalence, fp_arena *arena,
                           fp_error *error) {
    size_t count = arms * (arms - 1) / 2;
    for (size_t k = 0; k < AT_THRESHOLDS; k++) {
        if (AT_THRESHOLD[k] == FP_MEASURE_PRECISION_AT && !prevalence) continue;
        job->threshold[k] = fp_arena_alloc(arena, arms * thresholds, sizeof(fp_estimate));
        if (!job->threshold[k]) return fp_no_memory(error);
    }
    for (size_t k = 0; k < WHOLES; k++) {
        job->whole[k] = fp_arena_alloc(arena, arms, sizeof(fp_estimate));
        if (!job->whole[k]) return fp_no_memory(error);
    }
    job->comparisons = fp_arena_alloc(arena, count, sizeof *job->comparisons);
    if (!job->comparisons) return fp_no_memory(error);
    fp_comparison *next = job->comparisons;
    for (size_t a = 0; a < arms; a++)
        for (size_t b = a + 1; b < arms; b++) *next++ = (fp_comparison){.first = a, .second = b};
    return FP_OK;
}

fp_status fp_inference_make(const fp_corpus *corpus, const double *const *distances, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error) {
    *inference = (fp_inference){.arm_count = arm_count, .threshold_count = options->threshold_count};
    FP_TRY(fp_resample_make(corpus->pairs, corpus->pair_count, corpus->group, corpus->document_count, FP_SAMPLING_AUTO,
                            arena, &inference->resample, error));
    fp_bootstrap *bootstrap = fp_arena_alloc(arena, 1, sizeof *bootstrap);
    if (!bootstrap) return fp_no_memory(error);
    fp_bootstrap_options drawing = {options->replicates, options->seed, options->thresholds, options->threshold_count,
                                    options->empty};
    FP_TRY(fp_bootstrap_run(&inference->resample, corpus->pairs, distances, arm_count, &drawing, progress, arena,
                            bootstrap, error));
    work job = {.bootstrap = bootstrap, .options = options};
    FP_TRY(open_work(&job, arm_count, options->threshold_count, options->prevalence > 0, arena, error));
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    size_t pieces = arm_count * options->threshold_count + arm_count;
    inference->comparison_count = arm_count * (arm_count - 1) / 2;
    fp_status status = fp_parallel(pieces, &arenas, true, estimate_piece, &job, "intervals", progress, error);
    if (status == FP_OK)
        status = fp_parallel(inference->comparison_count, &arenas, true, compare_piece, &job, "differences", progress,
                             error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    FP_TRY(adjust(job.comparisons, inference->comparison_count, arena, error));
    inference->precision = job.threshold[0];
    inference->recall = job.threshold[1];
    inference->f1 = job.threshold[2];
    inference->specificity = job.threshold[3];
    inference->precision_at = job.threshold[4];
    inference->average_precision = job.whole[0];
    inference->roc_area = job.whole[1];
    inference->best_f1 = job.whole[2];
    inference->comparisons = job.comparisons;
    return FP_OK;
}

const char *fp_inference_describe(const fp_inference *inference, fp_arena *arena) {
    if (!inference->near) return fp_resample_describe(&inference->resample, arena);
    const char *open =
        inference->open_count
            ? fp_format(
                  arena,
                  " Of %zu of %zu arms more pairs are that near than can be listed: of these, recall alone has intervals.",
                  inference->open_count, inference->arm_count)
            : "";
    if (!open) return NULL;
    return fp_format(
        arena,
        "All pairs are counted, and they are not independent: groups are the units. Intervals of precision, recall and F1 come from the "
        "pairs inside groups and those within the largest threshold; other figures have none.%s",
        open);
}
