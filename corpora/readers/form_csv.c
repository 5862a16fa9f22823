/* SPDX-License-Identifier: GPL-3.0-or-later
 * Formats csv and tsv: each row is a text; the first row, or the user, names the columns. */
#include <string.h>

#include "corpora/readers/form.h"

/* ---- Columns ---- */

fp_status fp_form_find_column(const char *const *names, size_t count, const char *name, size_t *place,
                              fp_error *error) {
    *place = SIZE_MAX;
    for (size_t c = 0; *name && c < count; c++) {
        if (strcmp(names[c], name) != 0) continue;
        if (*place != SIZE_MAX) return fp_fail(error, FP_ERROR_DUPLICATE, "two columns are called \"%s\"", name);
        *place = c;
    }
    return FP_OK;
}

const char *fp_form_list_names(const char *const *names, size_t count, fp_arena *arena) {
    enum { MOST = 20 };
    const char *list = "";
    for (size_t i = 0; list && i < count && i < MOST; i++)
        list = fp_format(arena, "%s%s%.60s", list, i ? ", " : "", names[i]);
    return list && count > MOST ? fp_format(arena, "%s, …", list) : list;
}

static fp_status missing(const fp_form_input *input, const char *name, const char *option, fp_arena *arena,
                         fp_error *error) {
    const char *names = FP_NEED(fp_form_list_names(input->columns, input->column_count, arena), error);
    return fp_fail(error, FP_ERROR_UNKNOWN, "no column is called \"%s\" (%s): there are %s", name, option, names);
}

/* Fields named by the user and the text field are required. */
static fp_status place_fields(fp_form_input *input, fp_arena *arena, fp_error *error) {
    const fp_entries_options *options = input->options;
    size_t more = 0;
    while (options->more && options->more[more]) more++;
    size_t *place = FP_NEED(fp_arena_raw(arena, FP_ENTRY_FIELDS + more, sizeof *place), error);
    for (size_t field = 0; field < FP_ENTRY_FIELDS; field++) {
        const char *name = fp_form_field(options, (fp_entry_field)field);
        FP_TRY(fp_form_find_column(input->columns, input->column_count, name, place + field, error));
        if (place[field] == SIZE_MAX && *name && (field == FP_ENTRY_TEXT || options->name[field]))
            return missing(input, name,
                           fp_format(arena, "--%s names another", fp_entry_field_name((fp_entry_field)field)), arena,
                           error);
    }
    for (size_t i = 0; i < more; i++) {
        size_t *to = place + FP_ENTRY_FIELDS + i;
        FP_TRY(fp_form_find_column(input->columns, input->column_count, options->more[i], to, error));
        if (*to == SIZE_MAX) return missing(input, options->more[i], "wanted", arena, error);
    }
    input->place = place;
    return FP_OK;
}

static fp_status read_names(const fp_form_input *input, fp_string record, fp_arena *arena, const char *const **names,
                            size_t *count, fp_error *error) {
    const fp_string *fields;
    *count = 0;
    if (input->options->columns) {
        *names = input->options->columns;
        while ((*names)[*count]) ++*count;
        return FP_OK;
    }
    record = fp_string_skip_mark(record);
    FP_TRY(fp_form_check_utf8(record, error));
    FP_TRY(fp_csv_fields(input->csv, record, arena, &fields, count, error));
    const char **columns = FP_NEED(fp_arena_raw(arena, *count, sizeof *columns), error);
    for (size_t c = 0; c < *count; c++) columns[c] = FP_NEED(fp_string_copy(arena, fields[c]), error);
    *names = columns;
    return FP_OK;
}

static fp_status read_head(fp_form_input *input, fp_string record, fp_arena *arena, fp_error *error) {
    FP_TRY(read_names(input, record, arena, &input->columns, &input->column_count, error));
    return place_fields(input, arena, error);
}

/* ---- Rows ---- */

static fp_status take_fields(const fp_form_input *input, const fp_string *fields, fp_arena *kept, fp_entry *to,
                             fp_error *error) {
    const fp_entries_options *options = input->options;
    size_t more = 0;
    while (options->more && options->more[more]) more++;
    for (size_t field = 0; field < FP_ENTRY_FIELDS; field++)
        if (input->place[field] != SIZE_MAX)
            FP_TRY(fp_form_set(to, (fp_entry_field)field, fields[input->place[field]], error));
    fp_string *wanted = FP_NEED(fp_arena_raw(kept, more, sizeof *wanted), error);
    for (size_t i = 0; i < more; i++) wanted[i] = fields[input->place[FP_ENTRY_FIELDS + i]];
    to->more = wanted;
    if (!to->id.length) FP_TRY(fp_form_number(input, kept, to, error));
    return fp_form_write_line(input, fields, kept, to, error);
}

static fp_status read_row(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                          fp_error *error) {
    const fp_string *fields;
    size_t count;
    (void)scratch, (void)none;
    FP_TRY(fp_form_check_utf8(to->line, error));
    FP_TRY(fp_csv_fields(input->csv, to->line, kept, &fields, &count, error));
    if (count != input->column_count)
        return fp_fail(error, FP_ERROR_SYNTAX, "a row of %zu field%s, where there are %zu columns", count,
                       count == 1 ? "" : "s", input->column_count);
    return take_fields(input, fields, kept, to, error);
}

const fp_form fp_form_csv = {
    .name = "csv",
    .summary = "a row a text, fields between commas (RFC 4180); the first row names the columns",
    .endings = " .csv ",
    .alone = true,
    .decoded = true,
    .separator = ',',
    .cut = &fp_line_cut,
    .names = read_names,
    .head = read_head,
    .read = read_row,
};

const fp_form fp_form_tsv = {
    .name = "tsv",
    .summary = "the same between tabs",
    .endings = " .tsv .tab ",
    .alone = true,
    .decoded = true,
    .separator = '\t',
    .cut = &fp_line_cut,
    .names = read_names,
    .head = read_head,
    .read = read_row,
};
