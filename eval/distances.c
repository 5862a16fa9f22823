/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of the pairs of the ground truth: a list, or all pairs row by row. */
#include <stdlib.h>

#include "eval/stages.h"

/* ---- A list of pairs ---- */

enum { BATCH = 256 }; /* pairs in one piece of work */

typedef struct list_job {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    double *distances;
} list_job;

static fp_status measure_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    list_job *job = context;
    const fp_instance *instance = &job->measurement->arm->instance;
    const fp_sketches *sketches = &job->measurement->sketches;
    size_t end = (index + 1) * BATCH < job->corpus->pair_count ? (index + 1) * BATCH : job->corpus->pair_count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = job->corpus->pairs[i];
        job->distances[i] =
            instance->algorithm->distance(instance, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
    }
    return FP_OK;
}

static fp_status measure_list(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas, fp_arena *arena,
                              fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    double *distances = fp_arena_raw(arena, corpus->pair_count, sizeof *distances);
    if (!distances) return fp_no_memory(error);
    list_job job = {corpus, measurement, distances};
    size_t batches = (corpus->pair_count + BATCH - 1) / BATCH;
    FP_TRY(fp_parallel(batches, arenas, true, measure_batch, &job, "distances", stage->progress, error));
    for (size_t i = 0; i < corpus->pair_count; i++)
        FP_TRY(fp_histogram_add(&measurement->histogram, distances[i], corpus->pairs[i].label, error));
    measurement->distances = distances;
    return FP_OK;
}

/* ---- All pairs ---- */

typedef struct row_job {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    const fp_arenas *arenas;
    fp_histogram *histograms; /* one a thread */
} row_job;

static fp_histogram *own_histogram(const row_job *job, const fp_arena *arena) {
    size_t thread = 0;
    while (job->arenas->each[thread] != arena) thread++;
    return job->histograms + thread;
}

static void row_distances(const row_job *job, size_t row, size_t count, double *out) {
    const fp_instance *instance = &job->measurement->arm->instance;
    const fp_sketches *sketches = &job->measurement->sketches;
    fp_sketch query = fp_sketches_at(sketches, row);
    if (instance->algorithm->distances) {
        instance->algorithm->distances(instance, query, sketches, row + 1, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = instance->algorithm->distance(instance, query, fp_sketches_at(sketches, row + 1 + i));
}

/* Distances of document `index` to all later ones. */
static fp_status measure_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    row_job *job = context;
    const fp_corpus *corpus = job->corpus;
    size_t count = corpus->document_count - index - 1;
    double *out = fp_arena_raw(arena, count, sizeof *out);
    if (!out) return fp_no_memory(error);
    row_distances(job, index, count, out);
    fp_histogram *histogram = own_histogram(job, arena);
    uint32_t group = corpus->group[index];
    for (size_t i = 0; i < count; i++) {
        bool positive = group != UINT32_MAX && corpus->group[index + 1 + i] == group;
        FP_TRY(fp_histogram_add(histogram, out[i], positive, error));
    }
    return FP_OK;
}

/* The counts do not depend on which thread took which row. */
static fp_status merge(fp_histogram *from, size_t count, fp_histogram *to, fp_error *error) {
    for (size_t t = 0; t < count; t++) {
        fp_histogram_finish(from + t);
        for (size_t i = 0; i < from[t].count; i++) {
            fp_bar bar = from[t].bars[i];
            FP_TRY(fp_histogram_add_many(to, bar.distance, bar.positives, bar.negatives, error));
        }
    }
    return FP_OK;
}

static fp_status measure_all_pairs(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas, fp_arena *arena,
                                   fp_error *error) {
    fp_histogram *histograms = fp_arena_alloc(arena, arenas->count, sizeof *histograms);
    if (!histograms) return fp_no_memory(error);
    row_job job = {stage->corpus, measurement, arenas, histograms};
    size_t rows = stage->corpus->document_count;
    fp_status status = fp_parallel(rows, arenas, true, measure_row, &job, "distances", stage->progress, error);
    if (status == FP_OK) status = merge(histograms, arenas->count, &measurement->histogram, error);
    for (size_t t = 0; t < arenas->count; t++) fp_histogram_free(histograms + t);
    return status;
}

fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, arena, error));
    double start = fp_seconds();
    fp_status status = stage->corpus->truth == FP_TRUTH_PAIRS ? measure_list(stage, measurement, &arenas, arena, error)
                                                              : measure_all_pairs(stage, measurement, &arenas, arena, error);
    measurement->distance_seconds = fp_seconds() - start;
    fp_arenas_free(&arenas);
    if (status == FP_OK) fp_histogram_finish(&measurement->histogram);
    return status;
}
