/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * eval.h - what the files of `fplab eval` share: the options, measuring, reporting.
 */
#ifndef FP_CLI_EVAL_H
#define FP_CLI_EVAL_H

#include "cli/choice.h"
#include "cli/plots.h"
#include "cli/read_entries.h"
#include "reports/analyses/analyses.h"

enum { FP_EVAL_BUCKETS = 100, FP_EVAL_THRESHOLDS = 4097, FP_EVAL_MEASURES = 32 };

typedef struct fp_eval_options {
    const char **corpora, **arms, **choice_files, **measures;
    const char *thresholds, *out, *format, *by, *buckets, *level, *empty, *interval, *compare, *compare_at,
        *equivalence, *detect, *hash_seeds, *negatives, *title;
    int replicates;
    long long seed;
    bool skip_bad, no_plots, report, no_texts;
    /* What the texts above mean. */
    fp_cli_choices choices;
    fp_arm **ahead; /* [ahead_count] parsed, and of no corpus yet; NULL: none */
    size_t ahead_count;
    fp_cli_plots plots;
    fp_run_directory run; /* of --out */
    size_t bounds[FP_EVAL_BUCKETS], bound_count;
    double *stated; /* [stated_count] of `compare_at` */
    size_t stated_count;
    double threshold_list[FP_EVAL_THRESHOLDS];
    fp_measure further[FP_EVAL_MEASURES]; /* of `measures` */
    fp_strata_choice divided;             /* where `by` is given */
    fp_asked *asked;                      /* the analyses among the questions */
    fp_questions questions;
    fp_findings findings; /* what was measured */
} fp_eval_options;

/* Reads every corpus and evaluates every arm on it: options->findings, to be freed in any case, and `results`, which
 * refer to them. Returns −1, or the exit status. */
int fp_eval_measure(const fp_command *command, fp_eval_options *options, fp_arena *arena, fp_results *results);

/* The arms, parsed once: `ahead` of the first corpus, or for a corpus, where those that were parsed ahead go. Files that
 * arms name may be pipes. Returns −1, or the exit status. */
int fp_eval_arms(fp_eval_options *options, bool ahead, fp_arena *arena, fp_arm ***arms, size_t *count);

/* What --compare-at says, and whether that is one threshold or one for each arm: both before a corpus is read. Return
 * −1, or the exit status. */
int fp_eval_judged_options(const fp_command *command, fp_eval_options *options, fp_arena *arena);
int fp_eval_judged_count(const fp_command *command, const fp_eval_options *options, size_t arms);
/* contestants->judged: the thresholds of --compare-at, those of choices that were made on other texts, or none. Returns
 * −1, or the exit status. */
int fp_eval_judged(const fp_eval_options *options, const fp_corpus *corpus, fp_arena *arena,
                   fp_contestants *contestants);

/* Writes files into options->run, prints tables, draws; returns the exit status. */
int fp_eval_report(const fp_results *results, fp_eval_options *options, fp_table_format format, int argc,
                   const char **argv, fp_arena *arena);

/* For a person, where the pairs were divided. Returns the exit status. */
int fp_eval_strata(const fp_results *results, const fp_eval_options *options, fp_arena *arena);

/* ---- Analyses (reports/analyses) ---- */

/* Their options, as rows of the table of `fplab eval`. */
const fp_option *fp_eval_analysis_options(void);
/* Which were given, and what they mean: options->questions. Measures that analyses need come behind those of --measure.
 * Each returns −1, or the exit status. */
int fp_eval_ask(const fp_command *command, fp_eval_options *options, fp_arena *arena);
int fp_eval_ask_measures(const fp_command *command, fp_eval_options *options);
/* The option of the first that was asked for and needs this (FP_NEEDS_…); NULL: none does. */
const char *fp_eval_needing(const fp_eval_options *options, unsigned need);
/* An arm that an analysis does not fit is refused before any runs. Returns −1, or the exit status. */
int fp_eval_fit(fp_eval_options *options, fp_arena *arena);
int fp_eval_analyses(const fp_results *results, const fp_eval_options *options, fp_arena *arena);

#endif
