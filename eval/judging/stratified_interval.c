/* SPDX-License-Identifier: GPL-3.0-or-later
 * Score intervals of weighted sums of proportions. */
#include "eval/judging/stratified_interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#include "eval/statistics/bisection.h"

/* Σ c_k p_k = target. The coefficients are weights, scaled by `head` for the first `part` strata and by `tail` for the
 * others. */
typedef struct claim {
    const double *weight;
    const fp_judged_share *shares;
    size_t part, count;
    double head, tail, target;
    fp_judged_rule rule;
} claim;

static double coefficient(const claim *of, size_t k) { return of->weight[k] * (k < of->part ? of->head : of->tail); }

static double observed_sum(const claim *of) {
    double sum = 0;
    for (size_t k = 0; k < of->count; k++) sum += coefficient(of, k) * of->shares[k].share;
    return sum;
}

/* The least and greatest sums that any p in [0, 1] gives; strata that are known keep their share. */
static fp_interval reach(const claim *of) {
    fp_interval range = {0, 0};
    for (size_t k = 0; k < of->count; k++) {
        double c = coefficient(of, k);
        bool known = isinf(of->shares[k].trials);
        if (known) range.low += c * of->shares[k].share, range.high += c * of->shares[k].share;
        else *(c < 0 ? &range.low : &range.high) += c;
    }
    return range;
}

/* ---- The likeliest p under the claim ---- */

/* With a Lagrange multiplier λ for the claim the score equation m(p̂ − p)/(p(1 − p)) = λc is t p² − (1 + t)p + p̂ = 0, t
 * = λc/m. Of the two roots this is the one in [0, 1] that joins p̂ at t = 0. *slope receives dp/dt. */
static double likeliest(double share, double t, double *slope) {
    double root = sqrt(fmax(0, (1 + t) * (1 + t) - 4 * t * share));
    double p = t > -1 ? 2 * share / (1 + t + root) : (1 + t - root) / (2 * t);
    p = fmin(fmax(p, 0), 1);
    *slope = -p * (1 - p) / root;
    return p;
}

typedef struct constrained {
    double excess;   /* Σ c p − target */
    double slope;    /* its derivative by λ */
    double variance; /* Σ c² p(1 − p)/m */
    double third;    /* Σ c³ p(1 − p)(1 − 2p)/m² */
} constrained;

static constrained at_multiplier(const claim *of, double lambda) {
    constrained result = {-of->target, 0, 0, 0};
    for (size_t k = 0; k < of->count; k++) {
        double c = coefficient(of, k), slope, per_trial = c / of->shares[k].trials;
        double p = likeliest(of->shares[k].share, lambda * per_trial, &slope);
        result.excess += c * p;
        result.slope += c * slope * per_trial;
        result.variance += c * p * (1 - p) * per_trial;
        result.third += c * p * (1 - p) * (1 - 2 * p) * per_trial * per_trial;
    }
    return result;
}

/* The excess falls as λ rises. Newton's steps, kept inside a bracket that is halved where they leave it. */
static constrained solve(const claim *of, double excess) {
    double direction = excess > 0 ? 1 : -1, near = 0, far = 0;
    for (size_t k = 0; k < of->count; k++) far = fmax(far, fabs(coefficient(of, k)) / of->shares[k].trials);
    far = direction / far;
    constrained found = at_multiplier(of, far);
    while (found.excess * direction > 0 && isfinite(far)) {
        near = far;
        far *= 2;
        found = at_multiplier(of, far);
    }
    double lambda = near + (far - near) / 2;
    for (int step = 0; step < 200; step++) {
        found = at_multiplier(of, lambda);
        if (found.excess * direction > 0) near = lambda;
        else far = lambda;
        double next = lambda - found.excess / found.slope;
        bool inside = next > fmin(near, far) && next < fmax(near, far);
        if (!inside) next = near + (far - near) / 2;
        if (fabs(next - lambda) <= 1e-14 * fabs(lambda)) break;
        lambda = next;
    }
    return found;
}

/* z² where z + skewness·(z² − 1)/6 is the standardised excess (Cornish, Fisher 1937); infinite beyond the end of that
 * curve.
 */
static double unskewed(double excess, double skewness) {
    double a = skewness / 6;
    if (fabs(a) < 1e-9) return excess * excess;
    double root = 1 + 4 * a * (a + excess);
    if (root < 0) return INFINITY;
    double z = (sqrt(root) - 1) / (2 * a);
    return z * z;
}

/* z² of the claim; infinite when no p makes it true. */
static double score(const claim *of) {
    double excess = observed_sum(of) - of->target;
    if (excess == 0) return 0;
    fp_interval range = reach(of);
    if (!(of->target > range.low && of->target < range.high)) return INFINITY;
    constrained found = solve(of, excess);
    if (!(found.variance > 0)) return INFINITY;
    double plain = excess * excess / found.variance, skewness = found.third / (found.variance * sqrt(found.variance));
    if (of->rule == FP_JUDGED_SCORE) return plain;
    return fmin(plain, unskewed(excess / sqrt(found.variance), skewness));
}

/* ---- Intervals ---- */

/* Sets up the claim that the figure has this value. */
typedef void (*claimed)(claim *of, double value);

typedef struct tried {
    const claim *of;
    claimed set;
    double bound;
} tried;

static bool not_refuted(void *context, double value) {
    const tried *with = context;
    claim of = *with->of;
    with->set(&of, value);
    return score(&of) <= with->bound;
}

/* The end of the interval between `value`, which is inside, and `end`. */
static double limit(tried *with, double value, double end) {
    return not_refuted(with, end) ? end : fp_bisect(not_refuted, with, value, end);
}

static fp_interval interval_around(const claim *of, claimed set, double value, fp_interval range, double confidence) {
    double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    tried with = {of, set, z * z};
    return (fp_interval){limit(&with, value, range.low), limit(&with, value, range.high)};
}

double fp_judged_trials(double trials, double population) {
    return trials < population ? trials * (population - 1) / (population - trials) : INFINITY;
}

static void claim_sum(claim *of, double value) { of->target = value; }

fp_interval fp_judged_sum_interval(const double *weight, const fp_judged_share *shares, size_t count,
                                   fp_judged_rule rule, double confidence) {
    claim of = {.weight = weight, .shares = shares, .part = count, .count = count, .head = 1, .tail = 1, .rule = rule};
    return interval_around(&of, claim_sum, observed_sum(&of), reach(&of), confidence);
}

static void claim_part(claim *of, double value) {
    of->head = 1 - value;
    of->tail = -value;
}

fp_interval fp_judged_part_interval(const double *weight, const fp_judged_share *shares, size_t part, size_t count,
                                    fp_judged_rule rule, double confidence) {
    claim of = {.weight = weight, .shares = shares, .part = part, .count = count, .head = 1, .rule = rule};
    double head = observed_sum(&of);
    of.tail = 1;
    double all = observed_sum(&of);
    if (!(all > 0)) return (fp_interval){NAN, NAN};
    if (part == count) return (fp_interval){1, 1};
    return interval_around(&of, claim_part, head / all, (fp_interval){0, 1}, confidence);
}
