/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --theory: laws beside measurements. */
#include "cli/commands/eval/eval.h"
#include "reports/tables/theory_tables.h"

static fp_status save(const fp_results *results, const fp_theory_outcome *theories, const char *directory,
                      fp_arena *arena, fp_error *error) {
    static const struct {
        const char *name;
        fp_table *(*make)(const fp_results *results, const fp_theory_outcome *theories, fp_arena *arena);
    } FILES[] = {{"theory.tsv", fp_theory_thresholds},
                 {"theory-distances.tsv", fp_theory_distances},
                 {"theory-bins.tsv", fp_theory_similarities},
                 {"theory-law.tsv", fp_theory_curves},
                 {"theory-fit.tsv", fp_theory_fits}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        FP_TRY(fp_eval_save(FILES[i].make(results, theories, arena), directory, FILES[i].name, arena, error));
    }
    return FP_OK;
}

static int print(const fp_results *results, const fp_theory_outcome *theory, fp_arena *arena) {
    fp_error error = {0};
    const char *lacks = fp_theory_lacks(theory, arena);
    const fp_table *table = fp_theory_short(results, theory, arena);
    if (!lacks) return fp_no_memory(&error), fp_cli_fail(&error);
    fp_cli_print("\n%s: the law of each distance beside the measurement%s\n", theory->outcome->corpus->name,
                 fp_eval_first_seed(results));
    int status = fp_cli_write(table, FP_FORMAT_TABLE);
    if (status == FP_EXIT_SUCCESS) fp_cli_print("%s", lacks);
    return status;
}

static const char LEGEND[] =
    "\nrecall off by: the largest difference, over the thresholds, of measured and expected recall. shift: mean of the distances less\n"
    "that of the law. spread: their mean square about the law's mean over its variance, with the range that one draw of hash\n"
    "functions gives. p: of both, over bits or slots, so that pairs may depend on one another; places that are not known: not tested.\n";

int fp_eval_theory(const fp_results *results, const fp_eval_options *options, fp_table_format format, fp_arena *arena) {
    fp_error error = {0};
    const fp_theory_outcome *theories = options->findings.theories;
    if (options->run.place && save(results, theories, options->run.place, arena, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    int status = FP_EXIT_SUCCESS;
    if (format != FP_FORMAT_TABLE) return status;
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++)
        status = print(results, theories + i, arena);
    if (status == FP_EXIT_SUCCESS) printf("%s", LEGEND);
    return status;
}
