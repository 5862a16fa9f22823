/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * duckdb.h - writes the rows of a DuckDB query as JSON lines: Parquet, Arrow if the extension nanoarrow is installed,
 * databases, and SQL over files. DuckDB's library (libduckdb.so, its C API) is loaded on demand, and not needed
 * otherwise.
 */
#ifndef FP_DUCKDB_H
#define FP_DUCKDB_H

#include "base/base.h"

/* A DuckDB query. */
typedef struct fp_duckdb_query {
    const char *sql;       /* one SELECT */
    const char *extension; /* required DuckDB extension, or NULL */
} fp_duckdb_query;

/* Writes the rows to the file `path`, one object a row. Downloads nothing: the extension must be installed.
 * FP_ERROR_UNKNOWN: the library or the extension is missing, or lacks a function; FP_ERROR_SYNTAX: DuckDB's error for
 * the query; FP_ERROR_MEMORY. One thread at a time. */
fp_status fp_duckdb_write(const fp_duckdb_query *query, const char *path, fp_arena *arena, fp_error *error);

/* The query that reads a file in a format that DuckDB recognises by its ending (.parquet; Arrow's .arrow, .arrows,
 * .feather, .ipc); sql is NULL for other files. FP_ERROR_MEMORY. */
fp_status fp_duckdb_query_of(const char *path, fp_arena *arena, fp_duckdb_query *query, fp_error *error);

#endif
