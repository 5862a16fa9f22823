/* SPDX-License-Identifier: GPL-3.0-or-later
 * Evaluations as programs have them: what was found. */
#include <math.h>

#include "eval/evaluation/evaluation.h"

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
    return evaluation->outcome.curves[arm].best_threshold;
}

/* ---- Measures ---- */

/* NULL where it is not among those with intervals. */
static const fp_estimate *find_estimate(const fp_inference *from, size_t arm, fp_measure measure) {
    const fp_estimate *list = NULL;
    bool at_threshold = fp_measure_describe(measure.kind)->at_threshold;
    switch (measure.kind) {
    case FP_MEASURE_PRECISION: list = from->precision; break;
    case FP_MEASURE_RECALL: list = from->recall; break;
    case FP_MEASURE_F1: list = from->f1; break;
    case FP_MEASURE_SPECIFICITY: list = from->specificity; break;
    case FP_MEASURE_PRECISION_AT: list = from->precision_at; break;
    case FP_MEASURE_AVERAGE_PRECISION: list = from->average_precision; break;
    case FP_MEASURE_ROC_AREA: list = from->roc_area; break;
    case FP_MEASURE_BEST_F1: list = from->best_f1; break;
    case FP_MEASURE_NONE_PRECISION:
    case FP_MEASURE_NONE_F1:
    case FP_MEASURE_KINDS: break;
    }
    return list ? list + (at_threshold ? arm * from->threshold_count + measure.threshold : arm) : NULL;
}

/* Without an interval. */
static double value_of(const fp_evaluation *evaluation, size_t arm, fp_measure measure) {
    const fp_curve *curve = evaluation->outcome.curves + arm;
    switch (measure.kind) {
    case FP_MEASURE_AVERAGE_PRECISION: return curve->average_precision;
    case FP_MEASURE_ROC_AREA: return curve->roc_area;
    case FP_MEASURE_BEST_F1: return curve->best_f1;
    default:
        return fp_measure_of(measure,
                             fp_evaluation_counts(evaluation, arm, evaluation->inference.thresholds[measure.threshold]),
                             evaluation->inference.empty);
    }
}

fp_status fp_evaluation_measure(const fp_evaluation *evaluation, size_t arm, const char *measure, fp_result *result,
                                fp_error *error) {
    const fp_inference_options *options = &evaluation->inference;
    fp_measure asked;
    FP_TRY(
        fp_measure_parse(measure, options->thresholds, options->threshold_count, options->prevalence, &asked, error));
    const fp_estimate *estimate = find_estimate(evaluation->outcome.inference, arm, asked);
    *result = estimate ? (fp_result){estimate->value, estimate->interval.low, estimate->interval.high, estimate->error}
                       : (fp_result){value_of(evaluation, arm, asked), NAN, NAN, NAN};
    return FP_OK;
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
