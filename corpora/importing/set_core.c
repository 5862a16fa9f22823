/* SPDX-License-Identifier: GPL-3.0-or-later
 * The CORE deduplication set of 2020 (Gyawali, Anastasiou, Knoth, LREC 2020): a JSON object a line with core_id,
 * original_title, original_abstract, cat (exact_dup, near_exact_dup, non_dup) and labelled_duplicates, an array of ids.
 * The names are those of the copy huggingface.co/datasets/pinecone/core-2020-05-10-deduplication and of programs that
 * read Ground_Truth_data.jsonl. The text is the title and, on the next line, the abstract; what hangs together through
 * labelled duplicates is a group. Read twice: memory holds ids. */
#include <string.h>

#include "base/disjoint_sets.h"
#include "corpora/importing/recipe.h"
#include "corpora/json.h"
#include "corpora/line_blocks.h"
#include "corpora/row.h"

typedef struct papers {
    const fp_set *set;
    fp_numbering ids; /* of documents and of what is labelled a duplicate */
    fp_set_links links;
    fp_disjoint_sets groups;
    fp_arena *scratch;
    bool again;
} papers;

static fp_status id_of(const fp_json *value, fp_string *id, fp_error *error) {
    if (value && (value->type == FP_JSON_STRING || value->type == FP_JSON_NUMBER) && value->text.length) {
        *id = value->text;
        return FP_OK;
    }
    fp_fail(error, FP_ERROR_SYNTAX, "core_id and labelled_duplicates are ids, strings or numbers");
    if (value && error) error->byte = value->byte;
    return FP_ERROR_SYNTAX;
}

/* What a line must have. */
static fp_status check(const fp_json *object, fp_string *id, const fp_json **labelled, fp_error *error) {
    fp_string name;
    const fp_json *list = fp_json_member(object, "labelled_duplicates");
    *labelled = list ? list->first : NULL;
    FP_TRY(id_of(fp_json_member(object, "core_id"), id, error));
    if (list && list->type != FP_JSON_ARRAY && list->type != FP_JSON_NULL) {
        fp_fail(error, FP_ERROR_SYNTAX, "labelled_duplicates is no array");
        if (error) error->byte = list->byte;
        return FP_ERROR_SYNTAX;
    }
    for (const fp_json *at = *labelled; at; at = at->next) FP_TRY(id_of(at, &name, error));
    return FP_OK;
}

static fp_status take_links(papers *in, fp_string id, const fp_json *labelled, fp_error *error) {
    uint32_t own, other;
    bool fresh;
    FP_TRY(fp_numbering_of(&in->ids, id, &own, &fresh, error));
    for (const fp_json *at = labelled; at; at = at->next) {
        FP_TRY(fp_numbering_of(&in->ids, at->text, &other, &fresh, error));
        FP_TRY(fp_set_link(in->set, &in->links, own, other, error));
    }
    return FP_OK;
}

static fp_string text_of(const fp_json *object, const char *name) {
    const fp_json *value = fp_json_member(object, name);
    return value && value->type == FP_JSON_STRING ? value->text : (fp_string){"", 0};
}

static fp_status hand_out(papers *in, const fp_json *object, fp_string id, size_t row, fp_error *error) {
    fp_string title = text_of(object, "original_title"), abstract = text_of(object, "original_abstract");
    uint32_t group = fp_disjoint_sets_find(&in->groups, fp_numbering_find(&in->ids, id));
    const char *text = fp_format(in->scratch, "%.*s%s%.*s", (int)title.length, title.data,
                                 title.length && abstract.length ? "\n" : "", (int)abstract.length, abstract.data),
               *name = fp_format(in->scratch, "%u", group + 1);
    if (!text || !name) return fp_no_memory(error);
    if (!*text) return fp_fail(error, FP_ERROR_SYNTAX, "neither original_title nor original_abstract is there");
    const fp_set_row made = {
        .id = id, .text = fp_string_of(text), .group = fp_string_of(name), .kept = text_of(object, "cat"), .row = row};
    in->set->rows[0]++;
    return in->set->row(in->set->context, &made, error);
}

/* A line that is bad is told the first time. */
static fp_status take_line(papers *in, const fp_line *line, fp_error *error) {
    const fp_json *object, *labelled;
    fp_string id;
    fp_status status = fp_json_parse(line->text, in->scratch, &object, error);
    if (status == FP_OK) status = check(object, &id, &labelled, error);
    if (status != FP_OK) return in->again && status != FP_ERROR_MEMORY ? FP_OK : status;
    return in->again ? hand_out(in, object, id, line->row, error) : take_links(in, id, labelled, error);
}

static fp_status read_lines(papers *in, fp_line_blocks *blocks, fp_error *error) {
    const fp_line *lines;
    for (size_t count = 1; count;) {
        FP_TRY(fp_line_blocks_next(blocks, &lines, &count, error));
        for (size_t i = 0; i < count; i++) {
            fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
            fp_arena_reset(in->scratch);
            fp_status status = take_line(in, lines + i, &why);
            if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
            if (why.byte != SIZE_MAX && !*why.file) why.byte += lines[i].byte;
            if (status != FP_OK) FP_TRY(fp_set_bad(in->set, status, &why, 0, lines[i].row, error));
        }
    }
    return FP_OK;
}

static fp_status read_twice(papers *in, fp_line_blocks *blocks, fp_error *error) {
    fp_line_blocks_bound_lines(blocks, false);
    FP_TRY(read_lines(in, blocks, error));
    FP_TRY(fp_disjoint_sets_make(in->ids.count, in->set->arena, &in->groups, error));
    for (size_t i = 0; i < in->links.count; i++)
        fp_disjoint_sets_join(&in->groups, in->links.at[i][0], in->links.at[i][1]);
    in->again = true;
    FP_TRY(fp_line_blocks_rewind(blocks, error));
    return read_lines(in, blocks, error);
}

fp_status fp_set_core(const fp_set *set, fp_error *error) {
    papers in = {.set = set, .ids = {.like = set->arena}, .scratch = fp_arena_new_like(set->arena)};
    fp_line_blocks *blocks = NULL;
    fp_status status = in.scratch ? FP_OK : fp_no_memory(error);
    if (status == FP_OK)
        status = fp_line_blocks_open(set->paths[0], set->arena, set->most_bytes, false, NULL, &blocks, error);
    if (status == FP_OK) status = read_twice(&in, blocks, error);
    fp_line_blocks_close(blocks);
    fp_numbering_free(&in.ids);
    fp_arena_free(in.scratch);
    return status;
}
