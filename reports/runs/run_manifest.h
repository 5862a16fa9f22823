/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_manifest.h - which files make up a run: run.json, written last, names every other with its size and checksum, so
 * that files of two runs are told apart.
 */
#ifndef FP_RUN_MANIFEST_H
#define FP_RUN_MANIFEST_H

#include "base/base.h"

/* The two names of a run's directory that are fixed: its description, and the directory of its pictures. */
#define FP_RUN_FILE "run.json"
#define FP_RUN_PLOTS "plots"

typedef struct fp_run_manifest_file {
    const char *name; /* seen from the directory: "results.tsv", "plots/newswire-zh-thresholds.png" */
    uint64_t size;
    char sha256[65];
} fp_run_manifest_file;

typedef struct fp_run_manifest {
    bool ours;     /* there is a run.json, and fplab wrote it */
    bool complete; /* and it names its files: earlier versions did not */
    size_t count;
    const fp_run_manifest_file *files; /* [count] */
} fp_run_manifest;

/* Reads directory/run.json. A run.json that is not there, is not JSON or is another program's is not ours, and no
 * error. FP_ERROR_MEMORY; FP_ERROR_IO: it is there, and cannot be read. */
fp_status fp_run_manifest_read(const char *directory, fp_arena *arena, fp_run_manifest *manifest, fp_error *error);

/* NULL when the run has no file of that name. */
const fp_run_manifest_file *fp_run_manifest_find(const fp_run_manifest *manifest, const char *name);

/* Whether directory/NAME is a regular file with that size and checksum. FP_ERROR_MEMORY, FP_ERROR_IO. */
fp_status fp_run_manifest_matches(const char *directory, const fp_run_manifest_file *file, fp_arena *scratch,
                                  bool *matches, fp_error *error);

/* Puts a list of files into directory/run.json: those in the directory and its `plots`, and those of `old` (may be
 * NULL) that have another name. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_manifest_write(const char *directory, const fp_run_manifest *old, fp_arena *arena, fp_error *error);

/* Refuses a mixture: FP_ERROR_IO names the first table (.tsv) of the run in `directory` that is not the one that
 * run.json names, or says that run.json names none. */
fp_status fp_run_manifest_check(const char *directory, const fp_run_manifest *manifest, const fp_arena *like,
                                fp_error *error);

/* ---- a table of a run as it was written (fp_table_save): a line of names, then rows of as many fields. ---- */

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
fp_status fp_run_table_expect(const fp_run_table *table, const char *column, fp_error *error);

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
