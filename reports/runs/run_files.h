/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_files.h - the files of a run's directory: its own, and those in `plots` within it.
 */
#ifndef FP_RUN_FILES_H
#define FP_RUN_FILES_H

#include "reports/runs/run_manifest.h"

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
