/* SPDX-License-Identifier: GPL-3.0-or-later
 * The measuring half of `fplab eval`. */
#include <math.h>
#include <string.h>

#include "cli/commands/eval.h"
#include "cli/run_corpora.h"
#include "eval/evaluation/levels.h"

static bool has_level(const fp_corpus *corpus, fp_level level) {
    if (fp_outcome_has_level(corpus, level)) return true;
    fprintf(
        stderr,
        "fplab: %s: --level %s needs labelled pairs, and this corpus has groups, of too many documents to list all pairs\n",
        corpus->name, fp_level_describe(level)->name);
    return false;
}

/* What looks at pairs one by one. */
static bool can_list(const fp_corpus *corpus, const fp_eval_options *options) {
    const char *asked = fp_eval_needing(options, FP_NEEDS_LIST);
    if (!asked || corpus->truth == FP_TRUTH_PAIRS) return true;
    fprintf(
        stderr,
        "fplab: %s: --%s needs labelled pairs, and this corpus has groups, of too many documents to list all pairs\n",
        corpus->name, asked);
    return false;
}

/* The corpus as it is evaluated. Of a list there is nothing to draw; where no more negatives are there than should be
 * drawn, all are counted. */
static int view_corpus(const fp_corpus *corpus, const fp_eval_options *options, fp_arena *arena, fp_corpus *view) {
    uint64_t asked = options->questions.negatives, drawn;
    fp_error error = {0};
    if (asked && corpus->truth != FP_TRUTH_GROUPS) {
        fprintf(stderr,
                "fplab: %s: --negatives draws from all pairs of groups, and this corpus has a list of labelled pairs\n",
                corpus->name);
        return FP_EXIT_FAILURE;
    }
    if (fp_corpus_view_draws(corpus, asked, &drawn, &error) != FP_OK ||
        fp_corpus_view_drawn(corpus, asked, arena, view, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (asked && !drawn)
        fp_cli_note(
            "fplab: %s has no more than %llu pairs that are no duplicates: all are counted, as without --negatives\n",
            corpus->name, (unsigned long long)asked);
    return -1;
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
        fprintf(
            stderr,
            "fplab: %s: there are no positives: recall, best F1, average precision and ROC area are NA, and F1 is 0 wherever a pair is called\n",
            outcome->corpus->name);
    else if (curve->negatives == 0)
        fprintf(
            stderr,
            "fplab: %s: there are no negatives: precision is 1 wherever it is defined; specificity and ROC area are NA\n",
            outcome->corpus->name);
}

/* The thresholds of choices, whose arms are the last. */
static void list_thresholds(const fp_cli_choices *choices, fp_arena *arena, fp_contestants *contestants) {
    double *thresholds = fp_arena_raw(arena, contestants->count, sizeof *thresholds);
    for (size_t arm = 0; arm < contestants->count; arm++) {
        size_t after = arm + choices->count;
        thresholds[arm] = after >= contestants->count ? choices->choices[after - contestants->count].threshold : NAN;
    }
    contestants->thresholds = thresholds;
}

/* What arms do not know of documents is told as soon as it is known. */
static fp_status measure(const fp_corpus *corpus, const fp_contestants *contestants, fp_eval_options *options,
                         fp_arena *arena, fp_error *error) {
    fp_findings *findings = &options->findings;
    fp_progress progress = fp_cli_progress();
    size_t *silent = fp_arena_alloc(arena, contestants->count, sizeof *silent);
    fp_status status = fp_findings_measure(findings, corpus, contestants, &progress, arena, error);
    fp_cli_progress_end();
    FP_TRY(status);
    const fp_outcome *outcome = findings->outcomes + findings->count - 1;
    for (size_t i = 0; i < outcome->count; i++) silent[i] = outcome->measurements[i].silent_count;
    fp_cli_cautions(contestants->arms, silent, outcome->count, corpus->name, corpus->document_count);
    status = fp_findings_analyse(findings, contestants, &progress, arena, error);
    fp_cli_progress_end();
    FP_TRY(status);
    warn_one_sided(outcome);
    if (outcome->measurements->whole && !outcome->measurements->sample)
        fp_cli_note("fplab: %s: nothing was drawn: all pairs of these arms are counted, as without --negatives\n",
                    corpus->name);
    return FP_OK;
}

int fp_eval_arms(fp_eval_options *options, bool ahead, fp_arena *arena, fp_arm ***arms, size_t *count) {
    int status = -1;
    *arms = options->ahead;
    *count = options->ahead_count;
    if (!*arms)
        status = fp_cli_arms_and_choices(options->arms, &options->choices, fp_cli_default_arms, arena, arms, count);
    options->ahead = ahead && status < 0 ? *arms : NULL;
    options->ahead_count = *count;
    return status;
}

/* Arms are parsed anew for every corpus: what they learn belongs to it. */
static int measure_corpus(const fp_command *command, const char *path, fp_eval_options *options, fp_arena *arena) {
    fp_corpus read, *corpus = fp_arena_alloc(arena, 1, sizeof *corpus);
    fp_error error = {0};
    fp_contestants contestants;
    fp_arm **arms;
    int status = fp_eval_arms(options, false, arena, &arms, &contestants.count);
    contestants.arms = arms;
    if (status < 0) status = fp_eval_judged_count(command, options, contestants.count);
    if (status < 0) status = fp_cli_corpus_with(path, options->skip_bad, fp_strata_field(options->by), arena, &read);
    if (status < 0) status = fp_cli_labelled(&read);
    if (status < 0) status = fp_eval_judged(options, &read, arena, &contestants);
    if (status < 0) status = view_corpus(&read, options, arena, corpus);
    if (status >= 0) return status;
    if (!has_level(corpus, options->questions.level) || !can_list(corpus, options) ||
        !can_divide(corpus, options, arena))
        return FP_EXIT_FAILURE;
    fp_cli_choices_warn(&options->choices, corpus);
    list_thresholds(&options->choices, arena, &contestants);
    return measure(corpus, &contestants, options, arena, &error) == FP_OK ? -1 : fp_cli_fail(&error);
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

/* The last corpus has a name of its own. */
static bool named_alone(const fp_findings *findings) {
    const char *last = findings->outcomes[findings->count - 1].corpus->name;
    for (size_t i = 0; i + 1 < findings->count; i++) {
        if (strcmp(findings->outcomes[i].corpus->name, last) != 0) continue;
        fprintf(stderr, "fplab: two corpora are called %s; rename one directory\n", last);
        return false;
    }
    return true;
}

int fp_eval_measure(const fp_command *command, fp_eval_options *options, fp_arena *arena, fp_results *results) {
    fp_findings *findings = &options->findings;
    fp_error error = {0};
    size_t count = 0;
    while (options->corpora[count]) count++;
    if (fp_findings_open(&options->questions, count, options->choices.count > 0, arena, findings, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (named_twice(options->corpora)) return FP_EXIT_USAGE;
    for (size_t i = 0; i < count; i++) {
        int status = measure_corpus(command, fp_cli_fixed_corpus(i, options->corpora[i]), options, arena);
        if (status >= 0) return status;
        if (!named_alone(findings)) return FP_EXIT_USAGE;
    }
    if (fp_findings_rank(findings, arena, &error) != FP_OK) return fp_cli_fail(&error);
    results->outcomes = findings->outcomes;
    results->count = findings->count;
    return -1;
}

/* ----
 * fplab eval --compare-at: where the thresholds come from at which the calls of two arms are compared.
 */

int fp_eval_judged_options(const fp_command *command, fp_eval_options *options, fp_arena *arena) {
    const char *text = options->compare_at;
    options->stated_count = 0;
    if (!text) return -1;
    fp_string rest = fp_string_of(text), item;
    options->stated = fp_arena_raw(arena, rest.length + 1, sizeof *options->stated);
    while (fp_next_field(&rest, ',', &item)) {
        char number[32];
        double value;
        snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
        if (item.length >= sizeof number || !fp_parse_real(number, &value) || !(value >= 0) || isinf(value))
            return fp_cli_usage(command, "--compare-at takes thresholds such as 10 or 18,44, not %s", text);
        options->stated[options->stated_count++] = value;
    }
    return -1;
}

int fp_eval_judged_count(const fp_command *command, const fp_eval_options *options, size_t arms) {
    size_t stated = options->stated_count;
    if (!options->compare_at || stated == 1 || stated == arms) return -1;
    return fp_cli_usage(command,
                        "--compare-at takes one threshold for all arms or one for each: %zu are given for %zu arms",
                        stated, arms);
}

/* A choice that was made on these texts is no choice from elsewhere. */
static void take_choices(const fp_cli_choices *choices, const fp_corpus *corpus, fp_threshold_at *at, size_t count) {
    for (size_t i = 0; i < choices->count; i++)
        if (strcmp(choices->choices[i].documents_sha256, corpus->documents_sha256) != 0)
            at[count - choices->count + i] = (fp_threshold_at){FP_THRESHOLD_CHOICE, choices->choices[i].threshold};
}

int fp_eval_judged(const fp_eval_options *options, const fp_corpus *corpus, fp_arena *arena,
                   fp_contestants *contestants) {
    fp_threshold_at *at = fp_arena_alloc(arena, contestants->count, sizeof *at);
    contestants->judged = at;
    if (!options->compare_at) {
        take_choices(&options->choices, corpus, at, contestants->count);
        return -1;
    }
    if (corpus->truth == FP_TRUTH_GROUPS && !fp_corpus_view_can_list(corpus))
        fprintf(
            stderr,
            "fplab: %s: --compare-at needs labelled pairs, and this corpus has groups, of too many documents to list "
            "all pairs: McNemar's test is NA\n",
            corpus->name);
    for (size_t i = 0; i < contestants->count; i++)
        at[i] = (fp_threshold_at){FP_THRESHOLD_STATED, options->stated[options->stated_count == 1 ? 0 : i]};
    return -1;
}
