/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision at a prevalence from two rates. */
#include "eval/statistics/two_rates.h"

#include <math.h>

#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/spread.h"

static fp_status variance_of(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                             fp_arena *scratch, double *variance, fp_error *error) {
    fp_dyadic spread;
    FP_TRY(
        fp_spread_of(bootstrap, &(fp_spread_side){.arm = arm, .influence = *influence}, NULL, scratch, &spread, error));
    *variance = spread.variance;
    return FP_OK;
}

static fp_status correlate(const fp_bootstrap *bootstrap, size_t arm, fp_measure recall, fp_measure specificity,
                           fp_arena *scratch, double *correlation, fp_error *error) {
    fp_influence both, passes;
    double sum, hit, pass;
    FP_TRY(fp_influence_of(bootstrap, arm, recall, scratch, &both, error));
    FP_TRY(fp_influence_of(bootstrap, arm, specificity, scratch, &passes, error));
    FP_TRY(variance_of(bootstrap, arm, &both, scratch, &hit, error));
    FP_TRY(variance_of(bootstrap, arm, &passes, scratch, &pass, error));
    /* The influence on the false positive rate is that on specificity, negative; no pair has both. */
    both.by.fp = -passes.by.fp;
    both.by.tn = -passes.by.tn;
    FP_TRY(variance_of(bootstrap, arm, &both, scratch, &sum, error));
    if (hit * pass > 0) *correlation = fmax(-1, fmin(1, (sum - hit - pass) / 2 / sqrt(hit * pass)));
    return FP_OK;
}

fp_status fp_rates_find(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_method method,
                        double confidence, fp_arena *scratch, fp_rates *of, fp_error *error) {
    fp_measure recall = {.row = &fp_measure_recall, .threshold = threshold},
               specificity = {.row = &fp_measure_specificity, .threshold = threshold};
    of->correlation = 0;
    FP_TRY(fp_bootstrap_estimate(bootstrap, arm, recall, method, confidence, scratch, &of->recall, error));
    FP_TRY(fp_bootstrap_estimate(bootstrap, arm, specificity, method, confidence, scratch, &of->specificity, error));
    fp_bootstrap own = fp_bootstrap_own(bootstrap);
    bool any = !isnan(of->recall.value) && !isnan(of->specificity.value);
    if (!any || bootstrap->resample->unit == FP_SAMPLING_PAIR) return FP_OK;
    return correlate(&own, arm, recall, specificity, scratch, &of->correlation, error);
}

fp_estimate fp_rates_carry(const fp_rates *of, double prevalence, double value) {
    double tpr = of->recall.value, fpr = 1 - of->specificity.value;
    fp_interval hits = of->recall.interval,
                errors = {1 - of->specificity.interval.high, 1 - of->specificity.interval.low};
    fp_estimate estimate = {
        .value = value,
        .interval = {NAN, NAN},
        .method = of->recall.method,
        .error = fp_precision_at_error(tpr, of->recall.error, fpr, of->specificity.error, of->correlation, prevalence),
        .trials = NAN,
        .units = fmin(of->recall.units, of->specificity.units),
        .few = of->recall.few || of->specificity.few};
    if (tpr * prevalence + fpr * (1 - prevalence) > 0)
        estimate.interval = fp_precision_at_interval(tpr, hits, fpr, errors, of->correlation, prevalence);
    return estimate;
}

/* ---- Precision against prevalence ---- */

fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error) {
    fp_method method = options->method;
    bool each = fp_method_draws(method); /* each prevalence has an interval from its own replicates */
    fp_rates of;
    if (!each) FP_TRY(fp_rates_find(bootstrap, arm, threshold, method, options->confidence, scratch, &of, error));
    const double *prevalences = options->prevalences;
    for (size_t i = 0; i < options->count; i++) {
        fp_measure measure = {.row = &fp_measure_precision_at, .threshold = threshold, .parameter = prevalences[i]};
        points[i] = (fp_prevalence_point){.prevalence = prevalences[i]};
        if (each)
            FP_TRY(fp_bootstrap_estimate(bootstrap, arm, measure, method, options->confidence, scratch,
                                         &points[i].precision, error));
        else
            points[i].precision = fp_rates_carry(
                &of, prevalences[i], fp_bootstrap_lane_value(bootstrap, bootstrap->replicates, arm, measure));
    }
    return FP_OK;
}

size_t fp_prevalence_grid(double stated, double *grid) {
    static const double FACTOR[] = {1, 1.5, 2, 3, 5, 7};
    size_t count = 0;
    for (int power = 6; power > 0; power--) {
        double unit = 1;
        for (int i = 0; i < power; i++) unit *= 10;
        for (size_t f = 0; f < sizeof FACTOR / sizeof *FACTOR; f++) {
            double value = FACTOR[f] / unit; /* as a decimal literal */
            if (value > 0.5) continue;
            if (stated < value && (count == 0 || grid[count - 1] < stated)) grid[count++] = stated;
            grid[count++] = value;
        }
    }
    if (stated > grid[count - 1]) grid[count++] = stated;
    return count;
}
