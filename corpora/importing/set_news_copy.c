/* SPDX-License-Identifier: GPL-3.0-or-later
 * NEWS-COPY (Silcock et al., ICLR 2023): a file of articles, an object whose members are ids and whose values are
 * objects with "article", and a file of pairs that are copies, an array of arrays of two ids; as
 * rule_based/rule_based_utils.py and utils.py of github.com/dell-research-harvard/NEWS-COPY read them. Copies of copies
 * are copies: a cluster is a group. */
#include <string.h>

#include "base/disjoint_sets.h"
#include "corpora/importing/recipe.h"
#include "corpora/json.h"
#include "corpora/row.h"

typedef struct articles {
    const fp_set *set;
    size_t file;
    const fp_json *objects;
    fp_numbering ids;
    fp_disjoint_sets groups;
    const fp_json **at; /* [ids.count] */
    fp_string content;  /* of the file that is looked at */
    const char *path;
} articles;

/* An error with the byte of a value gets file and line. */
static fp_status wrong(const articles *in, const fp_json *at, const char *what, fp_error *error) {
    fp_fail(error, FP_ERROR_SYNTAX, "%s", what);
    if (error) error->byte = at->byte;
    return fp_json_at(error, FP_ERROR_SYNTAX, in->path, in->content);
}

static fp_status read_json(articles *in, size_t file, const fp_json **value, fp_error *error) {
    fp_error *why = error;
    in->path = in->set->paths[file];
    FP_TRY(fp_read_file_within(in->path, in->set->most_bytes, in->set->arena, &in->content, why));
    fp_status status = fp_json_parse(in->content, in->set->arena, value, why);
    return status == FP_OK || status == FP_ERROR_MEMORY ? status : fp_json_at(why, status, in->path, in->content);
}

static fp_status number_articles(articles *in, fp_error *error) {
    size_t count = 0;
    if (in->objects->type != FP_JSON_OBJECT) return wrong(in, in->objects, "articles are members of one object", error);
    for (const fp_json *at = in->objects->first; at; at = at->next) count++;
    in->at = fp_arena_raw(in->set->arena, count, sizeof *in->at);
    if (count && !in->at) return fp_no_memory(error);
    for (const fp_json *at = in->objects->first; at; at = at->next) {
        uint32_t number;
        bool fresh;
        FP_TRY(fp_numbering_of(&in->ids, at->name, &number, &fresh, error));
        in->at[number] = at;
    }
    return fp_disjoint_sets_make(in->ids.count, in->set->arena, &in->groups, error);
}

static fp_status take_copies(articles *in, const fp_json *pairs, fp_error *error) {
    if (pairs->type != FP_JSON_ARRAY) return wrong(in, pairs, "copies are an array of pairs", error);
    for (const fp_json *at = pairs->first; at; at = at->next) {
        const fp_json *a = at->type == FP_JSON_ARRAY ? at->first : NULL, *b = a ? a->next : NULL;
        if (!b || b->next || a->type != FP_JSON_STRING || b->type != FP_JSON_STRING)
            return wrong(in, at, "a pair is an array of two ids", error);
        uint32_t numbers[] = {fp_numbering_find(&in->ids, a->text), fp_numbering_find(&in->ids, b->text)};
        if (numbers[0] == FP_MAP_NONE || numbers[1] == FP_MAP_NONE)
            return wrong(in, numbers[0] == FP_MAP_NONE ? a : b, "no article has this id", error);
        fp_disjoint_sets_join(&in->groups, numbers[0], numbers[1]);
    }
    return FP_OK;
}

static fp_status hand_out(articles *in, fp_error *error) {
    const fp_set *set = in->set;
    for (uint32_t i = 0; i < in->ids.count; i++) {
        const fp_json *text = fp_json_member(in->at[i], "article");
        fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
        set->rows[in->file]++;
        if (!text || text->type != FP_JSON_STRING) {
            fp_status status = fp_fail(&why, FP_ERROR_SYNTAX, "the article %.*s has no \"article\", or it is no string",
                                       (int)in->at[i]->name.length, in->at[i]->name.data);
            FP_TRY(fp_set_bad(set, status, &why, in->file, SIZE_MAX, error));
            continue;
        }
        const fp_set_row row = {.id = in->at[i]->name,
                                .text = text->text,
                                .group = in->at[fp_disjoint_sets_find(&in->groups, i)]->name,
                                .file = in->file,
                                .row = i + 1};
        FP_TRY(set->row(set->context, &row, error));
    }
    return FP_OK;
}

static fp_status read_two(articles *in, fp_error *error) {
    const fp_json *pairs;
    FP_TRY(read_json(in, in->file, &in->objects, error));
    FP_TRY(number_articles(in, error));
    FP_TRY(read_json(in, in->file + 1, &pairs, error));
    FP_TRY(take_copies(in, pairs, error));
    return hand_out(in, error);
}

fp_status fp_set_news_copy(const fp_set *set, fp_error *error) {
    fp_status status = FP_OK;
    for (size_t file = 0; file + 1 < FP_RECIPE_FILES && status == FP_OK; file += 2) {
        if (!set->paths[file]) continue;
        articles in = {.set = set, .file = file, .ids = {.like = set->arena}};
        status = fp_set_needs(set, file + 1, "the file of copies", error);
        if (status == FP_OK) status = read_two(&in, error);
        fp_numbering_free(&in.ids);
    }
    return status;
}
