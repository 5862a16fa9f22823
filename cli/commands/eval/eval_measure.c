/* SPDX-License-Identifier: GPL-3.0-or-later
 * The measuring half of `fplab eval`. */
#include <string.h>

#include "cli/commands/eval/eval.h"
#include "cli/fixed.h"
#include "eval/outcome/strata.h"
#include "eval/outcome/corpus_view.h"

static fp_status measure(fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_eval_options *options,
                         fp_arena *arena, fp_outcome *outcome, fp_error *error) {
    fp_measurement *measurements = fp_arena_alloc(arena, count, sizeof *measurements);
    size_t *silent = fp_arena_alloc(arena, count, sizeof *silent);
    if (!measurements || !silent) return fp_no_memory(error);
    fp_progress progress = fp_cli_progress();
    fp_status status = fp_experiment(corpus, arms, count, &progress, arena, measurements, error);
    fp_cli_progress_end();
    FP_TRY(status);
    for (size_t i = 0; i < count; i++) silent[i] = measurements[i].silent_count;
    fp_cli_cautions(arms, silent, count, corpus->name, corpus->document_count);
    *outcome = (fp_outcome){.corpus = corpus, .count = count, .measurements = measurements};
    if (options->level_chosen != FP_LEVEL_DOCUMENT) return FP_OK;
    fp_corpus *view = fp_arena_alloc(arena, 1, sizeof *view);
    fp_measurement *views = fp_arena_alloc(arena, count, sizeof *views);
    fp_members members;
    if (!view || !views) return fp_no_memory(error);
    FP_TRY(fp_corpus_view_documents(corpus, arena, view, &members, error));
    for (size_t i = 0; i < count; i++) {
        FP_TRY(fp_corpus_view_measurement(corpus, &members, measurements + i, arena, views + i, error));
        fp_measurement_free(measurements + i);
    }
    outcome->corpus = view;
    outcome->measurements = views;
    return FP_OK;
}

static fp_status infer_pairs(const fp_eval_options *options, const fp_outcome *outcome, const fp_progress *progress,
                             fp_arena *arena, fp_inference *inference, fp_error *error) {
    const double **distances = fp_arena_alloc(arena, outcome->count, sizeof *distances);
    if (!distances) return fp_no_memory(error);
    for (size_t i = 0; i < outcome->count; i++) distances[i] = outcome->measurements[i].distances;
    return fp_inference_make(outcome->corpus, distances, outcome->count, &options->inference, progress, arena,
                             inference, error);
}

/* Intervals and differences. */
static fp_status infer(const fp_eval_options *options, fp_arena *arena, fp_outcome *outcome, fp_error *error) {
    fp_inference *inference = fp_arena_alloc(arena, 1, sizeof *inference);
    if (!inference) return fp_no_memory(error);
    fp_progress progress = fp_cli_progress();
    fp_status status = outcome->corpus->truth == FP_TRUTH_PAIRS
                           ? infer_pairs(options, outcome, &progress, arena, inference, error)
                           : fp_inference_near(outcome->corpus, outcome->measurements, outcome->count,
                                               &options->inference, &progress, arena, inference, error);
    fp_cli_progress_end();
    outcome->inference = inference;
    return status;
}

static fp_status measure_counterparts(const fp_eval_options *options, fp_arena *arena, fp_outcome *outcome,
                                      fp_error *error) {
    bool edits_only = !options->theory && !options->lost; /* --by length compares with them pair by pair */
    if (!options->counterparts || (edits_only && outcome->corpus->truth != FP_TRUTH_PAIRS)) return FP_OK;
    fp_counterparts *counterparts = fp_arena_alloc(arena, 1, sizeof *counterparts);
    if (!counterparts) return fp_no_memory(error);
    fp_progress progress = fp_cli_progress();
    fp_status status = fp_counterparts_measure(outcome->corpus, outcome->measurements, outcome->count, &progress, arena,
                                               counterparts, error);
    fp_cli_progress_end();
    outcome->counterparts = counterparts;
    return status;
}

/* Groups of a small corpus as the pairs that they mean: then all that is done with labelled pairs can be done with
 * them. */
static fp_status read_groups(fp_corpus *corpus, fp_arena *arena, fp_error *error) {
    fp_corpus view;
    if (!fp_corpus_view_can_list(corpus)) return FP_OK;
    FP_TRY(fp_corpus_view_pairs(corpus, arena, &view, error));
    *corpus = view;
    return FP_OK;
}

/* Documents and clusters are made of labelled pairs. */
static bool has_level(const fp_corpus *corpus, fp_level level) {
    if (level == FP_LEVEL_PAIR || corpus->truth == FP_TRUTH_PAIRS) return true;
    fprintf(
        stderr,
        "fplab: %s: --level %s needs labelled pairs, and this corpus has groups, of too many documents to list all pairs\n",
        corpus->name, fp_level_describe(level)->name);
    return false;
}

/* Divided once before anything is measured: a field that no document has, or groups by anything but length, are refused
 * at once. */
static bool can_divide(const fp_corpus *corpus, const fp_eval_options *options, fp_arena *arena) {
    fp_error error = {0};
    fp_strata strata;
    if (!options->by || corpus->truth == FP_TRUTH_NONE) return true;
    if (fp_strata_make(corpus, options->by, options->bounds, options->bound_count, arena, &strata, &error) == FP_OK)
        return true;
    fp_cli_fail(&error);
    return false;
}

/* What a set without positives or without negatives cannot tell. */
static void warn_one_sided(const fp_outcome *outcome) {
    const fp_curve *curve = outcome->curves;
    if (curve->positives == 0)
        fprintf(stderr, "fplab: %s: there are no positives: recall, F1, average precision and ROC area are NA\n",
                outcome->corpus->name);
    else if (curve->negatives == 0)
        fprintf(
            stderr,
            "fplab: %s: there are no negatives: precision is 1 wherever it is defined; specificity and ROC area are NA\n",
            outcome->corpus->name);
}

/* Arms are parsed anew for every corpus: what they learn belongs to it. */
static int measure_corpus(const char *path, const fp_eval_options *options, fp_arena *arena, fp_outcome *outcome) {
    fp_corpus *corpus = fp_arena_alloc(arena, 1, sizeof *corpus);
    fp_error error = {0};
    fp_arm **arms;
    size_t count;
    if (!corpus) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = fp_cli_arms_and_choices(options->arms, &options->choices, fp_cli_default_arms, arena, &arms, &count);
    if (status < 0) status = fp_cli_corpus_with(path, options->skip_bad, fp_strata_field(options->by), arena, corpus);
    if (status < 0) status = fp_cli_labelled(corpus);
    if (status >= 0) return status;
    if (read_groups(corpus, arena, &error) != FP_OK) return fp_cli_fail(&error);
    if (!has_level(corpus, options->level_chosen) || !can_divide(corpus, options, arena)) return FP_EXIT_FAILURE;
    fp_cli_choices_warn(&options->choices, corpus);
    if (measure(corpus, arms, count, options, arena, outcome, &error) != FP_OK ||
        fp_outcome_curves(outcome, arena, &error) != FP_OK || infer(options, arena, outcome, &error) != FP_OK ||
        measure_counterparts(options, arena, outcome, &error) != FP_OK)
        return fp_cli_fail(&error);
    warn_one_sided(outcome);
    return -1;
}

/* Their names tell corpora apart in tables and pictures. Those of one path are told before the work. */
static bool named_twice(const char *const *corpora) {
    for (size_t i = 0; corpora[i]; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(corpora[i], corpora[j]) != 0) continue;
            fprintf(stderr, "fplab: the corpus %s is named twice\n", corpora[i]);
            return true;
        }
    }
    return false;
}

int fp_eval_measure(const fp_eval_options *options, fp_arena *arena, fp_results *results) {
    size_t most = 0;
    while (options->corpora[most]) most++;
    fp_outcome *outcomes = fp_arena_alloc(arena, most, sizeof *outcomes);
    results->outcomes = outcomes;
    fp_error error = {0};
    if (!outcomes) return fp_no_memory(&error), fp_cli_fail(&error);
    if (named_twice(options->corpora)) return FP_EXIT_USAGE;
    while (results->count < most) {
        size_t own = results->count++; /* counted even if it fails: what is measured is released */
        int status = measure_corpus(fp_cli_fixed_corpus(own, options->corpora[own]), options, arena, outcomes + own);
        if (status >= 0) return status;
        for (size_t i = 0; i < own; i++) {
            if (strcmp(outcomes[i].corpus->name, outcomes[own].corpus->name) != 0) continue;
            fprintf(stderr, "fplab: two corpora are called %s; rename one directory\n", outcomes[i].corpus->name);
            return FP_EXIT_USAGE;
        }
    }
    return -1;
}

void fp_eval_release(fp_results *results) {
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t arm = 0; outcome->measurements && arm < outcome->count; arm++)
            fp_measurement_free((fp_measurement *)outcome->measurements + arm);
        if (outcome->counterparts) fp_counterparts_free((fp_counterparts *)outcome->counterparts);
    }
}
