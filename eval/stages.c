/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts, features and sketches of a whole corpus, one stage after the other. */
#include "eval/stages.h"

#include <string.h>

/* Text memory per thread lives as long as the stage's result: nothing is reset between documents. */
enum { KEEP = false, RESET = true };

/* The corpus's name in front of the reason, so that the user knows which text failed. */
static fp_status in_document(const fp_corpus *corpus, size_t index, fp_status status, fp_error *error) {
    if (status == FP_OK || status == FP_ERROR_MEMORY) return status;
    fp_error reason = *error;
    size_t byte = reason.byte;
    fp_string id = corpus->documents[index].id;
    fp_fail(error, status, "document %.*s: %.300s", (int)(id.length < 100 ? id.length : 100), id.data, reason.message);
    return fp_at(error, corpus->path, SIZE_MAX, byte);
}

/* ---- Texts ---- */

typedef struct text_job {
    const fp_corpus *corpus;
    const fp_treatment *treatment;
    unsigned wanted;
    fp_text *texts;
} text_job;

static fp_status treat_one(void *context, size_t index, fp_arena *arena, fp_error *error) {
    text_job *job = context;
    fp_status status = fp_treat(job->treatment, job->corpus->documents[index].text, job->wanted, arena, job->texts + index, error);
    return in_document(job->corpus, index, status, error);
}

fp_status fp_stage_texts(const fp_stage *stage, const fp_arm *arm, unsigned wanted, fp_arenas *arenas, fp_arena *arena,
                         fp_corpus_texts *out, fp_error *error) {
    size_t count = stage->corpus->document_count;
    *out = (fp_corpus_texts){.texts = fp_arena_alloc(arena, count, sizeof *out->texts)};
    if (!out->texts) return fp_no_memory(error);
    if (!arm->treatment) return FP_OK;
    double start = fp_seconds();
    text_job job = {stage->corpus, arm->treatment, wanted, out->texts};
    FP_TRY(fp_parallel(count, arenas, KEEP, treat_one, &job, "texts", stage->progress, error));
    out->seconds = fp_seconds() - start;
    return FP_OK;
}

/* ---- Features ---- */

typedef struct feature_job {
    const fp_corpus *corpus;
    const fp_arm *arm;
    const fp_text *texts;
    const fp_idf *idf;
    fp_units *units;
    fp_counts *counts;
    fp_document *documents;
} feature_job;

static fp_status count_one(void *context, size_t index, fp_arena *arena, fp_error *error) {
    feature_job *job = context;
    fp_status status = fp_extract(job->arm->extractor, job->texts + index, arena, job->units + index, error);
    if (status == FP_OK) status = fp_count(job->units + index, arena, job->counts + index, error);
    return in_document(job->corpus, index, status, error);
}

static fp_status weigh_one(void *context, size_t index, fp_arena *arena, fp_error *error) {
    feature_job *job = context;
    return fp_weigh(job->arm->extractor, job->idf, job->units + index, job->counts + index, false, arena,
                    &job->documents[index].features, error);
}

static fp_status make_features(const fp_stage *stage, feature_job *job, fp_arenas *arenas, fp_arena *arena, fp_error *error) {
    size_t count = stage->corpus->document_count;
    job->units = fp_arena_alloc(arena, count, sizeof *job->units);
    job->counts = fp_arena_alloc(arena, count, sizeof *job->counts);
    if (!job->units || !job->counts) return fp_no_memory(error);
    FP_TRY(fp_parallel(count, arenas, KEEP, count_one, job, "features", stage->progress, error));
    if (fp_extractor_learns(job->arm->extractor)) FP_TRY(fp_idf_learn(job->counts, count, arena, &job->idf, error));
    return fp_parallel(count, arenas, KEEP, weigh_one, job, "weights", stage->progress, error);
}

fp_status fp_stage_features(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts, fp_arenas *arenas, fp_arena *arena,
                            fp_corpus_features *out, fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    *out = (fp_corpus_features){.documents = fp_arena_alloc(arena, corpus->document_count, sizeof *out->documents)};
    if (!out->documents) return fp_no_memory(error);
    double start = fp_seconds();
    for (size_t i = 0; i < corpus->document_count; i++) {
        out->documents[i].id = corpus->documents[i].id;
        out->documents[i].text = texts->texts[i].text;
        out->documents[i].initials = texts->texts[i].initials;
    }
    feature_job job = {.corpus = corpus, .arm = arm, .texts = texts->texts, .documents = out->documents};
    if (arm->extractor) FP_TRY(make_features(stage, &job, arenas, arena, error));
    out->idf = job.idf;
    out->seconds = texts->seconds + fp_seconds() - start;
    return FP_OK;
}

/* ---- Sketches ---- */

/* The pairs that fit may see: the labelled ones, or the pairs inside groups. */
static fp_status training_pairs(const fp_corpus *corpus, fp_arena *arena, fp_training *training, fp_error *error) {
    training->pairs = corpus->pairs;
    training->pair_count = corpus->pair_count;
    if (corpus->truth != FP_TRUTH_GROUPS) return FP_OK;
    size_t count = 0;
    for (size_t i = 0; i < corpus->document_count; i++)
        for (size_t j = i + 1; j < corpus->document_count; j++)
            count += corpus->group[i] != UINT32_MAX && corpus->group[i] == corpus->group[j];
    fp_pair *pairs = fp_arena_raw(arena, count, sizeof *pairs);
    if (!pairs) return fp_no_memory(error);
    size_t made = 0;
    for (size_t i = 0; i < corpus->document_count; i++)
        for (size_t j = i + 1; j < corpus->document_count; j++)
            if (corpus->group[i] != UINT32_MAX && corpus->group[i] == corpus->group[j])
                pairs[made++] = (fp_pair){(uint32_t)i, (uint32_t)j, 1};
    training->pairs = pairs;
    training->pair_count = count;
    return FP_OK;
}

static fp_status fit(const fp_stage *stage, fp_arm *arm, const fp_corpus_features *features, fp_arena *arena, fp_error *error) {
    arm->idf = features->idf;
    if (!fp_arm_fits(arm)) return FP_OK;
    fp_training training = {.document_count = stage->corpus->document_count, .documents = features->documents};
    FP_TRY(training_pairs(stage->corpus, arena, &training, error));
    return arm->instance.algorithm->fit(&arm->instance, &training, arena, &arm->instance.model, error);
}

typedef struct sketch_job {
    const fp_instance *instance;
    const fp_document *documents;
    unsigned char *fixed; /* where fixed-width sketches go; NULL when they vary */
    fp_sketch *variable;  /* otherwise: each in its thread's arena */
} sketch_job;

static fp_status sketch_one(void *context, size_t index, fp_arena *arena, fp_error *error) {
    sketch_job *job = context;
    fp_sketch made;
    FP_TRY(job->instance->algorithm->sketch(job->instance, job->documents + index, arena, &made, error));
    if (job->fixed) memcpy(job->fixed + index * job->instance->layout.bytes, made.data, made.size);
    else job->variable[index] = made;
    return FP_OK;
}

static size_t aligned(size_t size) { return (size + 7) / 8 * 8; }

/* Moves sketches of many sizes into one blob with offsets. */
static fp_status gather(const fp_sketch *from, size_t count, fp_arena *arena, fp_sketches *to, fp_error *error) {
    size_t *offset = fp_arena_raw(arena, count + 1, sizeof *offset), *size = fp_arena_raw(arena, count, sizeof *size);
    if (!offset || !size) return fp_no_memory(error);
    offset[0] = 0;
    for (size_t i = 0; i < count; i++) {
        size[i] = from[i].size;
        offset[i + 1] = offset[i] + aligned(from[i].size);
    }
    unsigned char *data = fp_arena_alloc(arena, offset[count] + 8, 1);
    if (!data) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++)
        if (size[i]) memcpy(data + offset[i], from[i].data, size[i]);
    *to = (fp_sketches){.count = count, .data = data, .offset = offset, .size = size};
    return FP_OK;
}

static fp_status sketch_all(const fp_stage *stage, const fp_corpus_features *features, fp_arena *arena, fp_arenas *arenas,
                            fp_measurement *out, fp_error *error) {
    const fp_instance *instance = &out->arm->instance;
    size_t count = stage->corpus->document_count, bytes = instance->layout.bytes;
    sketch_job job = {.instance = instance, .documents = features->documents};
    if (bytes) job.fixed = fp_arena_alloc(arena, count, bytes);
    else job.variable = fp_arena_alloc(arena, count, sizeof *job.variable);
    if (!job.fixed && !job.variable) return fp_no_memory(error);
    FP_TRY(fp_parallel(count, arenas, bytes != 0, sketch_one, &job, "sketches", stage->progress, error));
    if (!bytes) return gather(job.variable, count, arena, &out->sketches, error);
    out->sketches = (fp_sketches){.count = count, .stride = bytes, .data = job.fixed};
    return FP_OK;
}

static double mean_bytes(const fp_layout *layout, const fp_sketches *sketches) {
    if (layout->payload > 0) return layout->payload;
    if (sketches->stride) return (double)sketches->stride;
    double sum = 0;
    for (size_t i = 0; i < sketches->count; i++) sum += (double)sketches->size[i];
    return sum / (double)sketches->count;
}

fp_status fp_stage_sketches(const fp_stage *stage, fp_arm *arm, const fp_corpus_features *features, fp_arena *arena,
                            fp_measurement *out, fp_error *error) {
    fp_arenas arenas = {0};
    double start = fp_seconds();
    *out = (fp_measurement){.arm = arm};
    FP_TRY(fit(stage, arm, features, arena, error));
    FP_TRY(fp_arenas_open(&arenas, arena, error));
    fp_status status = sketch_all(stage, features, arena, &arenas, out, error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    out->sketch_seconds = features->seconds + fp_seconds() - start;
    out->bytes_per_document = mean_bytes(&arm->instance.layout, &out->sketches);
    return FP_OK;
}
