/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of the pairs of the ground truth: a list, or all pairs. */
#include "eval/experiment/all_pairs.h"
#include "eval/experiment/distance_check.h"
#include "eval/experiment/drawing/drawn_pairs.h"

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
    fp_histogram_finish(&measurement->histogram);
    measurement->distances = distances;
    return FP_OK;
}

/* ---- All pairs ---- */

static fp_status measure_groups(fp_all_pairs *all, fp_error *error) {
    const fp_stage *stage = all->stage;
    fp_groups groups;
    all->groups = &groups;
    FP_TRY(fp_groups_make(stage->corpus, all->arena, &groups, error));
    if (stage->near_most)
        FP_TRY(fp_near_finder_open(stage->corpus, all->measurement, stage->near_most, all->arenas->count, all->arena,
                                   all->near, error));
    return fp_all_pairs_measure(all, error);
}

static fp_status list_near(fp_near_finder *finder, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    fp_near_pairs *near = fp_arena_alloc(arena, 1, sizeof *near);
    if (!near) return fp_no_memory(error);
    measurement->near = near;
    return fp_near_finder_close(finder, arena, near, error);
}

/* What the work needs goes with it. */
static fp_status measure_all(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                             fp_arena *arena, fp_error *error) {
    fp_near_finder near = {0};
    fp_all_pairs all = {stage, measurement, arenas, fp_arena_new_like(arena), NULL, &near};
    if (!all.arena) return fp_no_memory(error);
    fp_status status = measure_groups(&all, error);
    if (status == FP_OK) fp_histogram_finish(&measurement->histogram);
    if (status == FP_OK && stage->near_most) status = list_near(&near, measurement, arena, error);
    fp_near_finder_free(&near);
    fp_arena_free(all.arena);
    return status;
}

/* ---- A sample ---- */

/* Some of the pairs, spread over all; that each distance is a good one is seen when it is measured. */
static fp_status check_drawn(const fp_stage *stage, const fp_measurement *measurement, fp_error *error) {
    enum { MOST = 1 << 16 };
    const fp_drawn_pairs *drawn = measurement->drawn;
    size_t count = drawn->count, step = count / MOST + 1, made = 0;
    fp_pair *pairs = fp_memory_take(stage->corpus->memory, count / step + 1, sizeof *pairs);
    if (!pairs) return fp_no_memory(error);
    for (size_t i = 0; i < count; i += step) pairs[made++] = (fp_pair){drawn->pairs[i].a, drawn->pairs[i].b, 0};
    fp_status status = fp_distances_check(stage->corpus, measurement, pairs, made, stage->progress, error);
    fp_memory_release(stage->corpus->memory, pairs);
    return status;
}

static fp_status measure_drawn(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                               fp_arena *arena, fp_error *error) {
    FP_TRY(check_drawn(stage, measurement, error));
    FP_TRY(fp_drawn_pairs_measure(stage, measurement->drawn, measurement, arenas, arena, error));
    fp_histogram_finish(&measurement->histogram);
    return FP_OK;
}

fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    const fp_corpus *corpus = stage->corpus;
    bool listed = corpus->truth == FP_TRUTH_PAIRS;
    if (!measurement->drawn)
        FP_TRY(fp_distances_check(corpus, measurement, listed ? corpus->pairs : NULL, corpus->pair_count,
                                  stage->progress, error));
    FP_TRY(fp_arenas_open(&arenas, stage->progress, arena, error));
    measurement->histogram.like = corpus->memory;
    double start = fp_seconds();
    fp_status status = listed               ? measure_list(stage, measurement, &arenas, arena, error)
                       : measurement->drawn ? measure_drawn(stage, measurement, &arenas, arena, error)
                                            : measure_all(stage, measurement, &arenas, arena, error);
    measurement->distance_seconds = fp_seconds() - start;
    fp_arenas_free(&arenas);
    return status;
}
