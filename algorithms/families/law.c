/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probability laws, on GSL's distributions. */
#include "algorithms/families/law.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <math.h>

double fp_law_binomial(double h, double differs, unsigned places) {
    if (h < 0) return 0;
    if (h >= places) return 1;
    return gsl_cdf_binomial_P((unsigned)floor(h), differs, places);
}

double fp_law_angle(double cosine) { return acos(fmax(-1, fmin(1, cosine))) / M_PI; }

/* ----
 * The law of the angle between two Gaussian projections. The k pairs of coordinates of vectors with cosine ρ are
 * independent draws from a bivariate normal distribution with mean 0 and correlation ρ, so the cosine r of the
 * projections is a sample correlation about a known mean: Fisher's (1915) with k degrees of freedom, in the form of
 * Hotelling (1953),
 *
 *     f(r) ∝ (1 − r²)^((k−3)/2) · (1 − ρr)^(½−k) · ₂F₁(½, ½; k + ½; (1 + ρr)/2).
 *
 * Written in the angle a = arccos r it is smooth on [0, π], and is integrated there.
 */

/* ₂F₁(½, ½; c; x) for 0 ≤ x ≤ 1 and c ≥ 2.5, where the series converges; 4000 terms leave 10⁻⁶ in the worst place (c
 * = 2.5, x = 1) and nothing elsewhere. */
static double hypergeometric(double c, double x) {
    double term = 1, sum = 1;
    for (int n = 0; n < 4000 && term > 1e-17 * sum; n++) {
        term *= (n + 0.5) * (n + 0.5) / ((c + n) * (n + 1)) * x;
        sum += term;
    }
    return sum;
}

typedef struct angle_law {
    double k, rho, theta;
} angle_law;

/* Not normalised: 1 / ₂F₁ at θ. */
static double density(double a, void *context) {
    const angle_law *law = context;
    double k = law->k, side = sin(law->theta), half = sin((law->theta - a) / 2);
    double less = 2 * half * half + side * sin(a); /* 1 − ρr, without the cancellation at small angles */
    double shape = (k - 2) * log(sin(a) / side) - (k - 0.5) * log(less / (side * side));
    return exp(shape) * hypergeometric(k + 0.5, (1 + law->rho * cos(a)) / 2);
}

/* Fifteen points, exact to degree 22. The rule with a given number of points is the one of GSL's that allocates
 * nothing.
 */
static double piece(angle_law *law, double from, double to) {
    gsl_function function = {density, law};
    double sum, error, magnitude, deviation;
    gsl_integration_qk15(&function, from, to, &sum, &error, &magnitude, &deviation);
    return sum;
}

/* From θ outwards to θ + side·reach: pieces of one standard deviation (sin θ/√k, for large k), from the eighth on
 * longer and longer. */
static double outwards(angle_law *law, double side, double reach) {
    double deviation = sin(law->theta) / sqrt(law->k), sum = 0;
    for (double from = 0; from < reach;) {
        double to = fmin(reach, fmax(from + deviation, from >= 8 * deviation ? 1.5 * from : 0));
        sum +=
            side > 0 ? piece(law, law->theta + from, law->theta + to) : piece(law, law->theta - to, law->theta - from);
        from = to;
    }
    return sum;
}

double fp_law_projected(double share, double cosine, unsigned coordinates) {
    double theta = fp_law_angle(cosine) * M_PI, a = share * M_PI;
    if (share < 0) return 0;
    if (share >= 1) return 1;
    if (sin(theta) < 1e-9) return a >= theta ? 1 : 0;
    if (coordinates == 1) return 1 - theta / M_PI; /* one coordinate has an angle of 0 or π: a sign */
    angle_law law = {coordinates, cosine, theta};
    double below = outwards(&law, -1, theta), above = outwards(&law, 1, M_PI - theta);
    double part = a < theta ? below - outwards(&law, -1, theta - a) : below + outwards(&law, 1, a - theta);
    return fmax(0, fmin(1, part / (below + above)));
}
