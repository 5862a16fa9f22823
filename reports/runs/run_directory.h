/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_directory.h - makes all files of a run appear together. They are written into a new directory next to the target
 * (.NAME.fplab-PROCESS), which is exchanged with the target (renameat2) when all files are on disk: at any moment
 * either the old run or the new one is there, complete. run.json, which lists each file with its checksum
 * (run_manifest.h), is written last.
 *
 * A run replaces an earlier one whose files match its run.json. A directory with other or changed files is refused;
 * `force` removes these files, but no directory except `plots`.
 *
 * Where directories cannot be exchanged (a mount point, the working directory, a directory of another user), files are
 * moved one by one: the earlier run.json is moved away first and the new one arrives last. In between every reader
 * finds no run, and the next run into the directory completes the move.
 */
#ifndef FP_RUN_DIRECTORY_H
#define FP_RUN_DIRECTORY_H

#include "reports/runs/run_table.h"

/* Treatment of existing files. */
typedef enum fp_run_use {
    FP_RUN_REPLACE, /* replaces an earlier run */
    FP_RUN_FORCE,   /* replaces everything */
    FP_RUN_ADD,     /* adds files to the existing run; replaces a file of the same name only if it matches run.json */
    FP_RUN_ADD_FORCE,
} fp_run_use;

typedef struct fp_run_directory {
    const char *target;     /* as named by the user */
    const char *place;      /* directory to write into; NULL after a commit or discard */
    const char *placed;     /* the same path, kept for messages */
    fp_run_content content; /* what was written so far */
    bool plots_lost;        /* set by fp_run_directory_commit: pictures were removed to make room for run.json */
    /* Private. */
    fp_run_use use;
    const char *real; /* target without links and dots */
    int lock;         /* lock on `place`: other processes see that it is in use */
    bool in_place;    /* must not be exchanged */
    fp_arena *arena;
} fp_run_directory;

/* Makes the place, and removes or completes what ended runs left. `target` may be missing unless files are added to it;
 * its parents are made. Texts live in `arena`. FP_ERROR_IO, also if the directory is refused; FP_ERROR_MEMORY. */
fp_status fp_run_directory_open(const char *target, fp_run_use use, fp_arena *arena, fp_run_directory *run,
                                fp_error *error);

/* Replaces the target with the run, to whose run.json the list of files is added. If the disk is full, the plots of a
 * new run are removed to save the tables. After an error nothing has changed, unless files were being moved one by one.
 * If the target would now be refused, the run is left next to it as TARGET.new, and the error says so. */
fp_status fp_run_directory_commit(fp_run_directory *run, fp_error *error);

/* Removes the place of a failed run. Does nothing after a commit. */
void fp_run_directory_discard(fp_run_directory *run);

#endif
