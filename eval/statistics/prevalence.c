/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision against prevalence. */
#include "eval/statistics/prevalence.h"

#include "eval/statistics/two_rates.h"

fp_status fp_prevalence_check(double prevalence, fp_error *error) {
    if (prevalence > 0 && prevalence < 1) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "a prevalence lies between 0 and 1, both excluded, and is not %g",
                   prevalence);
}

fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error) {
    fp_method method = options->method;
    /* Of replicates, and of seeds, each has its own. */
    bool each = fp_method_draws(method) || fp_bootstrap_seed_count(bootstrap, arm) > 1;
    fp_rates of;
    if (!each) FP_TRY(fp_rates_find(bootstrap, arm, threshold, method, options->confidence, scratch, &of, error));
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
                fp_rates_carry(&of, prevalences[i], fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure));
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
