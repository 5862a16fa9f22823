/* SPDX-License-Identifier: GPL-3.0-or-later
 * Binomial intervals with effective numbers of trials. */
#include "eval/statistics/effective.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#include "eval/statistics/bisection.h"

double fp_effective_trials(double share, double variance, double wider, double fewest, double least, double most) {
    bool mixed = share > 0 && share < 1 && isfinite(most);
    if (!(variance > 0)) return mixed ? most : fewest;
    return fmax(least, fmin(most, share * (1 - share) / (variance * wider * wider)));
}

fp_interval fp_wilson_effective(double share, double trials, double confidence) {
    if (!(trials > 0) || isnan(share)) return (fp_interval){NAN, NAN};
    double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2), square = z * z / trials;
    double centre = (share + square / 2) / (1 + square);
    double half = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
    return (fp_interval){share <= 0 ? 0 : fmax(0, centre - half), share >= 1 ? 1 : fmin(1, centre + half)};
}

typedef struct beta {
    double level, a, b;
    bool unknown; /* at some x that was asked for */
} beta;

static bool below_level(void *context, double x) {
    beta *of = context;
    double reached = gsl_cdf_beta_P(x, of->a, of->b);
    of->unknown |= isnan(reached);
    return reached < of->level;
}

/* The x at which the beta distribution reaches `level`: gsl_cdf_beta_Pinv does not converge for some arguments, and
 * then aborts. NaN where the distribution itself cannot be computed. */
static double beta_quantile(double level, double a, double b) {
    beta of = {.level = level, .a = a, .b = b};
    double x = fp_bisect(below_level, &of, 0, 1);
    return of.unknown ? NAN : x;
}

/* Wilson's interval with the continuity correction comes as near to the exact one as any measure is printed, when the
 * counts are so large that the beta distribution is out of reach (Newcombe 1998, method 4). */
static fp_interval of_many(double share, double trials, double confidence) {
    double half = 0.5 / trials;
    return (fp_interval){fp_wilson_effective(fmax(0, share - half), trials, confidence).low,
                         fp_wilson_effective(fmin(1, share + half), trials, confidence).high};
}

fp_interval fp_clopper_pearson_effective(double share, double trials, double confidence) {
    if (!(trials > 0) || isnan(share)) return (fp_interval){NAN, NAN};
    double tail = (1 - confidence) / 2, successes = share * trials, failures = trials - successes;
    double low = share <= 0 ? 0 : beta_quantile(tail, successes, failures + 1);
    double high = share >= 1 ? 1 : beta_quantile(1 - tail, successes + 1, failures);
    return isnan(low) || isnan(high) ? of_many(share, trials, confidence) : (fp_interval){low, high};
}

/* Limits of the ratio of two estimates: the roots R of (above − R·below)² = a² + R²·b² − 2R·r·a·b, with a and b the
 * distances from the estimates to those limits of theirs that make R small, or large. The upper one is infinite when
 * the denominator may be 0. */
static fp_interval ratio(double above, fp_interval limits_above, double below, fp_interval limits_below,
                         double correlation) {
    double a = above - limits_above.low, b = limits_below.high - below, high = INFINITY;
    double square = below * below - b * b, middle = above * below - correlation * a * b,
           constant = above * above - a * a;
    double low = constant > 0 ? constant / (middle + sqrt(fmax(0, middle * middle - square * constant))) : 0;
    if (limits_below.low > 0) {
        a = limits_above.high - above;
        b = below - limits_below.low;
        square = below * below - b * b;
        middle = above * below - correlation * a * b;
        constant = above * above - a * a;
        high = (middle + sqrt(fmax(0, middle * middle - square * constant))) / square;
    }
    return (fp_interval){low, high};
}

fp_interval fp_precision_at_interval(double tpr, fp_interval tpr_limits, double fpr, fp_interval fpr_limits,
                                     double correlation, double prevalence) {
    if (!(prevalence > 0 && prevalence < 1) || isnan(tpr_limits.low) || isnan(fpr_limits.low))
        return (fp_interval){NAN, NAN};
    if (!(tpr_limits.low > 0)) return (fp_interval){0, 1};
    double odds = (1 - prevalence) / prevalence;
    fp_interval errors = ratio(fpr, fpr_limits, tpr, tpr_limits, correlation);
    return (fp_interval){1 / (1 + errors.high * odds), 1 / (1 + errors.low * odds)};
}

fp_interval fp_square_and_add(double a, fp_interval a_limits, double b, fp_interval b_limits) {
    return (fp_interval){a - b - hypot(a - a_limits.low, b_limits.high - b),
                         a - b + hypot(a_limits.high - a, b - b_limits.low)};
}
