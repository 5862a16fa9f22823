/* SPDX-License-Identifier: GPL-3.0-or-later
 * Evaluations as programs have them: what was found. */
#include <math.h>

#include "eval/evaluation/evaluation.h"
#include "eval/outcome/seeds.h"

size_t fp_evaluation_arm_count(const fp_evaluation *evaluation) { return evaluation->count; }

const char *fp_evaluation_arm_name(const fp_evaluation *evaluation, size_t arm) {
    return evaluation->entrants[arm]->name;
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
    return fp_seeds_curve_mean(&evaluation->outcome, arm, offsetof(fp_curve, best_threshold));
}

/* ---- Measures ---- */

/* NULL where it is not among those with intervals. */
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
    for (size_t k = 0; k < fp_seeds_count(outcome, arm); k++) {
        const fp_histogram *histogram = &outcome->measurements[fp_seeds_lane(outcome, arm, k)].histogram;
        if (!fp_measure_at_threshold(measure.row)) FP_TRY(fp_measure_of_histogram(measure, histogram, &own, error));
        else
            own = fp_measure_of(measure, fp_confusion_at(histogram, options->thresholds[measure.threshold]),
                                options->empty);
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

/* ---- What to know of them ---- */

const char *fp_evaluation_describe(const fp_evaluation *evaluation) { return evaluation->described; }

const char *fp_evaluation_caution(const fp_evaluation *evaluation, size_t arm) {
    const fp_arm *own = evaluation->entrants[arm]->arm;
    return own ? fp_arm_caution(own) : NULL;
}

size_t fp_evaluation_silent(const fp_evaluation *evaluation, size_t arm) {
    return evaluation->outcome.measurements[arm].silent_count;
}
