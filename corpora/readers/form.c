/* SPDX-License-Identifier: GPL-3.0-or-later
 * The forms, and what several of them need. */
#include "corpora/readers/form.h"

#include <string.h>

#include "corpora/row.h"
#include "text/unicode/utf8.h"

#define FORM(name) extern const fp_form fp_form_##name;
#include "corpora/readers/forms.def"
#undef FORM

static const fp_form *const FORMS[] = {
#define FORM(name) &fp_form_##name,
#include "corpora/readers/forms.def"
#undef FORM
};
enum { COUNT = sizeof FORMS / sizeof *FORMS };

const fp_form *fp_form_at(size_t position) { return position < COUNT ? FORMS[position] : NULL; }

const fp_form *fp_form_find(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(FORMS[i]->name, name) == 0) return FORMS[i];
    return NULL;
}

/* Whether the name ends in one of the endings, which stand between blanks. */
static bool ends_in(const char *name, const char *endings) {
    size_t length = strlen(name);
    for (const char *at = endings; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        size_t ending = strcspn(at, " ");
        if (ending && length > ending && strncmp(name + length - ending, at, ending) == 0) return true;
    }
    return false;
}

const fp_form *fp_form_guess(const char *name, bool listed) {
    for (size_t i = 0; i < COUNT; i++)
        if ((listed || FORMS[i]->alone) && ends_in(name, FORMS[i]->endings)) return FORMS[i];
    return NULL;
}

/* ---- Fields ---- */

const char *fp_entry_field_name(fp_entry_field field) {
    static const char *const NAMES[FP_ENTRY_FIELDS] = {
        [FP_ENTRY_ID] = "id",       [FP_ENTRY_TEXT] = "text",     [FP_ENTRY_GROUP] = "group",
        [FP_ENTRY_TITLE] = "title", [FP_ENTRY_URL] = "url",       [FP_ENTRY_LANGUAGE] = "lang",
        [FP_ENTRY_TIME] = "time",   [FP_ENTRY_SOURCE] = "source", [FP_ENTRY_RANK] = ""};
    return NAMES[field];
}

const char *fp_form_field(const fp_entries_options *options, fp_entry_field field) {
    return options->name[field] ? options->name[field] : fp_entry_field_name(field);
}

fp_status fp_form_set(fp_entry *to, fp_entry_field field, fp_string value, fp_error *error) {
    to->field[field] = value;
    if (field == FP_ENTRY_ID) return fp_corpus_id_check(value, error);
    if (field == FP_ENTRY_TEXT) to->characters = fp_utf8_count(value);
    return field == FP_ENTRY_TIME && value.length ? fp_time_parse(value, &to->time, error) : FP_OK;
}

fp_status fp_form_number(const fp_form_input *input, fp_arena *kept, fp_entry *to, fp_error *error) {
    const char *id = fp_format(kept, "%s%zu", input->prefix, to->row);
    if (!id) return fp_no_memory(error);
    to->id = fp_string_of(id);
    return FP_OK;
}

fp_status fp_form_check_utf8(fp_string text, fp_error *error) {
    size_t valid = fp_utf8_check(text);
    if (valid == text.length) return FP_OK;
    fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
    if (error) error->byte = valid;
    return FP_ERROR_ENCODING;
}

/* ---- As a JSON object ---- */

static char *put_string(char *to, fp_string value) {
    *to++ = '"';
    for (size_t i = 0; i < value.length; i++) {
        unsigned char byte = (unsigned char)value.data[i];
        if (byte == '"' || byte == '\\') *to++ = '\\', *to++ = (char)byte;
        else if (byte == '\n') *to++ = '\\', *to++ = 'n';
        else if (byte < ' ') to += sprintf(to, "\\u%04x", byte);
        else *to++ = (char)byte;
    }
    *to++ = '"';
    return to;
}

fp_status fp_form_write_line(const fp_form_input *input, fp_arena *kept, fp_entry *to, fp_error *error) {
    static const fp_entry_field ORDER[] = {FP_ENTRY_ID,  FP_ENTRY_TITLE, FP_ENTRY_TEXT,     FP_ENTRY_GROUP,
                                           FP_ENTRY_URL, FP_ENTRY_TIME,  FP_ENTRY_LANGUAGE, FP_ENTRY_SOURCE};
    enum { FIELDS = sizeof ORDER / sizeof *ORDER, LONGEST_ESCAPE = 6, MARKS = 8 };
    size_t longest = 2;
    for (size_t f = 0; f < FIELDS; f++)
        longest +=
            LONGEST_ESCAPE * (strlen(fp_form_field(input->options, ORDER[f])) + to->field[ORDER[f]].length) + MARKS;
    char *line = fp_arena_raw(kept, longest, 1), *end = line;
    if (!line) return fp_no_memory(error);
    for (size_t f = 0; f < FIELDS; f++) {
        fp_string value = to->field[ORDER[f]];
        if (value.length == 0 && ORDER[f] != FP_ENTRY_ID && ORDER[f] != FP_ENTRY_TEXT) continue;
        *end++ = f ? ',' : '{';
        end = put_string(end, fp_string_of(fp_form_field(input->options, ORDER[f])));
        *end++ = ':';
        end = put_string(end, value);
    }
    *end++ = '}';
    to->line = (fp_string){line, (size_t)(end - line)};
    return FP_OK;
}
