/* SPDX-License-Identifier: GPL-3.0-or-later
 * Percentile and BCa intervals. */
#include "eval/statistics/bootstrap_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
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

/* ---- Monte Carlo errors ---- */

/* How far the quantile moves when its level does, by a unit of the level. */
static double slope_at(const double *sorted, size_t count, double level) {
    double step = sqrt(level * (1 - level) / (double)count), low = fmax(0, level - step), high = fmin(1, level + step);
    if (!(high > low)) return 0;
    return (gsl_stats_quantile_from_sorted_data(sorted, 1, count, high) -
            gsl_stats_quantile_from_sorted_data(sorted, 1, count, low)) /
           (high - low);
}

fp_interval fp_bootstrap_percentile_error(const double *sorted, size_t count, double confidence) {
    if (count == 0) return (fp_interval){NAN, NAN};
    double tail = (1 - confidence) / 2, spread = sqrt(tail * (1 - tail) / (double)count);
    return (fp_interval){spread * slope_at(sorted, count, tail), spread * slope_at(sorted, count, 1 - tail)};
}

/* Of the quantile at Φ(u), u = z₀ + (z₀ + z)/(1 − a(z₀ + z)): the variance of q'·share − F̂, F̂ being the share of
 * replicates below the quantile and `share` the one below what was observed, from which z₀ = Φ⁻¹(share). */
static double corrected_error(const double *sorted, size_t count, double z0, double z, double acceleration) {
    double scale = 1 - acceleration * (z0 + z), level = corrected(z0, z, acceleration), share = gsl_cdf_ugaussian_P(z0);
    scale = scale > 0 ? scale : 1;
    double moved = 1 + (scale == 1 ? 1 : 1 / (scale * scale));
    double rate = gsl_ran_ugaussian_pdf(gsl_cdf_ugaussian_Pinv(fmin(fmax(level, 1e-300), 1 - 1e-16))) * moved /
                  gsl_ran_ugaussian_pdf(z0);
    double both = fmin(level, share) - level * share;
    double variance = level * (1 - level) + rate * rate * share * (1 - share) - 2 * rate * both;
    return sqrt(fmax(0, variance) / (double)count) * slope_at(sorted, count, level);
}

fp_interval fp_bootstrap_bca_error(const double *sorted, size_t count, double observed, double acceleration,
                                   double confidence) {
    if (count == 0 || isnan(observed)) return (fp_interval){NAN, NAN};
    double z0 = bias(sorted, count, observed), z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    return (fp_interval){corrected_error(sorted, count, z0, -z, acceleration),
                         corrected_error(sorted, count, z0, z, acceleration)};
}
