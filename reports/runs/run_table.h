/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_table.h - a table of a run as it was written (fp_table_save): a line of names, then rows of as many fields.
 */
#ifndef FP_RUN_TABLE_H
#define FP_RUN_TABLE_H

#include "base/base.h"

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

/* FP_ERROR_SYNTAX when the header lacks one of `columns`, a list that ends with NULL. */
fp_status fp_run_table_expect(const fp_run_table *table, const char *const *columns, fp_error *error);

/* The number of a column, from 0; SIZE_MAX when there is none of that name. */
size_t fp_run_table_column(const fp_run_table *table, const char *name);

/* A field as it stands in the table; row < row_count, column < column_count. */
fp_string fp_run_table_field(const fp_run_table *table, size_t row, size_t column);
/* What it says: without the quotation marks that the writer put around it (RFC 4180). NULL data when there is no
 * memory. */
fp_string fp_run_table_cell(const fp_run_table *table, size_t row, size_t column, fp_arena *arena);

/* Gives an error the file and the line of a row. Returns `code`. */
fp_status fp_run_table_at(const fp_run_table *table, size_t row, fp_status code, fp_error *error);

#endif
