/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_corpora.h - finds and measures the corpora of an earlier run.
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

/* Checks that each entry of the list `moved` is NAME=DIR, before the run is read. Returns the exit status. */
int fp_cli_run_corpora_check(const fp_command *command, const char *const *moved);
/* The index of the corpus of the entry NAME=DIR; SIZE_MAX: no such corpus; and the exit status after reporting it. */
size_t fp_cli_run_corpus_of(const fp_recorded *run, const char *moved);
int fp_cli_run_corpora_refuse(const fp_command *command, const char *entry);
/* Paths of the corpora: the original ones, relative to run->here, or those of the entries NAME=DIR of the list
 * `moved`, which ends with NULL or is NULL; paths[corpus_count]. Ignores entries of other corpora. *elsewhere: all
 * corpora have an entry. Returns the exit status. */
int fp_cli_run_corpora(const fp_recorded *run, const char *const *moved, fp_arena *arena, const char **paths,
                       bool *elsewhere);

/* ---- Measuring the pairs of a run again, because its tables contain only counts ---- */

/* What the page needs of one corpus; `outcome` is what page.corpora points to. */
typedef struct fp_cli_run_part {
    fp_outcome outcome;
    fp_pair_digest digest;
} fp_cli_run_part;

/* Measures the arms in run.json on the corpora of the run, at paths[corpus_count] relative to the run's original
 * directory. corpora[i] receives the result: a missing or changed corpus, or arms that cannot be made again, are not
 * a failure. `texts`: those of the listed pairs. The caller always frees parts[corpus_count] with
 * fp_cli_run_measure_free. Returns the exit status (out of memory). */
int fp_cli_run_measure(const fp_recorded *run, const char *const *paths, bool texts, fp_arena *arena,
                       fp_cli_run_part *parts, fp_page_corpus *corpora);
void fp_cli_run_measure_free(fp_cli_run_part *parts, size_t count);

/* The digest of an existing outcome, for the page. FP_ERROR_MEMORY, or an error of reading texts. */
fp_status fp_cli_run_digest(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                            fp_pair_digest *digest, fp_page_corpus *to, fp_error *error);

/* ---- what the commands that write a page share. ---- */

/* "en", "zh", "both" or NULL as languages of fp_page_options. */
int fp_cli_run_page_languages(const char *text);

/* ----
 * values that replace those of the command line when a run is repeated: arms, corpora, and --out.
 */

typedef struct fp_cli_fixed {
    const fp_recorded *run;     /* its arms, and the names of its corpora; NULL: nothing is fixed */
    const char *const *corpora; /* their paths, in the order of the command line */
    const char *out;
    bool force; /* with --force */
} fp_cli_fixed;

/* Makes a copy; NULL resets it. */
void fp_cli_fix(const fp_cli_fixed *fixed);
/* Whether arms are fixed. */
bool fp_cli_arms_are_fixed(void);
/* The path of corpus number `index` of the command line, from 0: the fixed one, or `path` itself. */
const char *fp_cli_fixed_corpus(size_t index, const char *path);
/* The name of the corpus with a fixed path; NULL: its own name. */
const char *fp_cli_fixed_name(const char *path);
/* NULL: --out is as on the command line. */
const fp_cli_fixed *fp_cli_fixed_out(void);
/* The fixed arms, under their names. Returns the exit status. */
int fp_cli_fixed_arms(fp_arena *arena, fp_arm ***arms, size_t *count);

#endif
