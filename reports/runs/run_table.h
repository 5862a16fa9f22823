/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_table.h - reads the tables of a run, and keeps the content of a run that is being written.
 */
#ifndef FP_RUN_TABLE_H
#define FP_RUN_TABLE_H

#include "base/memory_stream.h"
#include "corpora/json.h"
#include "reports/tables/table.h"

/* ---- Tables: a line of names, then rows with the same number of fields ---- */

typedef struct fp_run_table {
    const char *path;
    size_t column_count, row_count;
    fp_string header;
    const fp_string *rows; /* [row_count] lines; split by fp_run_table_cell */
    fp_arena *arena;       /* of cells */
} fp_run_table;

/* Reads the whole table at once into `arena`. FP_ERROR_IO; FP_ERROR_SYNTAX with file, line and byte: a row whose number
 * of fields differs from the header, or a field that begins with a quotation mark and has no second one, which other
 * readers would merge with its neighbours. */
fp_status fp_run_table_read(const char *path, fp_arena *arena, fp_run_table *table, fp_error *error);

/* FP_ERROR_SYNTAX: the header lacks the column. */
fp_status fp_run_table_expect(const fp_run_table *table, const char *column, fp_error *error);

/* The number of a column, from 0; SIZE_MAX: no such name. */
size_t fp_run_table_column(const fp_run_table *table, const char *name);

/* A field as written; row < row_count, column < column_count. */
fp_string fp_run_table_field(const fp_run_table *table, size_t row, size_t column);
/* A field without the quotation marks that the writer added (RFC 4180). */
fp_string fp_run_table_cell(const fp_run_table *table, size_t row, size_t column);
/* The cell of a column by name; empty if the table lacks it. */
fp_string fp_run_cell(const fp_run_table *table, size_t row, const char *column);
bool fp_run_cell_is(const fp_run_table *table, size_t row, const char *column, fp_string what);
/* The cell as a number; NaN: NA, or not a finite number. */
double fp_run_real(const fp_run_table *table, size_t row, const char *column);

/* Adds file and line of a row to an error. Returns `code`. */
fp_status fp_run_table_at(const fp_run_table *table, size_t row, fp_status code, fp_error *error);

/* ---- A run being written: its pictures and page are made from this content, not from its files ---- */

typedef struct fp_run_content {
    const char *directory; /* directory of its files */
    fp_arena *arena;       /* owns the content; ends the program if memory runs out, as fp_cli_arena */
    fp_string json;        /* run.json */
    fp_run_table *tables;  /* [count] */
    size_t count, room;
} fp_run_content;

/* Writes DIRECTORY/NAME.tsv, and keeps tables that have a schema, for pictures and pages. */
fp_status fp_run_put_table(fp_run_content *run, const char *name, const fp_table *table, fp_error *error);
/* Writes the content of `memory` to DIRECTORY/run.json, and keeps it. Closes the stream; `status`: result of writing to
 * it. */
fp_status fp_run_put_json(fp_run_content *run, fp_memory_stream *memory, fp_status status, fp_error *error);

/* Whether the run has the table NAME; and reads the table, which must exist: from `run` or, if that is NULL, from
 * DIRECTORY/NAME.tsv, as fp_run_table_read. */
bool fp_run_has_table(const fp_run_content *run, const char *directory, const char *name);
fp_status fp_run_table_of(const fp_run_content *run, const char *directory, const char *name, fp_arena *arena,
                          fp_run_table *table, fp_error *error);
/* The same for run.json at `path`; `text` is for fp_json_at. */
fp_status fp_run_json_of(const fp_run_content *run, const char *path, fp_arena *arena, fp_string *text,
                         const fp_json **json, fp_error *error);

#endif
