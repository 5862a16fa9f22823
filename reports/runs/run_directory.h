/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_directory.h - all files of a run appear together. They are written into a fresh directory beside the one that is
 * meant (.NAME.fplab-PROCESS), and take its place in one step when all of them are on the disk; run.json, which names
 * each with its checksum (run_manifest.h), is the last to be written.
 *
 * Where the system can exchange two directories (Linux, renameat2), whoever is ended at any moment leaves the old run
 * whole or the new one. Where it cannot, or may not (a mount point, the directory the program runs in, one of another
 * user, one with directories of the user in it), the files are moved one by one: the earlier run.json
 * goes first and the new one comes last, so that in between every reader finds no run, and the next run into the
 * directory completes the move.
 *
 * What no run wrote stays. A file of the earlier run whose checksum is no longer that of its run.json was changed by
 * hand, and is kept as NAME.edited-1; so is a file of the user's that has the name of a new one. Other files of the
 * earlier run go.
 */
#ifndef FP_RUN_DIRECTORY_H
#define FP_RUN_DIRECTORY_H

#include "base/base.h"

/* A name that was changed into another. */
typedef struct fp_run_kept {
    const char *name, *kept;
} fp_run_kept;

typedef struct fp_run_directory {
    const char *target; /* what the user named */
    const char *place;  /* where to write; NULL when the run is in place or given up */
    const char *placed; /* the same, and still there then: for messages */
    bool keeps_plots;   /* set before the commit: where there is no room for run.json it fails, and no picture goes */
    /* Filled by fp_run_directory_commit. */
    const fp_run_kept *kept;
    size_t kept_count;
    const char *const *removed; /* what the earlier run wrote and this one did not */
    size_t removed_count;
    bool plots_lost; /* the pictures had to make room for run.json */
    /* Its own. */
    const char *real; /* target without links and dots */
    int lock;         /* held on the place, so that no other process takes it for abandoned */
    bool in_place;    /* not to be exchanged */
    fp_arena *arena;
} fp_run_directory;

/* Makes the place, and removes or completes what runs that were ended have left. `target` need not be there; its
 * parents are made. Texts live in `arena`. FP_ERROR_IO, FP_ERROR_MEMORY. */
fp_status fp_run_directory_open(const char *target, fp_arena *arena, fp_run_directory *run, fp_error *error);

/* Puts the run in place of what was there. The place must have a run.json; it gets its list of files. Where there is no
 * room for that, its plots go, so that the tables are not lost for pictures. On failure
 * nothing has changed, unless the files were being moved one by one. */
fp_status fp_run_directory_commit(fp_run_directory *run, fp_error *error);

/* Removes the place, when the run has failed. After a commit it does nothing. */
void fp_run_directory_discard(fp_run_directory *run);

#endif
