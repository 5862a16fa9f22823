/* SPDX-License-Identifier: GPL-3.0-or-later
 * Percentile and BCa intervals. */
#include "eval/statistics/bootstrap_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

fp_interval fp_bootstrap_percentile(const double *sorted, size_t count, double confidence) {
    if (count == 0) return (fp_interval){NAN, NAN};
    double tail = (1 - confidence) / 2;
    return (fp_interval){gsl_stats_quantile_from_sorted_data(sorted, 1, count, tail),
                         gsl_stats_quantile_from_sorted_data(sorted, 1, count, 1 - tail)};
}

static double bias(const double *sorted, size_t count, double observed) {
    double below = 0;
    for (size_t i = 0; i < count && sorted[i] <= observed; i++) below += sorted[i] < observed ? 1 : 0.5;
    double n = (double)count;
    return gsl_cdf_ugaussian_Pinv(fmin(fmax(below, 0.5), n - 0.5) / n);
}

/* Where 1 − a(z₀ + z) is not positive the correction has no meaning and the bias alone is corrected. */
static double corrected(double z0, double z, double acceleration) {
    double scale = 1 - acceleration * (z0 + z);
    return gsl_cdf_ugaussian_P(z0 + (z0 + z) / (scale > 0 ? scale : 1));
}

fp_interval fp_bootstrap_bca(const double *sorted, size_t count, double observed, double acceleration,
                             double confidence) {
    if (count == 0 || isnan(observed)) return (fp_interval){NAN, NAN};
    double z0 = bias(sorted, count, observed), z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    return (fp_interval){gsl_stats_quantile_from_sorted_data(sorted, 1, count, corrected(z0, -z, acceleration)),
                         gsl_stats_quantile_from_sorted_data(sorted, 1, count, corrected(z0, z, acceleration))};
}
