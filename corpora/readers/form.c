/* SPDX-License-Identifier: GPL-3.0-or-later
 * The registry of formats, shared helpers, and the line formats. */
#include "corpora/readers/form.h"

#include <string.h>

#include "corpora/json.h"
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

/* Whether the name ends in one of the endings, which are separated by blanks. */
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

/* ---- Detection by content ---- */

/* "a, b, c": the first twelve members of an object. */
static const char *list_members(const fp_json *object, fp_arena *arena) {
    const char *names = "";
    size_t count = 0;
    for (const fp_json *at = object->first; names && at && count < 12; at = at->next, count++)
        names = fp_format(arena, "%s%s%.*s", names, count ? ", " : "",
                          (int)(at->name.length < 40 ? at->name.length : 40), at->name.data);
    return names ? names : "";
}

static fp_status recognise_object(const fp_entries_options *options, fp_string first, fp_arena *arena,
                                  const fp_form **form, fp_error *error) {
    const fp_json *object;
    const char *text = fp_form_field(options, FP_ENTRY_TEXT);
    fp_status status = fp_json_parse(first, arena, &object, NULL);
    if (status != FP_OK || object->type != FP_JSON_OBJECT)
        return status == FP_ERROR_MEMORY ? fp_no_memory(error) : FP_OK;
    if (!fp_json_member(object, text))
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "looks like JSON lines, but has no \"%s\", only %s; add --from jsonl and --text-field to name "
                       "the text, or --from lines if each line is a text",
                       text, list_members(object, arena));
    *form = fp_form_find("jsonl");
    return FP_OK;
}

/* A column name: at most 40 bytes of letters, digits, _, - or characters beyond ASCII. */
static bool is_name(fp_string field) {
    if (!field.length || field.length > 40) return false;
    for (size_t i = 0; i < field.length; i++) {
        unsigned char c = (unsigned char)field.data[i];
        if (!(c >= 0x80 || c == '_' || c == '-' || (c >= '0' && c <= '9') || (c | 32u) - 'a' < 26u)) return false;
    }
    return true;
}

static bool equals(fp_string a, const char *b) { return fp_string_equal(a, fp_string_of(b)); }

/* Whether a first record names columns: all its fields are names, and one is a field name or common in tables of texts.
 * The result does not depend on how much of a pipe has arrived. */
static bool names_columns(const fp_entries_options *options, fp_csv csv, fp_string record, fp_arena *arena) {
    static const char *const USUAL[] = {"content", "body", "label", "text_a", "text_b", "sentence1", "sentence2"};
    const fp_string *fields;
    size_t count;
    bool known = false;
    if (fp_csv_fields(csv, record, arena, &fields, &count, NULL) != FP_OK || count < 2) return false;
    for (size_t i = 0; i < count; i++) {
        if (!is_name(fields[i])) return false;
        for (size_t f = 0; f < FP_ENTRY_FIELDS; f++)
            known = known || equals(fields[i], fp_form_field(options, (fp_entry_field)f));
        for (size_t u = 0; u < sizeof USUAL / sizeof *USUAL; u++) known = known || equals(fields[i], USUAL[u]);
    }
    return known;
}

fp_status fp_form_recognise(const fp_entries_options *options, const fp_line *lines, size_t count, fp_arena *arena,
                            const fp_form **form, fp_error *error) {
    static const struct {
        char separator;
        const char *from;
    } TABLES[] = {{',', "--from csv"}, {'\t', "--from tsv"}, {';', "--from csv --separator ';'"}};
    if (!count || lines->too_long) return FP_OK;
    const fp_string first = fp_string_skip_mark(lines->text);
    if (first.length && first.data[0] == '{') return recognise_object(options, first, arena, form, error);
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++)
        if (names_columns(options, (fp_csv){TABLES[i].separator, !options->no_quotes}, first, arena))
            return fp_fail(error, FP_ERROR_UNKNOWN,
                           "looks like a table whose first row names its columns; add %s, or --from lines for a text a "
                           "line",
                           TABLES[i].from);
    return FP_OK;
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
    const char *id = FP_NEED(fp_format(kept, "%s%zu", input->prefix, to->row), error);
    to->id = fp_string_of(id);
    return FP_OK;
}

fp_status fp_form_check_utf8(fp_string text, fp_error *error) {
    size_t valid = fp_utf8_check(text);
    return valid == text.length ? FP_OK : fp_at_byte(error, fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8"), valid);
}

/* ---- Writing an entry as a JSON object ---- */

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

enum { LONGEST_ESCAPE = 6, MARKS = 8 };

/* `end` NULL: adds the maximum size of the member to *room. */
static char *put_member(char *end, size_t *room, const char *name, fp_string value) {
    if (!end) {
        *room += LONGEST_ESCAPE * (strlen(name) + value.length) + MARKS;
        return NULL;
    }
    end = put_string(end, fp_string_of(name));
    *end++ = ':';
    end = put_string(end, value);
    *end++ = ',';
    return end;
}

static bool named_before(const fp_form_input *input, size_t column) {
    for (size_t c = 0; c < column; c++)
        if (strcmp(input->columns[c], input->columns[column]) == 0) return true;
    return false;
}

static char *put_members(const fp_form_input *input, const fp_string *fields, const fp_entry *of, char *end,
                         size_t *room) {
    static const fp_entry_field ORDER[] = {FP_ENTRY_ID,  FP_ENTRY_TITLE, FP_ENTRY_TEXT,     FP_ENTRY_GROUP,
                                           FP_ENTRY_URL, FP_ENTRY_TIME,  FP_ENTRY_LANGUAGE, FP_ENTRY_SOURCE};
    for (size_t f = 0; !fields && f < sizeof ORDER / sizeof *ORDER; f++) {
        fp_string value = of->field[ORDER[f]];
        if (value.length || ORDER[f] == FP_ENTRY_ID || ORDER[f] == FP_ENTRY_TEXT)
            end = put_member(end, room, fp_form_field(input->options, ORDER[f]), value);
    }
    if (fields && input->place[FP_ENTRY_ID] == SIZE_MAX)
        end = put_member(end, room, fp_form_field(input->options, FP_ENTRY_ID), of->id);
    for (size_t c = 0; fields && c < input->column_count; c++)
        if (*input->columns[c] && !named_before(input, c)) end = put_member(end, room, input->columns[c], fields[c]);
    return end;
}

fp_status fp_form_write_line(const fp_form_input *input, const fp_string *fields, fp_arena *kept, fp_entry *to,
                             fp_error *error) {
    size_t room = 2;
    put_members(input, fields, to, NULL, &room);
    char *line = FP_NEED(fp_arena_raw(kept, room, 1), error);
    *line = '{';
    char *end = put_members(input, fields, to, line + 1, &room);
    end[-1] = '}';
    to->line = (fp_string){line, (size_t)(end - line)};
    return FP_OK;
}

/* ---- Format jsonl ---- */

/* The requested members besides id, text, group and language, then those of options->more. */
static const char *const *wanted(const fp_entries_options *options, fp_arena *scratch) {
    size_t more = 0, count = 0;
    while (options->more && options->more[more]) more++;
    const char **names = fp_arena_raw(scratch, FP_ENTRY_FIELDS + more + 1, sizeof *names);
    if (!names) return NULL;
    for (size_t field = FP_ENTRY_TITLE; field < FP_ENTRY_FIELDS; field++)
        names[count++] = fp_form_field(options, (fp_entry_field)field);
    for (size_t i = 0; i < more; i++) names[count++] = options->more[i];
    names[count] = NULL;
    return names;
}

static fp_status read_jsonl(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                            fp_error *error) {
    const fp_entries_options *options = input->options;
    const fp_corpus_row_form form = {.id = fp_form_field(options, FP_ENTRY_ID),
                                     .text = fp_form_field(options, FP_ENTRY_TEXT),
                                     .group = fp_form_field(options, FP_ENTRY_GROUP),
                                     .language = fp_form_field(options, FP_ENTRY_LANGUAGE),
                                     .fields = FP_NEED(wanted(options, scratch), error),
                                     .lax = true};
    fp_corpus_row row;
    (void)none;
    FP_TRY(fp_corpus_row_parse(to->line, &form, scratch, kept, &row, error));
    to->id = row.id;
    to->text = row.text;
    to->characters = row.characters;
    to->group = row.group;
    to->language = row.language;
    for (size_t field = FP_ENTRY_TITLE; field < FP_ENTRY_FIELDS; field++)
        FP_TRY(fp_form_set(to, (fp_entry_field)field, row.values[field - FP_ENTRY_TITLE], error));
    to->more = row.values + (FP_ENTRY_FIELDS - FP_ENTRY_TITLE);
    return to->id.length ? FP_OK : fp_form_number(input, kept, to, error);
}

static fp_status members(const fp_form_input *input, fp_string record, fp_arena *arena, const char *const **names,
                         size_t *count, fp_error *error) {
    const fp_json *object;
    (void)input;
    FP_TRY(fp_json_parse(fp_string_skip_mark(record), arena, &object, error));
    if (object->type != FP_JSON_OBJECT)
        return fp_fail(error, FP_ERROR_SYNTAX, "not a JSON object; each line must be one");
    *count = 0;
    for (const fp_json *at = object->first; at; at = at->next) ++*count;
    const char **made = FP_NEED(fp_arena_raw(arena, *count + 1, sizeof *made), error);
    *names = made;
    for (const fp_json *at = object->first; at; at = at->next, made++)
        if (!(*made = fp_string_copy(arena, at->name))) return fp_no_memory(error);
    *made = NULL;
    return FP_OK;
}

const fp_form fp_form_jsonl = {
    .name = "jsonl",
    .summary = "a JSON object a line, with \"text\" and what else is known",
    .endings = " .jsonl .ndjson .json ",
    .alone = true,
    .object = true,
    .decoded = true,
    .cut = &fp_line_cut,
    .names = members,
    .read = read_jsonl,
};

/* ---- Format lines ---- */

static fp_status read_lines(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                            fp_error *error) {
    (void)scratch, (void)none;
    FP_TRY(fp_form_check_utf8(to->line, error));
    FP_TRY(fp_form_set(to, FP_ENTRY_TEXT, to->line, error));
    return fp_form_number(input, kept, to, error);
}

const fp_form fp_form_lines = {
    .name = "lines",
    .summary = "a text a line",
    .endings = "",
    .decoded = true,
    .cut = &fp_line_cut,
    .read = read_lines,
};
