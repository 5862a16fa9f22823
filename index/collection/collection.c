/* SPDX-License-Identifier: GPL-3.0-or-later
 * A collection is made, opened, closed, and written to. */
#include "index/collection/collection.h"

#include <math.h>
#include <string.h>

#include "index/collection/collection_inside.h"
#include "text/unicode/utf8.h"

/* What a store knows of itself. */
#define FACT_FORM "collection"
#define FACT_ARM "arm"
#define FACT_NAME "name"
#define FACT_MODEL "model"
#define FACT_THRESHOLD "threshold"
#define FACT_RECALL "recall"
#define FACT_TEXTS "texts"
#define FACT_CHOICE "choice"
static const char FORM[] = "1";

/* ---- Facts ---- */

static fp_status write_model(fp_collection *made, fp_error *error) {
    FP_SCRATCH(scratch, made->arena, error);
    fp_string bytes = {"", 0};
    if (fp_arm_learns(made->asking)) FP_TRY(fp_arm_model_bytes(made->asking, scratch, &bytes, error));
    return fp_records_set_fact(made->records, FACT_MODEL, bytes, error);
}

static fp_status write_facts(fp_collection *made, const fp_collection_form *form, fp_error *error) {
    char threshold[40], recall[40];
    snprintf(threshold, sizeof threshold, "%.17g", form->threshold);
    snprintf(recall, sizeof recall, "%.17g", made->recall);
    FP_TRY(fp_records_set_fact(made->records, FACT_FORM, fp_string_of(FORM), error));
    FP_TRY(fp_records_set_fact(made->records, FACT_ARM, fp_string_of(fp_arm_spec(made->asking)), error));
    FP_TRY(fp_records_set_fact(made->records, FACT_NAME, fp_string_of(fp_arm_name(made->asking)), error));
    FP_TRY(write_model(made, error));
    FP_TRY(fp_records_set_fact(made->records, FACT_THRESHOLD, fp_string_of(threshold), error));
    FP_TRY(fp_records_set_fact(made->records, FACT_RECALL, fp_string_of(recall), error));
    FP_TRY(fp_records_set_fact(made->records, FACT_TEXTS, fp_string_of(form->keeps_texts ? "kept" : "no"), error));
    return fp_records_set_fact(made->records, FACT_CHOICE, form->choice, error);
}

static fp_status need_fact(fp_collection *from, const char *name, fp_string *value, fp_error *error) {
    FP_TRY(fp_records_fact(from->records, name, from->arena, value, error));
    if (value->data) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "not a complete collection: \"%s\" is missing; build it again", name);
    return fp_at(error, FP_ERROR_SYNTAX, from->address, SIZE_MAX, SIZE_MAX);
}

/* A fact that is not there leaves the value as it is. */
static fp_status read_number(fp_collection *made, const char *name, double *value, fp_error *error) {
    fp_string text;
    FP_TRY(fp_records_fact(made->records, name, made->arena, &text, error));
    if (!text.data) return FP_OK;
    const char *number = FP_NEED(fp_string_copy(made->arena, text), error);
    if (fp_parse_real(number, value) && *value >= 0) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "the %s is no number from 0 on: %.40s", name, number);
    return fp_at(error, FP_ERROR_SYNTAX, made->address, SIZE_MAX, SIZE_MAX);
}

static fp_status read_goal(fp_collection *made, fp_error *error) {
    fp_string threshold;
    made->recall = FP_COLLECTION_RECALL;
    FP_TRY(need_fact(made, FACT_THRESHOLD, &threshold, error));
    FP_TRY(read_number(made, FACT_THRESHOLD, &made->threshold, error));
    return read_number(made, FACT_RECALL, &made->recall, error);
}

static fp_status read_arm(fp_collection *made, const fp_extensions *extensions, fp_error *error) {
    fp_string spec, bytes, name;
    FP_TRY(need_fact(made, FACT_ARM, &spec, error));
    FP_TRY(need_fact(made, FACT_MODEL, &bytes, error));
    FP_TRY(need_fact(made, FACT_NAME, &name, error));
    const char *text = FP_NEED(fp_string_copy(made->arena, spec), error),
               *label = FP_NEED(fp_string_copy(made->arena, name), error);
    FP_TRY(fp_arm_parse(text, extensions, made->arena, &made->asking, error));
    made->asking->name = label;
    fp_status status = fp_arm_learns(made->asking) ? fp_arm_take_model_bytes(made->asking, bytes, error) : FP_OK;
    if (status == FP_OK) status = fp_arm_with_sides(made->asking, false, made->arena, &made->arm, error);
    return status == FP_OK || status == FP_ERROR_MEMORY ? status
                                                        : fp_at(error, status, made->address, SIZE_MAX, SIZE_MAX);
}

static fp_status read_facts(fp_collection *made, const fp_extensions *extensions, fp_error *error) {
    fp_string form, texts;
    FP_TRY(need_fact(made, FACT_FORM, &form, error));
    if (!fp_string_equal(form, fp_string_of(FORM))) {
        fp_fail(error, FP_ERROR_ABI, "a collection of form %.*s, and this program reads form %s",
                (int)(form.length < 20 ? form.length : 20), form.data, FORM);
        return fp_at(error, FP_ERROR_ABI, made->address, SIZE_MAX, SIZE_MAX);
    }
    FP_TRY(read_arm(made, extensions, error));
    FP_TRY(read_goal(made, error));
    FP_TRY(need_fact(made, FACT_TEXTS, &texts, error));
    made->keeps_texts = fp_string_equal(texts, fp_string_of("kept"));
    return need_fact(made, FACT_CHOICE, &made->choice, error);
}

/* ---- Making, opening, closing ---- */

static fp_status begin(const char *address, fp_arena *arena, fp_collection **collection, fp_error *error) {
    fp_collection *made = *collection = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->arena = arena;
    made->through = 1;
    made->address = fp_string_copy(arena, fp_string_of(address));
    return made->address ? FP_OK : fp_no_memory(error);
}

static fp_status open_lists(fp_collection *made, fp_error *error) {
    const fp_layout *layout = &made->arm->instance.layout;
    fp_sketch_list_open(&made->recent, layout, made->arena);
    fp_sketch_list_open(&made->read, layout, made->arena);
    fp_collection_choose_kind(made);
    return fp_collection_keys_open(made, error);
}

static fp_status fill(fp_collection *made, const fp_collection_form *form, fp_error *error) {
    FP_TRY(fp_records_begin(made->records, error));
    FP_TRY(write_facts(made, form, error));
    FP_TRY(fp_records_commit(made->records, error));
    return open_lists(made, error);
}

/* A new store, or one that whoever made it was ended before it became a collection: without facts and records. */
static fp_status make_records(fp_collection *made, fp_error *error) {
    fp_error why;
    fp_string form = {"", 0};
    fp_records_count count = {.next = 2};
    fp_status status = fp_records_open(made->address, FP_RECORDS_CREATE, made->arena, &made->records, error);
    if (status != FP_ERROR_DUPLICATE) return status;
    if (fp_records_open(made->address, FP_RECORDS_WRITE, made->arena, &made->records, &why) != FP_OK) return status;
    bool unborn = fp_records_fact(made->records, FACT_FORM, made->arena, &form, &why) == FP_OK && !form.data &&
                  fp_records_counted(made->records, &count, &why) == FP_OK && count.next == 1;
    if (unborn) return FP_OK;
    fp_records_close(made->records);
    made->records = NULL;
    return status;
}

fp_status fp_collection_create(const char *address, const fp_collection_form *form, fp_arena *arena,
                               fp_collection **collection, fp_error *error) {
    const fp_layout *layout = &form->arm->instance.layout;
    if (!(form->threshold >= 0) || form->threshold >= layout->maximum)
        return fp_fail(error, FP_ERROR_RANGE, "a threshold of %g: from 0 to below %g, which every two texts are within",
                       form->threshold, layout->maximum);
    if (!(form->recall >= 0) || form->recall > 1)
        return fp_fail(error, FP_ERROR_RANGE, "a recall of %g: above 0, and up to 1", form->recall);
    FP_TRY(begin(address, arena, collection, error));
    fp_collection *made = *collection;
    FP_TRY(fp_arm_with_sides(form->arm, false, arena, &made->arm, error));
    FP_TRY(make_records(made, error));
    made->asking = form->arm;
    made->threshold = form->threshold;
    made->recall = form->recall > 0 ? form->recall : FP_COLLECTION_RECALL;
    made->keeps_texts = form->keeps_texts;
    made->choice = form->choice;
    fp_status status = fill(made, form, error);
    if (status != FP_OK) fp_collection_close(made);
    return status;
}

static fp_status open_rest(fp_collection *made, const fp_extensions *extensions, fp_error *error) {
    FP_TRY(read_facts(made, extensions, error));
    FP_TRY(open_lists(made, error));
    return fp_records_have_keys(made->records) ? FP_OK : fp_collection_load(made, error);
}

fp_status fp_collection_open(const char *address, bool writes, const fp_extensions *extensions, fp_arena *arena,
                             fp_collection **collection, fp_error *error) {
    FP_TRY(begin(address, arena, collection, error));
    fp_collection *made = *collection;
    FP_TRY(fp_records_open(address, writes ? FP_RECORDS_WRITE : FP_RECORDS_READ, arena, &made->records, error));
    fp_status status = open_rest(made, extensions, error);
    if (status != FP_OK) fp_collection_close(made);
    return status;
}

void fp_collection_close(fp_collection *collection) {
    fp_records_close(collection->records);
    fp_buckets_close(collection->tables);
    collection->tables = NULL;
    fp_sketch_list_free(&collection->recent);
    fp_sketch_list_free(&collection->read);
    fp_memory_release(collection->arena, collection->gone);
    collection->records = NULL;
    collection->gone = NULL;
}

fp_arm *fp_collection_arm(fp_collection *collection) { return collection->asking; }
const fp_arm *fp_collection_stored(const fp_collection *collection) { return collection->arm; }
double fp_collection_threshold(const fp_collection *collection) { return collection->threshold; }
bool fp_collection_keeps_texts(const fp_collection *collection) { return collection->keeps_texts; }
fp_string fp_collection_choice(const fp_collection *collection) { return collection->choice; }
fp_records *fp_collection_records(fp_collection *collection) { return collection->records; }
const char *fp_collection_caution(const fp_collection *collection) { return fp_records_caution(collection->records); }

/* ---- Writing ---- */

fp_status fp_collection_begin(fp_collection *collection, fp_error *error) {
    collection->recent_before = collection->recent.count;
    collection->deletes = false;
    return fp_records_begin(collection->records, error);
}

/* Memory is what the store is. */
static void take_back(fp_collection *collection) {
    fp_sketch_list_cut(&collection->recent, collection->recent_before);
    if (!collection->deletes) return;
    memset(collection->gone, 0, collection->gone_words * sizeof *collection->gone);
    fp_error none;
    if (!fp_records_have_keys(collection->records)) fp_collection_load(collection, &none);
}

fp_status fp_collection_commit(fp_collection *collection, fp_error *error) {
    fp_status status = fp_records_commit(collection->records, error);
    if (status != FP_OK) take_back(collection);
    return status;
}

void fp_collection_abort(fp_collection *collection) {
    fp_records_rollback(collection->records);
    take_back(collection);
}

static fp_status add_with_keys(fp_collection *collection, fp_record *record, fp_sketch sketch, fp_error *error) {
    FP_SCRATCH(scratch, collection->arena, error);
    const uint64_t *keys = NULL;
    size_t count = 0;
    if (record->says) FP_TRY(fp_collection_keys(collection, sketch, scratch, &keys, &count, error));
    return fp_records_add(collection->records, record, keys, count, error);
}

fp_status fp_collection_add(fp_collection *collection, fp_record *record, fp_sketch sketch, fp_error *error) {
    sketch = fp_arm_trimmed(collection->arm, sketch);
    record->fingerprint = (fp_string){sketch.data, sketch.size};
    record->cluster = 0;
    if (!collection->keeps_texts) record->text = (fp_string){"", 0};
    if (fp_records_have_keys(collection->records)) return add_with_keys(collection, record, sketch, error);
    FP_TRY(fp_records_add(collection->records, record, NULL, 0, error));
    if (record->says)
        return fp_sketch_list_add(&collection->recent, (uint32_t)record->number, record->fingerprint, error);
    collection->silent++;
    return FP_OK;
}

static bool is_same(const fp_collection *in, const fp_record *there, const fp_record *record, fp_sketch sketch) {
    return there->says == record->says && there->characters == record->characters &&
           fp_string_equal(there->fingerprint, (fp_string){sketch.data, sketch.size}) &&
           (!in->keeps_texts || fp_string_equal(there->text, record->text));
}

fp_status fp_collection_existing(fp_collection *collection, const fp_record *record, fp_sketch sketch,
                                 fp_existing *existing, fp_error *error) {
    uint64_t number;
    fp_record there;
    *existing = FP_EXISTING_NONE;
    sketch = fp_arm_trimmed(collection->arm, sketch);
    FP_TRY(fp_records_find(collection->records, record->id, &number, error));
    if (!number) return FP_OK;
    FP_SCRATCH(scratch, collection->arena, error);
    FP_TRY(fp_records_get(collection->records, number, collection->keeps_texts, scratch, &there, error));
    *existing = is_same(collection, &there, record, sketch) ? FP_EXISTING_SAME : FP_EXISTING_OTHER;
    return FP_OK;
}

fp_status fp_collection_set_gone(fp_collection *collection, uint64_t number, fp_error *error) {
    size_t word = number / 64;
    if (word >= collection->gone_words) {
        size_t words = 2 * word + 64;
        uint64_t *larger =
            FP_NEED(fp_memory_resize(collection->arena, collection->gone, words * sizeof *larger), error);
        memset(larger + collection->gone_words, 0, (words - collection->gone_words) * sizeof *larger);
        collection->gone = larger;
        collection->gone_words = words;
    }
    collection->gone[word] |= UINT64_C(1) << number % 64;
    return FP_OK;
}

fp_status fp_collection_delete(fp_collection *collection, fp_string id, fp_error *error) {
    uint64_t number;
    FP_TRY(fp_records_find(collection->records, id, &number, error));
    if (!number)
        return fp_fail(error, FP_ERROR_UNKNOWN, "there is no %.*s", (int)(id.length < 200 ? id.length : 200), id.data);
    FP_TRY(fp_records_delete(collection->records, number, error));
    collection->deletes = true;
    return fp_collection_set_gone(collection, number, error);
}

/* ---- What it is like ---- */

fp_status fp_collection_state_of(fp_collection *collection, fp_collection_state *state, fp_error *error) {
    *state = (fp_collection_state){.design = "",
                                   .recent = collection->recent.count,
                                   .silent = collection->silent,
                                   .recall = fp_collection_recall(collection, collection->threshold)};
    FP_TRY(fp_records_counted(collection->records, &state->records, error));
    if (!collection->tables) return FP_OK;
    state->design = fp_collection_design(collection, collection->arena);
    state->in_tables = collection->in_tables;
    state->table_bytes = collection->table_bytes;
    return state->design ? FP_OK : fp_no_memory(error);
}

/* ---- Collections as programs have them (fplab/collection.h) ---- */

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

/* The collection takes an arm of its own. */
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
        return fp_fail(error, FP_ERROR_DUPLICATE,
                       "the id \"%.*s\" is there already, with another text; delete it first",
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
                                  .says = !sketch.empty,
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
        if (status != FP_OK) return fp_collection_abort(collection), status;
        FP_TRY(fp_collection_commit(collection, error));
        *added += own;
    }
    return fp_collection_wants_merge(collection) ? fp_collection_merge(collection, progress, error) : FP_OK;
}

fp_status fp_text_index_delete(fp_text_index *index, fp_string id, fp_error *error) {
    FP_TRY(fp_collection_begin(index->collection, error));
    fp_status status = fp_collection_delete(index->collection, id, error);
    if (status == FP_OK) return fp_collection_commit(index->collection, error);
    fp_collection_abort(index->collection);
    return status;
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

static fp_status search_in(fp_text_index *index, const fp_text_column *texts, double within, size_t most,
                           fp_arena *scratch, fp_nears **answers, size_t *bad, const fp_progress *progress,
                           fp_error *error) {
    fp_sketches sketches;
    const fp_arm *arm = fp_collection_arm(index->collection);
    FP_TRY(fp_column_sketches(&arm, 1, texts, NULL, scratch, &sketches, bad, progress, error));
    fp_sketch *queries = FP_NEED(fp_arena_raw(scratch, texts->count, sizeof *queries), error);
    *answers = FP_NEED(fp_arena_alloc(scratch, texts->count, sizeof **answers), error);
    for (size_t i = 0; i < texts->count; i++) queries[i] = fp_sketches_at(&sketches, i);
    return fp_collection_near_each(index->collection, queries, texts->count, within, most, progress, scratch, *answers,
                                   error);
}

fp_status fp_text_index_search(fp_text_index *index, const fp_text_column *texts, double within, size_t most,
                               fp_arena *out, const fp_text_match **matches, size_t *count, size_t *bad,
                               const fp_progress *progress, fp_error *error) {
    fp_nears *answers = NULL;
    *count = 0;
    *matches = NULL;
    FP_SCRATCH(scratch, out, error);
    FP_TRY(search_in(index, texts, within, most, scratch, &answers, bad, progress, error));
    return list_matches(index, answers, texts->count, out, matches, count, error);
}

/* Who is told of records. */
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
