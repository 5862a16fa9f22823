/* SPDX-License-Identifier: GPL-3.0-or-later
 * Student's interval from the spread over units. */
#include "eval/statistics/mean_interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

fp_status fp_mean_of(const fp_resample *resample, const double *value, double confidence, fp_arena *scratch,
                     fp_mean *mean, fp_error *error) {
    size_t count = resample->pair_count;
    double *influence = fp_arena_raw(scratch, count, sizeof *influence), sum = 0;
    bool *counted = fp_arena_raw(scratch, count, sizeof *counted);
    fp_dyadic spread;
    if (!influence || !counted) return fp_no_memory(error);
    *mean = (fp_mean){NAN, {NAN, NAN}, 0};
    if (count == 0) return FP_OK;
    for (size_t i = 0; i < count; i++) {
        counted[i] = true;
        sum += value[i];
    }
    mean->value = sum / (double)count;
    for (size_t i = 0; i < count; i++) influence[i] = (value[i] - mean->value) / (double)count;
    FP_TRY(fp_dyadic_of(resample, influence, counted, scratch, &spread, error));
    bool pairs = resample->unit == FP_SAMPLING_PAIR;
    double units = (double)spread.units, freedom = pairs ? units - 1 : fp_dyadic_freedom(&spread);
    mean->units = units;
    if (!(freedom >= 1)) return FP_OK;
    if (pairs) spread.variance *= units / (units - 1);
    double half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, freedom) * sqrt(spread.variance);
    mean->interval = (fp_interval){mean->value - half, mean->value + half};
    return FP_OK;
}
