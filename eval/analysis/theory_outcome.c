/* SPDX-License-Identifier: GPL-3.0-or-later
 * Laws beside measurements. */
#include "eval/analysis/theory_outcome.h"

#include <math.h>

static fp_status trace_law(const fp_instance *instance, const fp_instance *exact, fp_arena *arena, fp_theory_arm *out,
                           fp_error *error) {
    enum { POINTS = 60 };
    const fp_theory *theory = &out->theory;
    double low = theory->bins[0].low, high = theory->bins[theory->bin_count - 1].high;
    fp_theory_point *points = fp_arena_raw(arena, POINTS + 1, sizeof *points);
    if (!points) return fp_no_memory(error);
    for (int i = 0; i <= POINTS; i++) {
        double similarity = exact->algorithm->similarity(exact, exact->layout.maximum * (POINTS - i) / POINTS);
        if (similarity < low - 1e-9 || similarity > high + 1e-9) continue;
        fp_moments law = fp_theory_moments(instance, fmax(-1, fmin(1, similarity)));
        points[out->point_count++] = (fp_theory_point){similarity, law.mean, sqrt(law.variance)};
    }
    out->points = points;
    return FP_OK;
}

static fp_status make_arm(const fp_outcome *outcome, const fp_inference_options *options, size_t index,
                          const fp_progress *progress, fp_arena *arena, fp_theory_arm *out, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    const fp_measurement *measurement = outcome->measurements + index, *exact = outcome->counterparts->of_arm[index];
    const fp_instance *instance = &measurement->arm->instance;
    out->lack = corpus->truth != FP_TRUTH_PAIRS ? FP_THEORY_GROUPS
                : !instance->algorithm->law     ? FP_THEORY_NO_LAW
                : !exact                        ? FP_THEORY_NO_COUNTERPART
                                                : FP_THEORY_COMPLETE;
    if (out->lack != FP_THEORY_COMPLETE) return FP_OK;
    out->counterpart = exact->arm;
    double *similarity = fp_arena_raw(arena, corpus->pair_count, sizeof *similarity);
    if (!similarity) return fp_no_memory(error);
    const fp_instance *measured = &exact->arm->instance;
    for (size_t i = 0; i < corpus->pair_count; i++)
        similarity[i] = fmax(-1, fmin(1, measured->algorithm->similarity(measured, exact->distances[i])));
    fp_theory_pairs pairs = {corpus->pair_count, corpus->pairs, measurement->distances, similarity,
                             &measurement->sketches};
    fp_theory_options testing = {options->confidence, options->replicates, options->seed};
    FP_TRY(fp_theory_make(instance, &pairs, &testing, progress, arena, &out->theory, error));
    return trace_law(instance, measured, arena, out, error);
}

fp_status fp_theory_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                 const fp_progress *progress, fp_arena *arena, fp_theory_outcome *theory,
                                 fp_error *error) {
    *theory = (fp_theory_outcome){outcome, fp_arena_alloc(arena, outcome->count, sizeof(fp_theory_arm))};
    if (!theory->arms) return fp_no_memory(error);
    for (size_t i = 0; i < outcome->count; i++)
        FP_TRY(make_arm(outcome, options, i, progress, arena, theory->arms + i, error));
    return FP_OK;
}
