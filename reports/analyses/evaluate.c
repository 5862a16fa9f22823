/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs an evaluation, from its options to its tables (evaluate.h). */
#include "reports/analyses/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/evaluation/levels.h"
#include "eval/experiment/arm_list.h"
#include "eval/statistics/bootstrap.h"

/* Without --threshold: the largest threshold computed, and the largest shown on a terminal. */
enum { WHOLE_SCALE = 256, SHOWN = 10 };

/* ---- Parsing of options ---- */

bool fp_read_range(const char *text, int64_t *first, int64_t *last) {
    const char *dots = strstr(text, "..");
    uint64_t low, high;
    if (!dots || !fp_string_count((fp_string){text, (size_t)(dots - text)}, &low) ||
        !fp_string_count(fp_string_of(dots + 2), &high) || low > high || high > INT64_MAX)
        return false;
    *first = (int64_t)low;
    *last = (int64_t)high;
    return true;
}

/* A range, or one threshold such as "12". */
static bool parse_thresholds(const char *text, fp_results *results) {
    bool one = fp_parse_integer(text, &results->first_threshold) && results->first_threshold >= 0;
    if (one) results->last_threshold = results->first_threshold;
    return (one || fp_read_range(text, &results->first_threshold, &results->last_threshold)) &&
           results->last_threshold < FP_EVAL_THRESHOLDS;
}

/* "5": number of seeds from each arm's own seed on; "10..14": these seeds. */
static bool parse_hash_seeds(const char *text, fp_hash_seeds *seeds) {
    int64_t first = 1, last;
    seeds->from = strstr(text, "..") != NULL;
    if (!(seeds->from ? fp_read_range(text, &first, &last) : fp_parse_integer(text, &last))) return false;
    seeds->first = (uint64_t)first;
    seeds->count = last >= first && last - first < FP_HASH_SEEDS_MOST ? (size_t)(last - first) + 1 : 0;
    return seeds->count > 0;
}

bool fp_read_ascending(const char *text, size_t most, size_t *numbers, size_t *count) {
    fp_string rest = fp_string_of(text), item;
    *count = 0;
    while (fp_next_field(&rest, ',', &item)) {
        uint64_t value;
        if (*count == most || !fp_string_count(item, &value) || value < 1 || (*count && value <= numbers[*count - 1]))
            return false;
        numbers[(*count)++] = value;
    }
    return true;
}

#define REFUSE(...) fp_fail(error, FP_ERROR_RANGE, __VA_ARGS__)

/* Position of the word in the list; 0 if the word is NULL. */
static fp_status word_at(const char *option, const char *words, const char *word, int *at, fp_error *error) {
    fp_string rest = fp_string_of(words), each;
    for (*at = 0; fp_next_field(&rest, ' ', &each); ++*at)
        if (!word || fp_string_equal(each, fp_string_of(word))) return FP_OK;
    return REFUSE("--%s takes one of %s, not %s", option, words, word);
}

/* Between 0 and 1; NULL text: keeps the value. */
static fp_status share(const char *option, const char *text, double *value, fp_error *error) {
    if (!text || (fp_parse_real(text, value) && *value > 0 && *value < 1)) return FP_OK;
    return REFUSE("--%s takes a number above 0 and below 1, not %s", option, text);
}

static fp_status check_drawing(int replicates, long long seed, fp_error *error) {
    if (replicates != FP_NOT_GIVEN && (replicates < FP_REPLICATES_FEWEST || replicates > FP_REPLICATES_MOST))
        return REFUSE("--replicates takes %d to %d, not %d", FP_REPLICATES_FEWEST, FP_REPLICATES_MOST, replicates);
    return seed < 0 ? REFUSE("--seed takes a whole number from 0 on, not %lld", seed) : FP_OK;
}

static bool is_given(const fp_analysis_values *of, size_t at) { return of->flag[at] || of->text[at] || of->list[at]; }

static fp_status ask(fp_eval_request *request, size_t at, fp_arena *arena, fp_error *error) {
    const fp_analysis *analysis = fp_analyses[at];
    const fp_analysis_values *given = request->given + at;
    fp_asked *asked = request->asked + request->questions.asked_count;
    bool wanted = analysis->options->name ? is_given(given, 0) : analysis->level == request->questions.level;
    for (size_t k = 1; k < FP_ANALYSIS_OPTIONS && !wanted; k++)
        if (is_given(given, k))
            return REFUSE("--%s %s; add --%s", analysis->options[k].name, analysis->options[k].does,
                          analysis->options->name);
    if (!wanted) return FP_OK;
    if (analysis->needs & FP_NEEDS_PAIR_LEVEL && request->questions.level != FP_LEVEL_PAIR)
        return REFUSE("--%s is about pairs: it does not go with --level %s", analysis->name, request->level);
    *asked = (fp_asked){.analysis = analysis};
    request->questions.asked_count++;
    return analysis->check ? analysis->check(given, &request->questions, arena, &asked->settings, error) : FP_OK;
}

/* The option of the first requested analysis with this need (FP_NEEDS_…); NULL: none. */
static const char *option_needing(const fp_eval_request *request, unsigned need) {
    for (size_t i = 0; i < request->questions.asked_count; i++)
        if (request->asked[i].analysis->needs & need) return request->asked[i].analysis->options->name;
    return NULL;
}

/* The number of sampled negatives. Refuses options that need single pairs or all pairs. */
static fp_status parse_negatives(fp_eval_request *request, fp_error *error) {
    int64_t count = 0;
    if (!request->negatives) return FP_OK;
    if (!fp_parse_integer(request->negatives, &count) || count < 1)
        return REFUSE("--negatives takes a whole number from 1 on, not %s", request->negatives);
    const char *other = request->questions.level != FP_LEVEL_PAIR ? "level"
                        : request->by                             ? "by"
                                                                  : option_needing(request, FP_NEEDS_ALL_PAIRS);
    if (other) return REFUSE("--negatives measures a sample of pairs: it does not go with --%s", other);
    size_t seeds = request->questions.inference.hash_seeds.count;
    if (seeds > 1) return REFUSE("--negatives measures under one hash seed, not %zu", seeds);
    request->questions.negatives = (uint64_t)count;
    return FP_OK;
}

/* Adds a measure unless it is already in the list. */
static fp_status add_measure(fp_eval_request *request, const fp_measure *measure, size_t most, const char *with,
                             fp_error *error) {
    fp_inference_options *inference = &request->questions.inference;
    for (size_t i = 0; i < inference->further_count; i++)
        if (fp_measure_same(request->further + i, measure)) return FP_OK;
    if (inference->further_count == FP_EVAL_MEASURES)
        return REFUSE("--measure: no more than %zu measures%s%s", most, *with ? " with --" : "", with);
    request->further[inference->further_count++] = *measure;
    return FP_OK;
}

/* Usual measures are refused because every evaluation has them. Measures that analyses need are added last. */
static fp_status parse_measures(fp_eval_request *request, fp_error *error) {
    fp_inference_options *inference = &request->questions.inference;
    fp_measure measure;
    inference->further = request->further;
    for (const char **name = request->measures; name && *name; name++) {
        fp_error why = {0};
        if (strchr(*name, '@')) return REFUSE("--measure takes a name without @: %s is shown at all thresholds", *name);
        if (fp_measure_find(*name, inference->prevalence, &measure, &why) != FP_OK)
            return fp_fail(error, why.code, "--measure: %s", why.message);
        if (measure.row->usual && !measure.named)
            return REFUSE("--measure: every evaluation has %s; it is in intervals.tsv", *name);
        FP_TRY(add_measure(request, &measure, FP_EVAL_MEASURES, "", error));
    }
    for (size_t i = 0; i < request->questions.asked_count; i++) {
        const fp_analysis *analysis = request->asked[i].analysis;
        if (!analysis->measure) continue;
        FP_TRY(fp_measure_find(analysis->measure, 0, &measure, error));
        FP_TRY(add_measure(request, &measure, FP_EVAL_MEASURES - 1, analysis->options->name, error));
    }
    return FP_OK;
}

/* --compare-at: thresholds for the comparison of calls by two arms. */
static fp_status parse_stated(fp_eval_request *request, fp_arena *arena, fp_error *error) {
    const char *text = request->compare_at;
    request->stated_count = 0;
    if (!text) return FP_OK;
    fp_string rest = fp_string_of(text), item;
    request->stated = FP_NEED(fp_arena_raw(arena, rest.length + 1, sizeof *request->stated), error);
    while (fp_next_field(&rest, ',', &item)) {
        double *value = request->stated + request->stated_count++;
        if (!fp_string_real(item, value) || !(*value >= 0 && *value <= UINT32_MAX))
            return REFUSE("--compare-at takes thresholds such as 10 or 18,44, not %s", text);
    }
    return FP_OK;
}

static fp_status read_inference(fp_eval_request *request, fp_error *error) {
    static const fp_method METHOD[] = {FP_METHOD_MID_P, FP_METHOD_CLOPPER_PEARSON, FP_METHOD_PERCENTILE, FP_METHOD_BCA};
    fp_inference_options *inference = &request->questions.inference;
    int empty, method;
    bool given = request->replicates != FP_NOT_GIVEN;
    FP_TRY(word_at("empty", FP_EVAL_EMPTY, request->empty, &empty, error));
    FP_TRY(word_at("interval", FP_EVAL_METHODS, request->interval, &method, error));
    FP_TRY(check_drawing(request->replicates, request->seed, error));
    *inference = (fp_inference_options){.method = METHOD[method],
                                        .without_bands = request->without_bands,
                                        .empty = (fp_empty)empty,
                                        .confidence = request->results.confidence,
                                        .replicates = given ? (size_t)request->replicates : FP_REPLICATES,
                                        .most_replicates = given ? 0 : FP_REPLICATES_SETTLED,
                                        .seed = (uint64_t)request->seed,
                                        .margin = FP_EQUIVALENCE_MARGIN,
                                        .thresholds = request->threshold_list};
    if (request->hash_seeds && !parse_hash_seeds(request->hash_seeds, &inference->hash_seeds))
        return REFUSE("--hash-seeds takes 1 to %d, or A..B with 0 ≤ A ≤ B, not %s", FP_HASH_SEEDS_MOST,
                      request->hash_seeds);
    FP_TRY(share("equivalence", request->equivalence, &inference->margin, error));
    return share("detect", request->detect, &inference->detect, error);
}

fp_status fp_eval_read(fp_eval_request *request, fp_arena *arena, fp_error *error) {
    fp_results *results = &request->results;
    double similarity;
    int level;
    FP_TRY(word_at("level", FP_EVAL_LEVELS, request->level, &level, error));
    if (request->thresholds && !parse_thresholds(request->thresholds, results))
        return REFUSE("--threshold takes H or A..B with 0 ≤ A ≤ B ≤ 4096, not %s%s", request->thresholds,
                      fp_parse_real(request->thresholds, &similarity) && similarity > 0 && similarity < 1
                          ? "; it is a distance, and the answer of eval shows the similarity that corresponds to it"
                          : "");
    if (request->buckets &&
        !fp_read_ascending(request->buckets, FP_EVAL_BUCKETS, request->bounds, &request->bound_count))
        return REFUSE("--buckets takes ascending lengths such as 50,100,200, not %s", request->buckets);
    if (request->buckets && (!request->by || strcmp(request->by, "length") != 0))
        return REFUSE("--buckets goes with --by length");
    results->level = (fp_level)level;
    results->inference = &request->questions.inference;
    request->divided = (fp_strata_choice){request->by, request->bounds, request->bound_count};
    bool by_length = request->by && strcmp(request->by, "length") == 0 && level != FP_LEVEL_DOCUMENT;
    request->questions = (fp_questions){.level = (fp_level)level,
                                        .by = request->by ? &request->divided : NULL,
                                        .edits = by_length && request->every_table,
                                        .saved = request->every_table,
                                        .asked = request->asked};
    FP_TRY(read_inference(request, error));
    for (size_t i = 0; fp_analyses[i]; i++) FP_TRY(ask(request, i, arena, error));
    FP_TRY(parse_negatives(request, error));
    FP_TRY(parse_stated(request, arena, error));
    return parse_measures(request, error);
}

/* ---- Preparation ---- */

fp_status fp_eval_settle(fp_eval_request *request, fp_arm *const *arms, size_t count, size_t corpora, fp_arena *arena,
                         fp_error *error) {
    fp_inference_options *inference = &request->questions.inference;
    fp_results *results = &request->results;
    fp_error why = {0};
    double largest = 0;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, ceil(fp_arm_layout(arms[i])->maximum));
    if (!request->thresholds)
        results->last_threshold = (int64_t)fmax(fmin(largest, WHOLE_SCALE), (double)results->last_threshold);
    if (request->thresholds && (double)results->last_threshold > largest)
        return REFUSE("--threshold %s: distances of these arms go up to %.0f", request->thresholds, largest);
    if (!request->thresholds) results->last_shown = SHOWN;
    inference->threshold_count = (size_t)(results->last_threshold - results->first_threshold) + 1;
    for (size_t i = 0; i < inference->threshold_count; i++)
        request->threshold_list[i] = (double)(results->first_threshold + (int64_t)i);
    if (request->compare && fp_measure_parse(request->compare, request->threshold_list, inference->threshold_count,
                                             inference->prevalence, &inference->compared, &why) != FP_OK)
        return fp_fail(error, why.code, "--compare: %s", why.message);
    if (request->compare_at && request->stated_count != 1 && request->stated_count != count)
        return REFUSE("--compare-at takes one threshold for all arms or one for each: %zu are given for %zu arms",
                      request->stated_count, count);
    for (size_t i = 0; i < request->questions.asked_count; i++)
        for (size_t k = 0; k < count; k++)
            if (request->asked[i].analysis->fits)
                FP_TRY(request->asked[i].analysis->fits(request->asked[i].settings, arms[k], error));
    return fp_findings_open(&request->questions, corpora, request->choice_count > 0, arena, &request->findings, error);
}

/* ---- A corpus ---- */

static void note(const fp_eval_request *request, fp_arena *arena, const char *format, const char *name,
                 unsigned long long count) {
    const char *line = request->note ? fp_format(arena, format, name, count) : NULL;
    if (line) request->note(request->context, line);
}

static fp_status too_many(const fp_corpus *corpus, const char *option, fp_error *error) {
    return fp_fail(error, FP_ERROR_RANGE,
                   "%s: %s needs labelled pairs, and this corpus has groups, of too many documents to list all pairs",
                   corpus->name, option);
}

/* Makes the corpus view that is evaluated, and refuses options that do not fit. Lists of pairs are not sampled. With no
 * more negatives than requested, all are counted. */
static fp_status view_corpus(fp_eval_request *request, const fp_corpus *corpus, fp_arena *arena, fp_corpus *view,
                             fp_error *error) {
    uint64_t asked = request->questions.negatives, drawn;
    char option[64];
    fp_strata strata;
    if (asked && corpus->truth != FP_TRUTH_GROUPS)
        return fp_fail(error, FP_ERROR_RANGE,
                       "%s: --negatives samples from all pairs of groups, and this corpus has a list of labelled pairs",
                       corpus->name);
    FP_TRY(fp_corpus_view_draws(corpus, asked, &drawn, error));
    FP_TRY(fp_corpus_view_evaluated(corpus, asked, arena, view, error));
    if (asked && !drawn)
        note(request, arena, "%s has only %llu non-duplicate pairs: all are counted, as without --negatives",
             corpus->name, asked);
    fp_level level = request->questions.level;
    snprintf(option, sizeof option, "--level %s", fp_level_describe(level)->name);
    if (!fp_outcome_has_level(view, level)) return too_many(view, option, error);
    const char *needs = option_needing(request, FP_NEEDS_LIST);
    snprintf(option, sizeof option, "--%s", needs ? needs : "");
    if (needs && view->truth != FP_TRUTH_PAIRS) return too_many(view, option, error);
    /* Refuses fields that no document has, and groups divided by anything but length. */
    if (!request->by) return FP_OK;
    return fp_strata_make(view, request->by, request->bounds, request->bound_count, arena, &strata, error);
}

/* Thresholds at which calls are compared: those of --compare-at, those of choices made on other texts, or none. Also
 * the thresholds of choices, whose arms are the last. */
static fp_status take_thresholds(fp_eval_request *request, const fp_corpus *corpus, fp_contestants *of, fp_arena *arena,
                                 fp_error *error) {
    size_t first = of->count - request->choice_count;
    fp_threshold_at *at = FP_NEED(fp_arena_alloc(arena, of->count, sizeof *at), error);
    double *own = FP_NEED(fp_arena_raw(arena, of->count, sizeof *own), error);
    for (size_t i = 0; i < of->count; i++) {
        const fp_choice *choice = i < first ? NULL : request->choices + (i - first);
        bool elsewhere = choice && strcmp(choice->documents_sha256, corpus->documents_sha256) != 0;
        own[i] = choice ? choice->threshold : NAN;
        if (request->compare_at)
            at[i] = (fp_threshold_at){FP_THRESHOLD_STATED, request->stated[request->stated_count == 1 ? 0 : i]};
        else if (elsewhere) at[i] = (fp_threshold_at){FP_THRESHOLD_CHOICE, choice->threshold};
        if (choice && !elsewhere && request->note) {
            const char *line =
                FP_NEED(fp_format(arena, "%s was chosen on the texts of %s: its figures here are not held out",
                                  choice->name, corpus->name),
                        error);
            if (line) request->note(request->context, line);
        }
    }
    if (request->compare_at && corpus->truth == FP_TRUTH_GROUPS && !fp_corpus_view_can_list(corpus))
        note(
            request, arena,
            "%s: --compare-at needs labelled pairs, and this corpus has groups, of too many documents to list all pairs: "
            "McNemar's test is NA",
            corpus->name, 0);
    of->judged = at;
    of->thresholds = own;
    return FP_OK;
}

/* Notes which measures are undefined without positives or without negatives. */
static void note_one_sided(const fp_eval_request *request, const fp_outcome *outcome, fp_arena *arena) {
    const fp_curve *curve = outcome->curves;
    if (curve->positives == 0)
        note(
            request, arena,
            "%s: there are no positives: recall, best F1, average precision and ROC area are NA, and F1 is 0 wherever a "
            "pair is called",
            outcome->corpus->name, 0);
    else if (curve->negatives == 0)
        note(request, arena,
             "%s: there are no negatives: precision is 1 wherever it is defined; specificity and ROC area are NA",
             outcome->corpus->name, 0);
    if (outcome->measurements->whole && !outcome->measurements->sample)
        note(request, arena, "%s: nothing was sampled: all pairs of these arms are counted, as without --negatives",
             outcome->corpus->name, 0);
}

fp_status fp_eval_corpus(fp_eval_request *request, const fp_corpus *read, fp_arm *const *arms, size_t count,
                         const fp_progress *progress, fp_arena *arena, fp_error *error) {
    fp_findings *findings = &request->findings;
    fp_contestants contestants = {.count = count, .arms = arms};
    fp_corpus *corpus = FP_NEED(fp_arena_alloc(arena, 1, sizeof *corpus), error);
    if (read->truth == FP_TRUTH_NONE)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labels, neither pairs nor groups", read->name);
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->outcomes[i].corpus->name, read->name) == 0)
            return fp_fail(error, FP_ERROR_DUPLICATE, "two corpora are called %s; rename one directory", read->name);
    FP_TRY(view_corpus(request, read, arena, corpus, error));
    FP_TRY(take_thresholds(request, read, &contestants, arena, error));
    FP_TRY(fp_findings_measure(findings, corpus, &contestants, progress, arena, error));
    const fp_outcome *outcome = findings->outcomes + findings->count - 1;
    if (request->measured) request->measured(request->context, outcome, arms);
    FP_TRY(fp_findings_analyse(findings, &contestants, progress, arena, error));
    note_one_sided(request, outcome, arena);
    return FP_OK;
}

fp_status fp_eval_end(fp_eval_request *request, fp_arena *arena, fp_error *error) {
    FP_TRY(fp_findings_rank(&request->findings, arena, error));
    request->results.outcomes = request->findings.outcomes;
    request->results.count = request->findings.count;
    return FP_OK;
}

/* ---- Tables ---- */

/* Pointers to the elements of list[count]. */
static const void *const *each_of(const void *list, size_t count, size_t size, fp_arena *arena) {
    const void **each = fp_arena_alloc(arena, count, sizeof *each);
    for (size_t i = 0; i < count; i++) each[i] = (const char *)list + i * size;
    return each;
}

fp_status fp_eval_tables(const fp_eval_request *request, fp_visit_table visit, void *context, fp_arena *arena,
                         fp_error *error) {
    const fp_results *results = &request->results;
    const fp_findings *found = &request->findings;
#define VISIT(file, table) FP_TRY(visit(context, fp_schemas[FP_FILE_##file].name, table, error))
#define VISIT_ROWS(file, list)                                        \
    VISIT(file, fp_results_rows(fp_schemas + FP_FILE_##file, results, \
                                each_of(list, results->count, sizeof *(list), arena), arena))
    VISIT_ROWS(ANSWER, found->best);
    VISIT_ROWS(RESULTS, found->outcomes);
    VISIT_ROWS(SUMMARY, found->outcomes);
    VISIT_ROWS(CURVES, found->outcomes);
    VISIT_ROWS(HISTOGRAMS, found->outcomes);
    VISIT_ROWS(INTERVALS, found->outcomes);
    VISIT_ROWS(DIFFERENCES, found->outcomes);
    if (fp_sources_any(results)) VISIT(SOURCES, fp_sources_table(results, arena));
    if (found->ranks) VISIT(RANKS, fp_results_ranks(results, found->ranks, arena));
    if (found->ranks) VISIT(SIGNED_RANKS, fp_results_rank_pairs(results, found->ranks, found->rank_pairs, arena));
    if (found->chosen) VISIT(CHOICES, fp_choice_results(found->chosen, found->count, request->choices, arena));
    if (found->strata) VISIT_ROWS(STRATA, found->strata);
    if (found->strata) VISIT_ROWS(STRATA_THRESHOLDS, found->strata);
    if (found->edits) VISIT_ROWS(EDITS, found->edits);
#undef VISIT_ROWS
#undef VISIT
    for (size_t i = 0; i < request->questions.asked_count; i++) {
        const void *const *of = fp_findings_of(found, i);
        for (const fp_schema *table = request->asked[i].analysis->tables; table->name; table++)
            FP_TRY(visit(context, table->name, fp_results_rows(table, results, of, arena), error));
    }
    return FP_OK;
}

/* ---- Tuning ---- */

const char *const fp_tune_usual_grid[] = {"simhash:bits=64|128,features=words|chars:2|chars:3,weight=tf|tfidf",
                                          "minhash:features=words|chars:2|chars:3|chars:5", "pinyin", NULL};

fp_status fp_tune_read(const fp_tune_request *from, fp_tune_options *how, fp_error *error) {
    fp_error why = {0};
    *how = (fp_tune_options){.objective = {.beta = 1, .min_precision = NAN}, .confidence = 0.95};
    if (from->beta && from->precision) return REFUSE("--beta and --min-precision exclude one another");
    if (from->beta && !fp_parse_real(from->beta, &how->objective.beta))
        return REFUSE("--beta takes a number, not %s", from->beta);
    if (from->precision &&
        (!fp_parse_real(from->precision, &how->objective.min_precision) || isnan(how->objective.min_precision)))
        return REFUSE("--min-precision takes a number above 0 and below 1, not %s", from->precision);
    if (fp_objective_check(&how->objective, &why) != FP_OK)
        return fp_fail(error, why.code, "%s: %s", from->precision ? "--min-precision" : "--beta", why.message);
    if (from->folds < FP_SPLIT_FEWEST_FOLDS || from->folds > FP_SPLIT_MOST_FOLDS)
        return REFUSE("--folds takes %d to %d, not %d", FP_SPLIT_FEWEST_FOLDS, FP_SPLIT_MOST_FOLDS, from->folds);
    FP_TRY(check_drawing(from->replicates, from->seed, error));
    FP_TRY(share("equivalence", from->equivalence, &how->margin, error));
    if (from->negatives < 1) return REFUSE("--negatives takes a count, not %d", from->negatives);
    bool given = from->replicates != FP_NOT_GIVEN;
    how->split = (fp_split_options){(size_t)from->folds, (uint64_t)from->seed, (size_t)from->negatives};
    how->replicates = given ? (size_t)from->replicates : FP_REPLICATES;
    how->most_replicates = given ? 0 : FP_REPLICATES_SETTLED;
    return FP_OK;
}
