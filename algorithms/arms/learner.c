/* SPDX-License-Identifier: GPL-3.0-or-later
 * Learning from batches of texts. */
#include "algorithms/arms/learner.h"

#include <stdlib.h>
#include <string.h>

#include "base/batch.h"

enum { BATCH = 4096 }; /* texts whose terms are held at once */

typedef struct terms {
    const uint64_t *hash;
    size_t count;
} terms;

struct fp_learner {
    fp_arm *arm;
    fp_arena *arena; /* of the learner itself, and of the documents that fit is to see */
    fp_batch *batch;
    bool counts; /* this pass counts documents; else it collects what fit is to see */
    fp_tally *tally;
    const fp_string *texts; /* of the batch */
    terms *terms;           /* [BATCH] */
    fp_document *made;      /* [BATCH] */
    fp_document *documents; /* [count], malloc */
    size_t count, capacity;
};

static bool counts_terms(const fp_arm *arm) { return arm->extractor && fp_extractor_learns(arm->extractor); }

size_t fp_learner_passes(const fp_arm *arm) { return (size_t)counts_terms(arm) + fp_arm_fits(arm); }

/* ---- Opening ---- */

static fp_status open_parts(fp_learner *learner, const fp_progress *progress, fp_error *error) {
    learner->arena = fp_arena_new();
    if (!learner->arena) return fp_no_memory(error);
    learner->terms = fp_arena_alloc(learner->arena, BATCH, sizeof *learner->terms);
    learner->made = fp_arena_alloc(learner->arena, BATCH, sizeof *learner->made);
    if (!learner->terms || !learner->made) return fp_no_memory(error);
    FP_TRY(fp_batch_open(progress, learner->arena, &learner->batch, error));
    return fp_tally_open(&learner->tally, error);
}

fp_status fp_learner_open(fp_arm *arm, const fp_progress *progress, fp_learner **learner, fp_error *error) {
    fp_learner *made = *learner = calloc(1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->arm = arm;
    made->counts = counts_terms(arm);
    fp_status status = open_parts(made, progress, error);
    if (status == FP_OK) return FP_OK;
    fp_learner_close(made);
    *learner = NULL;
    return status;
}

void fp_learner_close(fp_learner *learner) {
    if (!learner) return;
    fp_batch_close(learner->batch);
    fp_tally_close(learner->tally);
    fp_arena_free(learner->arena);
    free(learner->documents);
    free(learner);
}

/* ---- Counting ---- */

static fp_status treat(const fp_arm *arm, fp_string raw, fp_arena *arena, fp_text *text, fp_error *error) {
    *text = (fp_text){0};
    return arm->preprocessor ? fp_preprocess(arm->preprocessor, raw, fp_arm_wants(arm), arena, text, error) : FP_OK;
}

static fp_status copy(const void *from, size_t count, size_t size, fp_arena *arena, void *to, fp_error *error) {
    void *made = fp_arena_raw(arena, count, size);
    if (!made) return fp_no_memory(error);
    if (count) memcpy(made, from, count * size);
    memcpy(to, &made, sizeof made);
    return FP_OK;
}

static fp_status count_text(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_learner *learner = context;
    terms *out = learner->terms + index;
    fp_text text;
    fp_units units;
    fp_counts counts;
    FP_TRY(treat(learner->arm, learner->texts[index], scratch, &text, error));
    FP_TRY(fp_extract(learner->arm->extractor, &text, scratch, &units, error));
    FP_TRY(fp_count(&units, scratch, &counts, error));
    out->count = counts.count;
    return copy(counts.hash, counts.count, sizeof *counts.hash, kept, &out->hash, error);
}

static fp_status count_batch(fp_learner *learner, size_t count, fp_error *error) {
    size_t done;
    FP_TRY(fp_batch_run(learner->batch, count, count_text, learner, &done, error));
    for (size_t i = 0; i < count; i++)
        FP_TRY(fp_tally_add(learner->tally, learner->terms[i].hash, learner->terms[i].count, error));
    return FP_OK;
}

/* ---- Collecting ---- */

static fp_status copy_string(fp_string from, fp_arena *arena, fp_string *to, fp_error *error) {
    to->length = from.length;
    return copy(from.data, from.length, 1, arena, &to->data, error);
}

/* A copy of what the algorithm reads of the document, and of nothing else. */
static fp_status copy_document(uint32_t needs, const fp_document *from, fp_arena *arena, fp_document *to,
                               fp_error *error) {
    const fp_features *read = &from->features;
    fp_features *kept = &to->features;
    *to = (fp_document){0};
    if (needs & FP_NEEDS_TEXT) FP_TRY(copy_string(from->text, arena, &to->text, error));
    if (needs & FP_NEEDS_INITIALS) FP_TRY(copy_string(from->initials, arena, &to->initials, error));
    if (needs & FP_NEEDS_FEATURES) {
        kept->count = read->count;
        FP_TRY(copy(read->hash, read->count, sizeof *read->hash, arena, &kept->hash, error));
        FP_TRY(copy(read->weight, read->count, sizeof *read->weight, arena, &kept->weight, error));
    }
    if (!(needs & FP_NEEDS_SEQUENCE)) return FP_OK;
    kept->length = read->length;
    return copy(read->sequence, read->length, sizeof *read->sequence, arena, &kept->sequence, error);
}

static fp_status read_text(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_learner *learner = context;
    fp_text text;
    fp_document document = {0};
    FP_TRY(treat(learner->arm, learner->texts[index], scratch, &text, error));
    FP_TRY(fp_arm_document(learner->arm, &text, NULL, false, scratch, &document, error));
    return copy_document(learner->arm->instance.algorithm->needs, &document, kept, learner->made + index, error);
}

static fp_status make_room(fp_learner *learner, size_t count, fp_error *error) {
    size_t capacity = learner->capacity ? learner->capacity : BATCH;
    while (capacity - learner->count < count) capacity *= 2;
    if (capacity == learner->capacity) return FP_OK;
    fp_document *larger = realloc(learner->documents, capacity * sizeof *larger);
    if (!larger) return fp_no_memory(error);
    learner->documents = larger;
    learner->capacity = capacity;
    return FP_OK;
}

/* Only what learns from pairs asks which text a document is. */
static fp_status collect_batch(fp_learner *learner, size_t count, fp_error *error) {
    uint32_t needs = learner->arm->instance.algorithm->needs;
    size_t done;
    FP_TRY(fp_batch_run(learner->batch, count, read_text, learner, &done, error));
    FP_TRY(make_room(learner, count, error));
    for (size_t i = 0; i < count; i++) {
        fp_document *to = learner->documents + learner->count++;
        FP_TRY(copy_document(needs, learner->made + i, learner->arena, to, error));
        if (needs & FP_NEEDS_PAIRS) FP_TRY(copy_string(learner->texts[i], learner->arena, &to->id, error));
    }
    return FP_OK;
}

/* ---- Passes ---- */

fp_status fp_learner_add(fp_learner *learner, const fp_string *texts, size_t count, fp_error *error) {
    for (size_t at = 0; at < count; at += BATCH) {
        size_t some = count - at < BATCH ? count - at : BATCH;
        learner->texts = texts + at;
        FP_TRY((learner->counts ? count_batch : collect_batch)(learner, some, error));
    }
    return FP_OK;
}

fp_status fp_learner_end_pass(fp_learner *learner, fp_error *error) {
    fp_arm *arm = learner->arm;
    if (learner->counts) {
        learner->counts = false;
        FP_TRY(fp_tally_idf(learner->tally, arm->arena, &arm->idf, error));
        fp_tally_close(learner->tally);
        learner->tally = NULL;
        return fp_arm_take_frequencies(arm, arm->idf, error);
    }
    fp_training none = {0};
    return fp_arm_learn(arm, &none, learner->documents, learner->count, arm->arena, error);
}
