/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sketches of a corpus. */
#include "eval/experiment/corpus_sketches.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "algorithms/pipeline/store.h"

/* ---- Labels ---- */

/* The documents that an arm learns from; place[i] is the number of document i among them. */
typedef struct learning_part {
    const fp_corpus *corpus;
    const bool *training; /* NULL: all */
    uint32_t *place;
} learning_part;

static bool is_training(const learning_part *of, size_t document) { return !of->training || of->training[document]; }

/* Documents of a group, in corpus order, are chained. Writes each pair inside a group; `pairs` NULL: only counts. */
static size_t pairs_in_groups(const learning_part *of, const uint32_t *next, fp_pair *pairs) {
    size_t made = 0;
    for (size_t i = 0; i < of->corpus->document_count; i++) {
        if (!is_training(of, i)) continue;
        for (uint32_t j = next[i]; j != UINT32_MAX; j = next[j]) {
            if (!is_training(of, j)) continue;
            if (pairs) pairs[made] = (fp_pair){of->place[i], of->place[j], 1};
            made++;
        }
    }
    return made;
}

static fp_status group_pairs(const learning_part *of, fp_arena *arena, fp_pipeline_arm *to, fp_error *error) {
    const fp_corpus *corpus = of->corpus;
    uint32_t *next = fp_arena_raw(arena, corpus->document_count, sizeof *next);
    uint32_t *first = fp_arena_raw(arena, corpus->group_count, sizeof *first);
    if (!next || !first) return fp_no_memory(error);
    memset(first, 0xff, corpus->group_count * sizeof *first);
    for (size_t i = corpus->document_count; i-- > 0;) {
        uint32_t group = corpus->group[i];
        next[i] = group == UINT32_MAX ? UINT32_MAX : first[group];
        if (group != UINT32_MAX) first[group] = (uint32_t)i;
    }
    fp_pair *pairs = fp_arena_raw(arena, pairs_in_groups(of, next, NULL), sizeof *pairs);
    if (!pairs) return fp_no_memory(error);
    to->pair_count = pairs_in_groups(of, next, pairs);
    to->pairs = pairs;
    return FP_OK;
}

static fp_status listed_pairs(const learning_part *of, fp_arena *arena, fp_pipeline_arm *to, fp_error *error) {
    const fp_corpus *corpus = of->corpus;
    fp_pair *pairs = fp_arena_raw(arena, corpus->pair_count, sizeof *pairs);
    if (!pairs) return fp_no_memory(error);
    to->pair_count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        if (is_training(of, pair.a) && is_training(of, pair.b))
            pairs[to->pair_count++] = (fp_pair){of->place[pair.a], of->place[pair.b], pair.label};
    }
    to->pairs = pairs;
    return FP_OK;
}

static fp_status label(const fp_corpus *corpus, fp_pipeline_arm *to, fp_arena *arena, fp_error *error) {
    learning_part of = {corpus, to->training, NULL};
    if (!(to->arm->instance.algorithm->needs & FP_NEEDS_PAIRS)) return FP_OK;
    of.place = fp_arena_raw(arena, corpus->document_count, sizeof *of.place);
    if (!of.place) return fp_no_memory(error);
    uint32_t count = 0;
    for (size_t i = 0; i < corpus->document_count; i++)
        if (is_training(&of, i)) of.place[i] = count++;
    return (corpus->truth == FP_TRUTH_GROUPS ? group_pairs : listed_pairs)(&of, arena, to, error);
}

/* ---- Sketches ---- */

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      const bool *says, fp_error *error) {
    fp_store *stores = context;
    (void)first;
    return fp_store_add(stores + arm, count, sketches, says, error);
}

static double mean_bytes(const fp_layout *layout, const fp_sketches *sketches) {
    if (layout->payload > 0) return layout->payload;
    if (sketches->stride) return (double)sketches->stride;
    double sum = 0;
    for (size_t i = 0; i < sketches->count; i++) sum += (double)sketches->size[i];
    return sum / (double)sketches->count;
}

static fp_status take_measurement(fp_store *from, const fp_pipeline_arm *arm, fp_measurement *to, fp_error *error) {
    *to = (fp_measurement){
        .arm = arm->arm, .sketch_seconds = fp_pipeline_seconds_of(&arm->seconds), .silent_count = from->silent_count};
    memcpy(to->sketch_slices, arm->slice, sizeof to->sketch_slices);
    FP_TRY(fp_store_close(from, &to->sketches, error));
    if (to->silent_count) to->silent = from->silent;
    to->bytes_per_document = mean_bytes(&arm->arm->instance.layout, &to->sketches);
    return FP_OK;
}

static fp_status sketch_all(const fp_corpus *corpus, fp_pipeline *pipeline, fp_arena *scratch,
                            fp_measurement *measurements, fp_error *error) {
    fp_store *stores = fp_arena_alloc(scratch, pipeline->count, sizeof *stores);
    if (!stores) return fp_no_memory(error);
    for (size_t i = 0; i < pipeline->count; i++) {
        fp_pipeline_arm *arm = pipeline->arms + i;
        FP_TRY(label(corpus, arm, scratch, error));
        FP_TRY(fp_store_open(stores + i, &arm->arm->instance.layout, corpus->document_count, pipeline->arena, error));
    }
    pipeline->context = stores;
    FP_TRY(fp_pipeline_run(pipeline, error));
    for (size_t i = 0; i < pipeline->count; i++)
        FP_TRY(take_measurement(stores + i, pipeline->arms + i, measurements + i, error));
    return FP_OK;
}

fp_status fp_corpus_sketches(const fp_corpus *corpus, fp_pipeline_arm *arms, size_t count, const fp_progress *progress,
                             fp_arena *arena, fp_measurement *measurements, fp_error *error) {
    fp_text_source source;
    fp_pipeline pipeline = {.source = &source,
                            .arms = arms,
                            .count = count,
                            .learns = true,
                            .kept = FP_KEPT_TEXTS,
                            .take = take,
                            .progress = progress,
                            .arena = arena};
    fp_arena *scratch = fp_arena_new_like(arena);
    fp_status status = scratch ? fp_corpus_source(corpus, scratch, &source, error) : fp_no_memory(error);
    if (status == FP_OK) {
        status = sketch_all(corpus, &pipeline, scratch, measurements, error);
        fp_text_source_close(&source);
    }
    fp_arena_free(scratch);
    return status;
}

/* ---- How sure a time is ---- */

fp_interval fp_measurement_sketch_interval(const fp_measurement *measurement, double confidence) {
    enum { SLICES = FP_PIPELINE_SLICES };
    size_t documents = measurement->sketches.count, in_slice[SLICES] = {0};
    double each[SLICES], mean = 0, squares = 0;
    if (documents < 2 * SLICES) return (fp_interval){NAN, NAN};
    for (size_t i = 0; i < documents; i++) in_slice[fp_pipeline_slice(i, documents)]++;
    for (size_t s = 0; s < SLICES; s++) {
        each[s] = measurement->sketch_slices[s] / (double)in_slice[s];
        mean += each[s] / SLICES;
    }
    for (size_t s = 0; s < SLICES; s++) squares += (each[s] - mean) * (each[s] - mean);
    double error = sqrt(squares / (SLICES - 1) / SLICES);
    double half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, SLICES - 1) * error * (double)documents;
    return (fp_interval){fmax(0, measurement->sketch_seconds - half), measurement->sketch_seconds + half};
}
