/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables: cells keep an exact and a readable form; the format decides which is shown. */
#include "reports/table.h"

#include <json-c/json.h>
#include <libsmartcols.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    const char *exact;    /* TSV, JSON */
    const char *readable; /* a person */
    bool number;          /* or NA */
} cell;

typedef struct column {
    const char *name;
    bool right;
} column;

struct fp_table {
    fp_arena *arena;
    column *columns;
    size_t column_count;
    cell *cells;
    size_t count, capacity;
    bool failed;
};

fp_table *fp_table_new(const char *columns, fp_arena *arena) {
    fp_table *table = fp_arena_alloc(arena, 1, sizeof *table);
    column *made = fp_arena_alloc(arena, strlen(columns) + 1, sizeof *made);
    if (!table || !made) return NULL;
    *table = (fp_table){.arena = arena, .columns = made};
    fp_string rest = fp_string_of(columns), name;
    while (fp_next_field(&rest, '|', &name)) {
        column *to = made + table->column_count++;
        to->right = name.length && *name.data == '>';
        if (to->right) name.data++, name.length--;
        to->name = fp_string_copy(arena, name);
        if (!to->name) return NULL;
    }
    return table;
}

static void add_cell(fp_table *table, const char *exact, const char *readable, bool number) {
    if (!exact || !readable) table->failed = true;
    if (table->count == table->capacity && !table->failed) {
        size_t capacity = table->capacity ? table->capacity * 2 : 256;
        cell *larger = fp_arena_raw(table->arena, capacity, sizeof *larger);
        if (larger && table->count) memcpy(larger, table->cells, table->count * sizeof *larger);
        if (!larger) table->failed = true;
        table->cells = larger;
        table->capacity = capacity;
    }
    if (!table->failed) table->cells[table->count++] = (cell){exact, readable, number};
}

void fp_table_string(fp_table *table, fp_string text) {
    char *copy = fp_string_copy(table->arena, text);
    for (char *at = copy; at && *at; at++)
        if (strchr("\t\n\r", *at)) *at = ' ';
    add_cell(table, copy, copy, false);
}

void fp_table_text(fp_table *table, const char *text) { fp_table_string(table, fp_string_of(text)); }

void fp_table_count(fp_table *table, uint64_t value) {
    const char *text = fp_format(table->arena, "%llu", (unsigned long long)value);
    add_cell(table, text, text, true);
}

void fp_table_real(fp_table *table, double value, int digits) {
    if (isnan(value)) add_cell(table, "NA", "NA", true);
    else add_cell(table, fp_format(table->arena, "%.12g", value), fp_format(table->arena, "%.*f", digits, value), true);
}

void fp_table_exact(fp_table *table, double value) {
    const char *text = fp_format(table->arena, "%.15g", value);
    if (text && strtod(text, NULL) != value) text = fp_format(table->arena, "%.17g", value);
    add_cell(table, text, text, true);
}

/* ---- TSV ---- */

static void write_tsv(const fp_table *table, FILE *stream) {
    for (size_t c = 0; c < table->column_count; c++)
        fprintf(stream, "%s%c", table->columns[c].name, c + 1 < table->column_count ? '\t' : '\n');
    for (size_t i = 0; i < table->count; i++)
        fprintf(stream, "%s%c", table->cells[i].exact, (i + 1) % table->column_count ? '\t' : '\n');
}

/* ---- JSON ---- */

static json_object *cell_json(const cell *from) {
    if (!from->number) return json_object_new_string(from->exact);
    double value;
    if (!fp_parse_real(from->exact, &value)) return NULL;
    return json_object_new_double_s(value, from->exact);
}

static fp_status write_json(const fp_table *table, FILE *stream, fp_error *error) {
    json_object *rows = json_object_new_array();
    if (!rows) return fp_no_memory(error);
    json_object *row = NULL;
    for (size_t i = 0; i < table->count; i++) {
        size_t c = i % table->column_count;
        if (c == 0) json_object_array_add(rows, row = json_object_new_object());
        json_object_object_add(row, table->columns[c].name, cell_json(table->cells + i));
    }
    fprintf(stream, "%s\n", json_object_to_json_string_ext(rows, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(rows);
    return FP_OK;
}

/* ---- For a person ---- */

static bool fill_columns(const fp_table *table, struct libscols_table *view) {
    for (size_t c = 0; c < table->column_count; c++) {
        int flags = table->columns[c].right ? SCOLS_FL_RIGHT : 0;
        if (!scols_table_new_column(view, table->columns[c].name, 0, flags)) return false;
    }
    return true;
}

static bool fill_rows(const fp_table *table, struct libscols_table *view) {
    struct libscols_line *line = NULL;
    for (size_t i = 0; i < table->count; i++) {
        size_t c = i % table->column_count;
        if (c == 0 && !(line = scols_table_new_line(view, NULL))) return false;
        if (scols_line_set_data(line, c, table->cells[i].readable) != 0) return false;
    }
    return true;
}

static fp_status write_view(const fp_table *table, FILE *stream, fp_error *error) {
    struct libscols_table *view = scols_new_table();
    if (!view) return fp_no_memory(error);
    bool good = scols_table_set_stream(view, stream) == 0 && fill_columns(table, view) && fill_rows(table, view);
    scols_table_enable_nowrap(view, 1);
    scols_table_set_column_separator(view, "  ");
    if (good && table->count) good = scols_print_table(view) == 0;
    scols_unref_table(view);
    return good ? FP_OK : fp_no_memory(error);
}

fp_status fp_table_write(const fp_table *table, fp_format_kind format, FILE *stream, fp_error *error) {
    if (table->failed) return fp_no_memory(error);
    switch (format) {
    case FP_FORMAT_TABLE: return write_view(table, stream, error);
    case FP_FORMAT_JSON: return write_json(table, stream, error);
    case FP_FORMAT_TSV: break;
    }
    write_tsv(table, stream);
    return FP_OK;
}

fp_status fp_table_save(const fp_table *table, const char *path, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = fp_table_write(table, FP_FORMAT_TSV, output.stream, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}
