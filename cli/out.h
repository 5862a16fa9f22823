/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * out.h - --out DIR: the files of a run appear in the directory together, after all are written.
 */
#ifndef FP_CLI_OUT_H
#define FP_CLI_OUT_H

#include "cli/cli.h"
#include "reports/runs/run.h"
#include "reports/runs/run_directory.h"

/* --force, which goes with every --out of a directory. */
extern bool fp_cli_out_force;
#define FP_CLI_FORCE_OPTION                                                         \
    {                                                                               \
        "force", 0, FP_TAKES_FLAG(&fp_cli_out_force),                               \
            "overwrite files that a run did not write, or that changed since", NULL \
    }

/* Opens the directory, unless `target` is NULL. Files are written in run->place; NULL without a target. From now on
 * a run continues when its output pipe is closed: `eval --out DIR | head` writes DIR. Returns the exit
 * status. */
int fp_cli_out_open(const char *target, fp_arena *arena, fp_run_directory *run);
/* The same for an existing run that gets more files. */
int fp_cli_out_add(const char *target, fp_arena *arena, fp_run_directory *run);

/* Puts the run in place. `status` is the status of the run; if it failed, nothing changes. Returns the exit status. */
int fp_cli_out_commit(fp_run_directory *run, int status);

/* fp_cli_fail, with the final names of the files. */
int fp_cli_out_fail(const fp_run_directory *run, const fp_error *error);
/* The same if nothing will be written: a failure to write says that the old files are unchanged. */
int fp_cli_out_keep(const fp_run_directory *run, const fp_error *error);

#endif
