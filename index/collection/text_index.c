/* SPDX-License-Identifier: GPL-3.0-or-later
 * Collections in the public interface (fplab/collection.h). */
#include "index/collection/collection.h"
#include "text/unicode/utf8.h"

struct fp_text_index {
    fp_arena *arena;
    fp_collection *collection;
};

enum { TRANSACTION = 8192 };

static fp_status index_new(fp_text_index **index, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    *index = arena ? fp_arena_alloc(arena, 1, sizeof **index) : NULL;
    if (!*index) {
        fp_arena_free(arena);
        return fp_no_memory(error);
    }
    (*index)->arena = arena;
    return FP_OK;
}

static fp_status hand_out(fp_text_index **index, fp_status status) {
    if (status == FP_OK) return FP_OK;
    fp_text_index_close(*index);
    *index = NULL;
    return status;
}

static fp_status create_with(fp_text_index *index, const char *address, const fp_arm *arm,
                             const fp_text_index_form *how, fp_error *error) {
    fp_collection_form form = {.threshold = how->threshold, .recall = how->recall, .keeps_texts = how->keeps_texts};
    fp_string model;
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(fp_arm_parse(arm->spec, &arm->extensions, index->arena, &form.arm, error));
    if (fp_arm_learns(arm)) {
        FP_TRY(fp_arm_model_bytes(arm, index->arena, &model, error));
        FP_TRY(fp_arm_take_model_bytes(form.arm, model, error));
    }
    return fp_collection_create(address, &form, index->arena, &index->collection, error);
}

fp_status fp_text_index_create(const char *address, const fp_arm *arm, const fp_text_index_form *form,
                               fp_text_index **index, fp_error *error) {
    fp_text_index_form how;
    *index = NULL;
    FP_TRY(fp_sized_copy(&how, sizeof how, form, "fp_text_index_form", error));
    FP_TRY(index_new(index, error));
    return hand_out(index, create_with(*index, address, arm, &how, error));
}

fp_status fp_text_index_open(const char *address, bool writes, fp_text_index **index, fp_error *error) {
    FP_TRY(index_new(index, error));
    return hand_out(index, fp_collection_open(address, writes, NULL, (*index)->arena, &(*index)->collection, error));
}

void fp_text_index_close(fp_text_index *index) {
    if (!index) return;
    if (index->collection) fp_collection_close(index->collection);
    fp_arena_free(index->arena);
}

const fp_arm *fp_text_index_arm(fp_text_index *index) { return fp_collection_arm(index->collection); }
double fp_text_index_threshold(const fp_text_index *index) { return fp_collection_threshold(index->collection); }

fp_status fp_text_index_count(fp_text_index *index, uint64_t *count, fp_error *error) {
    fp_records_count counted;
    FP_TRY(fp_records_counted(fp_collection_records(index->collection), &counted, error));
    *count = counted.records;
    return FP_OK;
}

static fp_string column_text(const fp_text_column *column, size_t i) {
    return (fp_string){column->data + column->offset[i], (size_t)(column->offset[i + 1] - column->offset[i])};
}

static fp_status add_text(fp_text_index *index, const fp_record *record, fp_sketch sketch, uint64_t *added,
                          fp_error *error) {
    fp_existing there;
    fp_record own = *record;
    FP_TRY(fp_collection_existing(index->collection, &own, sketch, &there, error));
    if (there == FP_EXISTING_OTHER)
        return fp_fail(error, FP_ERROR_DUPLICATE, "the id \"%.*s\" already exists with another text; delete it first",
                       (int)(own.id.length < 200 ? own.id.length : 200), own.id.data);
    *added += there == FP_EXISTING_NONE;
    return there == FP_EXISTING_NONE ? fp_collection_add(index->collection, &own, sketch, error) : FP_OK;
}

static fp_status add_some(fp_text_index *index, const fp_text_column *texts, const fp_text_column *ids,
                          const int64_t *time, const fp_sketches *sketches, size_t first, size_t end, uint64_t *added,
                          size_t *bad, fp_error *error) {
    for (size_t i = first; i < end; i++) {
        fp_string text = column_text(texts, i);
        fp_sketch sketch = fp_sketches_at(sketches, i);
        const fp_record record = {.id = column_text(ids, i),
                                  .empty = sketch.empty,
                                  .time = time ? time[i] : FP_TIME_NONE,
                                  .characters = fp_utf8_count(text),
                                  .text = text};
        fp_status status = record.id.length ? add_text(index, &record, sketch, added, error)
                                            : fp_fail(error, FP_ERROR_RANGE, "the id of text %zu is empty", i);
        if (status != FP_OK && bad) *bad = i;
        FP_TRY(status);
    }
    return FP_OK;
}

fp_status fp_text_index_add(fp_text_index *index, const fp_text_column *texts, const fp_text_column *ids,
                            const int64_t *time, uint64_t *added, size_t *bad, const fp_progress *progress,
                            fp_error *error) {
    fp_collection *collection = index->collection;
    const fp_arm *arm = fp_collection_arm(collection);
    fp_sketches sketches;
    *added = 0;
    FP_SCRATCH(arena, index->arena, error);
    FP_TRY(fp_column_sketches(&arm, 1, texts, ids, arena, &sketches, bad, progress, error));
    for (size_t first = 0; first < texts->count; first += TRANSACTION) {
        size_t end = texts->count - first < TRANSACTION ? texts->count : first + TRANSACTION;
        uint64_t own = 0;
        FP_TRY(fp_progress_check(progress, error));
        FP_TRY(fp_collection_begin(collection, error));
        fp_status status = add_some(index, texts, ids, time, &sketches, first, end, &own, bad, error);
        FP_TRY(fp_collection_end(collection, status, error));
        *added += own;
    }
    return fp_collection_wants_merge(collection) ? fp_collection_merge(collection, progress, error) : FP_OK;
}

fp_status fp_text_index_delete(fp_text_index *index, fp_string id, fp_error *error) {
    FP_TRY(fp_collection_begin(index->collection, error));
    return fp_collection_end(index->collection, fp_collection_delete(index->collection, id, error), error);
}

static fp_status list_matches(fp_text_index *index, const fp_nears *answers, size_t queries, fp_arena *out,
                              const fp_text_match **matches, size_t *count, fp_error *error) {
    size_t total = 0;
    for (size_t q = 0; q < queries; q++) total += answers[q].count;
    fp_text_match *list = FP_NEED(fp_arena_raw(out, total, sizeof *list), error);
    *count = 0;
    for (size_t q = 0; q < queries; q++)
        for (size_t i = 0; i < answers[q].count; i++) {
            fp_record record;
            FP_TRY(fp_records_get(fp_collection_records(index->collection), answers[q].found[i].number, false, out,
                                  &record, error));
            list[(*count)++] = (fp_text_match){q, answers[q].found[i].distance, record.id};
        }
    *matches = list;
    return FP_OK;
}

fp_status fp_text_index_search(fp_text_index *index, const fp_text_column *texts, double within, size_t most,
                               fp_arena *out, const fp_text_match **matches, size_t *count, size_t *bad,
                               const fp_progress *progress, fp_error *error) {
    const fp_arm *arm = fp_collection_arm(index->collection);
    fp_sketches sketches;
    *count = 0;
    *matches = NULL;
    FP_SCRATCH(scratch, out, error);
    FP_TRY(fp_column_sketches(&arm, 1, texts, NULL, scratch, &sketches, bad, progress, error));
    fp_sketch *queries = FP_NEED(fp_arena_raw(scratch, texts->count, sizeof *queries), error);
    fp_nears *answers = FP_NEED(fp_arena_alloc(scratch, texts->count, sizeof *answers), error);
    for (size_t i = 0; i < texts->count; i++) queries[i] = fp_sketches_at(&sketches, i);
    FP_TRY(fp_collection_near_each(index->collection, queries, texts->count, within, most, progress, scratch, answers,
                                   error));
    return list_matches(index, answers, texts->count, out, matches, count, error);
}

typedef struct visiting {
    fp_status (*visit)(void *context, fp_string id, int64_t time, fp_string text, fp_error *error);
    void *context;
} visiting;

static fp_status visit_record(void *context, const fp_record *record, fp_error *error) {
    const visiting *to = context;
    return to->visit(to->context, record->id, record->time, record->text, error);
}

fp_status fp_text_index_each(fp_text_index *index,
                             fp_status (*visit)(void *context, fp_string id, int64_t time, fp_string text,
                                                fp_error *error),
                             void *context, fp_error *error) {
    visiting to = {visit, context};
    return fp_records_each(fp_collection_records(index->collection), 0, fp_collection_keeps_texts(index->collection),
                           visit_record, &to, error);
}
