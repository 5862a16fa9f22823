/* SPDX-License-Identifier: GPL-3.0-or-later
 * Makes, opens, closes and writes collections. */
#include "index/collection/collection.h"

#include <math.h>
#include <string.h>

#include "index/collection/collection_inside.h"

/* Names of facts in the store. */
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

static fp_status write_facts(fp_collection *made, const fp_collection_form *form, fp_error *error) {
    char threshold[40], recall[40];
    fp_string model = {"", 0};
    FP_SCRATCH(scratch, made->arena, error);
    if (fp_arm_learns(made->asking)) FP_TRY(fp_arm_model_bytes(made->asking, scratch, &model, error));
    snprintf(threshold, sizeof threshold, "%.17g", form->threshold);
    snprintf(recall, sizeof recall, "%.17g", made->recall);
    const struct {
        const char *name;
        fp_string value;
    } facts[] = {{FACT_FORM, fp_string_of(FORM)},
                 {FACT_ARM, fp_string_of(fp_arm_spec(made->asking))},
                 {FACT_NAME, fp_string_of(fp_arm_name(made->asking))},
                 {FACT_MODEL, model},
                 {FACT_THRESHOLD, fp_string_of(threshold)},
                 {FACT_RECALL, fp_string_of(recall)},
                 {FACT_TEXTS, fp_string_of(form->keeps_texts ? "kept" : "no")},
                 {FACT_CHOICE, form->choice}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        FP_TRY(fp_records_set_fact(made->records, facts[i].name, facts[i].value, error));
    return FP_OK;
}

static fp_status need_fact(fp_collection *from, const char *name, fp_string *value, fp_error *error) {
    FP_TRY(fp_records_fact(from->records, name, from->arena, value, error));
    if (value->data) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_SYNTAX, from->address,
                      "not a complete collection: \"%s\" is missing; build it again", name);
}

static fp_status read_number(fp_collection *made, const char *name, double *value, fp_error *error) {
    fp_string text;
    FP_TRY(need_fact(made, name, &text, error));
    if (fp_parse_real(text.data, value) && *value >= 0) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_SYNTAX, made->address, "the %s is not a number from 0 on: %.40s", name,
                      text.data);
}

static fp_status read_arm(fp_collection *made, const fp_extensions *extensions, fp_error *error) {
    fp_string spec, bytes, name;
    FP_TRY(need_fact(made, FACT_ARM, &spec, error));
    FP_TRY(need_fact(made, FACT_MODEL, &bytes, error));
    FP_TRY(need_fact(made, FACT_NAME, &name, error));
    FP_TRY(fp_arm_parse(spec.data, extensions, made->arena, &made->asking, error));
    made->asking->name = name.data;
    fp_status status = fp_arm_learns(made->asking) ? fp_arm_take_model_bytes(made->asking, bytes, error) : FP_OK;
    if (status == FP_OK) status = fp_arm_with_sides(made->asking, false, made->arena, &made->arm, error);
    return status == FP_OK || status == FP_ERROR_MEMORY ? status
                                                        : fp_at(error, status, made->address, SIZE_MAX, SIZE_MAX);
}

static fp_status read_facts(fp_collection *made, const fp_extensions *extensions, fp_error *error) {
    fp_string form, texts;
    FP_TRY(need_fact(made, FACT_FORM, &form, error));
    if (!fp_string_equal(form, fp_string_of(FORM)))
        return FP_FAIL_AT(error, FP_ERROR_ABI, made->address,
                          "a collection of form %.20s, and this program reads form %s", form.data, FORM);
    FP_TRY(read_arm(made, extensions, error));
    FP_TRY(read_number(made, FACT_THRESHOLD, &made->threshold, error));
    FP_TRY(read_number(made, FACT_RECALL, &made->recall, error));
    FP_TRY(need_fact(made, FACT_TEXTS, &texts, error));
    made->keeps_texts = fp_string_equal(texts, fp_string_of("kept"));
    return need_fact(made, FACT_CHOICE, &made->choice, error);
}

/* ---- Making, opening, closing ---- */

static fp_status begin(const char *address, fp_arena *arena, fp_collection **collection, fp_error *error) {
    fp_collection *made = *collection = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->arena = arena;
    made->through = 1;
    made->address = FP_NEED(fp_string_copy(arena, fp_string_of(address)), error);
    return FP_OK;
}

static fp_status open_lists(fp_collection *made, fp_error *error) {
    const fp_layout *layout = &made->arm->instance.layout;
    FP_TRY(fp_sketch_list_open(&made->recent, layout, made->arena, error));
    FP_TRY(fp_sketch_list_open(&made->read, layout, made->arena, error));
    fp_collection_choose_kind(made);
    return fp_collection_keys_open(made, error);
}

static fp_status fill(fp_collection *made, const fp_collection_form *form, fp_error *error) {
    FP_TRY(fp_records_begin(made->records, error));
    FP_TRY(fp_records_end(made->records, write_facts(made, form, error), error));
    return open_lists(made, error);
}

/* Makes the store, or takes one without facts and records, left by a process that ended before the collection was
 * complete. */
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
        return fp_fail(error, FP_ERROR_RANGE,
                       "a threshold of %g; it must be at least 0 and less than %g, where every two texts match",
                       form->threshold, layout->maximum);
    if (!(form->recall >= 0) || form->recall > 1)
        return fp_fail(error, FP_ERROR_RANGE, "recall must be above 0 and at most 1, not %g", form->recall);
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

/* ---- Writing ---- */

fp_status fp_collection_begin(fp_collection *collection, fp_error *error) {
    collection->recent_before = collection->recent.sketches.count;
    collection->deletes = false;
    return fp_records_begin(collection->records, error);
}

/* Restores the memory to the state of the store. */
static void take_back(fp_collection *collection) {
    fp_sketch_list_cut(&collection->recent, collection->recent_before);
    if (!collection->deletes) return;
    memset(collection->gone, 0, collection->gone_words * sizeof *collection->gone);
    fp_error none;
    if (!fp_records_have_keys(collection->records)) fp_collection_load(collection, &none);
}

fp_status fp_collection_commit(fp_collection *collection, fp_error *error) {
    return fp_collection_end(collection, FP_OK, error);
}

void fp_collection_abort(fp_collection *collection) {
    fp_records_rollback(collection->records);
    take_back(collection);
}

fp_status fp_collection_end(fp_collection *collection, fp_status status, fp_error *error) {
    status = fp_records_end(collection->records, status, error);
    if (status != FP_OK) take_back(collection);
    return status;
}

static fp_status add_with_keys(fp_collection *collection, fp_record *record, fp_sketch sketch, fp_error *error) {
    FP_SCRATCH(scratch, collection->arena, error);
    const uint64_t *keys = NULL;
    size_t count = 0;
    if (!record->empty) FP_TRY(fp_collection_keys(collection, sketch, scratch, &keys, &count, error));
    return fp_records_add(collection->records, record, keys, count, error);
}

fp_status fp_collection_add(fp_collection *collection, fp_record *record, fp_sketch sketch, fp_error *error) {
    sketch = fp_arm_trimmed(collection->arm, sketch);
    record->fingerprint = (fp_string){sketch.data, sketch.size};
    record->cluster = 0;
    if (!collection->keeps_texts) record->text = (fp_string){"", 0};
    if (fp_records_have_keys(collection->records)) return add_with_keys(collection, record, sketch, error);
    FP_TRY(fp_records_add(collection->records, record, NULL, 0, error));
    if (!record->empty)
        return fp_sketch_list_add(&collection->recent, (uint32_t)record->number, record->fingerprint, error);
    collection->empty++;
    return FP_OK;
}

static bool is_same(const fp_collection *in, const fp_record *there, const fp_record *record, fp_sketch sketch) {
    return there->empty == record->empty && there->characters == record->characters &&
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

fp_status fp_collection_set_gone(void *of, uint64_t number, fp_error *error) {
    fp_collection *collection = of;
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

/* ---- State ---- */

fp_status fp_collection_state_of(fp_collection *collection, fp_collection_state *state, fp_error *error) {
    *state = (fp_collection_state){.design = "",
                                   .recent = collection->recent.sketches.count,
                                   .empty = collection->empty,
                                   .recall = fp_collection_recall(collection, collection->threshold)};
    FP_TRY(fp_records_counted(collection->records, &state->records, error));
    if (!collection->tables) return FP_OK;
    state->design = FP_NEED(fp_collection_design(collection, collection->arena), error);
    state->in_tables = collection->in_tables;
    state->table_bytes = collection->table_bytes;
    return FP_OK;
}

/* ---- Merging collections ---- */

typedef struct taking {
    fp_collection *to, *from;
    uint32_t *number; /* [next of from] the new number of each record; 0: not copied */
    uint32_t *oldest; /* [next of from] the new number of the oldest record of each cluster, by its name; 0: none */
    uint64_t next, count;
} taking;

static fp_status same_fact(const taking *in, const char *name, fp_error *error) {
    FP_SCRATCH(scratch, in->to->arena, error);
    fp_string a, b;
    FP_TRY(fp_records_fact(in->to->records, name, scratch, &a, error));
    FP_TRY(fp_records_fact(in->from->records, name, scratch, &b, error));
    if (a.data && b.data && fp_string_equal(a, b)) return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s and %s differ in their %s", in->to->address, in->from->address, name);
}

static fp_status copy_record(void *context, const fp_record *record, fp_error *error) {
    taking *in = context;
    fp_record copy = *record;
    uint64_t cluster;
    if (record->number >= in->next) return FP_OK; /* added since the count, to a store that several processes share */
    FP_TRY(fp_collection_cluster_of(in->from, record->cluster, &cluster, error));
    FP_TRY(fp_collection_add(in->to, &copy,
                             (fp_sketch){.data = record->fingerprint.data, .size = record->fingerprint.length}, error));
    in->number[record->number] = (uint32_t)copy.number;
    in->count++;
    if (in->oldest[cluster]) return fp_collection_join_clusters(in->to, copy.number, in->oldest[cluster], error);
    in->oldest[cluster] = (uint32_t)copy.number;
    return FP_OK;
}

/* Copies matches of records that still exist. */
static fp_status copy_match(void *context, const fp_record_match *match, fp_error *error) {
    taking *in = context;
    fp_record_match copy = *match;
    if (match->later >= in->next || match->earlier >= in->next) return FP_OK;
    copy.later = in->number[match->later];
    copy.earlier = in->number[match->earlier];
    return copy.later && copy.earlier ? fp_records_add_match(in->to->records, &copy, error) : FP_OK;
}

static fp_status copy_all(taking *in, fp_arena *scratch, fp_error *error) {
    fp_records_count counted;
    FP_TRY(fp_records_counted(in->from->records, &counted, error));
    in->next = counted.next;
    in->number = FP_NEED(fp_arena_alloc(scratch, counted.next, sizeof *in->number), error);
    in->oldest = FP_NEED(fp_arena_alloc(scratch, counted.next, sizeof *in->oldest), error);
    FP_TRY(fp_records_each(in->from->records, 0, in->to->keeps_texts, copy_record, in, error));
    return fp_records_each_match(in->from->records, 0, copy_match, in, error);
}

fp_status fp_collection_take(fp_collection *to, fp_collection *from, uint64_t *taken, fp_error *error) {
    static const char *const SAME[] = {"arm", "model", "threshold"};
    taking in = {.to = to, .from = from};
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) FP_TRY(same_fact(&in, SAME[i], error));
    FP_SCRATCH(scratch, to->arena, error);
    FP_TRY(fp_collection_begin(to, error));
    fp_status status = fp_collection_end(to, copy_all(&in, scratch, error), error);
    *taken = in.count;
    return status;
}
