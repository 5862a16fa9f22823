/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of runs: reads them, and keeps those of a run that is being written. */
#include "reports/runs/run_table.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analyses/analyses.h"

/* ---- Fields ---- */

/* Whether the field is enclosed in quotation marks and inner ones are doubled. The writer does this only for fields
 * that contain quotation marks. */
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

fp_string fp_run_table_cell(const fp_run_table *table, size_t row, size_t column) {
    fp_string field = fp_run_table_field(table, row, column);
    if (!is_quoted(field)) return field;
    char *text = fp_arena_raw(table->arena, field.length, 1);
    size_t used = 0;
    for (size_t i = 1; i + 1 < field.length; i++) {
        text[used++] = field.data[i];
        if (field.data[i] == '"') i++;
    }
    return (fp_string){text, used};
}

fp_string fp_run_cell(const fp_run_table *table, size_t row, const char *column) {
    size_t at = fp_run_table_column(table, column);
    return at == SIZE_MAX ? (fp_string){"", 0} : fp_run_table_cell(table, row, at);
}

bool fp_run_cell_is(const fp_run_table *table, size_t row, const char *column, fp_string what) {
    return fp_string_equal(fp_run_cell(table, row, column), what);
}

double fp_run_real(const fp_run_table *table, size_t row, const char *column) {
    double value;
    return fp_string_real(fp_run_cell(table, row, column), &value) ? value : NAN;
}

/* ---- Columns ---- */

size_t fp_run_table_column(const fp_run_table *table, const char *name) {
    fp_string rest = table->header, field;
    for (size_t at = 0; fp_next_field(&rest, '\t', &field); at++)
        if (fp_string_equal(field, fp_string_of(name))) return at;
    return SIZE_MAX;
}

fp_status fp_run_table_expect(const fp_run_table *table, const char *column, fp_error *error) {
    if (fp_run_table_column(table, column) != SIZE_MAX) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s", column);
    return fp_at(error, FP_ERROR_SYNTAX, table->path, 1, SIZE_MAX);
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

/* gnuplot, R and pandas read a field that begins with a quotation mark up to the next one, across tabs. */
static bool is_readable(fp_string field) {
    return field.length == 0 || field.data[0] != '"' || memchr(field.data + 1, '"', field.length - 1);
}

/* `start`: start of the file, for the byte of an error. */
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

/* `content`: content of the file `path`. */
static fp_status parse(const char *path, fp_string content, fp_arena *arena, fp_run_table *table, fp_error *error) {
    fp_string rest = content, line, field;
    fp_string *rows = fp_arena_raw(arena, count_lines(rest) + 1, sizeof *rows);
    *table = (fp_run_table){.path = path, .header = {"", 0}, .rows = rows, .arena = arena};
    fp_next_line(&rest, &table->header);
    for (fp_string names = table->header; fp_next_field(&names, '\t', &field);) table->column_count++;
    while (fp_next_line(&rest, &line)) {
        FP_TRY(check_row(table, line, content.data, error));
        rows[table->row_count++] = line;
    }
    return FP_OK;
}

fp_status fp_run_table_read(const char *path, fp_arena *arena, fp_run_table *table, fp_error *error) {
    fp_string content;
    FP_TRY(fp_read_file(path, arena, &content, error));
    return parse(path, content, arena, table, error);
}

/* ---- Runs being written ---- */

/* Writes the stream's content to a file, and keeps a copy. */
static fp_status put_file(fp_run_content *run, const char *path, fp_memory_stream *memory, fp_string *kept,
                          fp_error *error) {
    fp_output output;
    FP_TRY(fp_memory_stream_close(memory, error));
    *kept = (fp_string){fp_string_copy(run->arena, (fp_string){memory->text, memory->length}), memory->length};
    free(memory->text);
    FP_TRY(fp_output_open(&output, path, error));
    fwrite(kept->data, 1, kept->length, output.stream);
    return fp_output_close(&output, error);
}

fp_status fp_run_put_table(fp_run_content *run, const char *name, const fp_table *table, fp_error *error) {
    const char *path = fp_format(run->arena, "%s/%s.tsv", run->directory, name);
    fp_memory_stream memory;
    fp_string text;
    if (!fp_schema_find(fp_string_of(name))) return fp_table_save(table, path, error);
    FP_TRY(fp_memory_stream_open(&memory, error));
    fp_table_write(table, FP_FORMAT_TSV, memory.stream);
    FP_TRY(put_file(run, path, &memory, &text, error));
    FP_TRY(FP_ROOM(run->arena, run->tables, run->count, run->room, error));
    return parse(path, text, run->arena, run->tables + run->count++, error);
}

fp_status fp_run_put_json(fp_run_content *run, fp_memory_stream *memory, fp_status status, fp_error *error) {
    if (status != FP_OK) return fp_memory_stream_discard(memory), status;
    return put_file(run, fp_format(run->arena, "%s/run.json", run->directory), memory, &run->json, error);
}

static const fp_run_table *find(const fp_run_content *run, const char *path) {
    for (size_t i = 0; i < run->count; i++)
        if (strcmp(run->tables[i].path, path) == 0) return run->tables + i;
    return NULL;
}

bool fp_run_has_table(const fp_run_content *run, const char *directory, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.tsv", directory, name);
    return run ? find(run, path) != NULL : access(path, F_OK) == 0;
}

fp_status fp_run_table_of(const fp_run_content *run, const char *directory, const char *name, fp_arena *arena,
                          fp_run_table *table, fp_error *error) {
    const char *path = fp_format(arena, "%s/%s.tsv", directory, name);
    if (!run) return fp_run_table_read(path, arena, table, error);
    *table = *find(run, path);
    return FP_OK;
}

fp_status fp_run_json_of(const fp_run_content *run, const char *path, fp_arena *arena, fp_string *text,
                         const fp_json **json, fp_error *error) {
    if (!run) return fp_json_read(path, arena, text, json, error);
    *text = run->json;
    return fp_json_parse(*text, arena, json, error);
}
