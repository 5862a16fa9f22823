/* SPDX-License-Identifier: GPL-3.0-or-later
 * Limits of a share, moved by what a draw cannot see. */
#include "eval/statistics/counted/drawn_calls.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/bisection.h"

static double odds_of(double share) { return (1 - share) / share; }
static double share_of(double odds) { return 1 / (1 + odds); }

typedef struct gamma_law {
    double shape, level;
} gamma_law;

static bool is_below(void *context, double x) {
    const gamma_law *of = context;
    return gsl_cdf_gamma_P(x, of->shape, 1) < of->level;
}

/* Of a gamma law: by halving, for GSL's inverse does not always converge; of many by Wilson and Hilferty's formula
 * (Proceedings of the National Academy of Sciences 17, 1931), which is then within a millionth. */
static double quantile(double shape, double level) {
    enum { MANY = 10000 };
    double z = gsl_cdf_ugaussian_Pinv(level), root = 1 - 1 / (9 * shape) + z / (3 * sqrt(shape));
    if (shape > MANY) return shape * root * root * root;
    return fp_bisect(is_below, &(gamma_law){shape, level}, 0, 2 * shape + 100);
}

/* Garwood's limits of a Poisson law's mean, each by itself: a quantile is dear. */
static double least_mean(double count, double confidence) {
    return count > 0 ? quantile(count, (1 - confidence) / 2) : 0;
}

static double largest_mean(double count, double confidence) { return quantile(count + 1, 1 - (1 - confidence) / 2); }

/* What the spread knows of it. */
static double normal_of(double count, double wider, double confidence) {
    return wider * gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * sqrt(count);
}

double fp_drawn_excess(double count, double wider, double confidence) {
    return fmax(0, largest_mean(count, confidence) - count - normal_of(count, wider, confidence));
}

double fp_drawn_fewer(double count, double confidence) { return count - least_mean(count, confidence); }

fp_interval fp_share_with_draw(double share, fp_interval limits, const fp_drawn_calls *drawn, double wider,
                               double confidence) {
    double step = drawn->odds * sqrt(1 - 1 / drawn->weight), odds = odds_of(share);
    if (!(share > 0) || !(step > 0) || isnan(limits.low)) return limits;
    fp_interval found = limits;
    double above = limits.low > 0 ? odds_of(limits.low) - odds : INFINITY,
           more = step * fp_drawn_excess(drawn->count, wider, confidence),
           known = fmin(above, step * normal_of(drawn->count, wider, confidence));
    if (limits.low > 0) found.low = share_of(odds + sqrt(above * above + 2 * known * more + more * more));
    found.high = fmax(limits.high, share_of(fmax(0, odds - step * fp_drawn_fewer(drawn->count, confidence))));
    return found;
}
