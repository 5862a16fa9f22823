/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_manifest.h - the list of files of a run: run.json, written last, names every other file with size and checksum,
 * so that files of two runs are distinguished.
 */
#ifndef FP_RUN_MANIFEST_H
#define FP_RUN_MANIFEST_H

#include "corpora/json.h"

/* The fixed names in a run's directory: its description, and the directory of its pictures. */
#define FP_RUN_FILE "run.json"
#define FP_RUN_PLOTS "plots"

typedef struct fp_run_manifest_file {
    const char *name; /* relative to the directory: "results.tsv", "plots/newswire-zh-thresholds.png" */
    uint64_t size;
    char sha256[65];
} fp_run_manifest_file;

typedef struct fp_run_manifest {
    bool ours;     /* run.json exists, and fplab wrote it */
    bool complete; /* it also lists its files; earlier versions did not */
    size_t count;
    const fp_run_manifest_file *files; /* [count] */
} fp_run_manifest;

/* Reads directory/run.json. A run.json that is missing, not JSON or written by another program is not `ours`, without
 * an error. FP_ERROR_MEMORY; FP_ERROR_IO: it exists but cannot be read. */
fp_status fp_run_manifest_read(const char *directory, fp_arena *arena, fp_run_manifest *manifest, fp_error *error);

/* The same for a parsed run.json. */
fp_status fp_run_manifest_of(const fp_json *run, fp_arena *arena, fp_run_manifest *manifest, fp_error *error);

/* NULL: the run has no file of this name. */
const fp_run_manifest_file *fp_run_manifest_find(const fp_run_manifest *manifest, const char *name);

/* NAME.tsv */
bool fp_run_is_table(const char *name);
/* Whether directory/NAME is a regular file with this size and checksum. FP_ERROR_MEMORY, FP_ERROR_IO. */
fp_status fp_run_manifest_matches(const char *directory, const fp_run_manifest_file *file, fp_arena *scratch,
                                  bool *matches, fp_error *error);

/* Writes the list of files at the end of directory/run.json: those in the directory and its `plots`, and those of `old`
 * (may be NULL) with other names. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_manifest_write(const char *directory, const fp_run_manifest *old, fp_arena *arena, fp_error *error);

/* Refuses mixed runs: FP_ERROR_IO names the first table (.tsv) in `directory` that does not match run.json, or says
 * that run.json lists none. */
fp_status fp_run_manifest_check(const char *directory, const fp_run_manifest *manifest, const fp_arena *like,
                                fp_error *error);

/* ---- Files of a run, and those in its `plots` ---- */

/* Lists everything in `directory` and its `plots` except these two directories, sorted by name ("plots/x.png"), in
 * `arena`. A missing directory has no files. FP_ERROR_IO, FP_ERROR_MEMORY. */
typedef struct fp_run_entry {
    const char *name;
    bool regular, directory; /* neither: a link, a pipe … */
} fp_run_entry;
fp_status fp_run_list(const char *directory, fp_arena *arena, fp_run_entry **entries, size_t *count, fp_error *error);

/* Copies a file; the copy appears complete or not at all. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_copy(const char *from, const char *to, fp_error *error);

/* Makes `to` look like the run in `from`: symbolic links to run.json and to the files that match `manifest`; those in
 * `plots` only if `plots` is true. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_link(const char *from, const fp_run_manifest *manifest, const char *to, bool plots, fp_arena *arena,
                      fp_error *error);

#endif
