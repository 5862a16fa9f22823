/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences with their corrections, and the set that has them in two files, line by line. */
#include <string.h>

#include "base/disjoint_sets.h"
#include "corpora/importing/recipe.h"
#include "corpora/row.h"
#include "corpora/readers/form.h"

/* ---- Sentences ---- */

typedef struct sentence {
    fp_string id, text;
    size_t file, row;
} sentence;

struct fp_set_sentences {
    const fp_set *set;
    fp_numbering texts;
    sentence *at; /* [texts.count] */
    size_t room;
    fp_set_links links;
};

const fp_set *fp_set_sentences_of(const fp_set_sentences *sentences) { return sentences->set; }

static fp_status keep(fp_set_sentences *in, const sentence *added, uint32_t *number, fp_error *error) {
    bool fresh;
    FP_TRY(fp_numbering_of(&in->texts, added->text, number, &fresh, error));
    if (!fresh) return FP_OK;
    if (*number == in->room) {
        size_t room = in->room ? 2 * in->room : 256;
        sentence *larger = fp_arena_grow(in->set->arena, in->at, room * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        in->at = larger;
        in->room = room;
    }
    const char *id = fp_string_copy(in->set->arena, added->id), *text = fp_string_copy(in->set->arena, added->text);
    if (!id || !text) return fp_no_memory(error);
    in->at[*number] = *added;
    in->at[*number].id.data = id;
    in->at[*number].text.data = text;
    return FP_OK;
}

fp_status fp_set_sentences_add(fp_set_sentences *in, fp_string id, fp_string written, fp_string corrected, size_t file,
                               size_t row, fp_error *error) {
    const fp_set *set = in->set;
    uint32_t a, b;
    set->rows[file]++;
    if (written.length == 0 || corrected.length == 0) return set->made->empty++, FP_OK;
    if (fp_string_equal(written, corrected)) return set->made->same++, FP_OK;
    const char *other = fp_format(set->arena, "%.*s-corrected", (int)id.length, id.data);
    if (!other) return fp_no_memory(error);
    FP_TRY(keep(in, &(sentence){.id = id, .text = written, .file = file, .row = row}, &a, error));
    FP_TRY(keep(in, &(sentence){.id = fp_string_of(other), .text = corrected, .file = file, .row = row}, &b, error));
    return fp_set_link(in->set, &in->links, a, b, error);
}

static fp_status hand_out(fp_set_sentences *in, fp_error *error) {
    fp_disjoint_sets groups;
    FP_TRY(fp_disjoint_sets_make(in->texts.count, in->set->arena, &groups, error));
    for (size_t i = 0; i < in->links.count; i++) fp_disjoint_sets_join(&groups, in->links.at[i][0], in->links.at[i][1]);
    for (uint32_t i = 0; i < in->texts.count; i++) {
        const sentence *at = in->at + i;
        const fp_set_row row = {.id = at->id,
                                .text = at->text,
                                .group = in->at[fp_disjoint_sets_find(&groups, i)].id,
                                .file = at->file,
                                .row = at->row};
        FP_TRY(in->set->row(in->set->context, &row, error));
    }
    return FP_OK;
}

fp_status fp_set_sentences_read(const fp_set *set, fp_status (*fill)(fp_set_sentences *to, fp_error *error),
                                fp_error *error) {
    fp_set_sentences in = {.set = set, .texts = {.like = set->arena}};
    fp_status status = fill(&in, error);
    if (status == FP_OK) status = hand_out(&in, error);
    fp_numbering_free(&in.texts);
    return status;
}

/* ---- In two files ---- */

/* The lines of *_error.txt and *_correct.txt, as github.com/liwenju0/sighan_raw (data_process.py) writes them. */
static fp_status fill_pair(fp_set_sentences *to, size_t file, fp_error *error) {
    const fp_set *set = to->set;
    fp_string written, corrected, line, other;
    FP_TRY(fp_set_needs(set, file + 1, "a file of corrections", error));
    FP_TRY(fp_read_file_within(set->paths[file], set->most_bytes, set->arena, &written, error));
    FP_TRY(fp_read_file_within(set->paths[file + 1], set->most_bytes, set->arena, &corrected, error));
    for (size_t row = 1; fp_next_line(&written, &line); row++) {
        fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
        fp_status status = fp_form_check_utf8(line, &why);
        bool there = fp_next_line(&corrected, &other);
        if (!there) status = fp_fail(&why, FP_ERROR_SYNTAX, "no line for it in %s", set->paths[file + 1]);
        else if (status == FP_OK) status = fp_form_check_utf8(other, &why);
        const char *id = fp_format(set->arena, "%s-%zu", set->kinds[file], row);
        if (!id) return fp_no_memory(error);
        if (status == FP_OK) {
            FP_TRY(fp_set_sentences_add(to, fp_string_of(id), line, other, file, row, error));
            continue;
        }
        FP_TRY(fp_set_bad(set, status, &why, file, row, error));
        if (!there) return FP_OK;
    }
    return FP_OK;
}

static fp_status fill_pairs(fp_set_sentences *to, fp_error *error) {
    for (size_t file = 0; file + 1 < FP_RECIPE_FILES; file += 2)
        if (to->set->paths[file]) FP_TRY(fill_pair(to, file, error));
    return FP_OK;
}

fp_status fp_set_sighan_pairs(const fp_set *set, fp_error *error) {
    return fp_set_sentences_read(set, fill_pairs, error);
}
