/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals where all pairs of many documents are counted: from the near pairs, with the groups as units. */
#include <math.h>

#include "eval/outcome/inference.h"
#include "eval/experiment/near_pairs.h"

/* Weights drawn for one arm: about a second of work. */
#define MOST_DRAWS 200000000.0
enum { FEWEST_REPLICATES = 200 };

/* One arm. */
typedef struct work {
    const fp_inference_options *options;
    fp_bootstrap bootstrap;
    size_t measure_count;
    const fp_measured *measures;
    fp_estimate **estimates; /* [measure_count] of this arm: [threshold_count], or one */
    bool complete;           /* otherwise there are positives alone */
} work;

/* The near pairs hold all that are called or missed, but not the true negatives; where they are too many to list, the
 * positives alone. */
static bool can_estimate(const work *job, const fp_measure_row *row) {
    unsigned unknown = job->complete ? FP_CELL_TN : FP_CELL_TN | FP_CELL_FP;
    return fp_measure_at_threshold(row) && !(row->counted & unknown);
}

static fp_status estimate_one(void *context, size_t threshold, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    for (size_t k = 0; k < job->measure_count; k++) {
        fp_measure measure = job->measures[k].measure;
        if (!can_estimate(job, measure.row)) continue;
        measure.threshold = threshold;
        FP_TRY(fp_bootstrap_estimate(&job->bootstrap, 0, measure, job->options->method, job->options->confidence,
                                     scratch, job->estimates[k] + threshold, error));
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
    fp_bootstrap_options drawing = {.replicates =
                                        fp_method_draws(options->method) ? replicates_of(options, near->count) : 0,
                                    .seed = options->seed,
                                    .thresholds = options->thresholds,
                                    .threshold_count = options->threshold_count,
                                    .empty = options->empty};
    FP_TRY(fp_bootstrap_run(resample, &(fp_paired_distances){near->pairs, &near->distances, 1}, &drawing, progress,
                            arena, &job->bootstrap, error));
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status =
        fp_parallel(options->threshold_count, &arenas, true, estimate_one, job, "intervals", progress, error);
    fp_arenas_free(&arenas);
    return status;
}

static fp_estimate plain(double value, fp_method method) {
    return (fp_estimate){
        .value = value, .interval = {NAN, NAN}, .method = method, .error = NAN, .trials = NAN, .units = NAN};
}

/* The values alone, until it is known how sure they are. */
static fp_status leave_open(const fp_measurement *measurement, const work *job, fp_error *error) {
    const fp_histogram *histogram = &measurement->histogram;
    for (size_t k = 0; k < job->measure_count; k++) {
        fp_measure measure = job->measures[k].measure;
        double value;
        if (fp_measure_at_threshold(measure.row)) continue;
        FP_TRY(fp_measure_of_histogram(measure, histogram, &value, error));
        job->estimates[k][0] = plain(value, job->options->method);
    }
    for (size_t t = 0; t < job->options->threshold_count; t++) {
        fp_confusion counts = fp_confusion_at(histogram, job->options->thresholds[t]);
        for (size_t k = 0; k < job->measure_count; k++)
            if (fp_measure_at_threshold(job->measures[k].measure.row))
                job->estimates[k][t] =
                    plain(fp_measure_of(job->measures[k].measure, counts, FP_EMPTY_NA), job->options->method);
    }
    return FP_OK;
}

/* Room for the estimates of all arms; `all` and job->estimates have an entry for each measure. */
static fp_status open_work(work *job, size_t arms, fp_arena *arena, fp_estimate ***all, fp_inference *inference,
                           fp_error *error) {
    fp_measured *measures;
    FP_TRY(fp_inference_list(job->options, true, arena, &measures, &job->measure_count, error));
    *all = fp_arena_alloc(arena, job->measure_count, sizeof **all);
    job->estimates = fp_arena_alloc(arena, job->measure_count, sizeof *job->estimates);
    if (!*all || !job->estimates) return fp_no_memory(error);
    for (size_t k = 0; k < job->measure_count; k++) {
        size_t each = fp_measure_at_threshold(measures[k].measure.row) ? job->options->threshold_count : 1;
        measures[k].estimate = (*all)[k] = fp_arena_alloc(arena, arms * each, sizeof(fp_estimate));
        if (!(*all)[k]) return fp_no_memory(error);
    }
    job->measures = inference->measures = measures;
    inference->measure_count = job->measure_count;
    return FP_OK;
}

fp_status fp_inference_near(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error) {
    size_t thresholds = options->threshold_count;
    work job = {.options = options};
    fp_estimate **all;
    *inference = (fp_inference){.arm_count = arm_count, .threshold_count = thresholds, .near = true};
    FP_TRY(open_work(&job, arm_count, arena, &all, inference, error));
    fp_arena *own = fp_arena_new_like(arena);
    fp_status status = own ? FP_OK : fp_no_memory(error);
    for (size_t arm = 0; arm < arm_count && status == FP_OK; arm++) {
        fp_stage stage = {corpus, progress, options->thresholds + thresholds - 1};
        fp_near_pairs near;
        for (size_t k = 0; k < job.measure_count; k++)
            job.estimates[k] = all[k] + arm * (fp_measure_at_threshold(job.measures[k].measure.row) ? thresholds : 1);
        fp_arena_reset(own);
        status = fp_near_pairs_list(&stage, measurements + arm, own, &near, error);
        if (status != FP_OK) break;
        job.complete = near.complete;
        status = leave_open(measurements + arm, &job, error);
        if (status == FP_OK && near.count) status = infer_arm(corpus, &near, &job, progress, own, error);
        inference->open_count += !near.complete;
    }
    fp_arena_free(own);
    return status;
}
