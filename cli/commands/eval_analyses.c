/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval: the analyses that its options ask for. */
#include <string.h>

#include "cli/commands/eval.h"
#include "reports/tables/strata_table.h"

enum { MOST_ANALYSES = 32 };

/* ---- Options ---- */

static fp_analysis_values given[MOST_ANALYSES]; /* by fp_analyses */

static fp_option option_row(const fp_analysis_option *of, fp_analysis_values *to, size_t at) {
    fp_option row = {.name = of->name, .help = of->help, .argument = of->argument};
    switch (of->takes) {
    case FP_TAKES_NOTHING: row.kind = FP_OPTION_FLAG, row.place.flag = to->flag + at; break;
    case FP_TAKES_ONE:
        row.kind = of->words ? FP_OPTION_HINT : FP_OPTION_TEXT;
        row.place.words = (struct fp_option_words){to->text + at, of->words};
        break;
    case FP_TAKES_SEVERAL: row.kind = FP_OPTION_LIST, row.place.list = to->list + at; break;
    }
    return row;
}

const fp_option *fp_eval_analysis_options(void) {
    static fp_option rows[MOST_ANALYSES * FP_ANALYSIS_OPTIONS + 1];
    size_t count = 0;
    for (size_t i = 0; fp_analyses[i]; i++)
        for (size_t k = 0; k < FP_ANALYSIS_OPTIONS && fp_analyses[i]->options[k].name; k++)
            rows[count++] = option_row(fp_analyses[i]->options + k, given + i, k);
    return rows;
}

static bool is_given(const fp_analysis_values *of, size_t at) { return of->flag[at] || of->text[at] || of->list[at]; }

/* ---- Before anything is measured ---- */

static int ask(const fp_command *command, fp_eval_options *options, size_t at, fp_arena *arena) {
    const fp_analysis *analysis = fp_analyses[at];
    fp_asked *asked = options->asked + options->questions.asked_count;
    fp_error error = {0};
    bool wanted = analysis->options->name ? is_given(given + at, 0) : analysis->level == options->questions.level;
    for (size_t k = 1; k < FP_ANALYSIS_OPTIONS && !wanted; k++)
        if (is_given(given + at, k))
            return fp_cli_usage(command, "--%s %s; add --%s", analysis->options[k].name, analysis->options[k].says,
                                analysis->options->name);
    if (!wanted) return -1;
    *asked = (fp_asked){.analysis = analysis};
    options->questions.asked_count++;
    fp_status status =
        analysis->check ? analysis->check(given + at, &options->questions, arena, &asked->settings, &error) : FP_OK;
    if (status == FP_ERROR_MEMORY) return fp_cli_fail(&error);
    return status == FP_OK ? -1 : fp_cli_usage(command, "%s", error.message);
}

int fp_eval_ask(const fp_command *command, fp_eval_options *options, fp_arena *arena) {
    int status = -1;
    options->asked = fp_arena_alloc(arena, MOST_ANALYSES, sizeof *options->asked);
    options->questions.asked = options->asked;
    for (size_t i = 0; fp_analyses[i] && status < 0; i++) status = ask(command, options, i, arena);
    return status;
}

/* A measure, unless it is asked for already. */
static int add_measure(const fp_command *command, fp_eval_options *options, const fp_analysis *analysis) {
    fp_inference_options *inference = &options->questions.inference;
    fp_error error = {0};
    fp_measure measure;
    if (fp_measure_find(analysis->measure, 0, &measure, &error) != FP_OK) return fp_cli_fail(&error);
    for (size_t i = 0; i < inference->further_count; i++)
        if (fp_measure_same(options->further + i, &measure)) return -1;
    if (inference->further_count == FP_EVAL_MEASURES)
        return fp_cli_usage(command, "--measure: no more than %d measures with --%s", FP_EVAL_MEASURES - 1,
                            analysis->options->name);
    options->further[inference->further_count++] = measure;
    return -1;
}

int fp_eval_ask_measures(const fp_command *command, fp_eval_options *options) {
    int status = -1;
    for (size_t i = 0; i < options->questions.asked_count && status < 0; i++)
        if (options->asked[i].analysis->measure) status = add_measure(command, options, options->asked[i].analysis);
    return status;
}

const char *fp_eval_needing(const fp_eval_options *options, unsigned need) {
    for (size_t i = 0; i < options->questions.asked_count; i++)
        if (options->asked[i].analysis->needs & need) return options->asked[i].analysis->options->name;
    return NULL;
}

static int fit(const fp_asked *asked, const fp_arm *arm) {
    fp_error error = {0};
    if (!asked->analysis->fits || asked->analysis->fits(asked->settings, arm, &error) == FP_OK) return -1;
    fprintf(stderr, "fplab: %s\n", error.message);
    return FP_EXIT_USAGE;
}

int fp_eval_fit(fp_eval_options *options, fp_arena *arena) {
    fp_arm **arms;
    size_t count, asked = options->questions.asked_count;
    bool any = false;
    for (size_t i = 0; i < asked; i++) any |= options->asked[i].analysis->fits && options->asked[i].settings;
    if (!any) return -1;
    int status = fp_eval_arms(options, true, arena, &arms, &count);
    for (size_t i = 0; status < 0 && i < count * asked; i++) status = fit(options->asked + i % asked, arms[i / asked]);
    return status;
}

/* ---- Behind the measurements ---- */

static void say(const char *text) { fp_cli_print("%s", text); }

static int show(const fp_table *table) { return fp_cli_write(table, FP_FORMAT_TABLE); }

int fp_eval_analyses(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    fp_brief brief = {.results = results, .say = say, .show = show, .status = FP_EXIT_SUCCESS, .arena = arena};
    for (size_t i = 0; i < options->questions.asked_count; i++) {
        brief.found = fp_findings_of(&options->findings, i);
        if (options->asked[i].analysis->brief) options->asked[i].analysis->brief(&brief);
    }
    return brief.status;
}

/* ----
 * fplab eval --by: which threshold for which part of the pairs; by length also distances against edits.
 */

int fp_eval_strata(const fp_results *results, const fp_eval_options *options, fp_arena *arena) {
    const fp_strata_outcome *strata = options->findings.strata;
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
           "threshold; precision needs both labels. The interval of a best threshold is that of bootstrap\n"
           "replicates of the %s; rates take the threshold as given.\n",
           counted, counted, counted, counted);
    return status;
}
