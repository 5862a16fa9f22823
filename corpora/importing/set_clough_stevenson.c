/* SPDX-License-Identifier: GPL-3.0-or-later
 * The corpus of plagiarised short answers (Clough, Stevenson 2011, ir.shef.ac.uk/cloughie/resources/plagiarism_corpus
 * .html): a text a file, g0pA_taska.txt, …, the originals orig_taska.txt, …, and the list of files of
 * corpus-final09.xls, as CSV with the columns File, Task and Category (non, cut, light, heavy, orig), such as
 * file_information.csv of those who hand it on. */
#include <string.h>

#include "corpora/importing/recipe.h"
#include "corpora/readers/csv.h"
#include "corpora/readers/form.h"
#include "text/unicode/encoding.h"

enum { FILE_NAME, TASK, CATEGORY, COLUMNS };
static const char *const NAMES[COLUMNS] = {"File", "Task", "Category"};
static const fp_csv COMMAS = {',', true};

/* Spaces after a separator are no part of a field. */
static fp_string bare(fp_string field) { return fp_string_trim(field, " "); }

static fp_status find_columns(fp_string head, size_t place[COLUMNS], fp_arena *scratch, fp_error *error) {
    const fp_string *fields;
    size_t count;
    FP_TRY(fp_csv_fields(COMMAS, fp_string_skip_mark(head), scratch, &fields, &count, error));
    for (size_t c = 0; c < COLUMNS; c++) {
        place[c] = SIZE_MAX;
        for (size_t i = 0; i < count; i++)
            if (fp_string_equal(bare(fields[i]), fp_string_of(NAMES[c]))) place[c] = i;
        if (place[c] == SIZE_MAX)
            return fp_fail(error, FP_ERROR_SYNTAX, "the list of files has no column %s", NAMES[c]);
    }
    return FP_OK;
}

/* Beside the list. What is not UTF-8 is Windows-1252. */
static fp_status read_text(const fp_set *set, fp_string name, fp_arena *scratch, fp_string *text, fp_error *error) {
    const char *list = set->paths[0], *slash = strrchr(list, '/');
    const char *path =
        fp_format(scratch, "%.*s%.*s", slash ? (int)(slash + 1 - list) : 0, list, (int)name.length, name.data);
    fp_string raw;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_read_file_within(path, set->most_bytes, scratch, &raw, error));
    bool valid = fp_form_check_utf8(raw, NULL) == FP_OK;
    return fp_to_utf8(raw, valid ? "utf-8" : "windows-1252", !valid, scratch, text, NULL, error);
}

static fp_status take(const fp_set *set, const fp_string field[COLUMNS], size_t row, fp_arena *scratch,
                      fp_error *error) {
    static const char *const POSITIVE[] = {"cut", "light", "heavy", "non"};
    fp_string original, answer;
    size_t kind = 0;
    if (fp_string_equal(field[CATEGORY], fp_string_of("orig"))) return FP_OK;
    while (kind < 4 && !fp_string_equal(field[CATEGORY], fp_string_of(POSITIVE[kind]))) kind++;
    if (kind == 4)
        return fp_fail(error, FP_ERROR_SYNTAX, "the category \"%.*s\" is none of non, cut, light, heavy and orig",
                       (int)field[CATEGORY].length, field[CATEGORY].data);
    const char *name = fp_format(scratch, "orig_task%.*s.txt", (int)field[TASK].length, field[TASK].data);
    if (!name) return fp_no_memory(error);
    FP_TRY(read_text(set, fp_string_of(name), scratch, &original, error));
    FP_TRY(read_text(set, field[FILE_NAME], scratch, &answer, error));
    set->rows[0]++;
    const fp_set_row made = {.id = fp_set_id(fp_string_of(name)),
                             .text = original,
                             .other_id = fp_set_id(field[FILE_NAME]),
                             .other = answer,
                             .label = kind < 3,
                             .kind = field[CATEGORY],
                             .row = row};
    return set->row(set->context, &made, error);
}

static fp_status read_row(const fp_set *set, fp_string line, const size_t place[COLUMNS], size_t row, fp_arena *scratch,
                          fp_error *error) {
    const fp_string *fields;
    fp_string wanted[COLUMNS];
    size_t count;
    FP_TRY(fp_form_check_utf8(line, error));
    FP_TRY(fp_csv_fields(COMMAS, line, scratch, &fields, &count, error));
    for (size_t c = 0; c < COLUMNS; c++) {
        if (place[c] >= count) return fp_fail(error, FP_ERROR_SYNTAX, "the row has no %s", NAMES[c]);
        wanted[c] = bare(fields[place[c]]);
    }
    return take(set, wanted, row, scratch, error);
}

static fp_status read_list(const fp_set *set, fp_arena *scratch, fp_error *error) {
    fp_string list, line = {"", 0};
    size_t place[COLUMNS];
    FP_TRY(fp_read_file_within(set->paths[0], set->most_bytes, set->arena, &list, error));
    fp_next_line(&list, &line);
    fp_status status = find_columns(line, place, set->arena, error);
    if (status != FP_OK) return fp_at(error, status, set->paths[0], 1, SIZE_MAX);
    for (size_t row = 2; fp_next_line(&list, &line); row++) {
        fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
        fp_arena_reset(scratch);
        status = line.length ? read_row(set, line, place, row, scratch, &why) : FP_OK;
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        if (status != FP_OK) FP_TRY(fp_set_bad(set, status, &why, 0, row, error));
    }
    return FP_OK;
}

fp_status fp_set_clough_stevenson(const fp_set *set, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(set->arena);
    fp_status status = scratch ? read_list(set, scratch, error) : fp_no_memory(error);
    fp_arena_free(scratch);
    return status;
}
