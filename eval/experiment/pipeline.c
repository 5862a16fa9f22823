/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts, features and sketches of a whole corpus, one stage after the other. */
#include "eval/experiment/pipeline.h"

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
    return fp_at(error, status, corpus->path, SIZE_MAX, byte);
}

/* ---- Texts ---- */

typedef struct text_job {
    const fp_corpus *corpus;
    const fp_string *raw;
    const fp_preprocessor *preprocessor;
    unsigned wanted;
    fp_text *texts;
} text_job;

static fp_status treat_one(void *context, size_t index, fp_arena *arena, fp_error *error) {
    text_job *job = context;
    fp_status status = fp_preprocess(job->preprocessor, job->raw[index], job->wanted, arena, job->texts + index, error);
    return in_document(job->corpus, index, status, error);
}

fp_status fp_stage_texts(const fp_stage *stage, const fp_arm *arm, unsigned wanted, fp_arenas *arenas, fp_arena *arena,
                         fp_corpus_texts *out, fp_error *error) {
    size_t count = stage->corpus->document_count;
    *out = (fp_corpus_texts){.texts = fp_arena_alloc(arena, count, sizeof *out->texts)};
    if (!out->texts) return fp_no_memory(error);
    if (!arm->preprocessor) return FP_OK;
    double start = fp_seconds();
    fp_string *raw = fp_arena_raw(arena, count, sizeof *raw);
    if (!raw) return fp_no_memory(error);
    FP_TRY(fp_corpus_fetch(stage->corpus, NULL, count, arena, raw, error));
    text_job job = {stage->corpus, raw, arm->preprocessor, wanted, out->texts};
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

fp_status fp_stage_counts(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts, fp_arenas *arenas,
                          fp_arena *arena, fp_corpus_counts *out, fp_error *error) {
    size_t count = stage->corpus->document_count;
    double start = fp_seconds();
    *out = (fp_corpus_counts){.seconds = texts->seconds};
    if (!arm->extractor) return FP_OK;
    out->units = fp_arena_alloc(arena, count, sizeof *out->units);
    out->counts = fp_arena_alloc(arena, count, sizeof *out->counts);
    if (!out->units || !out->counts) return fp_no_memory(error);
    feature_job job = {
        .corpus = stage->corpus, .arm = arm, .texts = texts->texts, .units = out->units, .counts = out->counts};
    FP_TRY(fp_parallel(count, arenas, KEEP, count_one, &job, "features", stage->progress, error));
    out->seconds += fp_seconds() - start;
    return FP_OK;
}

/* From the training documents alone. */
static fp_status learn_idf(const fp_stage *stage, const fp_counts *counts, fp_arena *arena, const fp_idf **idf,
                           fp_error *error) {
    size_t count = stage->corpus->document_count, kept = 0;
    if (!stage->training) return fp_idf_learn(counts, count, arena, idf, error);
    fp_counts *chosen = fp_arena_raw(arena, count, sizeof *chosen);
    if (!chosen) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++)
        if (stage->training[i]) chosen[kept++] = counts[i];
    return fp_idf_learn(chosen, kept, arena, idf, error);
}

fp_status fp_stage_weights(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts,
                           const fp_corpus_counts *counts, fp_arenas *arenas, fp_arena *arena, fp_corpus_features *out,
                           fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    *out = (fp_corpus_features){.documents = fp_arena_alloc(arena, corpus->document_count, sizeof *out->documents)};
    if (!out->documents) return fp_no_memory(error);
    double start = fp_seconds();
    for (size_t i = 0; i < corpus->document_count; i++) {
        out->documents[i].id = corpus->documents[i].id;
        out->documents[i].text = texts->texts[i].text;
        out->documents[i].initials = texts->texts[i].initials;
    }
    if (arm->extractor) {
        feature_job job = {.arm = arm, .units = counts->units, .counts = counts->counts, .documents = out->documents};
        if (fp_extractor_learns(arm->extractor)) FP_TRY(learn_idf(stage, counts->counts, arena, &out->idf, error));
        job.idf = out->idf;
        FP_TRY(fp_parallel(corpus->document_count, arenas, KEEP, weigh_one, &job, "weights", stage->progress, error));
    }
    out->seconds = counts->seconds + fp_seconds() - start;
    return FP_OK;
}

fp_status fp_stage_features(const fp_stage *stage, const fp_arm *arm, const fp_corpus_texts *texts, fp_arenas *arenas,
                            fp_arena *arena, fp_corpus_features *out, fp_error *error) {
    fp_corpus_counts counts;
    FP_TRY(fp_stage_counts(stage, arm, texts, arenas, arena, &counts, error));
    return fp_stage_weights(stage, arm, texts, &counts, arenas, arena, out, error);
}

/* ---- Sketches ---- */

static bool is_training(const fp_stage *stage, size_t document) {
    return !stage->training || stage->training[document];
}

/* Documents of a group, in corpus order, are chained. Calls for each pair inside a group; `pairs` NULL: only counts. */
static size_t pairs_in_groups(const fp_stage *stage, const uint32_t *next, const uint32_t *place, fp_pair *pairs) {
    size_t made = 0;
    for (size_t i = 0; i < stage->corpus->document_count; i++) {
        if (!is_training(stage, i)) continue;
        for (uint32_t j = next[i]; j != UINT32_MAX; j = next[j]) {
            if (!is_training(stage, j)) continue;
            if (pairs) pairs[made] = (fp_pair){place[i], place[j], 1};
            made++;
        }
    }
    return made;
}

static fp_status group_pairs(const fp_stage *stage, const uint32_t *place, fp_arena *arena, fp_training *training,
                             fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    uint32_t *next = fp_arena_raw(arena, corpus->document_count, sizeof *next);
    uint32_t *first = fp_arena_raw(arena, corpus->group_count, sizeof *first);
    if (!next || !first) return fp_no_memory(error);
    memset(first, 0xff, corpus->group_count * sizeof *first);
    for (size_t i = corpus->document_count; i-- > 0;) {
        uint32_t group = corpus->group[i];
        next[i] = group == UINT32_MAX ? UINT32_MAX : first[group];
        if (group != UINT32_MAX) first[group] = (uint32_t)i;
    }
    fp_pair *pairs = fp_arena_raw(arena, pairs_in_groups(stage, next, place, NULL), sizeof *pairs);
    if (!pairs) return fp_no_memory(error);
    training->pair_count = pairs_in_groups(stage, next, place, pairs);
    training->pairs = pairs;
    return FP_OK;
}

static fp_status listed_pairs(const fp_stage *stage, const uint32_t *place, fp_arena *arena, fp_training *training,
                              fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    fp_pair *pairs = fp_arena_raw(arena, corpus->pair_count, sizeof *pairs);
    if (!pairs) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        if (is_training(stage, pair.a) && is_training(stage, pair.b))
            pairs[training->pair_count++] = (fp_pair){place[pair.a], place[pair.b], pair.label};
    }
    training->pairs = pairs;
    return FP_OK;
}

/* What learning may see: the training documents, and, where it asks for them, the labelled pairs, or the pairs inside
 * groups, both of whose documents are among them. */
static fp_status learn(const fp_stage *stage, fp_arm *arm, const fp_corpus_features *features, fp_arena *arena,
                       fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    if (features->idf) FP_TRY(fp_arm_take_frequencies(arm, features->idf, error));
    if (!fp_arm_fits(arm)) return FP_OK;
    fp_document *documents =
        stage->training ? fp_arena_raw(arena, corpus->document_count, sizeof *documents) : features->documents;
    uint32_t *place = fp_arena_raw(arena, corpus->document_count, sizeof *place);
    if (!documents || !place) return fp_no_memory(error);
    fp_training training = {0};
    size_t count = 0;
    for (size_t i = 0; i < corpus->document_count; i++) {
        if (!is_training(stage, i)) continue;
        place[i] = (uint32_t)count;
        if (stage->training) documents[count] = features->documents[i];
        count++;
    }
    if (arm->instance.algorithm->needs & FP_NEEDS_PAIRS)
        FP_TRY((corpus->truth == FP_TRUTH_GROUPS ? group_pairs : listed_pairs)(stage, place, arena, &training, error));
    return fp_arm_learn(arm, &training, documents, count, arena, error);
}

typedef struct sketch_job {
    const fp_arm *arm;
    const fp_instance *instance;
    const bool *sketched; /* NULL: all */
    bool *silent;         /* where a sketch of nothing is noted */
    const fp_document *documents;
    unsigned char *fixed; /* where fixed-width sketches go; NULL when they vary */
    fp_sketch *variable;  /* otherwise: each in its thread's arena */
} sketch_job;

static fp_status sketch_one(void *context, size_t index, fp_arena *arena, fp_error *error) {
    sketch_job *job = context;
    fp_sketch made;
    if (job->sketched && !job->sketched[index]) return FP_OK;
    FP_TRY(job->instance->algorithm->sketch(job->instance, job->documents + index, arena, &made, error));
    job->silent[index] = !fp_arm_says(job->arm, job->documents + index, made);
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

static fp_status sketch_all(const fp_stage *stage, const fp_corpus_features *features, fp_arena *arena,
                            fp_arenas *arenas, fp_measurement *out, fp_error *error) {
    const fp_instance *instance = &out->arm->instance;
    size_t count = stage->corpus->document_count, bytes = instance->layout.bytes;
    sketch_job job = {
        .arm = out->arm, .instance = instance, .sketched = stage->sketched, .documents = features->documents};
    job.silent = fp_arena_alloc(arena, count, sizeof *job.silent);
    if (bytes) job.fixed = fp_arena_alloc(arena, count, bytes);
    else job.variable = fp_arena_alloc(arena, count, sizeof *job.variable);
    if (!job.silent || (!job.fixed && !job.variable)) return fp_no_memory(error);
    FP_TRY(fp_parallel(count, arenas, bytes != 0, sketch_one, &job, "sketches", stage->progress, error));
    for (size_t i = 0; i < count; i++) out->silent_count += job.silent[i];
    if (out->silent_count) out->silent = job.silent;
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
    FP_TRY(learn(stage, arm, features, arena, error));
    FP_TRY(fp_arenas_open(&arenas, stage->progress, arena, error));
    fp_status status = sketch_all(stage, features, arena, &arenas, out, error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    out->sketch_seconds = features->seconds + fp_seconds() - start;
    out->bytes_per_document = mean_bytes(&arm->instance.layout, &out->sketches);
    return FP_OK;
}
