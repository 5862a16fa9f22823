/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --gain, --costs, --calibrate: curves of gains, which threshold costs least, probabilities of distances. */
#include <string.h>

#include "cli/commands/eval/eval.h"
#include "reports/tables/decision/calibration_tables.h"
#include "reports/tables/decision/cost_tables.h"

/* ---- Before anything is measured ---- */

/* The area, unless it is asked for already. */
static int add_area(const fp_command *command, fp_eval_options *options) {
    fp_inference_options *inference = &options->questions.inference;
    fp_error error = {0};
    fp_measure area;
    if (fp_measure_find("precision_recall_gain_area", 0, &area, &error) != FP_OK) return fp_cli_fail(&error);
    for (size_t i = 0; i < inference->further_count; i++)
        if (fp_measure_same(options->further + i, &area)) return -1;
    if (inference->further_count == FP_EVAL_MEASURES)
        return fp_cli_usage(command, "--measure: no more than %d measures with --gain", FP_EVAL_MEASURES - 1);
    options->further[inference->further_count++] = area;
    return -1;
}

/* "30", "0.2", "1/3" */
static bool parse_ratio(const char *text, double *ratio) {
    char over[32];
    const char *bar = strchr(text, '/');
    double under = 1;
    size_t length = bar ? (size_t)(bar - text) : strlen(text);
    if (length >= sizeof over) return false;
    snprintf(over, sizeof over, "%.*s", (int)length, text);
    if (!fp_parse_real(over, ratio) || (bar && !fp_parse_real(bar + 1, &under))) return false;
    *ratio /= under;
    return under > 0 && *ratio >= 1e-9 && *ratio <= 1e9;
}

static int parse_ratios(const fp_command *command, fp_eval_options *options, fp_arena *arena) {
    double stated[FP_EVAL_RATIOS], *ratios;
    size_t count = 0;
    fp_error error = {0};
    for (const char **text = options->ratios; text && *text; text++) {
        if (count == FP_EVAL_RATIOS) return fp_cli_usage(command, "--ratio: no more than %d ratios", FP_EVAL_RATIOS);
        if (!parse_ratio(*text, stated + count++))
            return fp_cli_usage(command, "--ratio takes what a missed duplicate costs, such as 30 or 1/3, not %s",
                                *text);
    }
    if (fp_cost_ratios(stated, count, arena, &ratios, &options->questions.ratio_count, &error) != FP_OK)
        return fp_cli_fail(&error);
    options->questions.ratios = ratios;
    return -1;
}

int fp_eval_decision_options(const fp_command *command, fp_eval_options *options, fp_arena *arena) {
    int status = options->gain ? add_area(command, options) : -1;
    if (status >= 0) return status;
    if (!options->costs)
        return options->ratios ? fp_cli_usage(command, "--ratio says what --costs weighs; add --costs") : -1;
    return parse_ratios(command, options, arena);
}

/* ---- Behind the measurements ---- */

static fp_status save_costs(const fp_findings *found, const char *directory, fp_arena *arena, fp_error *error) {
    FP_TRY(fp_eval_save(fp_cost_decisions(found->costs, found->count, arena), directory, "costs.tsv", arena, error));
    return fp_eval_save(fp_cost_curves(found->costs, found->count, arena), directory, "cost-curve.tsv", arena, error);
}

static fp_status save_calibrations(const fp_findings *found, const char *directory, fp_arena *arena, fp_error *error) {
    const fp_calibration_outcome *of = found->calibrations;
    FP_TRY(fp_eval_save(fp_calibration_table(of, found->count, arena), directory, "calibration.tsv", arena, error));
    FP_TRY(fp_eval_save(fp_reliability_table(of, found->count, arena), directory, "reliability.tsv", arena, error));
    return fp_eval_save(fp_calibration_scores(of, found->count, arena), directory, "calibration-scores.tsv", arena,
                        error);
}

static fp_status save(const fp_results *results, const fp_eval_options *options, fp_arena *arena, fp_error *error) {
    const fp_findings *found = &options->findings;
    const char *directory = options->run.place;
    if (options->gain) FP_TRY(fp_eval_save(fp_gain_table(results, arena), directory, "gain.tsv", arena, error));
    if (found->costs) FP_TRY(save_costs(found, directory, arena, error));
    return found->calibrations ? save_calibrations(found, directory, arena, error) : FP_OK;
}

/* "0.01 of the pairs are duplicates" */
static const char *at_share(const fp_results *results, double prevalence, double own, fp_arena *arena) {
    return fp_format(arena, "%.3g of the %s are duplicates%s", prevalence, fp_results_counted(results->level),
                     prevalence == own ? ", as in the set" : "");
}

static int print_costs(const fp_results *results, const fp_cost_outcome *costs, fp_arena *arena) {
    int status = FP_EXIT_SUCCESS;
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++) {
        const char *share = at_share(results, costs[i].prevalence, costs[i].own, arena);
        if (!share) return fp_cli_no_memory();
        fp_cli_print("\n%s: where to call when a missed duplicate costs so many wrong calls and %s%s\n",
                     costs[i].outcome->corpus->name, share, fp_eval_first_seed(results));
        status = fp_cli_write(fp_cost_short(costs + i, arena), FP_FORMAT_TABLE);
    }
    if (status != FP_EXIT_SUCCESS) return status;
    printf(
        "\nIn brackets: thresholds whose cost cannot be told from the least, each taken alone at %.0f%%. Cost: the expected cost as a share of\n"
        "the most that can be lost (Drummond, Holte 2006); none: nothing is called. Chosen where it is measured, hence optimistic.\n",
        results->confidence * 100);
    return status;
}

static int print_calibration(const fp_results *results, const fp_calibration_outcome *of, fp_arena *arena) {
    const char *share = at_share(results, of->prevalence, of->own, arena);
    if (!share) return fp_cli_no_memory();
    fp_cli_print("\n%s: the probability of a duplicate at a distance, when %s%s\n", of->outcome->corpus->name, share,
                 fp_eval_first_seed(results));
    int status = fp_cli_write(fp_calibration_short(results, of, arena), FP_FORMAT_TABLE);
    if (status != FP_EXIT_SUCCESS) return status;
    if (fp_calibration_interpolated(results, of)) printf("~ interpolated: no pair lies at such a distance\n");
    if (of->unforecast) {
        fp_cli_print("\nNothing can be held out: %s.\n", of->unforecast);
        return status;
    }
    printf("\nOn pairs held out\n");
    return fp_cli_write(fp_calibration_scores(of, 1, arena), FP_FORMAT_TABLE);
}

static int print_calibrations(const fp_results *results, const fp_calibration_outcome *calibrations, fp_arena *arena) {
    int status = FP_EXIT_SUCCESS;
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++)
        status = print_calibration(results, calibrations + i, arena);
    if (status != FP_EXIT_SUCCESS) return status;
    printf(
        "\nThe Brier score is the mean square of probability less truth: miscalibration − discrimination + uncertainty, the last being that of\n"
        "who always says the share of duplicates. calibration_error: by how much the probabilities are off, less what chance explains.\n");
    return status;
}

int fp_eval_decision(const fp_results *results, const fp_eval_options *options, fp_table_format format,
                     fp_arena *arena) {
    fp_error error = {0};
    const fp_cost_outcome *costs = options->findings.costs;
    if (options->run.place && save(results, options, arena, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    if (format != FP_FORMAT_TABLE) return FP_EXIT_SUCCESS;
    int status = costs ? print_costs(results, costs, arena) : FP_EXIT_SUCCESS;
    const fp_calibration_outcome *calibrations = options->findings.calibrations;
    return calibrations && status == FP_EXIT_SUCCESS ? print_calibrations(results, calibrations, arena) : status;
}
