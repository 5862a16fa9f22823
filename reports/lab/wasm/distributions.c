/* SPDX-License-Identifier: GPL-3.0-or-later
 * The distributions that eval/ needs from GSL, under GSL's names, for builds without GSL. They agree with GSL to 10⁻¹⁰
 * (tests/reports/lab/test_distributions.c). */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* ---- The normal law ---- */

double gsl_ran_ugaussian_pdf(double x) { return exp(-x * x / 2) / sqrt(2 * M_PI); }
double gsl_cdf_ugaussian_Q(double x) { return erfc(x / M_SQRT2) / 2; }
double gsl_cdf_ugaussian_P(double x) { return gsl_cdf_ugaussian_Q(-x); }

/* Starts with Abramowitz and Stegun 26.2.23, accurate to 4.5·10⁻⁴, and continues with Halley's method, which converges
 * with the third power of the error. */
double gsl_cdf_ugaussian_Qinv(double q) {
    if (q <= 0) return INFINITY;
    if (q >= 1) return -INFINITY;
    if (q > 0.5) return -gsl_cdf_ugaussian_Qinv(1 - q);
    double t = sqrt(-2 * log(q));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 4; i++) {
        double off = (gsl_cdf_ugaussian_Q(x) - q) / gsl_ran_ugaussian_pdf(x);
        x += off / (1 - x * off / 2);
    }
    return x;
}

double gsl_cdf_ugaussian_Pinv(double p) { return -gsl_cdf_ugaussian_Qinv(p); }

/* ---- The beta law ---- */

static double log_beta(double a, double b) { return lgamma(a) + lgamma(b) - lgamma(a + b); }

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by the method of Lentz and Thompson; it
 * converges fast for x < (a + 1)/(a + b + 2). */
static double fraction(double x, double a, double b) {
    const double tiny = 1e-300;
    double value = 1, c = 1, d = 0;
    for (int k = 1; k < 100000; k++) {
        double m = k / 2;
        double term = k % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                            : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + term * d;
        c = 1 + term / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        if (fabs(c) < tiny) c = tiny;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-16) break;
    }
    return 1 / value;
}

double gsl_cdf_beta_P(double x, double a, double b) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    double front = exp(a * log(x) + b * log1p(-x) - log_beta(a, b));
    if (x < (a + 1) / (a + b + 2)) return front * fraction(x, a, b) / a;
    return 1 - front * fraction(1 - x, b, a) / b;
}

double gsl_ran_beta_pdf(double x, double a, double b) {
    if (x < 0 || x > 1) return 0;
    return exp((a - 1) * log(x) + (b - 1) * log1p(-x) - log_beta(a, b));
}

/* P[K ≤ k] = I_{1−p}(n − k, k + 1) (DLMF 8.17.5). */
double gsl_cdf_binomial_P(unsigned k, double p, unsigned n) {
    if (k >= n) return 1;
    return gsl_cdf_beta_P(1 - p, (double)n - (double)k, (double)k + 1);
}

/* ---- The gamma law ---- */

/* x^a e^(−x)/Γ(a + 1) · Σ x^k/((a + 1) … (a + k)) (DLMF 8.7.1), which converges fast for x < a + 1. */
static double gamma_series(double x, double a) {
    double term = 1, sum = 1;
    for (int k = 1; k < 100000 && term > 1e-17 * sum; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return exp(a * log(x) - x - lgamma(a + 1)) * sum;
}

/* The continued fraction of the complement (DLMF 8.9.2), by the method of Lentz and Thompson, for larger x. */
static double gamma_fraction(double x, double a) {
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, value = d;
    for (int k = 1; k < 100000; k++) {
        double term = -k * (k - a);
        b += 2;
        d = term * d + b;
        c = b + term / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        if (fabs(c) < tiny) c = tiny;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-16) break;
    }
    return exp(a * log(x) - x - lgamma(a)) * value;
}

double gsl_cdf_gamma_P(double x, double a, double scale) {
    if (x <= 0) return 0;
    return x / scale < a + 1 ? gamma_series(x / scale, a) : 1 - gamma_fraction(x / scale, a);
}

/* ---- Student's law ---- */

double gsl_cdf_tdist_Q(double x, double nu) {
    double square = x * x;
    /* The smaller argument keeps its digits. */
    double beyond = square < nu ? 1 - gsl_cdf_beta_P(square / (nu + square), 0.5, nu / 2)
                                : gsl_cdf_beta_P(nu / (nu + square), nu / 2, 0.5);
    return x < 0 ? 1 - beyond / 2 : beyond / 2;
}

/* Newton's method between shrinking bounds, as decreasing functions allow: no worse than bisection. */
double gsl_cdf_tdist_Qinv(double q, double nu) {
    if (q <= 0) return INFINITY;
    if (q >= 1) return -INFINITY;
    if (q > 0.5) return -gsl_cdf_tdist_Qinv(1 - q, nu);
    double low = 0, high = 1;
    while (gsl_cdf_tdist_Q(high, nu) > q && high < 1e300) high *= 2;
    double log_front = lgamma((nu + 1) / 2) - lgamma(nu / 2) - log(nu * M_PI) / 2, x = high / 2;
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double off = gsl_cdf_tdist_Q(x, nu) - q;
        if (off > 0) low = x;
        else high = x;
        double next = x + off / exp(log_front - (nu + 1) / 2 * log1p(x * x / nu));
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabs(next - x) <= 1e-16 * x) break;
        x = next;
    }
    return x;
}

/* ---- Kronrod's rule with fifteen points ---- */

/* Kronrod 1965; the nodes and weights of QUADPACK's rule. The error is not estimated: no caller needs it. */
void gsl_integration_qk15(const gsl_function *f, double a, double b, double *result, double *abserr, double *resabs,
                          double *resasc) {
    static const double NODE[7] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                   0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                   0.586087235467691130294144691258378, 0.405845151377397166906606412076961,
                                   0.207784955007898467600689403773245};
    static const double WEIGHT[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                     0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                     0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                     0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
    double middle = (a + b) / 2, half = (b - a) / 2, sum = WEIGHT[7] * GSL_FN_EVAL(f, middle);
    for (int i = 0; i < 7; i++)
        sum += WEIGHT[i] * (GSL_FN_EVAL(f, middle - half * NODE[i]) + GSL_FN_EVAL(f, middle + half * NODE[i]));
    *result = sum * half;
    *abserr = *resabs = *resasc = NAN;
}
