/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * eval.h - what the files of `fplab eval` share: the options, and reporting.
 */
#ifndef FP_CLI_EVAL_H
#define FP_CLI_EVAL_H

#include "cli/choice.h"
#include "cli/plots.h"
#include "cli/read_entries.h"
#include "reports/analyses/evaluate.h"

typedef struct fp_eval_options {
    const char **corpora, **arms, **choice_files;
    const char *out, *title;
    fp_table_format format;
    bool skip_bad, no_plots, report, no_texts;
    fp_eval_request asked;
    fp_cli_choices choices;
    fp_arm **ahead; /* [ahead_count] parsed, and of no corpus yet; NULL: none */
    size_t ahead_count;
    fp_cli_plots plots;
    fp_run_directory run; /* of --out */
} fp_eval_options;

/* Writes files into options->run, prints tables, draws; returns the exit status. */
int fp_eval_report(fp_eval_options *options, int argc, const char **argv, fp_arena *arena);

#endif
