/* SPDX-License-Identifier: GPL-3.0-or-later
 * From a corpus and arms to measures and intervals. */
#include "eval/evaluation/outcome.h"

#include <math.h>
#include <string.h>

#include "eval/evaluation/levels.h"
#include "eval/statistics/measure_interval.h"

bool fp_outcome_has_level(const fp_corpus *corpus, fp_level level) {
    return level == FP_LEVEL_PAIR || corpus->truth == FP_TRUTH_PAIRS;
}

/* ---- Measuring ---- */

/* Replaces the measurements of pairs by those of documents. */
static fp_status read_documents(fp_outcome *outcome, fp_arena *arena, fp_error *error) {
    fp_corpus *view = FP_NEED(fp_arena_alloc(arena, 1, sizeof *view), error);
    fp_members members;
    FP_TRY(fp_corpus_view_documents(outcome->corpus, arena, view, &members, error));
    for (size_t i = 0; i < outcome->lane_count; i++) {
        fp_measurement *own = outcome->measurements + i, of_pairs = *own;
        *own = (fp_measurement){0};
        fp_status status = fp_corpus_view_measurement(outcome->corpus, &members, &of_pairs, arena, own, error);
        fp_measurement_free(&of_pairs);
        FP_TRY(status);
    }
    outcome->corpus = view;
    return FP_OK;
}

/* Brings the measurements to the level, and makes the curves. */
static fp_status complete(fp_outcome *outcome, fp_level level, fp_arena *arena, fp_error *error) {
    if (level == FP_LEVEL_DOCUMENT) FP_TRY(read_documents(outcome, arena, error));
    fp_curve *curves = FP_NEED(fp_arena_alloc(arena, outcome->lane_count, sizeof *curves), error);
    for (size_t i = 0; i < outcome->lane_count; i++)
        FP_TRY(fp_curve_make(&outcome->measurements[i].histogram, arena, curves + i, error));
    outcome->curves = curves;
    return FP_OK;
}

/* Measures the lanes that have an arm side by side, and after them the counterparts that are not among the arms; moves
 * each to its position, and counts the given distances of the other lanes. */
static fp_status measure_lanes(const fp_stage *stage, fp_arm *const *lanes, const fp_counterparts *exact,
                               const double *const *distances, fp_arena *arena, fp_outcome *outcome, fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    size_t armed = 0, count = outcome->lane_count;
    fp_measurement *measurements = outcome->measurements;
    fp_arm **all = FP_NEED(fp_arena_alloc(arena, count + exact->further_count, sizeof *all), error);
    for (size_t i = 0; i < count; i++)
        if (lanes[i]) all[armed++] = lanes[i];
    for (size_t i = 0; i < exact->further_count; i++) all[armed + i] = exact->arms[i];
    if (armed) FP_TRY(fp_experiment_staged(stage, all, armed + exact->further_count, arena, measurements, error));
    for (size_t i = count; i-- > armed;) measurements[i] = (fp_measurement){0};
    for (size_t i = count; i-- > 0;) {
        if (lanes[i]) measurements[i] = measurements[--armed];
        else measurements[i] = (fp_measurement){.histogram.like = corpus->memory};
    }
    for (size_t i = 0; i < count; i++)
        if (!lanes[i])
            FP_TRY(fp_measurement_count(measurements + i, corpus->pairs, distances[i], corpus->pair_count, error));
    return FP_OK;
}

static fp_status measure(const fp_stage *stage, const fp_contest *of, const fp_seeded_arms *seeded, fp_arena *arena,
                         fp_outcome *outcome, fp_error *error) {
    size_t lanes = seeded->lane_count;
    fp_measurement *measurements =
        FP_NEED(fp_arena_alloc(arena, lanes + (of->exact ? of->count : 0), sizeof *measurements), error);
    fp_counterparts *counterparts = FP_NEED(fp_arena_alloc(arena, 1, sizeof *counterparts), error);
    outcome->measurements = measurements;
    if (of->exact) {
        /* First, so that fp_outcome_free releases the further measurements in any case. */
        FP_TRY(
            fp_counterparts_find(of->arms, of->count, measurements, measurements + lanes, arena, counterparts, error));
        outcome->counterparts = counterparts;
    }
    FP_TRY(measure_lanes(stage, seeded->lanes, counterparts, of->distances, arena, outcome, error));
    return complete(outcome, of->level, arena, error);
}

fp_status fp_outcome_measure(const fp_stage *stage, const fp_contest *of, fp_arena *arena, fp_outcome *outcome,
                             fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    fp_hash_seeds seeds = of->hash_seeds;
    fp_seeded_arms seeded;
    *outcome = (fp_outcome){0};
    if (!fp_outcome_has_level(corpus, of->level))
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs, which level %s needs", corpus->name,
                       fp_level_describe(of->level)->name);
    FP_TRY(fp_hash_seeds_for(corpus, &seeds, &seeds.count, error));
    FP_TRY(fp_seeded_arms_make(of->arms, of->count, &seeds, arena, &seeded, error));
    *outcome = (fp_outcome){.corpus = corpus,
                            .count = of->count,
                            .lane_count = seeded.lane_count,
                            .hash_seeds = seeds.count,
                            .further = seeded.further};
    fp_status status = measure(stage, of, &seeded, arena, outcome, error);
    if (status != FP_OK) fp_outcome_free(outcome);
    return status;
}

void fp_outcome_free(fp_outcome *outcome) {
    for (size_t lane = 0; outcome->measurements && lane < outcome->lane_count; lane++)
        fp_measurement_free(outcome->measurements + lane);
    if (outcome->counterparts) fp_counterparts_free(outcome->counterparts);
    *outcome = (fp_outcome){0};
}

/* ---- Intervals, bounds ---- */

fp_status fp_outcome_infer(fp_outcome *outcome, const fp_inference_options *options, const fp_progress *progress,
                           fp_arena *arena, fp_error *error) {
    fp_inference *inference = FP_NEED(fp_arena_alloc(arena, 1, sizeof *inference), error);
    fp_inference_options seeded = *options;
    outcome->inference = inference;
    seeded.further_seeds = outcome->further;
    FP_TRY(fp_inference_make(outcome->corpus, outcome->measurements, outcome->count, &seeded, progress, arena,
                             inference, error));
    inference->hash_seeds = outcome->hash_seeds;
    for (size_t arm = 0; arm < outcome->count; arm++)
        inference->hashed_count += outcome->measurements[arm].arm && outcome->measurements[arm].arm->seed;
    return FP_OK;
}

fp_status fp_outcome_bound(fp_outcome *outcome, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                           fp_error *error) {
    fp_bound *bounds = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *bounds), error);
    for (size_t i = 0; i < outcome->count; i++)
        FP_TRY(fp_bound_make(&outcome->measurements[i].arm->instance, outcome->counterparts->of_arm[i], outcome->corpus,
                             seed, progress, arena, bounds + i, error));
    outcome->bounds = bounds;
    return FP_OK;
}

/* ---- Arms at their own thresholds ---- */

static void take(const fp_inference *from, size_t arm, size_t threshold, fp_chosen_arm *chosen) {
    chosen->precision = fp_inference_of(from, &fp_measure_precision, arm)[threshold];
    chosen->recall = fp_inference_of(from, &fp_measure_recall, arm)[threshold];
    chosen->f1 = fp_inference_of(from, &fp_measure_f1, arm)[threshold];
}

static fp_status infer(const fp_outcome *outcome, const fp_inference_options *options, const fp_progress *progress,
                       fp_arena *arena, fp_chosen_arm *chosen, fp_error *error) {
    const fp_measurement *measurement = outcome->measurements + chosen->arm;
    size_t listed = fp_threshold_position(options->thresholds, options->threshold_count, chosen->threshold);
    fp_inference inference;
    chosen->counts = fp_confusion_at(&measurement->histogram, chosen->threshold);
    if (listed < options->threshold_count) return take(outcome->inference, chosen->arm, listed, chosen), FP_OK;
    fp_inference_options at = *options;
    at.thresholds = &chosen->threshold;
    at.threshold_count = 1;
    at.prevalence = 0;
    at.further_count = 0;
    at.further_seeds = NULL; /* the chosen arm has its own seed alone */
    FP_TRY(fp_inference_make(outcome->corpus, measurement, 1, &at, progress, arena, &inference, error));
    take(&inference, 0, 0, chosen);
    return FP_OK;
}

fp_status fp_chosen_outcome_make(const fp_outcome *outcome, const double *thresholds,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_chosen_outcome *out, fp_error *error) {
    fp_chosen_arm *arms = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *arms), error);
    fp_progress quiet = fp_progress_quiet(progress);
    size_t count = 0;
    for (size_t arm = 0; arm < outcome->count; arm++) {
        if (isnan(thresholds[arm])) continue;
        arms[count] = (fp_chosen_arm){.arm = arm, .threshold = thresholds[arm]};
        FP_TRY(infer(outcome, options, &quiet, arena, arms + count++, error));
    }
    *out = (fp_chosen_outcome){outcome, count, arms};
    return FP_OK;
}

static double best_listed(const fp_histogram *histogram, const fp_inference_options *options) {
    double best = NAN, most = 0;
    for (size_t i = 0; i < options->threshold_count; i++) {
        double f1 = fp_f1(fp_confusion_at(histogram, options->thresholds[i]));
        if (f1 > most) most = f1, best = options->thresholds[i];
    }
    return best;
}

fp_status fp_best_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                               const fp_progress *progress, fp_arena *arena, fp_chosen_outcome *out, fp_error *error) {
    double *best = FP_NEED(fp_arena_raw(arena, outcome->count, sizeof *best), error);
    for (size_t arm = 0; arm < outcome->count; arm++) {
        best[arm] = outcome->curves[arm].best_threshold;
        if (!fp_arm_layout(outcome->measurements[arm].arm)->integral) best[arm] = ceil(best[arm] * 100) / 100;
        if (outcome->inference->counted) best[arm] = best_listed(&outcome->measurements[arm].histogram, options);
    }
    return fp_chosen_outcome_make(outcome, best, options, progress, arena, out, error);
}

/* ---- Means over seeds ---- */

double fp_seeds_curve_mean(const fp_outcome *outcome, size_t arm, size_t offset) {
    double value, sum = 0;
    size_t defined = 0;
    for (size_t k = 0; k < fp_seed_count(outcome->further, arm); k++) {
        memcpy(&value, (const char *)(outcome->curves + fp_seed_lane(outcome->further, arm, k)) + offset, sizeof value);
        if (!isnan(value)) sum += value, defined++;
    }
    return defined ? sum / (double)defined : NAN;
}
