/* SPDX-License-Identifier: GPL-3.0-or-later
 * The best threshold of every replicate. */
#include "eval/statistics/best_threshold.h"

#include <gsl/gsl_sort.h>
#include <math.h>

static fp_interval percentile(double *values, size_t count, double confidence) {
    double tail = (1 - confidence) / 2, last = (double)(count - 1);
    gsl_sort(values, 1, count);
    return (fp_interval){values[(size_t)floor(tail * last)], values[(size_t)ceil((1 - tail) * last)]};
}

fp_status fp_best_threshold(const fp_bootstrap *bootstrap, size_t arm, double confidence, fp_arena *scratch,
                            fp_estimate *estimate, fp_error *error) {
    fp_measure best_threshold = {.row = &fp_measure_best_threshold};
    fp_arena_reset(scratch);
    *estimate = (fp_estimate){.value = fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, best_threshold),
                              .interval = {NAN, NAN},
                              .method = FP_METHOD_PERCENTILE,
                              .error = NAN,
                              .trials = NAN,
                              .units = NAN};
    size_t seeds = fp_bootstrap_seed_count(bootstrap, arm), all = bootstrap->replicates * seeds, count = 0;
    double *values = fp_arena_raw(scratch, all, sizeof *values);
    if (!values) return fp_no_memory(error);
    FP_TRY(fp_bootstrap_seeds(bootstrap, arm, best_threshold, scratch, &estimate->seeds, error));
    for (size_t i = 0; i < all; i++) {
        double best =
            fp_bootstrap_lane_value(bootstrap, i / seeds, fp_bootstrap_lane(bootstrap, arm, i % seeds), best_threshold);
        if (!isnan(best)) values[count++] = best;
    }
    estimate->undefined = all - count;
    if (!isnan(estimate->value) && count > 0 && count >= estimate->undefined)
        estimate->interval = percentile(values, count, confidence);
    return FP_OK;
}

fp_status fp_thresholds_merge(const double *list, size_t count, const double *further, size_t further_count,
                              fp_arena *arena, double **merged, size_t *merged_count, fp_error *error) {
    double *all = further_count <= SIZE_MAX - count ? fp_arena_raw(arena, count + further_count, sizeof *all) : NULL;
    if (!all) return fp_no_memory(error);
    size_t used = 0, kept = 0;
    for (size_t i = 0; i < count; i++) all[used++] = list[i];
    for (size_t i = 0; i < further_count; i++)
        if (!isnan(further[i])) all[used++] = further[i];
    gsl_sort(all, 1, used);
    for (size_t i = 0; i < used; i++)
        if (i == 0 || all[i] != all[kept - 1]) all[kept++] = all[i];
    *merged = all;
    *merged_count = kept;
    return FP_OK;
}

size_t fp_threshold_position(const double *list, size_t count, double threshold) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == threshold) return i;
    return count;
}
