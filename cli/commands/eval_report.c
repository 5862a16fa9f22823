/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reporting half of `fplab eval`: files, tables, pictures. */
#include <math.h>
#include <string.h>

#include "cli/commands/eval.h"
#include "cli/run_corpora.h"
#include "cli/terminal.h"
#include "eval/statistics/bootstrap.h"
#include "reports/tables/choice_file.h"
#include "reports/plots/plot.h"
#include "reports/tables/results.h"
#include "reports/runs/run.h"

/* ---- Tables, as files and as JSON ---- */

static fp_status save_one(void *context, const char *name, const fp_table *table, fp_error *error) {
    return fp_run_put_table(context, name, table, error);
}

static fp_status save_all(fp_eval_options *options, int argc, const char **argv, fp_arena *arena, fp_error *error) {
    FP_TRY(fp_eval_tables(&options->asked, save_one, &options->run.content, arena, error));
    return fp_run_save(&options->asked.results, argc, argv, &options->run.content, error);
}

/* Under its name, in an object; hyphens are no part of a key. */
static fp_status print_one(void *context, const char *name, const fp_table *table, fp_error *error) {
    bool *any = context;
    (void)error;
    fputs(*any ? ",\n\"" : "{\n\"", stdout);
    for (const char *letter = name; *letter; letter++) putchar(*letter == '-' ? '_' : *letter);
    fputs("\": ", stdout);
    *any = true;
    fp_table_write(table, FP_FORMAT_JSON, stdout);
    return FP_OK;
}

static int print_json(const fp_eval_options *options, fp_arena *arena) {
    fp_error error = {0};
    bool any = false;
    if (fp_eval_tables(&options->asked, print_one, &any, arena, &error) != FP_OK) return fp_cli_fail(&error);
    puts("}");
    fp_cli_flush();
    return FP_EXIT_SUCCESS;
}

/* ---- For a person ---- */

static void show(const fp_table *table) { fp_cli_write(table, FP_FORMAT_TABLE); }

/* Precision, recall, and requested measures. */
static bool has_grid(const fp_results *results, const fp_measure *measure) {
    if (!fp_measure_at_threshold(measure->row)) return false;
    bool further = measure->row == &fp_measure_precision || measure->row == &fp_measure_recall;
    for (size_t i = 0; i < results->inference->further_count; i++)
        further |= fp_measure_same(results->inference->further + i, measure);
    return further;
}

static void print_grids(const fp_results *results, const fp_chosen_outcome *best, fp_arena *arena) {
    const fp_inference *inference = best->outcome->inference;
    for (size_t k = 0, shown = 0; k < inference->measure_count; k++) {
        if (!has_grid(results, &inference->measures[k].measure)) continue;
        if (shown++) printf("\n");
        show(fp_results_grid(results, best, k, arena));
    }
    bool whole = false;
    for (size_t i = 0; i < results->inference->further_count; i++)
        whole |= fp_further_is(results->inference->further + i, FP_FURTHER_OVER_RANGE);
    if (!whole) return;
    printf("\n");
    show(fp_results_further(results, best->outcome, arena));
}

/* Prints nothing without bootstrap replicates. */
static void print_replicates(const fp_results *results, const fp_inference *inference) {
    if (!inference->replicates) return;
    printf(" %zu replicates, seed %llu", inference->replicates, (unsigned long long)results->inference->seed);
    if (inference->unsettled)
        printf(
            "; of the verdicts on differences %zu could turn with more: p is within %g Monte Carlo errors of the level",
            inference->unsettled, FP_SETTLED_ERRORS);
    else if (inference->comparison_count) printf("; with more of them no verdict on a difference would turn");
    printf(".");
}

/* Where units are so few that their intervals are marked. */
static void print_few(const fp_inference *inference) {
    for (size_t k = 0; k < inference->measure_count; k++) {
        const fp_estimate *estimate = fp_inference_at(inference, k, 0);
        if (!estimate->few) continue;
        printf(" They amount to %.1f units of equal size, fewer than %d: the intervals may be too short.",
               estimate->units, FP_FEW_UNITS);
        return;
    }
}

/* First of all. */
static void print_answer(const fp_results *results, const fp_chosen_outcome *best, size_t at, fp_arena *arena) {
    const char *card = fp_results_card(results, best, arena);
    if (!*card) return;
    fp_cli_print("%s%s, the answer, with %.0f%% intervals\n%s", at ? "\n" : "", best->outcome->corpus->name,
                 results->confidence * 100, card);
    if (best->count < 2) return;
    printf("\n");
    show(fp_results_answer_short(best, arena));
}

static void print_outcome(const fp_results *results, const fp_chosen_outcome *best, fp_arena *arena) {
    const fp_outcome *outcome = best->outcome;
    fp_cli_print("\n%s, pointwise %.0f%% intervals\n", outcome->corpus->name, results->confidence * 100);
    print_grids(results, best, arena);
    printf("\n%s", fp_inference_describe(outcome->inference, arena));
    print_few(outcome->inference);
    print_replicates(results, outcome->inference);
    printf("\n");
}

/* Which source of chance has which part of the variance. */
static void print_sources(const fp_results *results, fp_arena *arena) {
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        if (outcome->lane_count == outcome->count) continue;
        fp_cli_print("\n%s: sources of uncertainty\n", outcome->corpus->name);
        show(fp_sources_short(results, outcome, arena));
    }
}

/* "average precision", "recall at 10" */
static void print_compared(const fp_results *results) {
    fp_measure compared = fp_inference_compared(results->inference);
    for (const char *letter = compared.row->name; *letter; letter++) putchar(*letter == '_' ? ' ' : *letter);
    if (compared.named) printf(" (%s %g)", compared.row->parameter.name, compared.parameter);
    if (fp_measure_at_threshold(compared.row)) printf(" at %g", results->inference->thresholds[compared.threshold]);
}

/* The better arm first. */
static void print_difference(const fp_results *results, const fp_outcome *outcome, const fp_comparison *pair,
                             fp_arena *arena) {
    const char *p = fp_p_text(pair->adjusted, arena);
    bool first = fp_results_first_is_better(results, pair), more = pair->difference.value > 0;
    double low = pair->difference.interval.low, high = pair->difference.interval.high;
    fp_cli_print("  %s %c %s by %.3f (%.3f to %.3f), ", fp_results_name(outcome, first ? pair->first : pair->second),
                 first == more ? '>' : '<', fp_results_name(outcome, first ? pair->second : pair->first),
                 fabs(pair->difference.value), more ? low : -high, more ? high : -low);
    printf("%s", p);
    if (pair->equivalence.within) printf("; they differ, but by less than %g", pair->equivalence.margin);
    printf("\n");
}

static void print_sample_size(const fp_sample_size *size) {
    if (isinf(size->needed)) printf("; to detect %g takes more hash seeds, and then more documents", size->detect);
    else if (!isnan(size->needed))
        printf("; sample size needed: %.0f (%.0f–%.0f)", size->needed, size->interval.low, size->interval.high);
}

static void print_open(const fp_outcome *outcome, const fp_comparison *pair, fp_arena *arena) {
    const char *farthest = fp_up_to_text(pair->equivalence.farthest, arena);
    fp_cli_print("  %s – %s could differ by up to %s", fp_results_name(outcome, pair->first),
                 fp_results_name(outcome, pair->second), farthest);
    print_sample_size(&pair->sample_size);
    printf("\n");
}

/* The pairs of arms of one verdict, on one line. */
static void print_pairs(const fp_results *results, const fp_outcome *outcome, fp_verdict verdict, const char *name) {
    bool any = false;
    for (size_t c = 0; c < outcome->inference->comparison_count; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        if (fp_results_verdict(results, pair) != verdict) continue;
        fp_cli_print("%s%s%s%s – %s", any ? "" : "  ", any ? "" : name, any ? "; " : ": ",
                     fp_results_name(outcome, pair->first), fp_results_name(outcome, pair->second));
        any = true;
    }
    if (any) printf("\n");
}

/* Prints one line for each comparison with that verdict. Returns whether there is one. */
static bool print_each(const fp_results *results, const fp_outcome *outcome, fp_verdict verdict, fp_arena *arena) {
    bool any = false;
    for (size_t c = 0; c < outcome->inference->comparison_count; c++) {
        const fp_comparison *pair = outcome->inference->comparisons + c;
        if (fp_results_verdict(results, pair) != verdict) continue;
        any = true;
        if (verdict == FP_VERDICT_DIFFER) print_difference(results, outcome, pair, arena);
        else print_open(outcome, pair, arena);
    }
    return any;
}

static void print_differences(const fp_results *results, const fp_outcome *outcome, fp_arena *arena) {
    size_t count = outcome->inference->comparison_count;
    double narrow = 100 * fp_equivalence_confidence(results->confidence);
    fp_cli_print("\n%s: differences of ", outcome->corpus->name);
    print_compared(results);
    if (outcome->lane_count > outcome->count) printf(", means over %zu hash seeds", outcome->hash_seeds);
    printf(", Holm's correction over %zu comparison%s\n", count, count == 1 ? "" : "s");
    const char *within =
        fp_format(arena, "within ±%g (%g%% interval)", fp_inference_margin(results->inference), narrow);
    print_each(results, outcome, FP_VERDICT_DIFFER, arena);
    print_pairs(results, outcome, FP_VERDICT_WITHIN, within);
    bool open = print_each(results, outcome, FP_VERDICT_OPEN, arena);
    print_pairs(results, outcome, FP_VERDICT_EQUAL, "equal");
    print_pairs(results, outcome, FP_VERDICT_NOT_DEFINED, "not defined");
    if (!open) return;
    printf(
        "  Up to: the farther end of the %g%% interval. Sample size needed: units, where now there are %.0f, that find a\n"
        "  difference of %g with %g%% power; from the variance seen here, with its %g%% interval (--detect).\n",
        narrow, outcome->inference->comparisons->equivalence.units, fp_inference_detect(results->inference),
        100 * FP_SAMPLE_SIZE_POWER, 100 * results->confidence);
}

/* All corpora at once. */
static void print_ranks(const fp_results *results, const fp_findings *found, fp_arena *arena) {
    const fp_ranks *ranks = found->ranks;
    printf("\nAll corpora, %.0f%% intervals over corpora\n", results->confidence * 100);
    show(fp_results_ranks_short(results, ranks, arena));
    fp_cli_print("%s\n", fp_results_ranks_describe(results, ranks, arena));
    show(fp_results_rank_pairs_short(results, found->rank_pairs, arena));
    fp_cli_print("%s", fp_results_rank_pairs_describe(ranks, found->rank_pairs, arena));
}

static void print_tables(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    const fp_findings *found = &options->asked.findings;
    for (size_t i = 0; i < results->count; i++) print_answer(results, found->best + i, i, arena);
    printf("\n");
    show(fp_results_summary_short(results, arena));
    for (size_t i = 0; i < results->count; i++) print_outcome(results, found->best + i, arena);
    for (size_t i = 0; i < results->count; i++)
        if (results->outcomes[i].inference->comparison_count) print_differences(results, results->outcomes + i, arena);
    print_sources(results, arena);
    if (found->ranks) print_ranks(results, found, arena);
    if (found->chosen) {
        printf("\nChoices, each at its own threshold\n");
        show(fp_choice_results_short(found->chosen, found->count, options->choices.choices, arena));
    }
    printf(
        "\n%s\n",
        results->level == FP_LEVEL_DOCUMENT
            ? "A document is called a duplicate when one of its labelled pairs is at a distance of at most the\n"
              "threshold. Equal thresholds of different algorithms are not equal strictness: compare algorithms by\n"
              "their precision–recall curves."
            : "A pair is called a duplicate when its distance is at most the threshold. Equal thresholds of different\n"
              "algorithms are not equal strictness: compare algorithms by their precision–recall curves.");
    if (options->asked.level) fp_level_define(results->level, stdout);
}

/* ---- Analyses ---- */

static void print_text(const char *text) { fp_cli_print("%s", text); }

static void print_analyses(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    fp_brief brief = {.results = results, .print = print_text, .show = show, .arena = arena};
    for (size_t i = 0; i < options->asked.questions.asked_count; i++) {
        brief.found = fp_findings_of(&options->asked.findings, i);
        if (options->asked.asked[i].analysis->brief) options->asked.asked[i].analysis->brief(&brief);
    }
}

/* Which threshold for which part of the pairs. */
static void print_strata(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    const fp_strata_outcome *strata = options->asked.findings.strata;
    const char *counted = fp_results_counted(results->level);
    for (size_t i = 0; i < results->count; i++) {
        fp_cli_print("\n%s: which threshold for which %s, with %.0f%% intervals%s\n", strata[i].outcome->corpus->name,
                     options->asked.by, results->confidence * 100,
                     strcmp(options->asked.by, "length") == 0 ? "; characters of the shorter document" : "");
        show(fp_strata_short(results, strata + i, arena));
        if (strata[i].replicates < results->inference->replicates)
            printf("So many %s and strata: %zu replicates each, not %zu.\n", counted, strata[i].replicates,
                   results->inference->replicates);
    }
    printf("\nA stratum of duplicates alone is measured against all other %s, one of other %s alone against all\n"
           "duplicates: these join it, for the best threshold and best F1. Rates are those of its own %s at that\n"
           "threshold; precision needs both labels. The interval of a best threshold is that of bootstrap\n"
           "replicates of the %s; rates take the threshold as given.\n",
           counted, counted, counted, counted);
}

static int print_all(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    fp_table_format format = options->format;
    if (format == FP_FORMAT_JSON) return print_json(options, arena);
    bool chosen = options->choices.count && !(options->arms && *options->arms);
    if (format != FP_FORMAT_TABLE)
        return fp_cli_write(
            chosen ? fp_choice_results(options->asked.findings.chosen, results->count, options->choices.choices, arena)
                   : fp_results_rows(fp_schemas + FP_FILE_RESULTS, results, NULL, arena),
            format);
    fp_cli_show_begin();
    print_tables(results, options, arena);
    print_analyses(results, options, arena);
    if (options->asked.by) print_strata(results, options, arena);
    return FP_EXIT_SUCCESS;
}

/* ---- Pictures ---- */

/* A figure that fails is reported after the tables are in place. The page needs SVG. */
static void draw(fp_eval_options *options) {
    fp_cli_plots *plots = &options->plots;
    if (options->report && plots->options.formats) plots->options.formats |= 1u << FP_PICTURE_SVG;
    fp_cli_plots_draw(plots, &options->run);
}

/* ---- The page ---- */

/* The page itself lists what it omits. */
static int write_page(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    fp_error error = {0};
    fp_recorded run;
    bool whole;
    fp_page_options page = {.title = options->title,
                            .languages = fp_cli_run_page_languages(options->plots.options.language)};
    fp_page_run of = {.run = &run, .written = &options->run.content, .figures = options->run.place};
    const char *path = fp_format(arena, "%s/index.html", options->run.place);
    fp_page_corpus *corpora = fp_arena_alloc(arena, results->count, sizeof *corpora);
    fp_pair_digest *digests = fp_arena_alloc(arena, results->count, sizeof *digests);
    of.corpora = corpora;
    of.corpus_count = results->level == FP_LEVEL_DOCUMENT ? 0 : results->count;
    for (size_t i = 0; i < of.corpus_count; i++)
        if (fp_cli_run_digest(results->outcomes + i, results->count, !options->no_texts, arena, digests + i,
                              corpora + i, &error) != FP_OK)
            return fp_cli_out_fail(&options->run, &error);
    if (fp_recorded_of(&options->run.content, arena, &run, &error) != FP_OK ||
        fp_page_write(&of, 1, &page, path, arena, &whole, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    return FP_EXIT_SUCCESS;
}

/* ---- All ---- */

int fp_eval_report(fp_eval_options *options, int argc, const char **argv, fp_arena *arena) {
    const fp_results *results = &options->asked.results;
    fp_error error = {0};
    if (options->run.place && save_all(options, argc, argv, arena, &error) != FP_OK)
        return fp_cli_out_fail(&options->run, &error);
    int status = print_all(results, options, arena);
    if (options->run.place && !options->no_plots && status == FP_EXIT_SUCCESS) draw(options);
    if (options->run.place && options->report && status == FP_EXIT_SUCCESS)
        status = write_page(results, options, arena);
    return status;
}
