/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_manifest.h - which files make up a run: run.json, written last, names every other with its size and checksum, so
 * that files of two runs are told apart.
 */
#ifndef FP_RUN_MANIFEST_H
#define FP_RUN_MANIFEST_H

#include "corpora/json.h"

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

/* The same of a run.json that was read. */
fp_status fp_run_manifest_of(const fp_json *run, fp_arena *arena, fp_run_manifest *manifest, fp_error *error);

/* NULL when the run has no file of that name. */
const fp_run_manifest_file *fp_run_manifest_find(const fp_run_manifest *manifest, const char *name);

/* NAME.tsv */
bool fp_run_is_table(const char *name);
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

/* ---- Files: a run's own, and those in `plots` within it ---- */

/* Everything in `directory` and in its `plots` but these two directories, by name ("plots/x.png"), in `arena`. A
 * directory that is not there has no files. FP_ERROR_IO, FP_ERROR_MEMORY. */
typedef struct fp_run_entry {
    const char *name;
    bool regular, directory; /* neither: a link, a pipe … */
} fp_run_entry;
fp_status fp_run_list(const char *directory, fp_arena *arena, fp_run_entry **entries, size_t *count, fp_error *error);

/* Copies a file; the copy appears complete or not at all. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_copy(const char *from, const char *to, fp_error *error);

/* Makes `to` look like the run in `from`: run.json without its list of files, and symbolic links to the files that
 * `manifest` names and that are as it says; those in `plots` only when `plots` is true. FP_ERROR_IO, FP_ERROR_MEMORY.
 */
fp_status fp_run_link(const char *from, const fp_run_manifest *manifest, const char *to, bool plots, fp_arena *arena,
                      fp_error *error);

#endif
