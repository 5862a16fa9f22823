/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval of a weighted share. */
#include "eval/statistics/proportion_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "eval/statistics/measure_interval.h"

/* ---- Trials ---- */

/* The trials that touch a unit, or belong to a dyad. */
typedef struct proportion_cell {
    double right, wrong; /* Σ weight of the successes, of the others */
    double trials;
} proportion_cell;

/* Sums of products over cells. With q the share and W = Σ weight, the influence of a trial is weight·(success − q)/W:
 * a cell's sum is linear in `right` and `wrong`, and the sum of squares over cells a quadratic form in q whose
 * coefficients these are. */
typedef struct proportion_products {
    double right, mixed, wrong; /* Σ right², Σ right·wrong, Σ wrong² */
    double trials;              /* Σ trials² */
} proportion_products;

typedef struct proportion_sums {
    const fp_resample *resample;
    proportion_cell *unit, *dyad;                   /* [unit_count], [dyad_count] */
    proportion_products over_units, inside, across; /* over units, over dyads inside a unit and across two */
    proportion_cell all, touching;                  /* over all trials; over all units */
    double squares_right, squares_wrong;            /* Σ weight² of the successes, of the others */
} proportion_sums;

static fp_status open_sums(const fp_resample *resample, fp_arena *arena, proportion_sums *sums, fp_error *error) {
    *sums = (proportion_sums){.resample = resample,
                              .unit = fp_arena_alloc(arena, resample->unit_count, sizeof *sums->unit),
                              .dyad = fp_arena_alloc(arena, resample->dyad_count, sizeof *sums->dyad)};
    return sums->unit && sums->dyad ? FP_OK : fp_no_memory(error);
}

/* (x + w)² = x² + w·(2x + w), and the mixed product grows by w times the other side. */
static void add(proportion_cell *cell, double weight, bool success, proportion_products *to) {
    double *mine = success ? &cell->right : &cell->wrong, other = success ? cell->wrong : cell->right;
    *(success ? &to->right : &to->wrong) += weight * (2 * *mine + weight);
    to->mixed += weight * other;
    to->trials += 2 * cell->trials + 1;
    *mine += weight;
    cell->trials++;
}

static void add_trial(proportion_sums *sums, size_t pair, double weight, bool success) {
    const fp_resample *resample = sums->resample;
    uint32_t first = resample->first[pair], second = resample->second[pair];
    double touched = first == second ? 1 : 2;
    add(sums->unit + first, weight, success, &sums->over_units);
    if (first != second) add(sums->unit + second, weight, success, &sums->over_units);
    add(sums->dyad + resample->dyad[pair], weight, success, first == second ? &sums->inside : &sums->across);
    *(success ? &sums->all.right : &sums->all.wrong) += weight;
    *(success ? &sums->touching.right : &sums->touching.wrong) += touched * weight;
    sums->all.trials++;
    *(success ? &sums->squares_right : &sums->squares_wrong) += weight * weight;
}

/* ---- The share ---- */

/* Σ (right·(1 − q) − wrong·q)² over the cells. */
static double squares_of(const proportion_products *of, double q) {
    return (1 - q) * (1 - q) * of->right - 2 * q * (1 - q) * of->mixed + q * q * of->wrong;
}

/* The typical size of a unit with errors; larger units are more likely to be sampled. */
static double unit_of(double squares, double touching) { return touching > 0 ? squares / touching : 0; }

static fp_proportion share_of(const proportion_sums *sums, double confidence) {
    const fp_resample *resample = sums->resample;
    double sum = sums->all.right + sums->all.wrong, trials = sums->all.trials;
    if (!(sum > 0)) return (fp_proportion){NAN, {NAN, NAN}, 0};
    double q = sums->all.right / sum, scale = 1 / (sum * sum);
    fp_dyadic_sums influence = {.total = (sums->touching.right * (1 - q) - sums->touching.wrong * q) / sum,
                                .squares = squares_of(&sums->over_units, q) * scale,
                                .across = squares_of(&sums->across, q) * scale,
                                .inside = squares_of(&sums->inside, q) * scale};
    bool pairs = resample->unit == FP_SAMPLING_PAIR;
    double units = pairs ? trials : trials * trials / (sums->over_units.trials - sums->across.trials);
    double independent = ((1 - q) * (1 - q) * sums->squares_right + q * q * sums->squares_wrong) * scale;
    double variance = fmax(fp_dyadic_variance(&influence, resample->unit_count), independent / 2);
    fp_share_spread spread = {.variance = pairs ? variance : variance * units / fmax(1, units - 1),
                              .independent = independent,
                              .wider = pairs ? 1 : fp_by_student(units - 1, confidence),
                              .wrong = fmax(unit_of(sums->over_units.wrong, sums->touching.wrong) / sum, 1 / units),
                              .right = fmax(unit_of(sums->over_units.right, sums->touching.right) / sum, 1 / units)};
    fp_proportion share = {.value = q, .interval = {NAN, NAN}, .trials = q * (1 - q) / variance};
    if (pairs || units > 1) share.interval = fp_share_interval(q, &spread, confidence, false);
    return share;
}

fp_status fp_proportion_of(const fp_resample *resample, const double *weight, const bool *success, double confidence,
                           fp_arena *scratch, fp_proportion *share, fp_error *error) {
    proportion_sums sums;
    FP_TRY(open_sums(resample, scratch, &sums, error));
    for (size_t i = 0; i < resample->pair_count; i++)
        if (weight[i] > 0) add_trial(&sums, i, weight[i], success[i]);
    *share = share_of(&sums, confidence);
    return FP_OK;
}

/* ---- Beta laws ---- */

/* a = 0: the share is 0 for certain; b = 0: it is 1. */
typedef struct law {
    double a, b;
} law;

/* From here on the normal law is more accurate than GSL's beta distribution, which loses digits as counts grow. */
#define NORMAL_FROM 1e9

static double below(law of, double x) {
    if (of.a <= 0) return 1;
    if (of.b <= 0) return 0;
    double sum = of.a + of.b, reached = fmin(of.a, of.b) < NORMAL_FROM ? gsl_cdf_beta_P(x, of.a, of.b) : NAN;
    if (!isnan(reached)) return reached;
    return gsl_cdf_ugaussian_P((x - of.a / sum) / sqrt(of.a * of.b / (sum * sum * (sum + 1))));
}

/* For log(x/(1 − x)). */
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

/* ---- One more unit ---- */

/* For a share with this variance, if one more unit of weight `more` consists only of successes. */
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

/* ---- Student's interval from the spread over units ---- */

fp_status fp_mean_of(const fp_resample *resample, const double *value, double confidence, fp_arena *scratch,
                     fp_mean *mean, fp_error *error) {
    size_t count = resample->pair_count;
    double *influence = FP_NEED(fp_arena_raw(scratch, count, sizeof *influence), error), sum = 0;
    bool *counted = FP_NEED(fp_arena_raw(scratch, count, sizeof *counted), error);
    fp_dyadic spread;
    *mean = (fp_mean){NAN, {NAN, NAN}, 0};
    if (count == 0) return FP_OK;
    for (size_t i = 0; i < count; i++) {
        counted[i] = true;
        sum += value[i];
    }
    mean->value = sum / (double)count;
    for (size_t i = 0; i < count; i++) influence[i] = (value[i] - mean->value) / (double)count;
    FP_TRY(fp_dyadic_of(resample, influence, counted, scratch, &spread, error));
    bool pairs = resample->unit == FP_SAMPLING_PAIR;
    double units = (double)spread.units, freedom = pairs ? units - 1 : fp_dyadic_freedom(&spread);
    mean->units = units;
    if (!(freedom >= 1)) return FP_OK;
    if (pairs) spread.variance *= units / (units - 1);
    double half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, freedom) * sqrt(spread.variance);
    mean->interval = (fp_interval){mean->value - half, mean->value + half};
    return FP_OK;
}

/* ---- Bisection ---- */

enum { HALVINGS = 100 };

double fp_bisect(fp_holds holds, void *context, double inside, double outside) {
    for (int i = 0; i < HALVINGS; i++) {
        double middle = inside + (outside - inside) / 2;
        if (middle == inside || middle == outside) break;
        *(holds(context, middle) ? &inside : &outside) = middle;
    }
    return inside;
}

typedef struct gamma_law {
    double shape, level;
} gamma_law;

static bool is_below(void *context, double x) {
    const gamma_law *of = context;
    return gsl_cdf_gamma_P(x, of->shape, 1) < of->level;
}

double fp_gamma_quantile(double shape, double level) {
    enum { MANY = 10000 };
    double z = gsl_cdf_ugaussian_Pinv(level), root = 1 - 1 / (9 * shape) + z / (3 * sqrt(shape));
    if (shape > MANY) return shape * root * root * root;
    return fp_bisect(is_below, &(gamma_law){shape, level}, 0, 2 * shape + 100);
}
