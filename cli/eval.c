/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval: precision and recall of arms on corpora, as tables and pictures. */
#include <string.h>

#include "cli/cli.h"
#include "reports/plot.h"
#include "reports/run.h"
#include "reports/strata.h"

typedef struct eval_options {
    const char **corpora, **arms;
    char *thresholds, *out, *format, *by, *buckets;
    int skip_bad, no_plots;
} eval_options;

/* ---- Thresholds ---- */

static bool parse_thresholds(const char *text, fp_results *results) {
    char low[24], high[24];
    const char *dots = strstr(text, "..");
    if (!dots || (size_t)(dots - text) >= sizeof low || strlen(dots + 2) >= sizeof high) return false;
    snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    snprintf(high, sizeof high, "%s", dots + 2);
    return fp_parse_integer(low, &results->first_threshold) && fp_parse_integer(high, &results->last_threshold) &&
           results->first_threshold >= 0 && results->last_threshold <= 4096 && results->first_threshold <= results->last_threshold;
}

/* ---- Measuring ---- */

/* Arms are parsed anew for every corpus: what they learn belongs to it. */
static int measure_corpus(const char *path, const char *const *specs, bool skip_bad, fp_arena *arena, fp_outcome *outcome) {
    fp_corpus *corpus = fp_arena_alloc(arena, 1, sizeof *corpus);
    fp_error error = {0};
    fp_arm **arms;
    if (!corpus) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = fp_cli_arms(specs, arena, &arms, &outcome->count);
    if (status < 0) status = fp_cli_corpus(path, skip_bad, arena, corpus);
    if (status >= 0) return status;
    fp_measurement *measurements = fp_arena_alloc(arena, outcome->count, sizeof *measurements);
    if (!measurements) return fp_no_memory(&error), fp_cli_fail(&error);
    fp_progress progress = fp_cli_progress();
    fp_status done = fp_experiment(corpus, arms, outcome->count, &progress, arena, measurements, &error);
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    outcome->corpus = corpus;
    outcome->measurements = measurements;
    return fp_outcome_curves(outcome, arena, &error) == FP_OK ? -1 : fp_cli_fail(&error);
}

static int measure_all(const eval_options *options, fp_arena *arena, fp_results *results) {
    const char *const *specs = options->arms ? options->arms : fp_cli_default_arms;
    size_t most = 0;
    while (options->corpora[most]) most++;
    fp_outcome *outcomes = fp_arena_alloc(arena, most, sizeof *outcomes);
    results->outcomes = outcomes;
    fp_error error = {0};
    if (!outcomes) return fp_no_memory(&error), fp_cli_fail(&error);
    for (; results->count < most; results->count++) {
        int status = measure_corpus(options->corpora[results->count], specs, options->skip_bad, arena, outcomes + results->count);
        if (status >= 0) return status;
        for (size_t i = 0; i < results->count; i++) {
            if (strcmp(outcomes[i].corpus->name, outcomes[results->count].corpus->name) != 0) continue;
            fprintf(stderr, "fplab: two corpora are called %s; rename one directory\n", outcomes[i].corpus->name);
            return FP_EXIT_USAGE;
        }
    }
    return -1;
}

/* ---- Strata ---- */

enum { MOST_BUCKETS = 100 };

/* "50,100,200": ascending upper bounds. */
static bool parse_buckets(const char *text, size_t *bounds, size_t *count) {
    fp_string rest = fp_string_of(text), item;
    *count = 0;
    while (fp_next_field(&rest, ',', &item)) {
        char number[24];
        int64_t value;
        if (*count == MOST_BUCKETS || item.length >= sizeof number) return false;
        snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
        if (!fp_parse_integer(number, &value) || value < 1 || (*count && (size_t)value <= bounds[*count - 1])) return false;
        bounds[(*count)++] = (size_t)value;
    }
    return true;
}

/* Strata of every outcome. */
static fp_status divide(const fp_results *results, const eval_options *options, fp_arena *arena, fp_strata_outcome **out, fp_error *error) {
    size_t bounds[MOST_BUCKETS], count = 0;
    if (options->buckets && !parse_buckets(options->buckets, bounds, &count))
        return fp_fail(error, FP_ERROR_SYNTAX, "--buckets takes ascending lengths, 50,100,200, not %s", options->buckets);
    *out = fp_arena_alloc(arena, results->count, sizeof **out);
    if (!*out) return fp_no_memory(error);
    for (size_t i = 0; i < results->count; i++)
        FP_TRY(fp_strata_outcome_make(results->outcomes + i, options->by, bounds, count, arena, *out + i, error));
    return FP_OK;
}

/* ---- Writing ---- */

static fp_status save_table(fp_table *table, const char *directory, const char *name, fp_arena *arena, fp_error *error) {
    const char *path = fp_format(arena, "%s/%s", directory, name);
    return table && path ? fp_table_save(table, path, error) : fp_no_memory(error);
}

static fp_status save_all(const fp_results *results, const char *directory, int argc, const char **argv, fp_arena *arena, fp_error *error) {
    const char *run_path = fp_format(arena, "%s/run.json", directory);
    if (!run_path) return fp_no_memory(error);
    FP_TRY(save_table(fp_results_thresholds(results, arena), directory, "results.tsv", arena, error));
    FP_TRY(save_table(fp_results_summary(results, arena), directory, "summary.tsv", arena, error));
    FP_TRY(save_table(fp_results_curves(results, arena), directory, "curves.tsv", arena, error));
    FP_TRY(save_table(fp_results_histograms(results, arena), directory, "histograms.tsv", arena, error));
    return fp_run_save(results, argc, argv, run_path, error);
}

static int print_all(const fp_results *results, fp_format_kind format, fp_arena *arena) {
    if (format != FP_FORMAT_TABLE) return fp_cli_write(fp_results_thresholds(results, arena), format);
    int status = fp_cli_write(fp_results_summary(results, arena), format);
    for (size_t i = 0; i < results->count && status == FP_EXIT_SUCCESS; i++) {
        printf("\n%s\n", results->outcomes[i].corpus->name);
        status = fp_cli_write(fp_results_grid(results, results->outcomes + i, false, arena), format);
        printf("\n");
        if (status == FP_EXIT_SUCCESS) status = fp_cli_write(fp_results_grid(results, results->outcomes + i, true, arena), format);
    }
    printf("\nA pair is called a duplicate when its distance is at most the threshold. Equal thresholds of different\n"
           "algorithms are not equal strictness: compare algorithms by their precision–recall curves.\n");
    return status;
}

/* The strata as a table for a person, and as two files. */
static int report_strata(const fp_results *results, const eval_options *options, fp_format_kind format, fp_arena *arena) {
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

static int report(const fp_results *results, const eval_options *options, fp_format_kind format, int argc, const char **argv,
                  fp_arena *arena) {
    fp_error error = {0};
    if (options->out && save_all(results, options->out, argc, argv, arena, &error) != FP_OK) return fp_cli_fail(&error);
    int status = print_all(results, format, arena);
    if (status == FP_EXIT_SUCCESS && options->by) status = report_strata(results, options, format, arena);
    if (!options->out || options->no_plots || status != FP_EXIT_SUCCESS) return status;
    if (fp_plot_draw(options->out, &error) == FP_OK) return status;
    fp_cli_fail(&error);
    fprintf(stderr, "fplab: the tables are in %s; the plots are missing\n", options->out);
    return FP_EXIT_FAILURE;
}

static int evaluate(const eval_options *options, fp_results *results, fp_format_kind format, int argc, const char **argv) {
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = -1;
    if (options->out && fp_make_directory(options->out, &error) != FP_OK) status = fp_cli_fail(&error);
    if (status < 0) status = measure_all(options, arena, results);
    if (status < 0) status = report(results, options, format, argc, argv, arena);
    for (size_t i = 0; i < results->count; i++)
        for (size_t arm = 0; results->outcomes[i].measurements && arm < results->outcomes[i].count; arm++)
            fp_measurement_free((fp_measurement *)results->outcomes[i].measurements + arm);
    fp_arena_free(arena);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    eval_options chosen = {0};
    struct poptOption options[] = {
        {"corpus", 'c', POPT_ARG_ARGV, &chosen.corpora, 0, "a corpus; may be repeated", "DIR"},
        {"arm", 'a', POPT_ARG_ARGV, &chosen.arms, 0, "algorithm:key=value,…; may be repeated (default: the five algorithms)", "SPEC"},
        {"thresholds", 0, POPT_ARG_STRING, &chosen.thresholds, 0, "thresholds to tabulate (default: 1..10)", "A..B"},
        {"out", 'o', POPT_ARG_STRING, &chosen.out, 0, "write tables, plots and run.json here", "DIR"},
        {"by", 0, POPT_ARG_STRING, &chosen.by, 0, "also by kind, lang, length, or a field of the documents", "FIELD"},
        {"buckets", 0, POPT_ARG_STRING, &chosen.buckets, 0, "with --by length: upper bounds in characters (default: 50,100,200,400,800,1600)", "N,N,…"},
        {"no-plots", 0, POPT_ARG_NONE, &chosen.no_plots, 0, "with --out: tables only", NULL},
        {"format", 'f', POPT_ARG_STRING, &chosen.format, 0, "what to print: table (default), tsv or json", "FORMAT"},
        {"skip-bad", 0, POPT_ARG_NONE, &chosen.skip_bad, 0, "leave bad rows out, and count them", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        POPT_TABLEEND};
    poptContext context;
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &context, &arguments);
    if (status >= 0) return status;
    fp_results results = {.first_threshold = 1, .last_threshold = 10, .confidence = 0.95};
    fp_format_kind format;
    if (arguments[0]) status = fp_cli_usage(command, "unexpected argument %s", arguments[0]);
    else if (!chosen.corpora) status = fp_cli_usage(command, "which corpus? Name it with --corpus DIR");
    else if (chosen.thresholds && !parse_thresholds(chosen.thresholds, &results))
        status = fp_cli_usage(command, "--thresholds takes A..B with 0 ≤ A ≤ B ≤ 4096, not %s", chosen.thresholds);
    else if (!fp_cli_format(command, chosen.format, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    else status = evaluate(&chosen, &results, format, argc, argv);
    fp_cli_end(context, options);
    return status;
}

const fp_command fp_command_eval = {
    .name = "eval",
    .arguments = "--corpus DIR [--corpus DIR…] [--arm SPEC…] [OPTION…]",
    .summary = "measure precision and recall over thresholds, with plots",
    .details = "Runs every arm on every corpus and counts, at each threshold, how many labelled pairs it calls duplicates rightly\n"
               "and wrongly. Prints a summary and the precision and recall tables. --out DIR receives results.tsv (counts and\n"
               "figures at each threshold, with 95% Wilson intervals that take pairs as independent), summary.tsv (average\n"
               "precision, best F1, bytes, seconds), curves.tsv, histograms.tsv, run.json, and the pictures in DIR/plots.\n"
               "--by divides the pairs, and adds strata.tsv and strata-thresholds.tsv: which threshold for which length.\n"
               "NA stands where a figure is not defined. Exit status 1 when the plots could not be drawn.",
    .examples = "  fplab eval --corpus corpora/data/newswire-zh --out demo\n"
                "  fplab eval -c my-texts -a simhash -a simhash:features=words,weight=tfidf,name=words --thresholds 0..16\n"
                "  fplab eval -c corpora/data/newswire-zh -a cosine:weight=idf --by kind\n"
                "  fplab eval -c my-texts --format tsv > results.tsv",
    .run = run,
};
