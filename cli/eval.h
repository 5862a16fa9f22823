/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * eval.h - what the files of `fplab eval` share: the options, measuring, reporting.
 */
#ifndef FP_CLI_EVAL_H
#define FP_CLI_EVAL_H

#include "cli/choice.h"
#include "reports/clusters.h"
#include "reports/results.h"

enum { FP_EVAL_BUCKETS = 100, FP_EVAL_THRESHOLDS = 4097 };

typedef struct fp_eval_options {
    const char **corpora, **arms, **choice_files;
    char *thresholds, *out, *format, *by, *buckets, *level, *empty, *interval, *prevalence;
    int skip_bad, no_plots, replicates, seed, theory, lost;
    /* What the texts above mean. */
    bool counterparts; /* the exact measure of every arm is needed too */
    fp_cli_choices choices;
    fp_level level_chosen;
    size_t bounds[FP_EVAL_BUCKETS], bound_count;
    double threshold_list[FP_EVAL_THRESHOLDS];
    fp_inference_options inference;
} fp_eval_options;

/* Reads every corpus, runs every arm on it, and says how sure the figures are. Returns −1, or the exit status. `results` is to be released by
 * fp_eval_release in any case. */
int fp_eval_measure(const fp_eval_options *options, fp_arena *arena, fp_results *results);
void fp_eval_release(fp_results *results);

/* Writes files and prints tables; returns the exit status. */
int fp_eval_report(const fp_results *results, const fp_eval_options *options, fp_format_kind format, int argc, const char **argv, fp_arena *arena);

#endif
