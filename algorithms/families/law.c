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

double fp_law_share(double x, double mean, double variance, double none, double every) {
    double between = 1 - none - every, middle = (mean - every) / between,
           spread = (variance + mean * mean - every) / between - middle * middle,
           size = middle * (1 - middle) / spread - 1;
    if (x < 0 || x >= 1) return x < 0 ? 0 : 1;
    if (!(middle > 0 && middle < 1 && spread > 0 && size > 0)) return x < mean ? none : 1 - every;
    return none + between * gsl_cdf_beta_P(x, middle * size, (1 - middle) * size);
}

double fp_law_angle(double cosine) { return acos(fmax(-1, fmin(1, cosine))) / M_PI; }

/* ----
 * The law of the angle between two Gaussian projections. The k pairs of coordinates of vectors with cosine ρ are
 * independent samples of a bivariate normal distribution with mean 0 and correlation ρ, so the cosine r of the
 * projections is a sample correlation about a known mean. Its law is Fisher's (1915) with k degrees of freedom, in the
 * form of Hotelling (1953),
 *
 *     f(r) ∝ (1 − r²)^((k−3)/2) · (1 − ρr)^(½−k) · ₂F₁(½, ½; k + ½; (1 + ρr)/2).
 *
 * As a function of the angle a = arccos r the density is smooth on [0, π], and is integrated there.
 */

/* ₂F₁(½, ½; c; x) for 0 ≤ x ≤ 1 and c ≥ 2.5, where the series converges. The error after 4000 terms is 10⁻⁶ in the
 * worst case (c = 2.5, x = 1) and negligible elsewhere. */
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

/* The density times √(2π)·Γ(k + ½)·sin θ/((k − 1)·Γ(k)), which makes it ₂F₁ at θ. */
static double density(double a, void *context) {
    const angle_law *law = context;
    double k = law->k, side = sin(law->theta), half = sin((law->theta - a) / 2);
    double less = 2 * half * half + side * sin(a); /* 1 − ρr, without the cancellation at small angles */
    double shape = (k - 2) * log(sin(a) / side) - (k - 0.5) * log(less / (side * side));
    return exp(shape) * hypergeometric(k + 0.5, (1 + law->rho * cos(a)) / 2);
}

/* Fifteen points, exact to degree 22. GSL's rules with a fixed number of points are the ones that allocate nothing. */
static double piece(angle_law *law, double from, double to) {
    gsl_function function = {density, law};
    double sum, error, magnitude, deviation;
    gsl_integration_qk15(&function, fmin(from, to), fmax(from, to), &sum, &error, &magnitude, &deviation);
    return sum;
}

/* The tail from the angle a to 0 (side −1) or π (side 1): pieces of two standard deviations (2·sin θ/√k, for large
 * k), increasingly longer from the fourth on, until one adds nothing. */
static double tail(angle_law *law, double a, double side) {
    double least = 2 * sin(law->theta) / sqrt(law->k), end = side < 0 ? a : M_PI - a, sum = 0, more = 1;
    for (double from = 0; from < end && more > 1e-17 * sum;) {
        double to = fmin(end, fmax(from + least, from >= 4 * least ? 1.5 * from : 0));
        more = piece(law, a + side * from, a + side * to);
        sum += more;
        from = to;
    }
    return sum;
}

/* Γ(k + ½)/Γ(k) = Γ(3/2)·Π (i + ½)/i, i < k. */
static double gamma_quotient(unsigned k) {
    double quotient = sqrt(M_PI) / 2;
    for (unsigned i = 1; i < k; i++) quotient *= 1 + 0.5 / i;
    return quotient;
}

double fp_law_projected(double share, double cosine, unsigned coordinates) {
    double theta = fp_law_angle(cosine) * M_PI, a = share * M_PI, k = coordinates;
    if (share < 0) return 0;
    if (share >= 1) return 1;
    if (sin(theta) < 1e-9) return a >= theta ? 1 : 0;
    if (coordinates == 1) return 1 - theta / M_PI; /* one coordinate has an angle of 0 or π: a sign */
    angle_law law = {k, cosine, theta};
    double all = sqrt(2 * M_PI) * gamma_quotient(coordinates) / (k - 1) * sin(theta),
           part = tail(&law, a, a < theta ? -1 : 1) / all;
    return fmax(0, fmin(1, a < theta ? part : 1 - part));
}

/* ----
 * The law of signs against sums. (s, t) are the n pairs of sums of two documents, each normal with mean 0 and variance
 * 1 and correlation ρ = cos θ; I = 1 where their signs differ. One direction is A/S with A = Σ|s|I and S = Σ|s|, the
 * other the same with |t|, and X is their mean. In polar coordinates, s = r cos φ and t = r cos(φ − θ) with E[r²] = 2
 * and φ uniform, and the signs differ on two arcs of length θ, so that
 *
 *     E[|s|] = √(2/π),  E[|s|I] = √(2/π)·p with p = (1 − cos θ)/2,
 *     E[s²I] = (θ − sin θ cos θ)/π,  E[|st|I] = (sin θ − θ cos θ)/π,
 *     E[|st|] = (2/π)(sin θ + (π/2 − θ) cos θ).
 *
 * X tends to p: 1 − 2X estimates the cosine. To the order 1/n, by the delta method for a quotient of sums,
 *
 *     E[X] = p + (π/2n)(p − E[s²I]),
 *     Var[X] = (π/8n)(K cos θ + p²M), K = 2E[s²I] + 2E[|st|I], M = 2 + 2E[|st|].
 *
 * For small angles Var[X] = θ³/4n: the angle arccos(1 − 2X) has the variance θ/n; the angle from differing signs has
 * πθ/n. X is exactly 0 if no sign differs and 1 if all differ; between them a beta distribution with these two moments
 * approximates it. The moments were derived for this file; tests/algorithms/test_simhash_laws.c checks them against
 * samples. */

double fp_law_weighted(double share, double cosine, unsigned places) {
    double theta = fp_law_angle(cosine) * M_PI, n = places, sine = sin(theta), p = (1 - cos(theta)) / 2;
    if (share < 0) return 0;
    if (share >= 1) return 1;
    if (sine < 1e-9) return theta < 1 ? 1 : 0;
    double squares = (theta - sine * cos(theta)) / M_PI, products = (sine - theta * cos(theta)) / M_PI,
           all = 2 + 4 / M_PI * (sine + (M_PI / 2 - theta) * cos(theta)), mean = p + M_PI / (2 * n) * (p - squares),
           variance = M_PI / (8 * n) * (2 * (squares + products) * cos(theta) + p * p * all),
           none = pow(1 - theta / M_PI, n), every = pow(theta / M_PI, n);
    return fp_law_share(pow(sin(share * M_PI / 2), 2), mean, variance, none, every);
}
