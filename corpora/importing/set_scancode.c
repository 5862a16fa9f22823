/* SPDX-License-Identifier: GPL-3.0-or-later
 * Licence texts of ScanCode (github.com/aboutcode-org/scancode-toolkit, src/licensedcode/data): rules/NAME.RULE and
 * licenses/KEY.LICENSE, whose facts stand between two lines "---" at the begin, or in NAME.yml and KEY.yml beside (as
 * before release 32). Of the rules those with is_license_text are read whose license_expression is one key: texts of
 * one key are a group. Texts in other languages than English, and what is no text of a licence, are passed over. {{ and
 * }} mark phrases that a scanner requires, and are no text. */
#include <string.h>
#include <unistd.h>

#include "corpora/importing/recipe.h"
#include "corpora/readers/entry_inputs.h"
#include "corpora/readers/form.h"

enum { RULES, LICENSES };

typedef struct facts {
    fp_string key, language;
    bool is_text;
} facts;

/* Lines "name: value" of YAML; others say nothing that is wanted here. */
static facts read_facts(fp_string yaml, size_t file) {
    facts made = {.is_text = file == LICENSES};
    fp_string line, name;
    while (fp_next_line(&yaml, &line)) {
        fp_string rest = line;
        if (!fp_next_field(&rest, ':', &name) || !rest.data) continue;
        fp_string value = fp_string_trim(rest, " \t'\"");
        if (fp_string_equal(name, fp_string_of(file == RULES ? "license_expression" : "key"))) made.key = value;
        else if (fp_string_equal(name, fp_string_of("language"))) made.language = value;
        else if (file == RULES && fp_string_equal(name, fp_string_of("is_license_text")))
            made.is_text = fp_string_equal(value, fp_string_of("yes")) || fp_string_equal(value, fp_string_of("true"));
    }
    return made;
}

/* The facts at the begin of the text, or in the file beside it. */
static fp_status split(const fp_set *set, const char *path, fp_string *text, fp_string *yaml, fp_arena *scratch,
                       fp_error *error) {
    fp_string rest = *text, line;
    *yaml = (fp_string){"", 0};
    if (fp_next_line(&rest, &line) && fp_string_equal(line, fp_string_of("---"))) {
        const char *begin = rest.data;
        while (fp_next_line(&rest, &line))
            if (fp_string_equal(line, fp_string_of("---"))) {
                *yaml = (fp_string){begin, (size_t)(line.data - begin)};
                *text = rest;
                return FP_OK;
            }
        return fp_fail(error, FP_ERROR_SYNTAX, "the facts at the begin do not end with a line ---");
    }
    const char *dot = strrchr(path, '.'), *beside = fp_format(scratch, "%.*s.yml", (int)(dot - path), path);
    if (!beside) return fp_no_memory(error);
    if (access(beside, F_OK) != 0)
        return fp_fail(error, FP_ERROR_SYNTAX,
                       "no facts, neither between two lines --- at the begin nor in a .yml beside");
    return fp_read_file_within(beside, set->most_bytes, scratch, yaml, error);
}

/* Without {{ and }}, and without lines that are empty at the begin and the end. */
static fp_status clean(fp_string raw, fp_arena *scratch, fp_string *text, fp_error *error) {
    char *made = fp_arena_raw(scratch, raw.length + 1, 1), *to = made;
    if (!made) return fp_no_memory(error);
    for (size_t i = 0; i < raw.length; i++) {
        bool mark = i + 1 < raw.length && raw.data[i] == raw.data[i + 1] && (raw.data[i] == '{' || raw.data[i] == '}');
        if (mark) i++;
        else *to++ = raw.data[i];
    }
    *text = (fp_string){made, (size_t)(to - made)};
    while (text->length && strchr(" \t\r\n", *text->data)) text->data++, text->length--;
    while (text->length && strchr(" \t\r\n", text->data[text->length - 1])) text->length--;
    return FP_OK;
}

static fp_status take(const fp_set *set, size_t file, const fp_listed_file *at, fp_arena *scratch, fp_error *error) {
    fp_string raw, yaml, text;
    if (at->wrong) return fp_fail(error, FP_ERROR_IO, "%s", at->wrong);
    FP_TRY(fp_read_file_within(at->path, set->most_bytes, scratch, &raw, error));
    FP_TRY(fp_form_check_utf8(raw, error));
    FP_TRY(split(set, at->path, &raw, &yaml, scratch, error));
    facts known = read_facts(yaml, file);
    FP_TRY(clean(raw, scratch, &text, error));
    bool english = !known.language.length || fp_string_equal(known.language, fp_string_of("en"));
    bool one = known.key.length && !memchr(known.key.data, ' ', known.key.length);
    set->rows[file]++;
    if (!known.is_text || !english || !one || !text.length) return set->made->passed++, FP_OK;
    const fp_set_row row = {
        .id = fp_string_of(at->name), .text = text, .group = known.key, .file = file, .row = SIZE_MAX};
    return set->row(set->context, &row, error);
}

static fp_status read_all(const fp_set *set, size_t file, const char *glob, fp_arena *scratch, fp_error *error) {
    fp_listed_file *files;
    size_t count;
    FP_TRY(fp_list_files(set->paths[file], glob, set->arena, &files, &count, error));
    for (size_t i = 0; i < count; i++) {
        fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
        fp_arena_reset(scratch);
        fp_status status = take(set, file, files + i, scratch, &why);
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        if (status == FP_OK) continue;
        fp_at(&why, status, files[i].path, SIZE_MAX, SIZE_MAX);
        FP_TRY(fp_set_bad(set, status, &why, file, SIZE_MAX, error));
    }
    return FP_OK;
}

fp_status fp_set_scancode(const fp_set *set, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(set->arena);
    fp_status status = scratch ? FP_OK : fp_no_memory(error);
    if (status == FP_OK && set->paths[RULES]) status = read_all(set, RULES, "*.RULE", scratch, error);
    if (status == FP_OK && set->paths[LICENSES]) status = read_all(set, LICENSES, "*.LICENSE", scratch, error);
    fp_arena_free(scratch);
    return status;
}
