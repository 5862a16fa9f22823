/* SPDX-License-Identifier: GPL-3.0-or-later
 * A measure with its interval: the spread, the replicates, and what becomes of them. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/measure_interval.h"
#include "eval/statistics/spread.h"

const char *fp_method_name(fp_method method) {
    static const char *const NAMES[] = {"mid-p", "clopper-pearson", "percentile", "bca"};
    return NAMES[method];
}

double fp_by_student(double freedom, double confidence) {
    double tail = (1 - confidence) / 2;
    if (!(freedom > 0)) return INFINITY;
    return isinf(freedom) ? 1 : gsl_cdf_tdist_Qinv(tail, freedom) / gsl_cdf_ugaussian_Qinv(tail);
}

/* ---- From replicates ---- */

void fp_replicates_draw(double *values, size_t count, double observed, const fp_dyadic *spread,
                        fp_replicates *replicates) {
    *replicates = (fp_replicates){.observed = observed, .drawn = values, .spread = *spread};
    double shrink = spread->resampled > 0 ? sqrt(spread->variance / spread->resampled) : 1;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) values[replicates->count++] = observed + shrink * (values[i] - observed);
    replicates->undefined = count - replicates->count;
}

fp_interval fp_replicates_interval(fp_replicates *from, fp_method method, double confidence) {
    double middle = from->observed, wider = fp_by_student(fp_dyadic_freedom(&from->spread), confidence);
    if (from->count == 0 || from->count < from->undefined || isnan(middle) || isinf(wider))
        return (fp_interval){NAN, NAN};
    gsl_sort(from->drawn, 1, from->count);
    fp_interval found = method == FP_METHOD_PERCENTILE
                            ? fp_bootstrap_percentile(from->drawn, from->count, confidence)
                            : fp_bootstrap_bca(from->drawn, from->count, middle, from->spread.acceleration, confidence);
    return (fp_interval){middle + wider * (found.low - middle), middle + wider * (found.high - middle)};
}

fp_interval fp_replicates_error(const fp_replicates *from, fp_method method, double confidence) {
    double wider = fp_by_student(fp_dyadic_freedom(&from->spread), confidence);
    if (from->count == 0 || from->count < from->undefined || isnan(from->observed) || isinf(wider))
        return (fp_interval){NAN, NAN};
    fp_interval found =
        method == FP_METHOD_PERCENTILE
            ? fp_bootstrap_percentile_error(from->drawn, from->count, confidence)
            : fp_bootstrap_bca_error(from->drawn, from->count, from->observed, from->spread.acceleration, confidence);
    return (fp_interval){wider * found.low, wider * found.high};
}

/* ---- All together ---- */

static fp_status draw(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                      fp_replicates *drawn, fp_seed_spread *seeds, fp_error *error) {
    size_t replicates = bootstrap->replicates;
    double *values = fp_arena_raw(scratch, replicates, sizeof *values);
    fp_influence influence;
    fp_dyadic spread;
    if (!values) return fp_no_memory(error);
    for (size_t i = 0; i < replicates; i++) values[i] = fp_bootstrap_value(bootstrap, i, arm, measure);
    double observed = fp_bootstrap_value(bootstrap, replicates, arm, measure);
    FP_TRY(fp_influence_of(bootstrap, arm, measure, scratch, &influence, error));
    FP_TRY(fp_spread_of(bootstrap, arm, &influence, fp_members_of_measure(measure), scratch, &spread, error));
    FP_TRY(fp_bootstrap_seeds(bootstrap, arm, measure, scratch, seeds, error));
    fp_dyadic_add_seeds(&spread, seeds);
    fp_replicates_draw(values, replicates, observed, &spread, drawn);
    return FP_OK;
}

/* Of a convention there is nothing to be sure of. */
static bool is_by_rule(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure) {
    if (!fp_measure_at_threshold(measure.row)) return false;
    bool any = false;
    for (size_t k = 0; k < fp_bootstrap_seed_count(bootstrap, arm) && !any; k++) {
        size_t lane = fp_bootstrap_lane(bootstrap, arm, k);
        fp_confusion counts = fp_bootstrap_counts(bootstrap, bootstrap->replicates, lane, measure.threshold);
        any = isnan(fp_measure_of(measure, counts, FP_EMPTY_NA)) &&
              !isnan(fp_measure_of(measure, counts, bootstrap->empty));
    }
    return any;
}

fp_status fp_bootstrap_estimate(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_method method,
                                double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    fp_replicates drawn;
    fp_seed_spread seeds;
    fp_arena_reset(scratch);
    FP_TRY(draw(bootstrap, arm, measure, scratch, &drawn, &seeds, error));
    bool defined = !isnan(drawn.observed);
    *estimate = (fp_estimate){.value = drawn.observed,
                              .interval = {NAN, NAN},
                              .method = method,
                              .error = defined ? sqrt(drawn.spread.variance) : NAN,
                              .trials = NAN,
                              .units = bootstrap->effective_units,
                              .few = defined && bootstrap->resample->unit != FP_SAMPLING_PAIR &&
                                     bootstrap->effective_units < FP_FEW_UNITS,
                              .undefined = drawn.undefined,
                              .seeds = seeds};
    if (!defined || is_by_rule(bootstrap, arm, measure)) return FP_OK;
    return fp_measure_interval(bootstrap, arm, measure, &drawn, confidence, scratch, estimate, error);
}
