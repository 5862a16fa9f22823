/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --by: which threshold for which part of the pairs; by length also distances against edits. */
#include <string.h>

#include "cli/commands/eval/eval.h"
#include "reports/tables/strata_table.h"

static fp_status save(const fp_results *results, const fp_findings *findings, const char *directory, fp_arena *arena,
                      fp_error *error) {
    const fp_strata_outcome *strata = findings->strata;
    FP_TRY(fp_eval_save(fp_strata_summary(results, strata, arena), directory, "strata.tsv", arena, error));
    FP_TRY(
        fp_eval_save(fp_strata_thresholds(results, strata, arena), directory, "strata-thresholds.tsv", arena, error));
    if (!findings->edits) return FP_OK;
    return fp_eval_save(fp_edits_table(findings->edits, findings->count, arena), directory, "edits.tsv", arena, error);
}

static int print(const fp_results *results, const fp_eval_options *options, const fp_strata_outcome *strata,
                 fp_arena *arena) {
    int status = FP_EXIT_SUCCESS;
    const char *counted = fp_results_counted(results->level);
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++) {
        fp_cli_print("\n%s: which threshold for which %s, with %.0f%% intervals%s\n", strata[i].outcome->corpus->name,
                     options->by, results->confidence * 100,
                     strcmp(options->by, "length") == 0 ? "; characters of the shorter document" : "");
        status = fp_cli_write(fp_strata_short(results, strata + i, arena), FP_FORMAT_TABLE);
        if (status != FP_EXIT_SUCCESS) return status;
        if (strata[i].replicates < results->inference->replicates)
            printf("So many %s and strata: %zu replicates each, not %zu.\n", counted, strata[i].replicates,
                   results->inference->replicates);
    }
    printf("\nA stratum of duplicates alone is measured against all other %s, one of other %s alone against all\n"
           "duplicates: these join it, for the best threshold and best F1. Rates are those of its own %s at that\n"
           "threshold; precision needs both labels. The interval of a best threshold is where it falls\n"
           "when the %s are drawn again%s; rates take the threshold as given.\n",
           counted, counted, counted, counted, fp_sources_any(results) ? ", and the hash" : "");
    return status;
}

int fp_eval_strata(const fp_results *results, const fp_eval_options *options, fp_table_format format, fp_arena *arena) {
    fp_error error = {0};
    if (options->run.place && save(results, &options->findings, options->run.place, arena, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    return format == FP_FORMAT_TABLE ? print(results, options, options->findings.strata, arena) : FP_EXIT_SUCCESS;
}
