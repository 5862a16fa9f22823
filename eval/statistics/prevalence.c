/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision against prevalence. */
#include "eval/statistics/prevalence.h"

#include <math.h>

#include "eval/statistics/measure_interval.h"
#include "eval/statistics/share_interval.h"
#include "eval/statistics/spread.h"

fp_status fp_prevalence_check(double prevalence, fp_error *error) {
    if (prevalence > 0 && prevalence < 1) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "a prevalence lies between 0 and 1, both excluded, and is not %g",
                   prevalence);
}

/* The two rates at a threshold with their limits, from which every prevalence follows. */
typedef struct rates {
    fp_estimate recall, specificity;
    double correlation; /* of recall and the false positive rate */
} rates;

static fp_status find_rates(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_method method,
                            double confidence, fp_arena *scratch, rates *of, fp_error *error) {
    fp_measure recall = {.row = &fp_measure_recall, .threshold = threshold},
               specificity = {.row = &fp_measure_specificity, .threshold = threshold};
    of->correlation = 0;
    FP_TRY(fp_bootstrap_estimate(bootstrap, arm, recall, method, confidence, scratch, &of->recall, error));
    FP_TRY(fp_bootstrap_estimate(bootstrap, arm, specificity, method, confidence, scratch, &of->specificity, error));
    bool any = !isnan(of->recall.value) && !isnan(of->specificity.value);
    return any ? fp_rates_correlation(bootstrap, arm, threshold, scratch, &of->correlation, error) : FP_OK;
}

/* `value`: by rule where nothing is called, and then without an interval. */
static fp_estimate carry(const rates *of, double prevalence, double value) {
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

fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error) {
    fp_method method = options->method;
    /* Of replicates, and of seeds, each has its own. */
    bool each = fp_method_draws(method) || fp_bootstrap_seed_count(bootstrap, arm) > 1;
    rates of;
    if (!each) FP_TRY(find_rates(bootstrap, arm, threshold, method, options->confidence, scratch, &of, error));
    const double *prevalences = options->prevalences;
    for (size_t i = 0; i < options->count; i++) {
        fp_measure measure = {.row = &fp_measure_precision_at, .threshold = threshold, .parameter = prevalences[i]};
        FP_TRY(fp_prevalence_check(prevalences[i], error));
        points[i] = (fp_prevalence_point){.prevalence = prevalences[i]};
        if (each)
            FP_TRY(fp_bootstrap_estimate(bootstrap, arm, measure, method, options->confidence, scratch,
                                         &points[i].precision, error));
        else
            points[i].precision =
                carry(&of, prevalences[i], fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure));
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
