/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals where all pairs of many documents are counted: from the near pairs, with the groups as units. */
#include <math.h>

#include "eval/outcome/inference.h"
#include "eval/experiment/near_pairs.h"

static const fp_measure_kind MEASURES[] = {FP_MEASURE_PRECISION, FP_MEASURE_RECALL, FP_MEASURE_F1};
enum { MEASURE_COUNT = sizeof MEASURES / sizeof *MEASURES };

/* Weights drawn for one arm: about a second of work. */
#define MOST_DRAWS 200000000.0
enum { FEWEST_REPLICATES = 200 };

/* One arm. */
typedef struct work {
    const fp_inference_options *options;
    fp_bootstrap bootstrap;
    fp_estimate *measure[MEASURE_COUNT]; /* [threshold_count] each */
    bool complete;                       /* otherwise there are positives alone, and recall is all that can be told */
} work;

static fp_status estimate_one(void *context, size_t threshold, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    for (size_t k = 0; k < MEASURE_COUNT; k++) {
        fp_measure measure = {.kind = MEASURES[k], .threshold = threshold};
        if (!job->complete && MEASURES[k] != FP_MEASURE_RECALL) continue;
        FP_TRY(fp_bootstrap_estimate(&job->bootstrap, 0, measure, job->options->method, job->options->confidence,
                                     scratch, job->measure[k] + threshold, error));
    }
    return FP_OK;
}

static size_t replicates_of(const fp_inference_options *options, size_t pairs) {
    double most = fmax(FEWEST_REPLICATES, MOST_DRAWS / (double)(pairs + 1));
    return (double)options->replicates <= most ? options->replicates : (size_t)most;
}

static fp_status infer_arm(const fp_corpus *corpus, const fp_near_pairs *near, work *job, const fp_progress *progress,
                           fp_arena *arena, fp_error *error) {
    const fp_inference_options *options = job->options;
    fp_resample *resample = fp_arena_alloc(arena, 1, sizeof *resample);
    fp_arenas arenas = {0};
    if (!resample) return fp_no_memory(error);
    FP_TRY(fp_resample_make(near->pairs, near->count, corpus->group, corpus->document_count, FP_SAMPLING_GROUP, arena,
                            resample, error));
    fp_bootstrap_options drawing = {replicates_of(options, near->count), options->seed, options->thresholds,
                                    options->threshold_count, options->empty};
    FP_TRY(fp_bootstrap_run(resample, near->pairs, &near->distances, 1, &drawing, progress, arena, &job->bootstrap,
                            error));
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status =
        fp_parallel(options->threshold_count, &arenas, true, estimate_one, job, "intervals", progress, error);
    fp_arenas_free(&arenas);
    return status;
}

/* The measures alone, until it is known how sure they are. */
static void leave_open(const fp_measurement *measurement, const work *job) {
    for (size_t t = 0; t < job->options->threshold_count; t++) {
        fp_confusion counts = fp_confusion_at(&measurement->histogram, job->options->thresholds[t]);
        double value[MEASURE_COUNT] = {fp_precision(counts), fp_recall(counts), fp_f1(counts)};
        for (size_t k = 0; k < MEASURE_COUNT; k++)
            job->measure[k][t] = (fp_estimate){.value = value[k],
                                               .interval = {NAN, NAN},
                                               .method = job->options->method,
                                               .error = NAN,
                                               .trials = NAN,
                                               .units = NAN};
    }
}

fp_status fp_inference_near(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error) {
    size_t thresholds = options->threshold_count;
    fp_estimate *measure[MEASURE_COUNT];
    *inference = (fp_inference){.arm_count = arm_count, .threshold_count = thresholds, .near = true};
    for (size_t k = 0; k < MEASURE_COUNT; k++) {
        measure[k] = fp_arena_alloc(arena, arm_count * thresholds, sizeof *measure[k]);
        if (!measure[k]) return fp_no_memory(error);
    }
    fp_arena *own = fp_arena_new();
    fp_status status = own ? FP_OK : fp_no_memory(error);
    for (size_t arm = 0; arm < arm_count && status == FP_OK; arm++) {
        work job = {.options = options};
        fp_stage stage = {corpus, progress, options->thresholds + thresholds - 1};
        fp_near_pairs near;
        for (size_t k = 0; k < MEASURE_COUNT; k++) job.measure[k] = measure[k] + arm * thresholds;
        fp_arena_reset(own);
        status = fp_near_pairs_list(&stage, measurements + arm, own, &near, error);
        if (status != FP_OK) break;
        job.complete = near.complete;
        leave_open(measurements + arm, &job);
        if (near.count) status = infer_arm(corpus, &near, &job, progress, own, error);
        inference->open_count += !near.complete;
    }
    fp_arena_free(own);
    inference->precision = measure[0];
    inference->recall = measure[1];
    inference->f1 = measure[2];
    return status;
}
