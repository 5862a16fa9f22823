/* SPDX-License-Identifier: GPL-3.0-or-later
 * Limits of a share, moved by what a draw cannot see. */
#include "eval/statistics/counted/drawn_calls.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/bisection.h"

static double odds_of(double share) { return (1 - share) / share; }
static double share_of(double odds) { return 1 / (1 + odds); }

/* Of a gamma law of the mean and variance of a weighted sum. */
static double limit_of(double mean, double variance, double level) {
    if (!(mean > 0)) return 0;
    return variance / mean * fp_gamma_quantile(mean * mean / variance, level);
}

/* √(1 − Σw/Σw²). */
static double left_of(double sum, double squares) { return squares > sum ? sqrt(1 - sum / squares) : 0; }

/* What the spread knows of it. */
static double normal_of(const fp_drawn_calls *drawn, double wider, double confidence) {
    return wider * gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * sqrt(drawn->squares);
}

static fp_drawn_calls with_one_more(const fp_drawn_calls *drawn) {
    double heaviest = drawn->heaviest;
    return (fp_drawn_calls){drawn->sum + heaviest, drawn->squares + heaviest * heaviest, heaviest};
}

double fp_drawn_excess(const fp_drawn_calls *drawn, double wider, double confidence) {
    fp_drawn_calls more = with_one_more(drawn);
    double high = limit_of(more.sum, more.squares, (1 + confidence) / 2);
    return left_of(more.sum, more.squares) * fmax(0, high - drawn->sum - normal_of(drawn, wider, confidence));
}

double fp_drawn_fewer(const fp_drawn_calls *drawn, double confidence) {
    double low = limit_of(drawn->sum, drawn->squares, (1 - confidence) / 2);
    return left_of(drawn->sum, drawn->squares) * (drawn->sum - low);
}

fp_interval fp_share_with_draw(double share, fp_interval limits, const fp_drawn_calls *drawn, double odds, double wider,
                               double confidence) {
    if (!(share > 0) || !(drawn->heaviest > 1) || isnan(limits.low)) return limits;
    fp_interval found = limits;
    double own = odds_of(share), above = limits.low > 0 ? odds_of(limits.low) - own : INFINITY,
           more = odds * fp_drawn_excess(drawn, wider, confidence),
           known = fmin(above, odds * left_of(drawn->sum, drawn->squares) * normal_of(drawn, wider, confidence));
    if (limits.low > 0) found.low = share_of(own + sqrt(above * above + 2 * known * more + more * more));
    found.high = fmax(limits.high, share_of(fmax(0, own - odds * fp_drawn_fewer(drawn, confidence))));
    return found;
}
