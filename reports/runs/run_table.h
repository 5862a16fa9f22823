/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_table.h - the tables of a run, read again, and what is kept of a run that is being written.
 */
#ifndef FP_RUN_TABLE_H
#define FP_RUN_TABLE_H

#include "base/memory_stream.h"
#include "corpora/json.h"
#include "reports/tables/table.h"

/* ---- A table as it was written: a line of names, then rows of as many fields ---- */

typedef struct fp_run_table {
    const char *path;
    size_t column_count, row_count;
    fp_string header;
    const fp_string *rows; /* [row_count] lines; fp_run_table_cell takes them apart */
} fp_run_table;

/* Reads the whole table once; everything lives in `arena`. FP_ERROR_IO; FP_ERROR_SYNTAX with file, line and byte: a row
 * of fewer or more fields than the header, or a field that begins with a quotation mark and has no second one, which
 * other readers take with its neighbours. */
fp_status fp_run_table_read(const char *path, fp_arena *arena, fp_run_table *table, fp_error *error);

/* FP_ERROR_SYNTAX when the header does not have the column. */
fp_status fp_run_table_expect(const fp_run_table *table, const char *column, fp_error *error);

/* The number of a column, from 0; SIZE_MAX when there is none of that name. */
size_t fp_run_table_column(const fp_run_table *table, const char *name);

/* A field as it stands in the table; row < row_count, column < column_count. */
fp_string fp_run_table_field(const fp_run_table *table, size_t row, size_t column);
/* What it says: without the quotation marks that the writer put around it (RFC 4180). */
fp_string fp_run_table_cell(const fp_run_table *table, size_t row, size_t column, fp_arena *arena);

/* Gives an error the file and the line of a row. Returns `code`. */
fp_status fp_run_table_at(const fp_run_table *table, size_t row, fp_status code, fp_error *error);

/* ---- A run that is being written: its pictures and its page are made of what is kept here, and read none of its
 * tables ---- */

typedef struct fp_run_content {
    const char *directory; /* where its files are written */
    fp_arena *arena;       /* of what is kept; one that ends the program when there is no memory, as fp_cli_arena */
    fp_string json;        /* run.json */
    fp_run_table *tables;  /* [count] */
    size_t count, room;
} fp_run_content;

/* Writes DIRECTORY/NAME.tsv, and keeps what pictures and pages are made of: tables that have a schema. */
fp_status fp_run_put_table(fp_run_content *run, const char *name, const fp_table *table, fp_error *error);
/* Writes DIRECTORY/run.json, which is what `memory` holds, and keeps it. Closes the stream; `status` is that of what
 * was written to it. */
fp_status fp_run_put_json(fp_run_content *run, fp_memory_stream *memory, fp_status status, fp_error *error);

/* Whether the run has the table NAME; and the table, which it must have: what `run` keeps or, where that is NULL,
 * DIRECTORY/NAME.tsv, as fp_run_table_read. */
bool fp_run_has_table(const fp_run_content *run, const char *directory, const char *name);
fp_status fp_run_table_of(const fp_run_content *run, const char *directory, const char *name, fp_arena *arena,
                          fp_run_table *table, fp_error *error);
/* The same of run.json, which is at `path`; `text` is for fp_json_at. */
fp_status fp_run_json_of(const fp_run_content *run, const char *path, fp_arena *arena, fp_string *text,
                         const fp_json **json, fp_error *error);

#endif
