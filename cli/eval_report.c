/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reporting half of `fplab eval`: files, tables, pictures. */
#include "cli/eval.h"
#include "reports/choice_results.h"
#include "reports/plot.h"
#include "reports/ranks.h"
#include "reports/run.h"
#include "reports/strata.h"

/* ---- Files ---- */

static fp_status save_table(fp_table *table, const char *directory, const char *name, fp_arena *arena, fp_error *error) {
    const char *path = fp_format(arena, "%s/%s", directory, name);
    return table && path ? fp_table_save(table, path, error) : fp_no_memory(error);
}

static fp_status save_clusters(const fp_results *results, const fp_eval_options *options, fp_arena *arena, fp_error *error) {
    fp_table *table;
    FP_TRY(fp_results_clusters(results, &options->inference, arena, &table, error));
    return save_table(table, options->out, "clusters.tsv", arena, error);
}

static fp_status save_choices(const fp_results *results, const fp_eval_options *options, fp_arena *arena, fp_error *error) {
    fp_table *table;
    FP_TRY(fp_choice_results(results, options->choices.choices, options->choices.count, arena, &table, error));
    return save_table(table, options->out, "choices.tsv", arena, error);
}

static fp_status save_ranks(const fp_results *results, const fp_eval_options *options, fp_arena *arena, fp_error *error) {
    fp_ranks ranks;
    FP_TRY(fp_results_rank(results, arena, &ranks, error));
    return save_table(fp_results_ranks(results, &ranks, arena), options->out, "ranks.tsv", arena, error);
}

static fp_status save_all(const fp_results *results, const fp_eval_options *options, int argc, const char **argv, fp_arena *arena,
                          fp_error *error) {
    const char *directory = options->out, *run_path = fp_format(arena, "%s/run.json", directory);
    if (!run_path) return fp_no_memory(error);
    FP_TRY(save_table(fp_results_thresholds(results, arena), directory, "results.tsv", arena, error));
    FP_TRY(save_table(fp_results_summary(results, arena), directory, "summary.tsv", arena, error));
    FP_TRY(save_table(fp_results_curves(results, arena), directory, "curves.tsv", arena, error));
    FP_TRY(save_table(fp_results_histograms(results, arena), directory, "histograms.tsv", arena, error));
    FP_TRY(save_table(fp_results_intervals(results, arena), directory, "intervals.tsv", arena, error));
    FP_TRY(save_table(fp_results_differences(results, arena), directory, "differences.tsv", arena, error));
    if (fp_results_can_rank(results)) FP_TRY(save_ranks(results, options, arena, error));
    if (options->choices.count) FP_TRY(save_choices(results, options, arena, error));
    if (options->level_chosen == FP_LEVEL_CLUSTER) FP_TRY(save_clusters(results, options, arena, error));
    return fp_run_save(results, argc, argv, run_path, error);
}

/* ---- For a person ---- */

static int print_outcome(const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    printf("\n%s\n", outcome->corpus->name);
    int status = fp_cli_write(fp_results_grid(results, outcome, false, arena), FP_FORMAT_TABLE);
    printf("\n");
    if (status == FP_EXIT_SUCCESS) status = fp_cli_write(fp_results_grid(results, outcome, true, arena), FP_FORMAT_TABLE);
    if (status != FP_EXIT_SUCCESS || !outcome->inference) return status;
    const char *described = fp_resample_describe(&outcome->inference->resample, arena);
    printf("\n%.0f%% intervals. %s\n", results->confidence * 100, described ? described : "");
    return fp_cli_write(fp_results_sure(results, outcome, arena), FP_FORMAT_TABLE);
}

static int print_at_prevalence(const fp_results *results, fp_arena *arena) {
    printf("\nPrecision at a prevalence of %g instead of the set's own\n", results->prevalence);
    fp_table *table = fp_table_new("corpus|arm|>threshold|>precision|>low|>high", arena);
    for (size_t i = 0; table && i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t c = 0; outcome->inference && c < outcome->count * outcome->inference->threshold_count; c++) {
            const fp_estimate *estimate = outcome->inference->precision_at + c;
            size_t thresholds = outcome->inference->threshold_count;
            fp_table_text(table, outcome->corpus->name);
            fp_table_text(table, fp_arm_name(outcome->measurements[c / thresholds].arm));
            fp_table_count(table, (uint64_t)results->first_threshold + c % thresholds);
            fp_table_real(table, estimate->value, 4);
            fp_table_real(table, estimate->interval.low, 4);
            fp_table_real(table, estimate->interval.high, 4);
        }
    }
    return fp_cli_write(table, FP_FORMAT_TABLE);
}

/* One line for each comparison that stands, and one for all that do not. */
static void print_differences(const fp_results *results) {
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        size_t undecided = 0, count = outcome->inference ? outcome->inference->comparison_count : 0;
        if (count) printf("\n%s: differences of average precision, Holm's correction over %zu comparisons\n", outcome->corpus->name, count);
        for (size_t c = 0; c < count; c++) {
            const fp_comparison *pair = outcome->inference->comparisons + c;
            bool stands = pair->adjusted < 1 - results->confidence, first = pair->difference.value > 0;
            undecided += !stands;
            if (!stands) continue;
            double sign = first ? 1 : -1;
            fp_interval interval = pair->difference.interval;
            printf("  %s > %s by %.3f (%.3f to %.3f), p %.4f\n", fp_arm_name(outcome->measurements[first ? pair->first : pair->second].arm),
                   fp_arm_name(outcome->measurements[first ? pair->second : pair->first].arm), sign * pair->difference.value,
                   first ? interval.low : -interval.high, first ? interval.high : -interval.low, pair->adjusted);
        }
        if (undecided) printf("  %zu of %zu cannot be told apart\n", undecided, count);
    }
}

/* All corpora at once. */
static int print_ranks(const fp_results *results, fp_arena *arena) {
    fp_error error = {0};
    fp_ranks ranks;
    if (fp_results_rank(results, arena, &ranks, &error) != FP_OK) return fp_cli_fail(&error);
    const char *described = fp_results_ranks_describe(results, &ranks, arena);
    printf("\nAll corpora, %.0f%% intervals over corpora\n", results->confidence * 100);
    int status = fp_cli_write(fp_results_ranks_short(results, &ranks, arena), FP_FORMAT_TABLE);
    printf("%s", described ? described : "");
    return status;
}

static int print_clusters(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    fp_error error = {0};
    fp_table *table;
    printf("\n");
    if (fp_results_clusters(results, &options->inference, arena, &table, &error) != FP_OK) return fp_cli_fail(&error);
    return fp_cli_write(table, FP_FORMAT_TABLE);
}

static int print_choices(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    fp_error error = {0};
    fp_table *table;
    printf("\nChoices, each at its own threshold\n");
    if (fp_choice_results_short(results, options->choices.choices, options->choices.count, arena, &table, &error) != FP_OK)
        return fp_cli_fail(&error);
    return fp_cli_write(table, FP_FORMAT_TABLE);
}

static int print_all(const fp_results *results, const fp_eval_options *options, fp_format_kind format, fp_arena *arena) {
    if (format != FP_FORMAT_TABLE) return fp_cli_write(fp_results_thresholds(results, arena), format);
    int status = fp_cli_write(fp_results_summary(results, arena), format);
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++) status = print_outcome(results, results->outcomes + i, arena);
    if (status == FP_EXIT_SUCCESS) print_differences(results);
    if (status == FP_EXIT_SUCCESS && fp_results_can_rank(results)) status = print_ranks(results, arena);
    if (status == FP_EXIT_SUCCESS && results->prevalence > 0) status = print_at_prevalence(results, arena);
    if (status == FP_EXIT_SUCCESS && options->choices.count) status = print_choices(results, options, arena);
    if (status == FP_EXIT_SUCCESS && options->level_chosen == FP_LEVEL_CLUSTER) status = print_clusters(results, options, arena);
    printf("\nA pair is called a duplicate when its distance is at most the threshold. Equal thresholds of different\n"
           "algorithms are not equal strictness: compare algorithms by their precision–recall curves.\n");
    if (options->level) fp_results_define(options->level_chosen, stdout);
    return status;
}

/* ---- Strata ---- */

static fp_status divide(const fp_results *results, const fp_eval_options *options, fp_arena *arena, fp_strata_outcome **out, fp_error *error) {
    *out = fp_arena_alloc(arena, results->count, sizeof **out);
    if (!*out) return fp_no_memory(error);
    for (size_t i = 0; i < results->count; i++)
        FP_TRY(fp_strata_outcome_make(results->outcomes + i, options->by, options->bounds, options->bound_count, arena, *out + i, error));
    return FP_OK;
}

/* The strata as a table for a person, and as two files. */
static int report_strata(const fp_results *results, const fp_eval_options *options, fp_format_kind format, fp_arena *arena) {
    fp_error error = {0};
    fp_strata_outcome *strata = NULL;
    fp_status done = divide(results, options, arena, &strata, &error);
    if (done == FP_OK && options->out) {
        done = save_table(fp_strata_summary(strata, results->count, arena), options->out, "strata.tsv", arena, &error);
        if (done == FP_OK)
            done = save_table(fp_strata_thresholds(results, strata, arena), options->out, "strata-thresholds.tsv", arena, &error);
    }
    int status = done == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
    if (done == FP_OK && format == FP_FORMAT_TABLE) {
        printf("\n");
        status = fp_cli_write(fp_strata_summary(strata, results->count, arena), format);
        printf("\nA stratum of duplicates alone is measured against all other pairs, one of other pairs alone against all duplicates.\n");
    }
    for (size_t i = 0; strata && i < results->count; i++) fp_strata_outcome_free(strata + i);
    return status;
}

/* ---- Pictures ---- */

enum { MOST_FIGURES = FP_PLOT_USUAL + 8 };

static size_t list_figures(const fp_eval_options *options, fp_plot_figure *figures) {
    size_t count = 0;
    (void)options;
    while (count < FP_PLOT_USUAL) figures[count] = fp_plot_usual[count], count++;
    return count;
}

static int draw(const fp_results *results, const fp_eval_options *options) {
    fp_error error = {0};
    fp_plot_figure figures[MOST_FIGURES];
    size_t count = list_figures(options, figures);
    if (fp_plot_draw(options->out, figures, count, &error) == FP_OK &&
        (!fp_results_can_rank(results) || fp_plot_ranks_draw(options->out, &error) == FP_OK))
        return FP_EXIT_SUCCESS;
    fp_cli_fail(&error);
    fprintf(stderr, "fplab: the tables are in %s; the plots are missing\n", options->out);
    return FP_EXIT_FAILURE;
}

/* ---- All ---- */

int fp_eval_report(const fp_results *results, const fp_eval_options *options, fp_format_kind format, int argc, const char **argv, fp_arena *arena) {
    fp_error error = {0};
    if (options->out && save_all(results, options, argc, argv, arena, &error) != FP_OK) return fp_cli_fail(&error);
    int status = print_all(results, options, format, arena);
    if (status == FP_EXIT_SUCCESS && options->by) status = report_strata(results, options, format, arena);
    return options->out && !options->no_plots && status == FP_EXIT_SUCCESS ? draw(results, options) : status;
}
