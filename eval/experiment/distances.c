/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of the pairs of the ground truth: a list, or all pairs. */
#include "eval/experiment/all_pairs.h"

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
    size_t end = (index + 1) * BATCH < job->corpus->pair_count ? (index + 1) * BATCH : job->corpus->pair_count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = job->corpus->pairs[i];
        job->distances[i] = fp_measurement_distance(job->measurement, pair.a, pair.b);
    }
    return FP_OK;
}

static fp_status measure_list(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                              fp_arena *arena, fp_error *error) {
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

fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, stage->progress, arena, error));
    double start = fp_seconds();
    bool listed = stage->corpus->truth == FP_TRUTH_PAIRS;
    fp_all_pairs all = {stage, measurement, &arenas, arena};
    fp_status status =
        listed ? measure_list(stage, measurement, &arenas, arena, error) : fp_all_pairs_measure(&all, error);
    measurement->distance_seconds = fp_seconds() - start;
    fp_arenas_free(&arenas);
    if (status == FP_OK) fp_histogram_finish(&measurement->histogram);
    return status;
}
