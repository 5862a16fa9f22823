/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms over a corpus: sketches of all of them side by side, then the distances of one after the other. */
#include "eval/experiment/experiment.h"

#include <string.h>

#include "eval/experiment/corpus_sketches.h"
#include "eval/experiment/drawing/drawn_pairs.h"
#include "eval/experiment/drawing/whole_arms.h"

fp_status fp_experiment_sketches(const fp_corpus *corpus, fp_arm *const *arms, size_t count,
                                 const fp_progress *progress, fp_arena *arena, fp_measurement *measurements,
                                 fp_error *error) {
    memset(measurements, 0, count * sizeof *measurements);
    fp_pipeline_arm *lanes = fp_arena_alloc(arena, count, sizeof *lanes);
    if (!lanes) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) lanes[i].arm = arms[i];
    return fp_corpus_sketches(corpus, lanes, count, progress, arena, measurements, error);
}

/* ---- Distances ---- */

static fp_status measure_those(const fp_stage *stage, bool whole, size_t count, fp_arena *arena,
                               fp_measurement *measurements, fp_error *error) {
    for (size_t i = 0; i < count; i++)
        if (measurements[i].whole == whole) FP_TRY(fp_stage_distances(stage, measurements + i, arena, error));
    return FP_OK;
}

/* One sample for all arms. */
static fp_status draw(const fp_stage *stage, size_t count, fp_arena *arena, fp_measurement *measurements,
                      fp_error *error) {
    fp_drawn_pairs *drawn = fp_arena_alloc(arena, 1, sizeof *drawn);
    if (!drawn) return fp_no_memory(error);
    FP_TRY(fp_drawn_pairs_make(stage->corpus, measurements, count, stage->negatives, stage->seed, stage->progress,
                               arena, drawn, error));
    for (size_t i = 0; i < count; i++) measurements[i].drawn = drawn;
    return FP_OK;
}

static fp_status measure_all(const fp_stage *stage, size_t count, fp_arena *arena, fp_measurement *measurements,
                             fp_error *error) {
    return measure_those(stage, false, count, arena, measurements, error);
}

/* Arms of which all pairs are counted come first: what is near under them is part of the sample. */
static fp_status measure_sample(const fp_stage *stage, size_t count, fp_arena *arena, fp_measurement *measurements,
                                fp_error *error) {
    fp_stage listing = *stage;
    size_t whole = 0;
    for (size_t i = 0; i < count; i++) {
        fp_measurement *of = measurements + i;
        of->whole = fp_arm_counts_whole(&of->arm->instance.layout, stage->corpus->document_count, stage->most_words);
        whole += of->whole;
    }
    if (whole < count && stage->negatives / count > stage->near_most)
        listing.near_most = (size_t)(stage->negatives / count);
    FP_TRY(measure_those(&listing, true, count, arena, measurements, error));
    if (whole == count) return FP_OK;
    FP_TRY(draw(stage, count, arena, measurements, error));
    return measure_those(stage, false, count, arena, measurements, error);
}

fp_status fp_experiment_staged(const fp_stage *stage, fp_arm *const *arms, size_t count, fp_arena *arena,
                               fp_measurement *measurements, fp_error *error) {
    if (stage->corpus->truth == FP_TRUTH_NONE) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has no ground truth: neither pairs.tsv nor groups");
        return fp_at(error, FP_ERROR_EMPTY, stage->corpus->path, SIZE_MAX, SIZE_MAX);
    }
    FP_TRY(fp_experiment_sketches(stage->corpus, arms, count, stage->progress, arena, measurements, error));
    bool sampled = stage->negatives && stage->corpus->truth == FP_TRUTH_GROUPS;
    fp_status status = (sampled ? measure_sample : measure_all)(stage, count, arena, measurements, error);
    for (size_t i = 0; i < count && status != FP_OK; i++) fp_measurement_free(measurements + i);
    return status;
}

fp_status fp_experiment(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_progress *progress,
                        fp_arena *arena, fp_measurement *measurements, fp_error *error) {
    fp_stage stage = {.corpus = corpus, .progress = progress};
    return fp_experiment_staged(&stage, arms, count, arena, measurements, error);
}

void fp_measurement_free(fp_measurement *measurement) { fp_histogram_free(&measurement->histogram); }
