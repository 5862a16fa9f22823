/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * making.h - what the parts of `fplab corpus` share that write corpora: reading with fields, and a directory that
 * appears whole.
 */
#ifndef FP_CLI_MAKING_H
#define FP_CLI_MAKING_H

#include "cli/cli.h"
#include "reports/runs/run.h"

typedef struct fp_cli_making {
    const char *const *outs; /* [count] directories, one a corpus */
    size_t count;
    int argument_count;
    const char *const *arguments; /* of the command line, as they were given */
    const fp_corpus *corpus;      /* that it is made of, for run.json; NULL: several */
    const fp_run_fact *facts;     /* filled when `write` has returned */
    fp_arena *arena;
} fp_cli_making;

/* Writes the files of the corpus of that number into a directory. */
typedef fp_status fp_cli_make_one(void *context, size_t number, const char *place, fp_error *error);
/* Calls `write` for each, adds run.json, and puts them in place when all are written. Returns the exit status.
 */
int fp_cli_make(const fp_cli_making *making, fp_cli_make_one *write, void *context);

typedef struct fp_cli_count {
    const char *fact;
    size_t count;
} fp_cli_count;
/* Writes a table of counts to standard output. Returns the exit status. */
int fp_cli_write_counts(const fp_cli_count *counts, size_t count, fp_arena *arena, fp_table_format format);

/* What a corpus is called that nobody has named: as its directory. */
const char *fp_cli_making_name(const char *out);

/* Reads the single corpus argument, with the values of fields (ended by NULL; NULL: no fields). Returns the exit
 * status. */
int fp_cli_one_corpus(const fp_command *command, const char *const *arguments, bool skip_bad, const char *const *fields,
                      fp_arena *arena, fp_corpus *corpus);

#endif
