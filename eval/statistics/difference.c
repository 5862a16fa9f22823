/* SPDX-License-Identifier: GPL-3.0-or-later
 * Differences between arms. */
#include "eval/statistics/difference.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/spread.h"

/* ---- From the spread ---- */

/* Two-sided p of a statistic with Student's law. */
static double tail(double statistic, double freedom) {
    return freedom > 0 ? fmin(1, 2 * gsl_cdf_tdist_Q(fabs(statistic), freedom)) : 1;
}

/* No difference is larger than the range of the measure. */
static fp_interval within_range(const fp_measure_row *row, fp_interval found) {
    double width = row->most - row->least;
    return (fp_interval){fmax(-width, found.low), fmin(width, found.high)};
}

static fp_status open_side(const fp_bootstrap *bootstrap, fp_side from, fp_arena *scratch, fp_spread_side *side,
                           fp_error *error) {
    *side = (fp_spread_side){.arm = from.arm, .members = fp_members_of_measure(from.measure)};
    return fp_influence_of(bootstrap, from.arm, from.measure, scratch, &side->influence, error);
}

static fp_status spread_of(const fp_bootstrap *bootstrap, fp_side first, fp_side second, fp_arena *scratch,
                           fp_dyadic *spread, fp_seed_spread *seeds, fp_error *error) {
    fp_spread_side one, other;
    FP_TRY(open_side(bootstrap, first, scratch, &one, error));
    FP_TRY(open_side(bootstrap, second, scratch, &other, error));
    FP_TRY(fp_spread_of(bootstrap, &one, &other, scratch, spread, error));
    FP_TRY(fp_bootstrap_seeds(bootstrap, first, &second, scratch, seeds, error));
    fp_dyadic_add_seeds(spread, seeds);
    return FP_OK;
}

static void from_spread(const fp_bootstrap *bootstrap, fp_side first, fp_side second, const fp_dyadic *spread,
                        double confidence, fp_difference *difference) {
    double freedom = fp_dyadic_freedom(spread);
    bool still = difference->value == 0 && spread->variance == 0;
    if (!(freedom > 0)) return;
    /* One more unit: like those that move the difference most, or like the most extreme possible one. */
    double one = fp_measure_unit(bootstrap, first.arm, first.measure),
           other = fp_measure_unit(bootstrap, second.arm, second.measure),
           more = (spread->fall * spread->fall + spread->rise * spread->rise) / 2;
    /* If many units move the difference, the most extreme possible one is already among them. */
    double moving = spread->variance > 0 ? fmax(1, spread->freedom / 2) : 1;
    double error = sqrt(fmax(spread->variance + more, fmax(one * one, other * other) / moving));
    double half = error * gsl_cdf_tdist_Qinv((1 - confidence) / 2, freedom);
    difference->interval =
        within_range(first.measure.row, (fp_interval){difference->value - half, difference->value + half});
    difference->p = still ? 1 : tail(difference->value / error, freedom);
}

/* ---- Paired bootstrap ---- */

static double at_zero(const fp_replicates *drawn) {
    double below = 0, above = 0;
    for (size_t i = 0; i < drawn->count; i++) {
        below += drawn->drawn[i] <= 0;
        above += drawn->drawn[i] >= 0;
    }
    return fmin(below, above);
}

/* The normal quantile of p, read from Student's t: below the level exactly when an interval wider by t/z excludes 0. */
static double by_student(double p, double freedom) {
    return fmin(1, 2 * gsl_cdf_tdist_Q(gsl_cdf_ugaussian_Qinv(p / 2), freedom));
}

static double from_share(const fp_replicates *drawn, double beyond) {
    return by_student(fmin(1, 2 * (beyond + 1) / ((double)drawn->count + 1)), fp_dyadic_freedom(&drawn->spread));
}

double fp_difference_p(const fp_replicates *drawn) {
    if (isnan(drawn->observed) || drawn->count < drawn->undefined) return NAN;
    if (drawn->spread.resampled == 0) return drawn->observed == 0 ? 1 : NAN;
    double freedom = fp_dyadic_freedom(&drawn->spread), beyond = at_zero(drawn);
    if (!(freedom > 0)) return 1;
    double share = from_share(drawn, beyond);
    if (beyond >= FP_DIFFERENCE_TAIL || drawn->spread.variance == 0) return share;
    double least = from_share(drawn, FP_DIFFERENCE_TAIL);
    return fmin(least, tail(drawn->observed / sqrt(drawn->spread.variance), freedom));
}

double fp_difference_p_error(const fp_replicates *drawn) {
    if (isnan(fp_difference_p(drawn))) return NAN;
    if (drawn->spread.resampled == 0 || !(fp_dyadic_freedom(&drawn->spread) > 0)) return 0;
    double beyond = at_zero(drawn), share = beyond / (double)drawn->count;
    if (beyond < FP_DIFFERENCE_TAIL && drawn->spread.variance > 0) return 0;
    double step = sqrt((double)drawn->count * share * (1 - share));
    return (from_share(drawn, beyond + step) - from_share(drawn, fmax(0, beyond - step))) / 2;
}

static fp_status from_replicates(const fp_bootstrap *bootstrap, fp_side first, fp_side second, const fp_dyadic *spread,
                                 fp_method method, double confidence, fp_arena *scratch, fp_difference *difference,
                                 fp_error *error) {
    size_t replicates = bootstrap->replicates;
    double *values = FP_NEED(fp_arena_raw(scratch, replicates, sizeof *values), error);
    fp_replicates drawn;
    for (size_t i = 0; i < replicates; i++)
        values[i] = fp_bootstrap_value(bootstrap, i, first.arm, first.measure) -
                    fp_bootstrap_value(bootstrap, i, second.arm, second.measure);
    fp_replicates_draw(values, replicates, difference->value, spread, &drawn);
    difference->undefined = drawn.undefined;
    fp_interval found = fp_replicates_interval(&drawn, method, confidence, &difference->monte_carlo);
    difference->interval = isnan(found.low) ? found : within_range(first.measure.row, found);
    difference->p = fp_difference_p(&drawn);
    difference->drawn = true;
    difference->p_error = fp_difference_p_error(&drawn);
    return FP_OK;
}

/* ---- Either ---- */

fp_status fp_difference_of(const fp_bootstrap *bootstrap, fp_side first, fp_side second, fp_method method,
                           double confidence, fp_arena *scratch, fp_difference *difference, fp_error *error) {
    fp_dyadic spread;
    size_t observed = bootstrap->replicates;
    fp_arena_reset(scratch);
    *difference = (fp_difference){.value = fp_bootstrap_value(bootstrap, observed, first.arm, first.measure) -
                                           fp_bootstrap_value(bootstrap, observed, second.arm, second.measure),
                                  .interval = {NAN, NAN},
                                  .error = NAN,
                                  .p = NAN,
                                  .units = NAN,
                                  .freedom = NAN};
    if (isnan(difference->value)) return FP_OK;
    FP_TRY(spread_of(bootstrap, first, second, scratch, &spread, &difference->seeds, error));
    difference->error = sqrt(spread.variance);
    difference->units = spread.effective;
    difference->freedom = spread.freedom;
    if (fp_method_draws(method) && spread.resampled > 0)
        return from_replicates(bootstrap, first, second, &spread, method, confidence, scratch, difference, error);
    from_spread(bootstrap, first, second, &spread, confidence, difference);
    return FP_OK;
}

/* ---- Holm ---- */

/* The order of p-values, those that are NaN last; *defined: the number of the others. */
static fp_status order_tests(const double *p, size_t count, fp_arena *scratch, size_t **order, size_t *defined,
                             fp_error *error) {
    double *value = FP_NEED(fp_arena_raw(scratch, count, sizeof *value), error);
    *order = FP_NEED(fp_arena_raw(scratch, count, sizeof **order), error);
    *defined = 0;
    for (size_t i = 0; i < count; i++) {
        value[i] = isnan(p[i]) ? INFINITY : p[i];
        *defined += isnan(p[i]) ? 0 : 1;
    }
    gsl_sort_index(*order, value, 1, count);
    return FP_OK;
}

fp_status fp_holm(const double *p, size_t count, const fp_arena *like, double *adjusted, fp_error *error) {
    FP_SCRATCH(scratch, like, error);
    size_t *order, defined;
    double largest = 0;
    FP_TRY(order_tests(p, count, scratch, &order, &defined, error));
    for (size_t k = 0; k < count; k++) {
        if (k < defined) largest = fmax(largest, fmin(1, p[order[k]] * (double)(defined - k)));
        adjusted[order[k]] = k < defined ? largest : NAN;
    }
    return FP_OK;
}

fp_status fp_holm_unsettled(const fp_drawn_tests *tests, double level, const fp_arena *like, size_t *unsettled,
                            fp_error *error) {
    FP_SCRATCH(scratch, like, error);
    size_t *order, defined;
    FP_TRY(order_tests(tests->p, tests->count, scratch, &order, &defined, error));
    *unsettled = 0;
    for (size_t k = 0; k < defined; k++) {
        double p = tests->p[order[k]], bound = level / (double)(defined - k);
        bool settled = fabs(p - bound) > FP_SETTLED_ERRORS * tests->error[order[k]];
        *unsettled += !settled;
        if (settled && p >= bound) break;
    }
    return FP_OK;
}

/* ---- Equivalence ---- */

double fp_equivalence_confidence(double confidence) { return 2 * confidence - 1; }

fp_equivalence fp_equivalence_of(const fp_estimated *difference, const fp_equivalence_options *options) {
    fp_interval interval = difference->interval;
    if (isnan(interval.low) || isnan(interval.high)) return fp_equivalence_unknown(options->margin);
    double farthest = fmax(fabs(interval.low), fabs(interval.high));
    return (fp_equivalence){.margin = options->margin,
                            .units = difference->units,
                            .interval = interval,
                            .farthest = farthest,
                            .within = farthest < options->margin};
}

fp_equivalence fp_equivalence_unknown(double margin) { return (fp_equivalence){margin, NAN, {NAN, NAN}, NAN, false}; }

/* ---- Sample size ---- */

/* The root N of v·G/N·(1 + (w² − 1)·G/N) = the allowed variance; `ratio`: v over that. */
static double units_for(double units, double ratio, double wide) {
    double excess = fmax(0, wide * wide - 1), root = (ratio + sqrt(ratio * ratio + 4 * ratio * excess)) / 2;
    return fmax(2, ceil(units * root - 1e-9));
}

fp_sample_size fp_sample_size_of(const fp_estimated *difference, double freedom, const fp_equivalence_options *options,
                                 double detect) {
    fp_sample_size size = {detect, NAN, {NAN, NAN}};
    double alpha = 1 - options->confidence, error = difference->error;
    fp_interval seen = difference->interval;
    if (!(error > 0) || isnan(seen.low) || isnan(seen.high)) return size;
    double quantiles =
        gsl_cdf_ugaussian_Qinv(alpha / 2 / (double)options->tests) + gsl_cdf_ugaussian_Pinv(FP_SAMPLE_SIZE_POWER);
    double wide = (seen.high - seen.low) / 2 / gsl_cdf_ugaussian_Qinv(alpha) / error;
    double varies = error * error - difference->fixed, allowed = pow(detect / quantiles, 2) - difference->fixed;
    if (!(allowed > 0)) return (fp_sample_size){detect, INFINITY, {INFINITY, INFINITY}};
    double ratio = fmax(0, varies) / allowed, units = difference->units;
    size.needed = units_for(units, ratio, wide);
    size.interval = (fp_interval){size.needed, size.needed};
    if (!(freedom > 0) || isinf(freedom)) return size;
    double most = 2 * fp_gamma_quantile(freedom / 2, 1 - alpha / 2),
           least = 2 * fp_gamma_quantile(freedom / 2, alpha / 2);
    size.interval.low = units_for(units, ratio * freedom / most, wide);
    size.interval.high = units_for(units, ratio * freedom / least, wide);
    return size;
}

/* ---- McNemar's test, of pairs and of units ---- */

double fp_mcnemar_exact(uint64_t only_first, uint64_t only_second) {
    uint64_t fewer = only_first < only_second ? only_first : only_second, all = only_first + only_second;
    if (all == 0) return 1;
    double exact = all <= UINT32_MAX ? gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)all) : NAN;
    /* Counts too large for the beta distribution: the normal limit, with the continuity correction. */
    if (isnan(exact)) exact = gsl_cdf_ugaussian_P(((double)fewer + 0.5 - (double)all / 2) / (sqrt((double)all) / 2));
    return fmin(1, 2 * exact);
}

/* ---- Units ---- */

typedef struct sums {
    double all;     /* Σ d */
    double squares; /* Σ s² */
    double fourths; /* Σ s⁴ */
    double across;  /* Σ e² over dyads across units */
    double inside;  /* Σ e² over dyads inside one */
    double touched; /* mean square of the number of units that a discordant pair touches */
    double active;  /* units that a discordant pair touches */
} sums;

static fp_status add_up(const fp_resample *resample, const bool *first, const bool *second, fp_arena *scratch, sums *to,
                        fp_error *error) {
    size_t units = resample->unit_count, dyads = resample->dyad_count;
    double *unit = FP_NEED(fp_arena_alloc(scratch, units, sizeof *unit), error),
           *dyad = FP_NEED(fp_arena_alloc(scratch, dyads, sizeof *dyad), error), discordant = 0;
    bool *active = FP_NEED(fp_arena_alloc(scratch, units, sizeof *active), error);
    *to = (sums){0};
    for (size_t i = 0; i < resample->pair_count; i++) {
        uint32_t a = resample->first[i], b = resample->second[i];
        double d = (double)first[i] - (double)second[i];
        if (d == 0) continue;
        active[a] = active[b] = true;
        unit[a] += d;
        if (a != b) unit[b] += d;
        dyad[resample->dyad[i]] += d;
        to->all += d;
        discordant++;
        to->touched += a != b ? 4 : 1;
    }
    to->touched /= discordant;
    for (size_t u = 0; u < units; u++) {
        to->active += active[u];
        to->squares += unit[u] * unit[u];
        to->fourths += pow(unit[u], 4);
    }
    for (size_t i = 0; i < dyads; i++) {
        uint32_t pair = resample->dyad_pair[i];
        *(resample->first[pair] == resample->second[pair] ? &to->inside : &to->across) += dyad[i] * dyad[i];
    }
    return FP_OK;
}

static double within(double value, double least, double most) { return fmin(most, fmax(least, value)); }

static double of_units(const sums *of, double units) {
    if (units < 2) return NAN;
    if (of->all == 0) return 1;
    double variance = fmax(of->squares - of->across, of->inside + of->across);
    double worth = within(3 * variance * variance / of->fourths, 2, units);
    double most = within(units / of->touched, 2, worth), squared = of->all * of->all / variance;
    double t = squared < most ? sqrt(squared * (most - 1) / (most - squared)) : INFINITY;
    double freedom = 2 * worth * most / (worth + most) - 1;
    return fmin(1, fmax(2 * gsl_cdf_tdist_Q(t, freedom), pow(0.5, of->active - 1)));
}

fp_status fp_mcnemar_of(const fp_resample *resample, const bool *first, const bool *second, fp_arena *scratch,
                        fp_mcnemar *test, fp_error *error) {
    *test = (fp_mcnemar){.exact = resample->unit == FP_SAMPLING_PAIR, .p = 1};
    for (size_t i = 0; i < resample->pair_count; i++) {
        test->only_first += first[i] && !second[i];
        test->only_second += second[i] && !first[i];
    }
    if (test->exact) test->p = fp_mcnemar_exact(test->only_first, test->only_second);
    if (test->exact || test->only_first + test->only_second == 0) return FP_OK;
    sums of;
    FP_TRY(add_up(resample, first, second, scratch, &of, error));
    test->p = of_units(&of, (double)resample->unit_count);
    return FP_OK;
}
