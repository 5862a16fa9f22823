/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --prevalence: precision where duplicates are rarer, or more frequent, than in the set. */
#include "cli/commands/eval/eval.h"
#include "reports/tables/prevalence_table.h"

static int print(const fp_results *results, const fp_prevalence_outcome *outcomes, fp_arena *arena) {
    int status = FP_EXIT_SUCCESS;
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++) {
        fp_cli_print(
            "\n%s: precision by the share of duplicates among all %s, each arm at its best F1, with %.0f%% intervals\n",
            outcomes[i].outcome->corpus->name, fp_results_counted(results->level), results->confidence * 100);
        status = fp_cli_write(fp_prevalence_short(outcomes + i, arena), FP_FORMAT_TABLE);
    }
    return status;
}

int fp_eval_prevalence(const fp_results *results, const fp_eval_options *options, fp_table_format format,
                       fp_arena *arena) {
    const fp_prevalence_outcome *outcomes = options->findings.prevalences;
    fp_error error = {0};
    if (options->run.place && fp_eval_save(fp_prevalence_table(outcomes, results->count, arena), options->run.place,
                                           "prevalence.tsv", arena, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    return format == FP_FORMAT_TABLE ? print(results, outcomes, arena) : FP_EXIT_SUCCESS;
}
