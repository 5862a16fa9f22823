/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision and relative recall from judgements. */
#include "eval/judging/judging.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "eval/statistics/proportion_interval.h"

void fp_judged_count(const fp_judged_sheet *sheet, fp_judged_counts *counts) {
    memset(counts, 0, sheet->stratum_count * sizeof *counts);
    for (size_t i = 0; i < sheet->pair_count; i++) counts[sheet->pairs[i].stratum].of[sheet->pairs[i].judgement]++;
}

static fp_judgement together(fp_judgement a, fp_judgement b) {
    if (a == FP_JUDGED_OPEN || b == FP_JUDGED_OPEN) return FP_JUDGED_OPEN;
    return a == b ? a : FP_JUDGED_UNSURE;
}

void fp_judged_consensus(const fp_judged_sheet *const *sheets, size_t count, fp_judgement *judgements) {
    for (size_t i = 0; i < sheets[0]->pair_count; i++) {
        judgements[i] = sheets[0]->pairs[i].judgement;
        for (size_t s = 1; s < count; s++) judgements[i] = together(judgements[i], sheets[s]->pairs[i].judgement);
    }
}

/* ---- Non-empty strata ---- */

typedef struct filled {
    size_t count;
    double *population;
    fp_judged_share *shares;
    double *sure_positive, *sure_negative; /* known numbers of positive and negative pairs */
    size_t unjudged;                       /* the first stratum that holds pairs and has no judgement; SIZE_MAX: none */
    size_t *of;                            /* [stratum_count] number of these up to a stratum */
} filled;

static void fill(const fp_judged_stratum *stratum, const fp_judged_counts *counts, fp_unsure unsure, filled *to) {
    size_t positive = counts->of[FP_JUDGED_DUPLICATE], negative = counts->of[FP_JUDGED_NOT];
    size_t judged = positive + negative + counts->of[FP_JUDGED_UNSURE];
    if (unsure == FP_UNSURE_POSITIVE) positive += counts->of[FP_JUDGED_UNSURE];
    if (unsure == FP_UNSURE_NEGATIVE) negative += counts->of[FP_JUDGED_UNSURE];
    size_t decided = positive + negative;
    if (decided == 0) return;
    size_t k = to->count++;
    to->population[k] = (double)stratum->population * (double)decided / (double)judged;
    to->sure_positive[k] = (double)positive;
    to->sure_negative[k] = (double)negative;
    to->shares[k] =
        (fp_judged_share){(double)positive / (double)decided, fp_judged_trials((double)decided, to->population[k])};
}

static bool is_unjudged(const fp_judged_stratum *stratum, const fp_judged_counts *counts) {
    return stratum->population > 0 && counts->of[FP_JUDGED_OPEN] == stratum->drawn;
}

static fp_status fill_all(const fp_judged_stratum *strata, const fp_judged_counts *counts, size_t stratum_count,
                          fp_unsure unsure, fp_arena *scratch, filled *to, fp_error *error) {
    double *numbers = FP_NEED(fp_arena_alloc(scratch, stratum_count, 3 * sizeof *numbers), error);
    *to = (filled){.unjudged = SIZE_MAX,
                   .shares = FP_NEED(fp_arena_alloc(scratch, stratum_count, sizeof *to->shares), error),
                   .of = FP_NEED(fp_arena_alloc(scratch, stratum_count, sizeof *to->of), error)};
    to->population = numbers;
    to->sure_positive = numbers + stratum_count;
    to->sure_negative = numbers + 2 * stratum_count;
    for (size_t s = 0; s < stratum_count; s++) {
        if (is_unjudged(strata + s, counts + s) && to->unjudged == SIZE_MAX) to->unjudged = s;
        fill(strata + s, counts + s, unsure, to);
        to->of[s] = to->count;
    }
    return FP_OK;
}

static double sum(const double *values, size_t from, size_t to) {
    double total = 0;
    for (size_t k = from; k < to; k++) total += values[k];
    return total;
}

static double duplicates(const filled *in, size_t from, size_t to) {
    double total = 0;
    for (size_t k = from; k < to; k++) total += in->population[k] * in->shares[k].share;
    return total;
}

/* An unbiased estimate of the variance of that sum: (1 − n/N)·N²p(1 − p)/(n − 1) of a stratum (Cochran 1977,
 * section 3.2), in terms of its trials. */
static double spread(const filled *in, size_t from, size_t to) {
    double total = 0;
    for (size_t k = from; k < to; k++) {
        double p = in->shares[k].share, odd = in->population[k] * in->population[k] * p * (1 - p);
        if (odd > 0) total += odd / (in->shares[k].trials - 1);
    }
    return total;
}

/* ---- Figures ---- */

static fp_interval between(fp_interval interval, double least, double most) {
    return (fp_interval){fmax(interval.low, least), fmin(interval.high, most)};
}

static void estimate_precision(const filled *in, size_t part, double confidence, fp_judged_value *to) {
    double pairs = sum(in->population, 0, part);
    to->duplicates = duplicates(in, 0, part);
    if (part == 0) return;
    fp_interval found =
        fp_judged_sum_interval(in->population, in->shares, part, FP_JUDGED_SCORE_OR_UNSKEWED, confidence);
    found = between(found, sum(in->sure_positive, 0, part), pairs - sum(in->sure_negative, 0, part));
    to->precision = to->duplicates / pairs;
    to->precision_interval = (fp_interval){found.low / pairs, found.high / pairs};
}

/* Beale's ratio (judging.h); x and t − x come from different strata. */
static double correct(const filled *in, size_t part, double head, double total) {
    return (head * total + spread(in, 0, part)) / (total * total + spread(in, 0, in->count));
}

/* The quotient is smallest when the number of duplicates within the threshold is the minimum, and beyond it the
 * maximum, that the judgements allow. */
static void estimate_recall(const filled *in, size_t part, double confidence, fp_judged_value *to) {
    size_t all = in->count;
    double total = duplicates(in, 0, all), head = duplicates(in, 0, part);
    if (!(total > 0)) return;
    double least_head = sum(in->sure_positive, 0, part), least_tail = sum(in->sure_positive, part, all);
    double most_head = sum(in->population, 0, part) - sum(in->sure_negative, 0, part);
    double most_tail = sum(in->population, part, all) - sum(in->sure_negative, part, all);
    double least = least_head > 0 ? least_head / (least_head + most_tail) : 0;
    double most = most_head > 0 ? most_head / (most_head + least_tail) : 0;
    to->recall_ratio = head / total;
    to->recall = fmax(least, fmin(most, correct(in, part, head, total)));
    fp_interval found =
        between(fp_judged_part_interval(in->population, in->shares, part, all, FP_JUDGED_SCORE_OR_UNSKEWED, confidence),
                least, most);
    to->recall_interval = (fp_interval){fmin(found.low, to->recall), fmax(found.high, to->recall)};
}

fp_status fp_judged_estimate(const fp_judged_stratum *strata, const fp_judged_counts *counts, size_t stratum_count,
                             fp_unsure unsure, double confidence, fp_arena *scratch, fp_judged_value *figures,
                             fp_error *error) {
    static const fp_interval NONE = {NAN, NAN};
    filled in;
    FP_TRY(fill_all(strata, counts, stratum_count, unsure, scratch, &in, error));
    uint64_t within = 0;
    for (size_t s = 0; s < stratum_count; s++) {
        within += strata[s].population;
        figures[s] = (fp_judged_value){strata[s].distance, within, NAN, NAN, NAN, NAN, NONE, NONE};
        if (s < in.unjudged) estimate_precision(&in, in.of[s], confidence, figures + s);
        if (in.unjudged == SIZE_MAX) estimate_recall(&in, in.of[s], confidence, figures + s);
    }
    return FP_OK;
}

/* ---- Score intervals of weighted sums of proportions ---- */

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

/* The minimum and maximum of the sum over all p in [0, 1]; known strata keep their share. */
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

/* ---- Maximum-likelihood p under the claim ---- */

/* With a Lagrange multiplier λ for the claim the score equation m(p̂ − p)/(p(1 − p)) = λc is t p² − (1 + t)p + p̂ =
 * 0, t = λc/m. Returns the root in [0, 1], which equals p̂ at t = 0. *slope receives dp/dt. */
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

/* The excess falls as λ rises. Newton steps inside a bracket; a step that leaves the bracket is replaced by
 * bisection. */
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
 * curve. */
static double unskewed(double excess, double skewness) {
    double a = skewness / 6;
    if (fabs(a) < 1e-9) return excess * excess;
    double root = 1 + 4 * a * (a + excess);
    if (root < 0) return INFINITY;
    double z = (sqrt(root) - 1) / (2 * a);
    return z * z;
}

/* z² of the claim; infinite when no p satisfies it. */
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

/* The limit of the interval between `value`, which is inside, and `end`. */
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

/* ---- Agreement of two judges ---- */

enum { CLASSES = FP_KAPPA_CLASSES };

typedef struct shares {
    double cell[CLASSES][CLASSES], row[CLASSES], column[CLASSES];
} shares;

static void take_shares(const fp_kappa *of, shares *to) {
    *to = (shares){0};
    for (size_t i = 0; i < CLASSES; i++) {
        for (size_t j = 0; j < CLASSES; j++) {
            to->cell[i][j] = (double)of->table.of[i][j] / (double)of->pairs;
            to->row[i] += to->cell[i][j];
            to->column[j] += to->cell[i][j];
        }
    }
}

/* n·Var(κ)·(1 − p_e)². */
static double spread_of_kappa(const shares *of, double kappa, double expected) {
    double same = 0, other = 0, last = kappa - expected * (1 - kappa);
    for (size_t i = 0; i < CLASSES; i++) {
        double rest = 1 - (of->row[i] + of->column[i]) * (1 - kappa);
        same += of->cell[i][i] * rest * rest;
        for (size_t j = 0; j < CLASSES; j++) {
            double margins = of->column[i] + of->row[j];
            if (i != j) other += of->cell[i][j] * margins * margins;
        }
    }
    return same + (1 - kappa) * (1 - kappa) * other - last * last;
}

void fp_kappa_make(const fp_kappa_table *table, double confidence, fp_kappa *kappa) {
    *kappa = (fp_kappa){
        .table = *table, .agreement = NAN, .expected = NAN, .kappa = NAN, .error = NAN, .interval = {NAN, NAN}};
    uint64_t agreed = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        for (size_t j = 0; j < CLASSES; j++) kappa->pairs += table->of[i][j];
        agreed += table->of[i][i];
    }
    if (kappa->pairs == 0) return;
    shares of;
    take_shares(kappa, &of);
    kappa->agreement = (double)agreed / (double)kappa->pairs;
    kappa->expected = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        kappa->expected += of.row[i] * of.column[i];
        if (table->of[i][i] == kappa->pairs) return;
    }
    kappa->kappa = (kappa->agreement - kappa->expected) / (1 - kappa->expected);
    if (agreed == kappa->pairs) return;
    kappa->error = sqrt(fmax(0, spread_of_kappa(&of, kappa->kappa, kappa->expected)) / (double)kappa->pairs) /
                   (1 - kappa->expected);
    double half = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * kappa->error;
    kappa->interval = (fp_interval){fmax(-1, kappa->kappa - half), fmin(1, kappa->kappa + half)};
}

void fp_kappa_of(const fp_judged_sheet *a, const fp_judged_sheet *b, double confidence, fp_kappa *kappa) {
    fp_kappa_table table = {0};
    for (size_t i = 0; i < a->pair_count; i++) {
        fp_judgement first = a->pairs[i].judgement, second = b->pairs[i].judgement;
        if (first != FP_JUDGED_OPEN && second != FP_JUDGED_OPEN) table.of[first][second]++;
    }
    fp_kappa_make(&table, confidence, kappa);
}
