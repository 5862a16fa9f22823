/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --by: which threshold for which part of the pairs; by length also distances against edits. */
#include <string.h>

#include "cli/commands/eval/eval.h"
#include "reports/tables/edits_tables.h"

bool fp_eval_by_length(const fp_eval_options *options) {
    return options->by && strcmp(options->by, "length") == 0 && options->level_chosen != FP_LEVEL_DOCUMENT;
}

static fp_status divide(const fp_results *results, const fp_eval_options *options, const fp_progress *progress,
                        fp_arena *arena, fp_strata_outcome **out, fp_error *error) {
    fp_strata_choice choice = {options->by, options->bounds, options->bound_count};
    *out = fp_arena_alloc(arena, results->count, sizeof **out);
    if (!*out) return fp_no_memory(error);
    for (size_t i = 0; i < results->count; i++)
        FP_TRY(fp_strata_outcome_make(results->outcomes + i, &choice, &options->inference, progress, arena, *out + i,
                                      error));
    return FP_OK;
}

static fp_status save(const fp_results *results, const fp_eval_options *options, const fp_strata_outcome *strata,
                      const fp_progress *progress, fp_arena *arena, fp_error *error) {
    if (!options->run.place) return FP_OK;
    FP_TRY(
        fp_eval_save(fp_strata_summary(strata, results->count, arena), options->run.place, "strata.tsv", arena, error));
    FP_TRY(fp_eval_save(fp_strata_thresholds(results, strata, arena), options->run.place, "strata-thresholds.tsv",
                        arena, error));
    if (!fp_eval_by_length(options)) return FP_OK;
    fp_table *edits;
    FP_TRY(fp_results_edits(results, strata, progress, arena, &edits, error));
    return fp_eval_save(edits, options->run.place, "edits.tsv", arena, error);
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
        if (strata[i].replicates < options->inference.replicates)
            printf("So many %s and strata: %zu replicates each, not %zu.\n", counted, strata[i].replicates,
                   options->inference.replicates);
    }
    printf(
        "\nA stratum of duplicates alone is measured against all other %s, one of other %s alone against all duplicates. The interval\n"
        "of a best threshold is where it falls when the %s are drawn again; precision and recall take the threshold as given.\n",
        counted, counted, counted);
    return status;
}

int fp_eval_strata(const fp_results *results, const fp_eval_options *options, fp_table_format format, fp_arena *arena) {
    fp_error error = {0};
    fp_strata_outcome *strata;
    fp_progress progress = fp_cli_progress();
    fp_status done = divide(results, options, &progress, arena, &strata, &error);
    if (done == FP_OK) done = save(results, options, strata, &progress, arena, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_out_fail(&options->run, &error);
    return format == FP_FORMAT_TABLE ? print(results, options, strata, arena) : FP_EXIT_SUCCESS;
}
