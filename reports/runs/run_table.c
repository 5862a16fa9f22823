/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of a run, read again. */
#include "reports/runs/run_table.h"

#include <string.h>

/* ---- Fields ---- */

/* Starts and ends with a quotation mark, and all within are doubled: the writer does so, and only where there is one
 * within. */
static bool is_quoted(fp_string field) {
    if (field.length < 4 || field.data[0] != '"' || field.data[field.length - 1] != '"') return false;
    bool any = false;
    for (size_t i = 1; i + 1 < field.length; i++) {
        if (field.data[i] != '"') continue;
        if (i + 2 >= field.length || field.data[i + 1] != '"') return false;
        any = true;
        i++;
    }
    return any;
}

fp_string fp_run_table_field(const fp_run_table *table, size_t row, size_t column) {
    fp_string rest = table->rows[row], field = {"", 0};
    for (size_t i = 0; i <= column; i++) fp_next_field(&rest, '\t', &field);
    return field;
}

fp_string fp_run_table_cell(const fp_run_table *table, size_t row, size_t column, fp_arena *arena) {
    fp_string field = fp_run_table_field(table, row, column);
    if (!is_quoted(field)) return field;
    char *text = fp_arena_raw(arena, field.length, 1);
    size_t used = 0;
    for (size_t i = 1; text && i + 1 < field.length; i++) {
        text[used++] = field.data[i];
        if (field.data[i] == '"') i++;
    }
    return (fp_string){text, used};
}

/* ---- Columns ---- */

size_t fp_run_table_column(const fp_run_table *table, const char *name) {
    fp_string rest = table->header, field;
    for (size_t at = 0; fp_next_field(&rest, '\t', &field); at++)
        if (fp_string_equal(field, fp_string_of(name))) return at;
    return SIZE_MAX;
}

fp_status fp_run_table_expect(const fp_run_table *table, const char *const *columns, fp_error *error) {
    for (; *columns; columns++) {
        if (fp_run_table_column(table, *columns) != SIZE_MAX) continue;
        fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s", *columns);
        return fp_at(error, FP_ERROR_SYNTAX, table->path, 1, SIZE_MAX);
    }
    return FP_OK;
}

fp_status fp_run_table_at(const fp_run_table *table, size_t row, fp_status code, fp_error *error) {
    return fp_at(error, code, table->path, row + 2, SIZE_MAX);
}

/* ---- Reading ---- */

static size_t count_lines(fp_string text) {
    size_t lines = 0;
    for (fp_string line; fp_next_line(&text, &line);) lines++;
    return lines;
}

/* gnuplot, R and pandas take a field that begins with a quotation mark to the next one, over tabs. */
static bool is_readable(fp_string field) {
    return field.length == 0 || field.data[0] != '"' || memchr(field.data + 1, '"', field.length - 1);
}

/* `start` is where the file begins, for the byte of an error. */
static fp_status check_row(const fp_run_table *table, fp_string row, const char *start, fp_error *error) {
    size_t count = 0, byte = (size_t)(row.data - start);
    fp_status status = FP_OK;
    for (fp_string rest = row, field; fp_next_field(&rest, '\t', &field); count++) {
        if (is_readable(field)) continue;
        byte = (size_t)(field.data - start);
        status = fp_fail(error, FP_ERROR_SYNTAX, "a field begins with a quotation mark and has no second one");
        break;
    }
    if (status == FP_OK && count == table->column_count) return FP_OK;
    if (status == FP_OK)
        status = fp_fail(error, FP_ERROR_SYNTAX, "a row of %zu field%s, where the header has %zu", count,
                         count == 1 ? "" : "s", table->column_count);
    return fp_at(error, status, table->path, table->row_count + 2, byte);
}

fp_status fp_run_table_read(const char *path, fp_arena *arena, fp_run_table *table, fp_error *error) {
    fp_string rest, line, field;
    *table = (fp_run_table){.path = path, .header = {"", 0}};
    FP_TRY(fp_read_file(path, arena, &rest, error));
    const char *start = rest.data;
    fp_string *rows = fp_arena_raw(arena, count_lines(rest) + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    table->rows = rows;
    fp_next_line(&rest, &table->header);
    for (fp_string names = table->header; fp_next_field(&names, '\t', &field);) table->column_count++;
    while (fp_next_line(&rest, &line)) {
        FP_TRY(check_row(table, line, start, error));
        rows[table->row_count++] = line;
    }
    return FP_OK;
}
