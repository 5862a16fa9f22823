/* SPDX-License-Identifier: GPL-3.0-or-later
 * The corpus of a request: its documents and pairs as columns. */
#include <string.h>

#include "corpora/row.h"
#include "reports/lab/lab_parts.h"

/* The member of each document; empty where it is missing and not `needed`. */
static fp_status read_column(const fp_json *documents, const char *name, bool needed, fp_arena *arena,
                             fp_text_column *to, fp_error *error) {
    size_t count = fp_json_count(documents), i = 0;
    int64_t *offset = FP_NEED(fp_arena_alloc(arena, count + 1, sizeof *offset), error);
    const fp_json **texts = FP_NEED(fp_arena_alloc(arena, count, sizeof *texts), error);
    for (const fp_json *at = documents->first; at; at = at->next, i++) {
        texts[i] = fp_json_member(at, name);
        if (texts[i] && texts[i]->type == FP_JSON_NULL) texts[i] = NULL;
        if (texts[i] ? texts[i]->type != FP_JSON_STRING : needed)
            return fp_fail(error, FP_ERROR_SYNTAX, "document %zu has no text as its \"%s\"", i + 1, name);
        offset[i + 1] = offset[i] + (texts[i] ? (int64_t)texts[i]->text.length : 0);
    }
    char *data = FP_NEED(fp_arena_raw(arena, (size_t)offset[count] + 1, 1), error);
    for (i = 0; i < count; i++)
        if (texts[i]) memcpy(data + offset[i], texts[i]->text.data, texts[i]->text.length);
    *to = (fp_text_column){.count = count, .data = data, .offset = offset};
    return FP_OK;
}

/* ---- Pairs ---- */

static fp_status find_document(const fp_numbering *ids, const fp_json *id, size_t number, uint32_t *place,
                               fp_error *error) {
    if (!id || id->type != FP_JSON_STRING) return fp_fail(error, FP_ERROR_SYNTAX, "pair %zu has no two ids", number);
    *place = fp_numbering_find(ids, id->text);
    if (*place != FP_MAP_NONE) return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "pair %zu: there is no document \"%.*s\"", number,
                   id->text.length < 80 ? (int)id->text.length : 80, id->text.data);
}

static fp_status read_pair(const fp_numbering *ids, const fp_json *row, size_t number, fp_pair *pair, fp_error *error) {
    const fp_json *a = row->type == FP_JSON_ARRAY ? row->first : NULL, *b = a ? a->next : NULL;
    const fp_json *label = b ? b->next : NULL;
    double value = 0;
    FP_TRY(find_document(ids, a, number, &pair->a, error));
    FP_TRY(find_document(ids, b, number, &pair->b, error));
    if (!label || label->type != FP_JSON_NUMBER || fp_json_real(label, "label", &value, error) != FP_OK ||
        (value != 0 && value != 1))
        return fp_fail(error, FP_ERROR_SYNTAX, "pair %zu has a label that is neither 0 nor 1", number);
    pair->label = value == 1;
    return FP_OK;
}

static fp_status read_ids(const fp_text_column *ids, fp_numbering *places, fp_error *error) {
    for (size_t i = 0; i < ids->count; i++) {
        uint32_t place;
        bool fresh;
        fp_string id = {ids->data + ids->offset[i], (size_t)(ids->offset[i + 1] - ids->offset[i])};
        FP_TRY(fp_numbering_of(places, id, &place, &fresh, error));
        if (!fresh)
            return fp_fail(error, FP_ERROR_DUPLICATE, "document %zu: the id \"%.*s\" is that of document %u", i + 1,
                           id.length < 80 ? (int)id.length : 80, id.data, place + 1);
    }
    return FP_OK;
}

/* `seen` numbers the pairs by the places of their documents, ascending. */
static fp_status read_pairs(const fp_json *list, const fp_numbering *places, fp_numbering *seen, fp_pair *pairs,
                            fp_error *error) {
    size_t count = 0;
    for (const fp_json *row = list->first; row; row = row->next, count++) {
        fp_pair *pair = pairs + count;
        uint32_t first;
        bool fresh;
        FP_TRY(read_pair(places, row, count + 1, pair, error));
        if (pair->a == pair->b)
            return fp_fail(error, FP_ERROR_SYNTAX, "pair %zu has a document paired with itself", count + 1);
        uint32_t key[] = {pair->a < pair->b ? pair->a : pair->b, pair->a < pair->b ? pair->b : pair->a};
        FP_TRY(fp_numbering_of(seen, (fp_string){(const char *)key, sizeof key}, &first, &fresh, error));
        if (!fresh)
            return fp_fail(error, FP_ERROR_DUPLICATE, "pair %zu %s pair %u", count + 1,
                           pair->label == pairs[first].label ? "repeats" : "contradicts", first + 1);
    }
    return FP_OK;
}

fp_status fp_lab_corpus_make(const fp_json *documents, const fp_json *pairs, fp_arena *scratch, fp_corpus **corpus,
                             fp_error *error) {
    fp_text_column ids, texts, groups;
    fp_numbering places FP_CLOSED_BY(fp_numbering_free) = {.like = scratch},
                        seen FP_CLOSED_BY(fp_numbering_free) = {.like = scratch};
    size_t count = fp_json_count(pairs);
    fp_pair *list = FP_NEED(fp_arena_alloc(scratch, count, sizeof *list), error);
    FP_TRY(read_column(documents, "id", true, scratch, &ids, error));
    FP_TRY(read_column(documents, "text", true, scratch, &texts, error));
    FP_TRY(read_column(documents, "group", false, scratch, &groups, error));
    const fp_corpus_columns columns = {.size = sizeof columns,
                                       .name = "the corpus",
                                       .texts = &texts,
                                       .ids = &ids,
                                       .groups = &groups,
                                       .pairs = list,
                                       .pair_count = count};
    FP_TRY(read_ids(&ids, &places, error));
    if (count) FP_TRY(read_pairs(pairs, &places, &seen, list, error));
    FP_TRY(fp_corpus_of_columns(&columns, NULL, corpus, error));
    if ((*corpus)->truth != FP_TRUTH_NONE) return FP_OK;
    return fp_fail(error, FP_ERROR_EMPTY, "the corpus has no labels: neither pairs nor groups");
}
