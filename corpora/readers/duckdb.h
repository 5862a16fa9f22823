/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * duckdb.h - rows of a query of DuckDB as JSON lines: Parquet, Arrow where the extension nanoarrow is installed,
 * databases, and SQL over files. DuckDB's library (libduckdb.so, its C API) is looked up when it is asked for, and not
 * needed otherwise.
 */
#ifndef FP_DUCKDB_H
#define FP_DUCKDB_H

#include "base/base.h"

/* What DuckDB is asked for. */
typedef struct fp_duckdb_query {
    const char *sql;       /* one SELECT */
    const char *extension; /* of DuckDB that it needs; NULL: none */
} fp_duckdb_query;

/* Writes the rows into the file `path`, an object a row. Nothing is fetched: an extension is installed, or it is not.
 * FP_ERROR_UNKNOWN: the library or the extension is not there, or lacks a function; FP_ERROR_SYNTAX: what DuckDB says
 * of the query; FP_ERROR_MEMORY. One thread at a time. */
fp_status fp_duckdb_write(const fp_duckdb_query *query, const char *path, fp_arena *arena, fp_error *error);

/* The query that reads a file of a form that DuckDB knows by its ending (.parquet; Arrow's .arrow, .arrows, .feather,
 * .ipc); its sql is NULL for others. FP_ERROR_MEMORY. */
fp_status fp_duckdb_query_of(const char *path, fp_arena *arena, fp_duckdb_query *query, fp_error *error);

#endif
