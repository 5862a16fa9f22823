/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * duckdb.h - rows of a query of DuckDB as JSON lines: Parquet, Arrow where its extension is there, databases, and SQL
 * over files. DuckDB's library (libduckdb.so, its C API) is looked up when it is asked for, and not needed otherwise.
 */
#ifndef FP_DUCKDB_H
#define FP_DUCKDB_H

#include "base/base.h"

/* Writes the rows of `sql`, one SELECT, into the file `path`, an object a row. FP_ERROR_UNKNOWN: the library is not
 * there, or lacks a function; FP_ERROR_SYNTAX: what DuckDB says of the query; FP_ERROR_MEMORY. One thread at a time. */
fp_status fp_duckdb_write(const char *sql, const char *path, fp_arena *arena, fp_error *error);

/* The query that reads a file of a form that DuckDB knows by its ending (.parquet); NULL for others. *failed: there was
 * no memory. */
const char *fp_duckdb_query_of(const char *path, fp_arena *arena, bool *failed);

#endif
