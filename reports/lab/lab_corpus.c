/* SPDX-License-Identifier: GPL-3.0-or-later
 * The corpus of a request. */

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "corpora/row.h"
#include "reports/lab/lab_parts.h"
#include "text/unicode/utf8.h"

static size_t count_of(const fp_json *list) {
    size_t count = 0;
    for (const fp_json *at = list ? list->first : NULL; at; at = at->next) count++;
    return count;
}

/* ---- Documents ---- */

typedef struct making {
    fp_arena *arena;
    fp_corpus_document *documents;
    fp_string *texts;
    uint32_t *group;
    fp_numbering ids, groups;
} making;

/* Bytes of an id that an error shows. */
static int shown(fp_string id) { return id.length < 80 ? (int)id.length : 80; }

static fp_status copy(fp_arena *arena, fp_string text, fp_string *to, fp_error *error) {
    char *made = fp_string_copy(arena, text);
    *to = (fp_string){made, text.length};
    return made ? FP_OK : fp_no_memory(error);
}

static fp_status need_text(const fp_json *value, const char *name, size_t number, fp_error *error) {
    if (value && value->type == FP_JSON_STRING) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "document %zu has no text as its \"%s\"", number, name);
}

static fp_status add_document(making *to, const fp_json *document, size_t i, fp_error *error) {
    const fp_json *id = fp_json_member(document, "id"), *text = fp_json_member(document, "text"),
                  *group = fp_json_member(document, "group");
    uint32_t number;
    bool fresh;
    FP_TRY(need_text(id, "id", i + 1, error));
    FP_TRY(need_text(text, "text", i + 1, error));
    FP_TRY(fp_numbering_of(&to->ids, id->text, &number, &fresh, error));
    if (!fresh)
        return fp_fail(error, FP_ERROR_DUPLICATE, "document %zu: the id \"%.*s\" is that of document %u", i + 1,
                       shown(id->text), id->text.data, number + 1);
    FP_TRY(copy(to->arena, id->text, &to->documents[i].id, error));
    FP_TRY(copy(to->arena, text->text, to->texts + i, error));
    to->documents[i].characters = fp_utf8_count(text->text);
    to->group[i] = UINT32_MAX;
    if (!group || group->type == FP_JSON_NULL) return FP_OK;
    FP_TRY(need_text(group, "group", i + 1, error));
    return fp_numbering_of(&to->groups, group->text, to->group + i, &fresh, error);
}

/* ---- Pairs ---- */

static fp_status find_document(const making *in, const fp_json *id, size_t number, uint32_t *place, fp_error *error) {
    if (!id || id->type != FP_JSON_STRING) return fp_fail(error, FP_ERROR_SYNTAX, "pair %zu has no two ids", number);
    *place = fp_numbering_find(&in->ids, id->text);
    if (*place != FP_MAP_NONE) return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "pair %zu: there is no document \"%.*s\"", number, shown(id->text),
                   id->text.data);
}

static fp_status read_pair(const making *in, const fp_json *row, size_t number, fp_pair *pair, fp_error *error) {
    const fp_json *a = row->type == FP_JSON_ARRAY ? row->first : NULL, *b = a ? a->next : NULL;
    const fp_json *label = b ? b->next : NULL;
    double value = 0;
    FP_TRY(find_document(in, a, number, &pair->a, error));
    FP_TRY(find_document(in, b, number, &pair->b, error));
    if (pair->a == pair->b) return fp_fail(error, FP_ERROR_RANGE, "pair %zu is of a document and itself", number);
    if (!label || label->type != FP_JSON_NUMBER || fp_json_real(label, "label", &value, error) != FP_OK ||
        (value != 0 && value != 1))
        return fp_fail(error, FP_ERROR_SYNTAX, "pair %zu has a label that is neither 0 nor 1", number);
    pair->label = value == 1;
    return FP_OK;
}

static fp_status read_pairs(const making *in, const fp_json *list, fp_corpus *corpus, fp_error *error) {
    size_t count = count_of(list), i = 0;
    fp_pair *pairs = FP_NEED(fp_arena_alloc(in->arena, count, sizeof *pairs), error);
    fp_string *kinds = FP_NEED(fp_arena_alloc(in->arena, count, sizeof *kinds), error);
    fp_map stated;
    FP_TRY(fp_map_open(&stated, count, in->arena, error));
    for (const fp_json *row = list->first; row; row = row->next, i++) {
        FP_TRY(read_pair(in, row, i + 1, pairs + i, error));
        uint32_t before = fp_map_take(&stated, fp_pair_key(pairs[i].a, pairs[i].b), (uint32_t)i);
        if (before != FP_MAP_NONE)
            return fp_fail(error, FP_ERROR_DUPLICATE, "pair %zu is that of pair %u", i + 1, before + 1);
    }
    corpus->truth = FP_TRUTH_PAIRS;
    corpus->pair_count = count;
    corpus->pairs = pairs;
    corpus->kinds = kinds;
    return FP_OK;
}

/* ---- Documents and pairs ---- */

static fp_status fill(making *to, const fp_json *documents, const fp_json *pairs, fp_corpus *corpus, fp_error *error) {
    size_t count = count_of(documents), i = 0;
    to->documents = FP_NEED(fp_arena_alloc(to->arena, count, sizeof *to->documents), error);
    to->texts = FP_NEED(fp_arena_alloc(to->arena, count, sizeof *to->texts), error);
    to->group = FP_NEED(fp_arena_alloc(to->arena, count, sizeof *to->group), error);
    for (const fp_json *at = documents->first; at; at = at->next) FP_TRY(add_document(to, at, i++, error));
    *corpus = (fp_corpus){.path = "",
                          .name = "the corpus",
                          .document_count = count,
                          .documents = to->documents,
                          .texts = to->texts,
                          .group = to->group,
                          .group_count = to->groups.count,
                          .memory = to->arena};
    if (count_of(pairs)) return read_pairs(to, pairs, corpus, error);
    corpus->truth = to->groups.count ? FP_TRUTH_GROUPS : FP_TRUTH_NONE;
    if (corpus->truth == FP_TRUTH_GROUPS) return FP_OK;
    return fp_fail(error, FP_ERROR_EMPTY, "the corpus has no labels: neither pairs nor groups");
}

fp_status fp_lab_corpus_make(const fp_json *documents, const fp_json *pairs, fp_arena *arena, fp_corpus *corpus,
                             fp_error *error) {
    making to = {.arena = arena, .ids = {.like = arena}, .groups = {.like = arena}};
    if (count_of(documents) == 0) return fp_fail(error, FP_ERROR_EMPTY, "the corpus has no document");
    fp_status status = fill(&to, documents, pairs, corpus, error);
    fp_numbering_free(&to.ids);
    fp_numbering_free(&to.groups);
    return status;
}

/* ----
 * The pairs behind a count of the last evaluation: {arm (its index), cell ("tp", "fp", "fn", "tn"), threshold, most
 * (100)}. The answer: "count", and at most `most` "pairs", as columns a, b (indices of documents) and distance.
 */

enum { MOST = 10000 };

typedef struct found {
    double distance;
    uint32_t pair;
} found;

FP_COMPARES(nearest_first, found, FP_ORDER(a->distance, b->distance) ?: FP_ORDER(a->pair, b->pair));
FP_COMPARES(furthest_first, found, FP_ORDER(b->distance, a->distance) ?: FP_ORDER(a->pair, b->pair));

/* Errors come worst first: the nearest negatives, the furthest positives. */
static const struct cell {
    const char *name;
    bool positive, called;
    int (*order)(const void *a, const void *b);
} CELLS[] = {{"tp", true, true, furthest_first},
             {"fp", false, true, nearest_first},
             {"fn", true, false, furthest_first},
             {"tn", false, false, nearest_first}};

static fp_status read_cell(const fp_lab_call_data *call, const struct cell **cell, fp_error *error) {
    fp_string name;
    FP_TRY(fp_lab_text(call, "cell", &name, error));
    for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++)
        if (fp_string_equal(name, fp_string_of(CELLS[i].name))) return *cell = CELLS + i, FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "the request's \"cell\" is none of tp, fp, fn, tn");
}

static fp_status collect(const fp_lab_call_data *call, const struct cell *cell, size_t arm, double threshold,
                         found **list, size_t *count, fp_error *error) {
    const fp_evaluation *evaluation = call->lab->evaluation;
    size_t pair_count;
    const fp_pair *pairs = fp_evaluation_pairs(evaluation, &pair_count);
    const double *distances = evaluation->outcome.measurements[arm].distances;
    if (!pairs || !distances)
        return fp_fail(error, FP_ERROR_EMPTY, "with so many documents pairs are counted, and not listed");
    *list = FP_NEED(fp_arena_raw(call->scratch, pair_count, sizeof **list), error);
    *count = 0;
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].label == cell->positive && (distances[i] <= threshold) == cell->called)
            (*list)[(*count)++] = (found){distances[i], (uint32_t)i};
    if (*count) qsort(*list, *count, sizeof **list, cell->order);
    return FP_OK;
}

static void tell(fp_json_writer *to, const fp_pair *pairs, const found *list, size_t count) {
    fp_json_begin_object(to, "pairs");
    FP_JSON_LIST(to, "a", i, count, fp_json_put_count(to, NULL, pairs[list[i].pair].a));
    FP_JSON_LIST(to, "b", i, count, fp_json_put_count(to, NULL, pairs[list[i].pair].b));
    FP_JSON_LIST(to, "distance", i, count, fp_json_put_real(to, NULL, list[i].distance));
    fp_json_end_object(to);
}

fp_status fp_lab_pairs(const fp_lab_call_data *call, fp_error *error) {
    const struct cell *cell = NULL;
    double arm, threshold, most;
    found *list = NULL;
    size_t count = 0, pair_count;
    const fp_evaluation *evaluation = call->lab->evaluation;
    if (!evaluation) return fp_fail(error, FP_ERROR_EMPTY, "nothing was evaluated yet");
    FP_TRY(read_cell(call, &cell, error));
    FP_TRY(fp_lab_number(call, "arm", 0, 0, (double)fp_evaluation_arm_count(evaluation) - 1, &arm, error));
    FP_TRY(fp_lab_number(call, "threshold", 3, 0, 1e300, &threshold, error));
    FP_TRY(fp_lab_number(call, "most", 100, 0, MOST, &most, error));
    FP_TRY(collect(call, cell, (size_t)arm, threshold, &list, &count, error));
    fp_json_put_count(call->to, "count", count);
    tell(call->to, fp_evaluation_pairs(evaluation, &pair_count), list, count < (size_t)most ? count : (size_t)most);
    return FP_OK;
}
