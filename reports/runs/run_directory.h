/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_directory.h - all files of a run appear together. They are written into a fresh directory beside the one that is
 * meant (.NAME.fplab-PROCESS), and take its place in one step when all of them are on the disk; run.json, which names
 * each with its checksum (run_manifest.h), is the last to be written.
 *
 * A run takes the place of an earlier one whose files are as its run.json says. A directory with other files, or with
 * changed ones, is refused; `force` removes them, but no directory except `plots`.
 *
 * Where the system can exchange two directories (Linux, renameat2), whoever is ended at any moment leaves the old run
 * whole or the new one. Where it cannot, or may not (a mount point, the directory the program runs in, one of another
 * user), the files are moved one by one: the earlier run.json goes first and the new one comes last, so that in between
 * every reader finds no run, and the next run into the directory completes the move.
 */
#ifndef FP_RUN_DIRECTORY_H
#define FP_RUN_DIRECTORY_H

#include "reports/runs/run_table.h"

/* What comes of the files that are there. */
typedef enum fp_run_use {
    FP_RUN_REPLACE, /* an earlier run goes */
    FP_RUN_FORCE,   /* everything goes */
    FP_RUN_ADD,     /* the run that is there gets more files; of the same name, only those go that are as it says */
    FP_RUN_ADD_FORCE,
} fp_run_use;

typedef struct fp_run_directory {
    const char *target;     /* what the user named */
    const char *place;      /* where to write; NULL when the run is in place or given up */
    const char *placed;     /* the same, and still there then: for messages */
    fp_run_content content; /* what was written there so far */
    bool plots_lost;        /* by fp_run_directory_commit: the pictures had to make room for run.json */
    /* Its own. */
    fp_run_use use;
    const char *real; /* target without links and dots */
    int lock;         /* held on the place, so that no other process takes it for abandoned */
    bool in_place;    /* not to be exchanged */
    fp_arena *arena;
} fp_run_directory;

/* Makes the place, and removes or completes what runs that were ended have left. `target` need not be there, unless
 * files are added to it; its parents are made. Texts live in `arena`. FP_ERROR_IO, also where the directory is refused;
 * FP_ERROR_MEMORY. */
fp_status fp_run_directory_open(const char *target, fp_run_use use, fp_arena *arena, fp_run_directory *run,
                                fp_error *error);

/* Puts the run in place of what was there. The place must have a run.json; it gets its list of files. Where there is no
 * room for that, plots of a new run go, so that the tables are not lost for pictures. On failure
 * nothing has changed, unless the files were being moved one by one. Where the directory has become one that is refused
 * since it was opened, the run is left beside it, as TARGET.new, and the error says so. */
fp_status fp_run_directory_commit(fp_run_directory *run, fp_error *error);

/* Removes the place, when the run has failed. After a commit it does nothing. */
void fp_run_directory_discard(fp_run_directory *run);

#endif
