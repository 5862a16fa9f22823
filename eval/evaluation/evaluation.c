/* SPDX-License-Identifier: GPL-3.0-or-later
 * Evaluations for the programming interface: entrants and the run. */
#include "eval/evaluation/evaluation.h"

#include <math.h>
#include <string.h>

#include "corpora/scores.h"
#include "eval/evaluation/levels.h"
#include "eval/evaluation/counting.h"
#include "eval/evaluation/outcome.h"

/* ---- The options of an evaluation, checked ---- */

static fp_status take_choices(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    if (from->level > FP_LEVEL_DOCUMENT || from->interval > FP_METHOD_BCA || from->empty > FP_EMPTY_ONE)
        return fp_fail(error, FP_ERROR_RANGE, "level %d, interval %d and empty %d are not all choices of fplab/eval.h",
                       (int)from->level, (int)from->interval, (int)from->empty);
    to->level = from->level;
    to->inference.method = from->interval;
    to->inference.empty = from->empty;
    return FP_OK;
}

/* ---- Numbers ---- */

static fp_status take_thresholds(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    enum { USUAL = 10 };
    size_t count = from->thresholds ? from->threshold_count : USUAL;
    double *thresholds = FP_NEED(fp_arena_raw(to->arena, count, sizeof *thresholds), error);
    if (count == 0) return fp_fail(error, FP_ERROR_RANGE, "no threshold is given");
    for (size_t i = 0; i < count; i++) {
        thresholds[i] = from->thresholds ? from->thresholds[i] : (double)(i + 1);
        if (!(thresholds[i] >= 0) || isinf(thresholds[i]) || (i && !(thresholds[i] > thresholds[i - 1])))
            return fp_fail(error, FP_ERROR_RANGE, "threshold %zu is %g; thresholds are 0 or more, and ascend", i,
                           thresholds[i]);
    }
    to->inference.thresholds = thresholds;
    to->inference.threshold_count = count;
    return FP_OK;
}

static fp_status take_numbers(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    fp_inference_options *inference = &to->inference;
    inference->confidence = from->confidence == 0 ? 0.95 : from->confidence;
    inference->prevalence = from->prevalence;
    inference->replicates = from->replicates ? from->replicates : FP_REPLICATES;
    inference->seed = from->seed ? *from->seed : 0;
    inference->hash_seeds.count = from->hash_seeds;
    to->negatives = from->negatives;
    to->progress = from->progress;
    if (!(inference->confidence > 0 && inference->confidence < 1))
        return fp_fail(error, FP_ERROR_RANGE, "confidence is %g; it lies between 0 and 1", inference->confidence);
    if (!(inference->prevalence >= 0 && inference->prevalence < 1))
        return fp_fail(error, FP_ERROR_RANGE, "prevalence is %g; it lies between 0 and 1", inference->prevalence);
    if (inference->replicates < FP_REPLICATES_FEWEST || inference->replicates > FP_REPLICATES_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "%zu replicates are not %d to %d", inference->replicates,
                       FP_REPLICATES_FEWEST, FP_REPLICATES_MOST);
    return FP_OK;
}

/* ---- Measures ---- */

static fp_status take_measures(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    fp_inference_options *inference = &to->inference;
    fp_measure *further = FP_NEED(fp_arena_alloc(to->arena, from->measure_count, sizeof *further), error);
    for (size_t i = 0; i < from->measure_count; i++)
        FP_TRY(fp_measure_find(from->measures[i], inference->prevalence, further + i, error));
    inference->further = further;
    inference->further_count = from->measure_count;
    if (!from->compared) return FP_OK;
    return fp_measure_parse(from->compared, inference->thresholds, inference->threshold_count, inference->prevalence,
                            &inference->compared, error);
}

/* Sets level, inference and progress of an evaluation whose arena is there. Errors as of fp_evaluation_open. */
static fp_status take_options(const fp_evaluation_options *options, fp_evaluation *evaluation, fp_error *error) {
    fp_evaluation_options own;
    FP_TRY(fp_sized_copy(&own, sizeof own, options, "fp_evaluation_options", error));
    FP_TRY(take_choices(&own, evaluation, error));
    FP_TRY(take_thresholds(&own, evaluation, error));
    FP_TRY(take_numbers(&own, evaluation, error));
    return take_measures(&own, evaluation, error);
}

/* ---- Begin and end ---- */

static fp_status open_in(const fp_corpus *corpus, const fp_evaluation_options *options, fp_evaluation *evaluation,
                         fp_error *error) {
    FP_TRY(take_options(options, evaluation, error));
    if (corpus->truth == FP_TRUTH_NONE)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labels: neither pairs nor groups", corpus->name);
    if (evaluation->negatives && corpus->truth != FP_TRUTH_GROUPS)
        return fp_fail(error, FP_ERROR_RANGE,
                       "%s has a list of labelled pairs: there are no other pairs to sample negatives from",
                       corpus->name);
    FP_TRY(fp_corpus_view_evaluated(corpus, evaluation->negatives, evaluation->arena, &evaluation->corpus, error));
    if (!fp_outcome_has_level(&evaluation->corpus, evaluation->level))
        return fp_fail(error, FP_ERROR_RANGE,
                       "%s has groups, of too many documents to list all pairs: level %s needs them", corpus->name,
                       fp_level_describe(evaluation->level)->name);
    return FP_OK;
}

fp_status fp_evaluation_open(const fp_corpus *corpus, const fp_evaluation_options *options, fp_evaluation **evaluation,
                             fp_error *error) {
    fp_arena *arena = fp_arena_new_like(corpus->memory);
    fp_evaluation *made = arena ? fp_arena_alloc(arena, 1, sizeof *made) : NULL;
    *evaluation = NULL;
    if (made) made->arena = arena;
    fp_status status = made ? open_in(corpus, options, made, error) : fp_no_memory(error);
    if (status == FP_OK) *evaluation = made;
    else fp_arena_free(arena);
    return status;
}

void fp_evaluation_close(fp_evaluation *evaluation) {
    if (!evaluation) return;
    fp_outcome_free(&evaluation->outcome);
    fp_arena_free(evaluation->arena);
}

const fp_pair *fp_evaluation_pairs(const fp_evaluation *evaluation, size_t *count) {
    *count = evaluation->corpus.truth == FP_TRUTH_PAIRS ? evaluation->corpus.pair_count : 0;
    return *count ? evaluation->corpus.pairs : NULL;
}

/* ---- Entrants ---- */

static fp_status add(fp_evaluation *to, const char *name, fp_arm *arm, const double *distances, fp_error *error) {
    const char *own = FP_NEED(fp_string_copy(to->arena, fp_string_of(name)), error);
    if (to->has_run) return fp_fail(error, FP_ERROR_RANGE, "the evaluation has run: add arms and corpora before it");
    for (size_t i = 0; i < to->count; i++)
        if (strcmp(to->entrants[i].name, name) == 0)
            return fp_fail(error, FP_ERROR_DUPLICATE, "two arms are called \"%s\"", name);
    FP_TRY(FP_ROOM(to->arena, to->entrants, to->count, to->room, error));
    to->entrants[to->count++] = (fp_entrant){own, arm, distances};
    return FP_OK;
}

fp_status fp_evaluation_add_arm(fp_evaluation *evaluation, const char *spec, const fp_extensions *extensions,
                                fp_error *error) {
    fp_arm *arm;
    if (!fp_corpus_has_texts(&evaluation->corpus))
        return fp_fail(error, FP_ERROR_EMPTY, "%s has pairs alone, and no texts", evaluation->corpus.name);
    FP_TRY(fp_arm_parse(spec, extensions, evaluation->arena, &arm, error));
    return add(evaluation, fp_arm_name(arm), arm, NULL, error);
}

static fp_status need_pairs(const fp_evaluation *evaluation, fp_error *error) {
    if (evaluation->corpus.truth == FP_TRUTH_PAIRS) return FP_OK;
    return fp_fail(error, FP_ERROR_EMPTY,
                   "%s has groups, of too many documents to list all pairs: there are none to have distances",
                   evaluation->corpus.name);
}

static fp_status check_distances(const fp_corpus *corpus, const double *distances, fp_error *error) {
    for (size_t i = 0; i < corpus->pair_count; i++) {
        if (distances[i] >= 0 && !isinf(distances[i])) continue;
        fp_string a = corpus->documents[corpus->pairs[i].a].id, b = corpus->documents[corpus->pairs[i].b].id;
        return fp_fail(error, FP_ERROR_RANGE, "the distance of pair %zu, %.*s and %.*s, is %g", i, (int)a.length,
                       a.data, (int)b.length, b.data, distances[i]);
    }
    return FP_OK;
}

fp_status fp_evaluation_add_distances(fp_evaluation *evaluation, const char *name, const double *distances,
                                      fp_error *error) {
    size_t count = evaluation->corpus.pair_count;
    FP_TRY(need_pairs(evaluation, error));
    FP_TRY(check_distances(&evaluation->corpus, distances, error));
    double *own = FP_NEED(fp_arena_raw(evaluation->arena, count, sizeof *own), error);
    memcpy(own, distances, count * sizeof *own);
    return add(evaluation, name, NULL, own, error);
}

/* ---- Distances of a file ---- */

fp_status fp_evaluation_add_scores(fp_evaluation *evaluation, const char *name, const char *file,
                                   fp_score_reading *reading, fp_error *error) {
    fp_score_reading own;
    double *distances;
    FP_TRY(need_pairs(evaluation, error));
    FP_TRY(fp_sized_copy(&own, sizeof own, reading, "fp_score_reading", error));
    if (!(own.missing >= 0) || isinf(own.missing))
        return fp_fail(error, FP_ERROR_RANGE, "the distance of pairs without one is %g", own.missing);
    fp_status status = fp_scores_read(file, &evaluation->corpus, &own, evaluation->arena, &distances, error);
    if (reading) memcpy(reading, &own, own.size < sizeof own ? own.size : sizeof own);
    return status == FP_OK ? add(evaluation, name, NULL, distances, error) : status;
}

/* ---- The run ---- */

static fp_status measure(fp_evaluation *evaluation, fp_error *error) {
    const fp_corpus *corpus = &evaluation->corpus;
    size_t count = evaluation->count;
    fp_arm **arms = FP_NEED(fp_arena_alloc(evaluation->arena, count, sizeof(fp_arm *)), error);
    const double **distances = FP_NEED(fp_arena_alloc(evaluation->arena, count, sizeof *distances), error);
    for (size_t i = 0; i < count; i++) {
        arms[i] = evaluation->entrants[i].arm;
        distances[i] = evaluation->entrants[i].distances;
    }
    fp_stage stage = {.corpus = corpus,
                      .progress = &evaluation->progress,
                      .near_most = fp_counting_near(corpus, count),
                      .seed = evaluation->inference.seed};
    fp_contest contest = {count, arms, distances, evaluation->inference.hash_seeds, evaluation->level, false};
    FP_TRY(fp_corpus_view_draws(corpus, evaluation->negatives, &stage.negatives, error));
    return fp_outcome_measure(&stage, &contest, evaluation->arena, &evaluation->outcome, error);
}

fp_status fp_evaluation_run(fp_evaluation *evaluation, fp_error *error) {
    if (evaluation->count == 0) return fp_fail(error, FP_ERROR_EMPTY, "nothing was added to be evaluated");
    if (evaluation->has_run) return fp_fail(error, FP_ERROR_RANGE, "the evaluation has run");
    evaluation->has_run = true;
    FP_TRY(measure(evaluation, error));
    FP_TRY(fp_outcome_infer(&evaluation->outcome, &evaluation->inference, &evaluation->progress, evaluation->arena,
                            error));
    evaluation->described = fp_inference_describe(evaluation->outcome.inference, evaluation->arena);
    return evaluation->described ? FP_OK : fp_no_memory(error);
}

/* ---- Results ---- */

size_t fp_evaluation_arm_count(const fp_evaluation *evaluation) { return evaluation->count; }

const char *fp_evaluation_arm_name(const fp_evaluation *evaluation, size_t arm) {
    return evaluation->entrants[arm].name;
}

const double *fp_evaluation_thresholds(const fp_evaluation *evaluation, size_t *count) {
    *count = evaluation->inference.threshold_count;
    return evaluation->inference.thresholds;
}

fp_confusion fp_evaluation_counts(const fp_evaluation *evaluation, size_t arm, double threshold) {
    return fp_confusion_at(&evaluation->outcome.measurements[arm].histogram, threshold);
}

const fp_point *fp_evaluation_curve(const fp_evaluation *evaluation, size_t arm, size_t *count) {
    *count = evaluation->outcome.curves[arm].count;
    return evaluation->outcome.curves[arm].points;
}

double fp_evaluation_best_threshold(const fp_evaluation *evaluation, size_t arm) {
    return evaluation->outcome.curves[arm].best_threshold;
}

/* ---- Measures ---- */

/* NULL if the measure has no interval. */
static const fp_estimate *find_estimate(const fp_inference *from, size_t arm, fp_measure measure) {
    for (size_t i = 0; i < from->measure_count; i++)
        if (fp_measure_same(&from->measures[i].measure, &measure))
            return fp_inference_at(from, i, arm) + measure.threshold;
    return NULL;
}

/* Without an interval. */
static fp_status find_value(const fp_evaluation *evaluation, size_t arm, fp_measure measure, double *value,
                            fp_error *error) {
    const fp_outcome *outcome = &evaluation->outcome;
    const fp_inference_options *options = &evaluation->inference;
    double sum = 0, own;
    size_t defined = 0;
    if (fp_measure_at_threshold(measure.row)) {
        fp_confusion counts =
            fp_confusion_at(&outcome->measurements[arm].histogram, options->thresholds[measure.threshold]);
        *value = fp_measure_of(measure, counts, options->empty);
        return FP_OK;
    }
    for (size_t k = 0; k < fp_seed_count(outcome->further, arm); k++) {
        const fp_histogram *histogram = &outcome->measurements[fp_seed_lane(outcome->further, arm, k)].histogram;
        FP_TRY(fp_measure_of_histogram(measure, histogram, &own, error));
        if (isnan(own)) continue;
        sum += own;
        defined++;
    }
    *value = defined ? sum / (double)defined : NAN;
    return FP_OK;
}

fp_status fp_evaluation_measure(const fp_evaluation *evaluation, size_t arm, const char *measure, fp_result *result,
                                fp_error *error) {
    const fp_inference_options *options = &evaluation->inference;
    fp_measure asked;
    FP_TRY(
        fp_measure_parse(measure, options->thresholds, options->threshold_count, options->prevalence, &asked, error));
    const fp_estimate *estimate = find_estimate(evaluation->outcome.inference, arm, asked);
    if (estimate) {
        *result = (fp_result){estimate->value, estimate->interval.low, estimate->interval.high, estimate->error};
        return FP_OK;
    }
    *result = (fp_result){NAN, NAN, NAN, NAN};
    return find_value(evaluation, arm, asked, &result->value, error);
}

/* ---- Differences ---- */

fp_compared fp_evaluation_difference(const fp_evaluation *evaluation, size_t first, size_t second) {
    const fp_inference *inference = evaluation->outcome.inference;
    for (size_t i = 0; i < inference->comparison_count; i++) {
        const fp_comparison *pair = inference->comparisons + i;
        const fp_difference *of = &pair->difference;
        if (pair->first == first && pair->second == second)
            return (fp_compared){of->value, of->interval.low, of->interval.high, of->p, pair->adjusted};
        if (pair->first == second && pair->second == first)
            return (fp_compared){-of->value, -of->interval.high, -of->interval.low, of->p, pair->adjusted};
    }
    return (fp_compared){NAN, NAN, NAN, NAN, NAN};
}

/* ---- Remarks on the results ---- */

const char *fp_evaluation_describe(const fp_evaluation *evaluation) { return evaluation->described; }

const char *fp_evaluation_caution(const fp_evaluation *evaluation, size_t arm) {
    const fp_arm *own = evaluation->entrants[arm].arm;
    return own ? fp_arm_caution(own) : NULL;
}

size_t fp_evaluation_empty(const fp_evaluation *evaluation, size_t arm) {
    return evaluation->outcome.measurements[arm].empty_count;
}
