/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_corpora.h - the corpora of a run that was written earlier.
 */
#ifndef FP_RUN_CORPORA_H
#define FP_RUN_CORPORA_H

#include "cli/cli.h"
#include "reports/page/page.h"
#include "reports/runs/recorded.h"

/* The row of --corpus for commands that take a run. */
#define FP_CLI_RUN_CORPUS_OPTION(variable)                                                                      \
    {                                                                                                           \
        "corpus", 'c', FP_TAKES_LIST(&(variable)), "the corpus NAME of the run is now in DIR; may be repeated", \
            "NAME=DIR"                                                                                          \
    }

/* Whether each entry of the list `moved` is NAME=DIR; asked before the run is read. Returns −1, or the exit status. */
int fp_cli_run_corpora_check(const fp_command *command, const char *const *moved);
/* The place of the corpus of which the entry NAME=DIR is; SIZE_MAX: of none; and the exit status after saying so. */
size_t fp_cli_run_corpus_of(const fp_recorded *run, const char *moved);
int fp_cli_run_corpora_refuse(const fp_command *command, const char *entry);
/* Where the corpora are: where they were, seen from run->here, or where an entry NAME=DIR of the list `moved` says,
 * which ends with NULL or is NULL; paths[corpus_count]. Entries of no corpus of the run are passed over. *elsewhere:
 * all of them are named. Returns −1, or the exit status. */
int fp_cli_run_corpora(const fp_recorded *run, const char *const *moved, fp_arena *arena, const char **paths,
                       bool *elsewhere);

/* ---- the pairs of a run, measured once more: its tables have counts alone. ---- */

/* What the page needs of one corpus; `outcome` is what page.corpora points to. */
typedef struct fp_cli_run_part {
    fp_outcome outcome;
    fp_pair_digest digest;
} fp_cli_run_part;

/* Measures the arms of the run, as run.json has them, on its corpora, which are at paths[corpus_count] seen from where
 * the run was made. corpora[i] says what came of it: a corpus that has gone or changed, or arms that cannot be made
 * again, are no failure of this. `texts`: of the pairs that are listed. parts[corpus_count] are to be ended with
 * fp_cli_run_measure_free in any case. Returns −1, or the exit status (out of memory). */
int fp_cli_run_measure(const fp_recorded *run, const char *const *paths, bool texts, fp_arena *arena,
                       fp_cli_run_part *parts, fp_page_corpus *corpora);
void fp_cli_run_measure_free(fp_cli_run_part *parts, size_t count);

/* The digest of an outcome that is there, as the page takes it. FP_ERROR_MEMORY, or an error of reading texts. */
fp_status fp_cli_run_digest(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                            fp_pair_digest *digest, fp_page_corpus *to, fp_error *error);

/* ---- what the commands that write a page share. ---- */

/* "en", "zh", "both" or NULL as languages of fp_page_options. */
int fp_cli_run_page_languages(const char *text);

/* ----
 * what a run that is repeated takes in the place of what its command line says: arms, corpora, and --out.
 */

typedef struct fp_cli_fixed {
    size_t count;
    const char *const *specs, *const *names; /* [count] */
    const fp_recorded_seeds *seeds;          /* [count] */
    size_t corpus_count;
    const char *const *corpora, *const *corpus_names; /* [corpus_count] paths, in the order of the command line */
    const char *out;
    bool force; /* with --force */
} fp_cli_fixed;

/* Copied; NULL ends it. */
void fp_cli_fix(const fp_cli_fixed *fixed);
/* Whether arms are fixed. */
bool fp_cli_arms_are_fixed(void);
/* The path of the corpus that the command line names as number `index`, from 0: the fixed one, or `path` itself. */
const char *fp_cli_fixed_corpus(size_t index, const char *path);
/* What the corpus of a fixed path is called; NULL: as it says itself. */
const char *fp_cli_fixed_name(const char *path);
/* NULL where --out is as the command line says. */
const fp_cli_fixed *fp_cli_fixed_out(void);
/* The fixed arms, under their names. Returns −1, or the exit status. */
int fp_cli_fixed_arms(fp_arena *arena, fp_arm ***arms, size_t *count);

#endif
