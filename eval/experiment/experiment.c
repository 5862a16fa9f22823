/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms over a corpus. Arms with the same text specification share texts, those with the same feature specification
 * share features; each is made when the first arm needs it and released with the last. */
#include "eval/experiment/experiment.h"

#include <string.h>

#include "eval/experiment/pipeline.h"

typedef struct experiment {
    fp_stage stage;
    fp_arm *const *arms;
    size_t count;
    bool distances;
    fp_arena *arena;
    fp_measurement *measurements;
    fp_error *error;
} experiment;

static fp_status measure_arm(experiment *run, size_t index, const fp_corpus_features *features) {
    fp_measurement *measurement = run->measurements + index;
    FP_TRY(fp_stage_sketches(&run->stage, run->arms[index], features, run->arena, measurement, run->error));
    return run->distances ? fp_stage_distances(&run->stage, measurement, run->arena, run->error) : FP_OK;
}

static bool same_features(const fp_arm *a, const fp_arm *b) {
    return strcmp(a->text_key, b->text_key) == 0 && strcmp(a->feature_key, b->feature_key) == 0;
}

/* All arms, from `first` on, that read the features of arm `first`. */
static fp_status measure_features(experiment *run, size_t first, const fp_corpus_texts *texts, bool *done) {
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas = {0};
    fp_corpus_features features;
    fp_status status =
        arena ? fp_arenas_open(&arenas, run->stage.progress, arena, run->error) : fp_no_memory(run->error);
    if (status == FP_OK) {
        /* A learned IDF outlives the features: the fitted arm keeps it. */
        status = fp_stage_features(&run->stage, run->arms[first], texts, &arenas, run->arena, &features, run->error);
    }
    for (size_t i = first; i < run->count && status == FP_OK; i++) {
        if (done[i] || !same_features(run->arms[i], run->arms[first])) continue;
        status = measure_arm(run, i, &features);
        done[i] = true;
    }
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return status;
}

static fp_status measure_texts(experiment *run, size_t first, bool *done) {
    const fp_arm *arm = run->arms[first];
    unsigned wanted = 0;
    for (size_t i = first; i < run->count; i++)
        if (strcmp(run->arms[i]->text_key, arm->text_key) == 0) wanted |= fp_arm_wants(run->arms[i]);
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas = {0};
    fp_corpus_texts texts;
    fp_status status =
        arena ? fp_arenas_open(&arenas, run->stage.progress, arena, run->error) : fp_no_memory(run->error);
    if (status == FP_OK) status = fp_stage_texts(&run->stage, arm, wanted, &arenas, arena, &texts, run->error);
    for (size_t i = first; i < run->count && status == FP_OK; i++)
        if (!done[i] && strcmp(run->arms[i]->text_key, arm->text_key) == 0)
            status = measure_features(run, i, &texts, done);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return status;
}

static fp_status run_experiment(experiment *run) {
    bool *done = fp_arena_alloc(run->arena, run->count, sizeof *done);
    if (!done) return fp_no_memory(run->error);
    memset(run->measurements, 0, run->count * sizeof *run->measurements);
    fp_status status = FP_OK;
    for (size_t i = 0; i < run->count && status == FP_OK; i++)
        if (!done[i]) status = measure_texts(run, i, done);
    for (size_t i = 0; i < run->count && status != FP_OK; i++) fp_measurement_free(run->measurements + i);
    return status;
}

fp_status fp_experiment(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_progress *progress,
                        fp_arena *arena, fp_measurement *measurements, fp_error *error) {
    if (corpus->truth == FP_TRUTH_NONE) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has no ground truth: neither pairs.tsv nor groups");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    experiment run = {{.corpus = corpus, .progress = progress}, arms, count, true, arena, measurements, error};
    return run_experiment(&run);
}

fp_status fp_experiment_sketches(const fp_corpus *corpus, fp_arm *const *arms, size_t count,
                                 const fp_progress *progress, fp_arena *arena, fp_measurement *measurements,
                                 fp_error *error) {
    experiment run = {{.corpus = corpus, .progress = progress}, arms, count, false, arena, measurements, error};
    return run_experiment(&run);
}

void fp_measurement_free(fp_measurement *measurement) { fp_histogram_free(&measurement->histogram); }
