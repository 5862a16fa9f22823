/* SPDX-License-Identifier: GPL-3.0-or-later
 * The corpus of a request. */

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "corpora/row.h"
#include "reports/lab/lab_parts.h"
#include "text/unicode/utf8.h"

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
    size_t count = fp_json_count(list), i = 0;
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
    size_t count = fp_json_count(documents), i = 0;
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
    if (fp_json_count(pairs)) return read_pairs(to, pairs, corpus, error);
    corpus->truth = to->groups.count ? FP_TRUTH_GROUPS : FP_TRUTH_NONE;
    if (corpus->truth == FP_TRUTH_GROUPS) return FP_OK;
    return fp_fail(error, FP_ERROR_EMPTY, "the corpus has no labels: neither pairs nor groups");
}

fp_status fp_lab_corpus_make(const fp_json *documents, const fp_json *pairs, fp_arena *arena, fp_corpus *corpus,
                             fp_error *error) {
    making to = {.arena = arena, .ids = {.like = arena}, .groups = {.like = arena}};
    if (fp_json_count(documents) == 0) return fp_fail(error, FP_ERROR_EMPTY, "the corpus has no document");
    fp_status status = fill(&to, documents, pairs, corpus, error);
    fp_numbering_free(&to.ids);
    fp_numbering_free(&to.groups);
    return status;
}
