/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_fates.h - what becomes of the files of a directory when a run takes its place, or leaves it.
 */
#ifndef FP_RUN_FATES_H
#define FP_RUN_FATES_H

#include "reports/runs/run_directory.h"
#include "reports/runs/run_manifest.h"

/* The two places of a run's files: its own, and this one within it. */
#define FP_RUN_FILE "run.json"
#define FP_RUN_PLOTS "plots"

/* A file of the directory. */
typedef struct fp_run_fate {
    const char *name;
    const char *kept; /* NULL: it goes; else the name that it gets, its own or NAME.edited-1 … */
    bool stale;       /* a part of a file, of a process that is gone */
} fp_run_fate;

typedef struct fp_run_fates {
    const char *directory;
    const fp_run_manifest *old, *new; /* the latter NULL: nothing takes the place */
    bool divided;                     /* there is a directory of the user */
    fp_run_fate *at;                  /* [count] by name */
    size_t count, capacity;
    fp_arena *arena;
} fp_run_fates;

/* Looks at the files of `directory` and of its plots: what the earlier run wrote and nobody changed goes, and what is
 * the same as a new file; all else is kept. FP_ERROR_MEMORY. */
fp_status fp_run_fates_read(const char *directory, const fp_run_manifest *old, const fp_run_manifest *new,
                            fp_arena *arena, fp_run_fates *all, fp_error *error);

/* Fills kept and removed of `run`: what the user is told. FP_ERROR_MEMORY. */
fp_status fp_run_fates_tell(const fp_run_fates *all, fp_run_directory *run, fp_error *error);

#endif
