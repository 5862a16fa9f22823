/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantiles of the laws of a share. */
#include "eval/statistics/share_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* ---- Beta laws ---- */

/* a = 0: the share is 0 for certain; b = 0: it is 1. */
typedef struct law {
    double a, b;
} law;

/* From here on the normal law is nearer than what GSL makes of the beta distribution, whose digits are lost as counts
 * grow. */
#define NORMAL_FROM 1e9

static double below(law of, double x) {
    if (of.a <= 0) return 1;
    if (of.b <= 0) return 0;
    double sum = of.a + of.b, reached = fmin(of.a, of.b) < NORMAL_FROM ? gsl_cdf_beta_P(x, of.a, of.b) : NAN;
    if (!isnan(reached)) return reached;
    return gsl_cdf_ugaussian_P((x - of.a / sum) / sqrt(of.a * of.b / (sum * sum * (sum + 1))));
}

/* Of log(x/(1 − x)). */
static double density(law of, double x) {
    return of.a <= 0 || of.b <= 0 ? 0 : gsl_ran_beta_pdf(x, of.a, of.b) * x * (1 - x);
}

/* Two laws and the weight of the second. */
typedef struct mixture {
    law first, second;
    double weight;
} mixture;

enum { STEPS = 200 };
#define FAR 700.0 /* of log(x/(1 − x)) */

/* The x below which lies `level`: Newton's steps in log(x/(1 − x)), kept inside a bracket that is halved where they
 * leave it. */
static double quantile(const mixture *of, double level) {
    double w = of->weight, low = -FAR, high = FAR, at = 0;
    if ((1 - w) * below(of->first, 0) + w * below(of->second, 0) >= level) return 0;
    if ((1 - w) * (of->first.b <= 0) + w * (of->second.b <= 0) >= 1 - level) return 1;
    for (int step = 0; step < STEPS && high - low > 1e-13 * (1 + fabs(at)); step++) {
        double x = 1 / (1 + exp(-at)), excess = (1 - w) * below(of->first, x) + w * below(of->second, x) - level;
        *(excess < 0 ? &low : &high) = at;
        double slope = (1 - w) * density(of->first, x) + w * density(of->second, x), next = at - excess / slope;
        bool inside = next > low && next < high;
        if (inside && fabs(next - at) <= 1e-12 * (1 + fabs(at))) return 1 / (1 + exp(-next));
        at = inside ? next : low + (high - low) / 2;
    }
    return 1 / (1 + exp(-at));
}

/* ---- One unit more ---- */

/* Of a share with this variance, when a unit of weight `more` is a success through and through. */
static law with_one_more(double share, double variance, double more, double wider) {
    double raised = (share + more) / (1 + more);
    if (!(raised > 0)) return (law){0, 1};
    if (!(raised < 1)) return (law){1, 0};
    double spread = (variance + more * more * (1 - share) * (1 - raised)) / ((1 + more) * (1 + more)) * wider * wider;
    double trials = raised * (1 - raised) / spread;
    return (law){raised * trials, (1 - raised) * trials};
}

fp_interval fp_share_interval(double share, const fp_share_spread *spread, double confidence, bool exact) {
    if (isnan(share) || isnan(spread->variance)) return (fp_interval){NAN, NAN};
    law right = with_one_more(share, spread->variance, spread->right, spread->wider),
        wrong = with_one_more(1 - share, spread->variance, spread->wrong, spread->wider), turned = {wrong.b, wrong.a};
    bool known = spread->independent > 0 && share > 0 && share < 1;
    double clustered = known ? fmax(1, spread->variance / spread->independent) : 1;
    double outer = exact ? 1 : 1 - 0.5 / clustered, tail = (1 - confidence) / 2;
    mixture lower = {right, turned, outer}, upper = {turned, right, outer};
    return (fp_interval){quantile(&lower, tail), quantile(&upper, 1 - tail)};
}

fp_interval fp_binomial_interval(double share, double trials, double confidence, bool exact) {
    if (!(trials > 0)) return (fp_interval){NAN, NAN};
    fp_share_spread spread = {
        .variance = share * (1 - share) / trials, .wider = 1, .wrong = 1 / trials, .right = 1 / trials};
    return fp_share_interval(share, &spread, confidence, exact);
}

/* ---- Of two shares ---- */

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

double fp_precision_at_error(double tpr, double tpr_error, double fpr, double fpr_error, double correlation,
                             double prevalence) {
    double called = tpr * prevalence + fpr * (1 - prevalence), odds = prevalence * (1 - prevalence) / (called * called);
    double a = fpr * odds * tpr_error, b = tpr * odds * fpr_error;
    return sqrt(fmax(0, a * a + b * b - 2 * correlation * a * b));
}
