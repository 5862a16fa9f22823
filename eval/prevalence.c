/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision against prevalence. */
#include "eval/prevalence.h"

#include <math.h>

fp_status fp_prevalence_check(double prevalence, fp_error *error) {
    if (prevalence > 0 && prevalence < 1) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "a prevalence lies between 0 and 1, both excluded, and is not %g",
                   prevalence);
}

fp_status fp_prevalence_curve(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, double low, double high,
                              size_t count, fp_method method, double confidence, fp_arena *scratch,
                              fp_prevalence_point *points, fp_error *error) {
    FP_TRY(fp_prevalence_check(low, error));
    FP_TRY(fp_prevalence_check(high, error));
    if (count < 2 || !(low < high))
        return fp_fail(error, FP_ERROR_RANGE, "a curve needs two points or more, from a lower to a higher prevalence");
    for (size_t i = 0; i < count; i++) {
        double share = (double)i / (double)(count - 1), prevalence = exp(log(low) * (1 - share) + log(high) * share);
        if (i == 0) prevalence = low;
        if (i == count - 1) prevalence = high;
        fp_figure figure = {FP_FIGURE_PRECISION_AT, threshold, prevalence};
        points[i].prevalence = prevalence;
        FP_TRY(fp_bootstrap_estimate(bootstrap, arm, figure, method, confidence, scratch, &points[i].precision, error));
    }
    return FP_OK;
}

double fp_prevalence_for(double tpr, double fpr, double precision) {
    if (isnan(tpr) || isnan(fpr) || !(precision > 0 && precision < 1)) return NAN;
    double sum = fpr * precision + tpr * (1 - precision);
    return sum > 0 ? fpr * precision / sum : NAN;
}
