/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_corpora.h - the corpora of a run that was written earlier.
 */
#ifndef FP_CLI_RUN_CORPORA_H
#define FP_CLI_RUN_CORPORA_H

#include "cli/cli.h"
#include "reports/runs/recorded.h"

/* The row of --corpus for commands that take a run. */
#define FP_CLI_RUN_CORPUS_OPTION(variable)                                                                      \
    {                                                                                                           \
        "corpus", 'c', FP_TAKES_LIST(&(variable)), "the corpus NAME of the run is now in DIR; may be repeated", \
            "NAME=DIR"                                                                                          \
    }

/* Whether each entry of the list `moved` is NAME=DIR; asked before the run is read. Returns −1, or the exit status. */
int fp_cli_run_corpora_check(const fp_command *command, const char *const *moved);
/* Where the corpora are: where they were, seen from run->here, or where an entry NAME=DIR of the list `moved` says,
 * which ends with NULL or is NULL; paths[corpus_count]. *elsewhere: all of them are told. Returns −1, or the exit
 * status. */
int fp_cli_run_corpora(const fp_command *command, const fp_recorded *run, const char *const *moved, fp_arena *arena,
                       const char **paths, bool *elsewhere);

#endif
