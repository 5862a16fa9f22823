/* SPDX-License-Identifier: GPL-3.0-or-later
 * Limits of replicates and their errors, against the formulas that bootstrap.h names, for few replicates,
 * ties, and observed values outside of all of them. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/bootstrap.h"
#include "tests/support.h"

enum { MOST = 40 };

/* Between order statistics, 0 at the first and 1 at the last (type 7 of Hyndman and Fan, 1996). */
static double quantile(const double *sorted, size_t count, double level) {
    double place = level * (double)(count - 1), whole = fmin(floor(place), (double)count - 2);
    if (count == 1) return sorted[0];
    const double *at = sorted + (size_t)whole;
    return at[0] + (place - whole) * (at[1] - at[0]);
}

/* The quantile moves by so much a unit of its level: between the levels a standard error of the level off. */
static double slope(const double *sorted, size_t count, double level) {
    double off = sqrt(level * (1 - level) / (double)count), low = fmax(0, level - off), high = fmin(1, level + off);
    return high > low ? (quantile(sorted, count, high) - quantile(sorted, count, low)) / (high - low) : 0;
}

/* The bias: Φ⁻¹ of the share of replicates below what was observed, ties halved, and never 0 or 1. */
static double bias(const double *sorted, size_t count, double observed) {
    double below = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) below += sorted[i] < observed ? 1 : sorted[i] == observed ? 0.5 : 0;
    return gsl_cdf_ugaussian_Pinv((below < 0.5 ? 0.5 : below > n - 0.5 ? n - 0.5 : below) / n);
}

static double density(double x) { return exp(-x * x / 2) / sqrt(2 * M_PI); }

typedef struct limit {
    double value, error;
} limit;

/* DiCiccio, Efron 1996, (2.3): the level Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))); and the delta method on the two shares that
 * it is made of, F̂ at the limit and Φ(z₀), whose covariance is that of two shares of one sample. */
static limit bca(const double *sorted, size_t count, double observed, double a, double z) {
    double z0 = bias(sorted, count, observed), denominator = 1 - a * (z0 + z), n = (double)count;
    if (denominator <= 0) denominator = 1;
    double u = z0 + (z0 + z) / denominator, level = gsl_cdf_ugaussian_P(u), share = gsl_cdf_ugaussian_P(z0);
    double moves = density(u) / density(z0) * (1 + 1 / (denominator * denominator));
    double covariance = fmin(level, share) - level * share;
    double variance = level * (1 - level) + moves * moves * share * (1 - share) - 2 * moves * covariance;
    return (limit){quantile(sorted, count, level), sqrt(fmax(0, variance) / n) * slope(sorted, count, level)};
}

static void assert_near(double found, double wanted) {
    if (!(fabs(found - wanted) <= 1e-7 * (1 + fabs(wanted)))) fail_msg("%.17g, not %.17g", found, wanted);
}

static void check(const double *sorted, size_t count, double observed, double a, double confidence) {
    double tail = (1 - confidence) / 2, z = gsl_cdf_ugaussian_Pinv(1 - tail), n = (double)count;
    fp_interval found = fp_bootstrap_percentile(sorted, count, confidence);
    assert_near(found.low, quantile(sorted, count, tail));
    assert_near(found.high, quantile(sorted, count, 1 - tail));
    found = fp_bootstrap_percentile_error(sorted, count, confidence);
    assert_near(found.low, sqrt(tail * (1 - tail) / n) * slope(sorted, count, tail));
    assert_near(found.high, sqrt(tail * (1 - tail) / n) * slope(sorted, count, 1 - tail));
    limit low = bca(sorted, count, observed, a, -z), high = bca(sorted, count, observed, a, z);
    found = fp_bootstrap_bca(sorted, count, observed, a, confidence);
    assert_near(found.low, low.value);
    assert_near(found.high, high.value);
    found = fp_bootstrap_bca_error(sorted, count, observed, a, confidence);
    assert_near(found.low, low.error);
    assert_near(found.high, high.error);
}

static void limits_are_their_formulas(void **state) {
    (void)state;
    static const double SKEW[] = {0, 0.03, -0.2, 0.6, -0.9}, CONFIDENCE[] = {0.5, 0.9, 0.95, 0.999};
    for (size_t count = 1; count <= MOST; count++) {
        double sorted[MOST];
        for (size_t i = 0; i < count; i++) /* with ties */
            sorted[i] = floor(20 * pow((double)(i + 1) / (double)count, 2)) / (count % 3 ? 7 : 0.1) - 1;
        for (size_t k = 0; k < 5; k++)
            for (size_t c = 0; c < 4; c++)
                for (size_t i = 0; i <= count;
                     i += 1 + count / 8) { /* observed: below all, at one, between two, above */
                    double at = i < count ? sorted[i] : sorted[count - 1] + 1;
                    check(sorted, count, at, SKEW[k], CONFIDENCE[c]);
                    check(sorted, count, at - 0.05, SKEW[k], CONFIDENCE[c]);
                }
    }
}

/* All replicates alike: no error of theirs. None, or nothing observed: no limits. */
static void nothing_to_say(void **state) {
    (void)state;
    static const double SAME[] = {3, 3, 3, 3};
    fp_interval of[] = {fp_bootstrap_bca(SAME, 0, 3, 0, 0.95), fp_bootstrap_bca(SAME, 4, NAN, 0, 0.95),
                        fp_bootstrap_bca_error(SAME, 0, 3, 0, 0.95), fp_bootstrap_bca_error(SAME, 4, NAN, 0, 0.95)};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) assert_true(isnan(of[i].low) && isnan(of[i].high));
    fp_interval error = fp_bootstrap_bca_error(SAME, 4, 3, 0.1, 0.95), limits = fp_bootstrap_bca(SAME, 4, 3, 0.1, 0.95);
    assert_true(error.low == 0 && error.high == 0 && limits.low == 3 && limits.high == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_are_their_formulas), cmocka_unit_test(nothing_to_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
