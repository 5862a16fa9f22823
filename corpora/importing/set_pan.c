/* SPDX-License-Identifier: GPL-3.0-or-later
 * PAN's corpora of text alignment (Potthast et al., CLEF 2013, 2014; zenodo.org/records/3715980): directories susp and
 * src hold texts, and 01-no-plagiarism/pairs, 02-no-obfuscation/pairs, … name two of them a line, "suspicious-document
 * 00001.txt source-document00294.txt". A pair is positive where a passage was reused. */
#include <string.h>

#include "corpora/importing/recipe.h"
#include "corpora/readers/form.h"

enum { NO_PLAGIARISM }; /* of recipes.def the first */

static fp_status read_text(const fp_set *set, const char *where, fp_string name, fp_arena *scratch, fp_string *text,
                           fp_error *error) {
    const char *path = fp_format(scratch, "%s/%s/%.*s", set->directory, where, (int)name.length, name.data);
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_read_file_within(path, set->most_bytes, scratch, text, error));
    *text = fp_string_skip_mark(*text);
    fp_status status = fp_form_check_utf8(*text, error);
    return status == FP_OK ? FP_OK : fp_at(error, status, path, SIZE_MAX, error ? error->byte : SIZE_MAX);
}

static fp_status take(const fp_set *set, fp_string line, size_t file, size_t row, fp_arena *scratch, fp_error *error) {
    fp_string names[2], texts[2], rest = line;
    if (!fp_next_field(&rest, ' ', &names[0]) || !rest.data || !fp_next_field(&rest, ' ', &names[1]) || rest.data)
        return fp_fail(error, FP_ERROR_SYNTAX, "a line is two names of files with a blank between them");
    FP_TRY(read_text(set, "susp", names[0], scratch, &texts[0], error));
    FP_TRY(read_text(set, "src", names[1], scratch, &texts[1], error));
    set->rows[file]++;
    const fp_set_row made = {.id = fp_set_id(names[0]),
                             .text = texts[0],
                             .other_id = fp_set_id(names[1]),
                             .other = texts[1],
                             .label = file != NO_PLAGIARISM,
                             .kind = fp_string_of(set->kinds[file]),
                             .file = file,
                             .row = row};
    return set->row(set->context, &made, error);
}

static fp_status read_pairs(const fp_set *set, size_t file, fp_arena *scratch, fp_error *error) {
    fp_string list, line;
    FP_TRY(fp_read_file_within(set->paths[file], set->most_bytes, set->arena, &list, error));
    for (size_t row = 1; fp_next_line(&list, &line); row++) {
        fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
        fp_arena_reset(scratch);
        fp_status status = line.length ? take(set, line, file, row, scratch, &why) : FP_OK;
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        if (status != FP_OK) FP_TRY(fp_set_bad(set, status, &why, file, row, error));
    }
    return FP_OK;
}

fp_status fp_set_pan(const fp_set *set, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(set->arena);
    fp_status status = scratch ? FP_OK : fp_no_memory(error);
    for (size_t file = 0; file < FP_RECIPE_FILES && status == FP_OK; file++)
        if (set->paths[file]) status = read_pairs(set, file, scratch, error);
    fp_arena_free(scratch);
    return status;
}
