/* SPDX-License-Identifier: GPL-3.0-or-later
 * Imports texts into a corpus. Memory holds only ids, and for pairs the numbers of their texts. */
#include "corpora/importing/import.h"

#include <string.h>

#include "corpora/row.h"

/* A pair as in its first row, and the first contradiction. */
typedef struct taken_pair {
    uint32_t a, b; /* numbers of texts */
    uint32_t kind;
    bool label;
    size_t input, row;
    size_t other_input, other_row; /* the first row with the other label; 0: none */
} taken_pair;

typedef struct importing {
    const fp_import *import;
    fp_imported *made;
    fp_numbering ids;   /* of documents */
    fp_numbering texts; /* of the texts of pairs */
    fp_numbering pairs; /* of pairs of text numbers */
    fp_string *names;   /* [texts.count] ids of the texts of pairs */
    size_t name_room;
    taken_pair *taken; /* [pairs.count] in the order of their first rows; written at the end */
    size_t taken_room;
    fp_numbering kinds;
    fp_string *kind_names; /* [kinds.count] */
    size_t kind_room;
    fp_numbering groups;
    uint32_t *group_sizes; /* [groups.count] */
    size_t group_room;
    fp_arena *own, *scratch; /* of these lists; of one row */
} importing;

/* ---- Bad rows ---- */

/* Counts and reports a bad row; false if it must stop the import. */
static bool skip_row(importing *in, const fp_error *error) {
    if (!in->import->skip_bad) return false;
    in->made->bad++;
    if (in->import->skipped) in->import->skipped(in->import->context, error);
    return true;
}

static fp_status refuse(importing *in, const fp_entry *entry, fp_error *error) {
    fp_at(error, error->code, fp_entries_path(in->import->entries, entry->input), entry->row, SIZE_MAX);
    return skip_row(in, error) ? FP_OK : error->code;
}

static fp_string without_endings(fp_string name) {
    const char *slash = memrchr(name.data, '/', name.length);
    if (slash) name = (fp_string){slash + 1, name.length - (size_t)(slash + 1 - name.data)};
    const char *dot = memchr(name.data, '.', name.length);
    if (dot && dot > name.data) name.length = (size_t)(dot - name.data);
    return name;
}

/* ---- Documents ---- */

static fp_status count_group(importing *in, fp_string group, fp_error *error) {
    uint32_t number;
    bool fresh;
    if (group.length == 0) return FP_OK;
    FP_TRY(fp_numbering_of(&in->groups, group, &number, &fresh, error));
    if (fresh) {
        FP_TRY(FP_ROOM(in->own, in->group_sizes, number, in->group_room, error));
        in->group_sizes[number] = 0;
        in->made->groups++;
    }
    in->made->group_pairs += in->group_sizes[number]++;
    return FP_OK;
}

static fp_string group_of(const fp_import *import, const fp_entry *entry) {
    const char *slash = memrchr(entry->id.data, '/', entry->id.length);
    if (!import->group_by_directory || !slash) return entry->group;
    return (fp_string){entry->id.data, (size_t)(slash - entry->id.data)};
}

static fp_status write_document(importing *in, const fp_entry *entry, fp_string id, fp_string text, fp_error *error) {
    const fp_import *import = in->import;
    size_t count = 0, known = FP_ENTRY_TIME - FP_ENTRY_TITLE + 1;
    fp_corpus_member *members =
        FP_NEED(fp_arena_raw(in->scratch, known + import->member_count, sizeof *members), error);
    for (size_t field = FP_ENTRY_TITLE; field <= FP_ENTRY_TIME && !import->pair; field++)
        members[count++] = (fp_corpus_member){fp_entry_field_name((fp_entry_field)field), entry->field[field]};
    for (size_t i = 0; i < import->member_count && !import->pair; i++)
        members[count++] = (fp_corpus_member){import->members[i].name, entry->more[import->first + i]};
    const fp_corpus_written document = {.id = id,
                                        .text = text,
                                        .group = group_of(import, entry),
                                        .language = entry->language.length ? entry->language : import->language,
                                        .members = members,
                                        .member_count = count};
    in->made->documents++;
    FP_TRY(count_group(in, document.group, error));
    return fp_corpus_writer_document(import->writer, &document, error);
}

static fp_status take_document(importing *in, const fp_entry *entry, fp_error *error) {
    uint32_t number;
    bool fresh;
    FP_TRY(fp_numbering_of(&in->ids, entry->id, &number, &fresh, error));
    if (fresh) return write_document(in, entry, entry->id, entry->text, error);
    fp_fail(error, FP_ERROR_DUPLICATE, "duplicate id %.*s", (int)entry->id.length, entry->id.data);
    return refuse(in, entry, error);
}

/* ---- Pairs ---- */

static fp_string more(const fp_entry *entry, size_t position) {
    return position == SIZE_MAX ? (fp_string){"", 0} : entry->more[position];
}

/* The number of a text; writes its document at its first occurrence. */
static fp_status number_text(importing *in, const fp_entry *entry, fp_string text, fp_string id, uint32_t *number,
                             fp_error *error) {
    bool fresh, new_id = true;
    uint32_t ignored;
    FP_TRY(fp_numbering_of(&in->texts, text, number, &fresh, error));
    if (!fresh) return FP_OK;
    FP_TRY(FP_ROOM(in->own, in->names, *number, in->name_room, error));
    if (id.length) FP_TRY(fp_numbering_of(&in->ids, id, &ignored, &new_id, error));
    const char *name = id.length && new_id ? fp_string_copy(in->own, id) : fp_format(in->own, "text-%u", *number + 1);
    in->names[*number] = fp_string_of(FP_NEED(name, error));
    return write_document(in, entry, in->names[*number], text, error);
}

/* Whether the label is one of the words between blanks, or is after lowering its ASCII letters. */
static bool is_among(fp_string label, fp_string words) {
    for (fp_string word; words.length && fp_next_field(&words, ' ', &word);) {
        bool lowered = label.length == word.length;
        for (size_t i = 0; i < word.length && lowered; i++) lowered = fp_ascii_lower(label.data[i]) == word.data[i];
        if (lowered || fp_string_equal(label, word)) return true;
    }
    return false;
}

static fp_status read_label(const importing *in, const fp_entry *entry, bool *label, fp_error *error) {
    const fp_import_pair *pair = in->import->pair;
    fp_string text = fp_string_trim(more(entry, pair->label), " \t\r\n");
    *label = is_among(text, pair->pattern[1]);
    if (*label) return FP_OK;
    if (!text.length) return fp_fail(error, FP_ERROR_SYNTAX, "the row has no label; --skip-bad skips it");
    if (pair->pattern[0].length == 0 || is_among(text, pair->pattern[0])) return FP_OK;
    return fp_fail(
        error, FP_ERROR_SYNTAX,
        "the label \"%.*s\" is unknown; a duplicate is one of %.*s; a non-duplicate one of %.*s; --positive and "
        "--negative take other words",
        (int)(text.length < 40 ? text.length : 40), text.data, (int)pair->pattern[1].length, pair->pattern[1].data,
        (int)pair->pattern[0].length, pair->pattern[0].data);
}

static fp_status number_kind(importing *in, fp_string kind, uint32_t *number, fp_error *error) {
    bool fresh;
    FP_TRY(fp_numbering_of(&in->kinds, kind, number, &fresh, error));
    if (!fresh) return FP_OK;
    FP_TRY(FP_ROOM(in->own, in->kind_names, *number, in->kind_room, error));
    in->kind_names[*number] = (fp_string){FP_NEED(fp_string_copy(in->own, kind), error), kind.length};
    return FP_OK;
}

/* Reports a row that contradicts another row on the same two texts; without skip_bad it is an error. */
static fp_status contradict(importing *in, bool label, size_t input, size_t row, size_t other_input, size_t other_row,
                            fp_error *error) {
    const char *path = fp_entries_path(in->import->entries, input),
               *other = fp_entries_path(in->import->entries, other_input);
    bool same = input == other_input;
    fp_fail(error, FP_ERROR_DUPLICATE, "the same two texts have the label %d here and %d in %s%s%zu%s", label, !label,
            same ? "line " : other, same ? "" : ":", other_row,
            in->import->skip_bad ? "" : "; --skip-bad skips all such rows");
    fp_at(error, FP_ERROR_DUPLICATE, path, row, SIZE_MAX);
    return skip_row(in, error) ? FP_OK : FP_ERROR_DUPLICATE;
}

/* Takes a row whose two texts an earlier row has. */
static fp_status take_again(importing *in, const fp_entry *entry, taken_pair *before, bool label, fp_error *error) {
    if (label == before->label) return in->made->repeated++, FP_OK;
    in->made->conflicts++;
    if (in->import->pair->first_stays) return FP_OK;
    if (!before->other_row) before->other_input = entry->input, before->other_row = entry->row;
    return contradict(in, label, entry->input, entry->row, before->input, before->row, error);
}

/* Kinds and ids become columns of tables, so they are checked. */
static fp_status check_words(const fp_import_pair *pair, const fp_entry *entry, fp_string kind, fp_error *error) {
    FP_TRY(fp_corpus_id_check(kind, error));
    FP_TRY(fp_corpus_id_check(more(entry, pair->id), error));
    return fp_corpus_id_check(more(entry, pair->other_id), error);
}

static fp_status take_pair(importing *in, const fp_entry *entry, fp_error *error) {
    const fp_import_pair *pair = in->import->pair;
    fp_string other = more(entry, pair->other), kind = more(entry, pair->kind);
    bool fresh;
    taken_pair it = {.input = entry->input, .row = entry->row};
    uint32_t number;
    if (read_label(in, entry, &it.label, error) != FP_OK || check_words(pair, entry, kind, error) != FP_OK)
        return refuse(in, entry, error);
    in->made->positive_rows += it.label;
    if (entry->text.length == 0 || other.length == 0) return in->made->empty++, FP_OK;
    if (fp_string_equal(entry->text, other)) return in->made->same++, FP_OK;
    FP_TRY(number_text(in, entry, entry->text, more(entry, pair->id), &it.a, error));
    FP_TRY(number_text(in, entry, other, more(entry, pair->other_id), &it.b, error));
    const uint32_t key[] = {it.a < it.b ? it.a : it.b, it.a < it.b ? it.b : it.a};
    FP_TRY(fp_numbering_of(&in->pairs, (fp_string){(const char *)key, sizeof key}, &number, &fresh, error));
    if (!fresh) return take_again(in, entry, in->taken + number, it.label, error);
    if (!kind.length)
        kind = pair->kinds ? fp_string_of(pair->kinds[entry->input])
                           : without_endings(fp_string_of(fp_entries_path(in->import->entries, entry->input)));
    FP_TRY(number_kind(in, kind, &it.kind, error));
    FP_TRY(FP_ROOM(in->own, in->taken, number, in->taken_room, error));
    in->taken[number] = it;
    return FP_OK;
}

/* Contradictory rows are all dropped, since none is more trustworthy than the others. */
static fp_status write_pairs(importing *in, fp_error *error) {
    for (size_t i = 0; i < in->pairs.count; i++) {
        const taken_pair *it = in->taken + i;
        if (it->other_row) {
            FP_TRY(contradict(in, it->label, it->input, it->row, it->other_input, it->other_row, error));
            continue;
        }
        in->made->pairs++;
        in->made->positives += it->label;
        FP_TRY(fp_corpus_writer_pair(in->import->writer, in->names[it->a], in->names[it->b], it->label,
                                     in->kind_names[it->kind], error));
    }
    return FP_OK;
}

/* ---- The whole import ---- */

static fp_status run_entries(importing *in, fp_error *error) {
    fp_text_source source = fp_entries_source(in->import->entries);
    fp_text_batch batch = {.count = 1};
    while (batch.count) {
        FP_TRY(source.next(source.context, &batch, error));
        for (size_t i = 0; i < batch.count; i++) {
            const fp_entry *entry = fp_entries_at(in->import->entries, batch.first + i);
            fp_arena_reset(in->scratch);
            in->made->rows++;
            if (in->import->rows) in->import->rows[entry->input]++;
            FP_TRY(in->import->pair ? take_pair(in, entry, error) : take_document(in, entry, error));
        }
    }
    return FP_OK;
}

static fp_status run(importing *in, fp_error *error) {
    FP_TRY(run_entries(in, error));
    FP_TRY(write_pairs(in, error));
    return in->made->documents ? FP_OK
                               : fp_fail(error, FP_ERROR_EMPTY,
                                         in->made->rows ? "no row with a text is left" : "there are no rows of texts");
}

fp_status fp_import_run(const fp_import *import, fp_imported *made, fp_error *error) {
    fp_error ignored = {.line = SIZE_MAX, .byte = SIZE_MAX};
    const fp_arena *like = import->arena;
    FP_SCRATCH(own, like, error);
    FP_SCRATCH(scratch, like, error);
    importing in = {.import = import,
                    .made = made,
                    .ids = {.like = like},
                    .texts = {.like = like},
                    .pairs = {.like = like},
                    .kinds = {.like = like},
                    .groups = {.like = like},
                    .own = own,
                    .scratch = scratch};
    *made = (fp_imported){0};
    fp_status status = run(&in, error ? error : &ignored);
    fp_numbering *const numberings[] = {&in.ids, &in.texts, &in.pairs, &in.kinds, &in.groups};
    for (size_t i = 0; i < sizeof numberings / sizeof *numberings; i++) fp_numbering_free(numberings[i]);
    return status;
}
