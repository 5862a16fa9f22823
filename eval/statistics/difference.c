/* SPDX-License-Identifier: GPL-3.0-or-later
 * Differences between arms. */
#include "eval/statistics/difference.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/effective.h"

/* ---- Paired bootstrap ---- */

static double at_zero(const fp_replicates *drawn, double widening) {
    double below = 0, above = 0, middle = drawn->observed;
    for (size_t i = 0; i < drawn->count; i++) {
        double value = middle + widening * (drawn->drawn[i] - middle);
        below += value <= 0;
        above += value >= 0;
    }
    return fmin(below, above);
}

/* Two-sided, from a statistic that is t distributed with G − 1 degrees of freedom; normal for independent pairs. */
static double tail(fp_sampling_unit unit, double statistic, double units) {
    if (unit == FP_SAMPLING_PAIR) return fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(statistic)));
    return units < 2 ? 1 : fmin(1, 2 * gsl_cdf_tdist_Q(fabs(statistic) * sqrt((units - 1) / units), units - 1));
}

/* The normal quantile that belongs to p, read from Student's t: an interval that is wider by t/z leaves out 0 exactly
 * when this falls below the level. */
static double with_few_units(const fp_replicates *drawn, double p) {
    if (drawn->unit == FP_SAMPLING_PAIR) return p;
    return fmin(1, 2 * gsl_cdf_tdist_Q(gsl_cdf_ugaussian_Qinv(p / 2), drawn->units - 1));
}

double fp_difference_p(const fp_replicates *drawn) {
    if (isnan(drawn->observed) || drawn->count < drawn->undefined) return NAN;
    if (drawn->spread.resampled == 0) return drawn->observed == 0 ? 1 : NAN;
    bool pairs = drawn->unit == FP_SAMPLING_PAIR;
    if (!pairs && drawn->units < 2) return 1;
    double beyond = at_zero(drawn, pairs ? 1 : sqrt(drawn->units / (drawn->units - 1)));
    double share = with_few_units(drawn, fmin(1, 2 * (beyond + 1) / ((double)drawn->count + 1)));
    if (beyond >= FP_DIFFERENCE_TAIL || drawn->spread.variance == 0) return share;
    double least = with_few_units(drawn, fmin(1, 2 * (double)(FP_DIFFERENCE_TAIL + 1) / ((double)drawn->count + 1)));
    return fmin(least, tail(drawn->unit, drawn->observed / sqrt(drawn->spread.variance), drawn->units));
}

static fp_status draw(const fp_bootstrap *bootstrap, fp_side first, fp_side second, fp_arena *scratch,
                      fp_replicates *drawn, fp_error *error) {
    size_t replicates = bootstrap->replicates, pairs = bootstrap->resample->pair_count;
    double *values = fp_arena_raw(scratch, replicates + 1, sizeof *values), units[2];
    double *influence = fp_arena_raw(scratch, pairs, sizeof *influence),
           *other = fp_arena_raw(scratch, pairs, sizeof *other);
    fp_dyadic spread;
    if (!values || !influence || !other) return fp_no_memory(error);
    for (size_t i = 0; i <= replicates; i++)
        values[i] = fp_bootstrap_value(bootstrap, i, first.arm, first.measure) -
                    fp_bootstrap_value(bootstrap, i, second.arm, second.measure);
    FP_TRY(fp_bootstrap_influence(bootstrap, first.arm, first.measure, scratch, influence, error));
    FP_TRY(fp_bootstrap_influence(bootstrap, second.arm, second.measure, scratch, other, error));
    for (size_t i = 0; i < pairs; i++) influence[i] -= other[i];
    FP_TRY(fp_bootstrap_units(bootstrap, first.arm, first.measure, scratch, units, error));
    FP_TRY(fp_bootstrap_units(bootstrap, second.arm, second.measure, scratch, units + 1, error));
    FP_TRY(fp_dyadic_of(bootstrap->resample, influence, scratch, &spread, error));
    fp_replicates_draw(bootstrap->resample->unit, values, replicates, values[replicates], &spread,
                       fmin(units[0], units[1]), drawn);
    return FP_OK;
}

/* No difference is larger than the range of the measure. */
static fp_interval within_range(const fp_measure_row *row, fp_interval found) {
    double width = row->most - row->least;
    return (fp_interval){fmax(-width, found.low), fmin(width, found.high)};
}

/* Where neither measure varies. */
static fp_status from_each(const fp_bootstrap *bootstrap, fp_side first, fp_side second, double confidence,
                           fp_arena *scratch, fp_difference *difference, fp_error *error) {
    fp_estimate a, b;
    FP_TRY(
        fp_bootstrap_estimate(bootstrap, first.arm, first.measure, FP_METHOD_WILSON, confidence, scratch, &a, error));
    FP_TRY(
        fp_bootstrap_estimate(bootstrap, second.arm, second.measure, FP_METHOD_WILSON, confidence, scratch, &b, error));
    fp_interval found = fp_square_and_add(a.value, a.interval, b.value, b.interval);
    difference->interval = within_range(first.measure.row, found);
    return FP_OK;
}

fp_status fp_difference_of(const fp_bootstrap *bootstrap, fp_side first, fp_side second, fp_method method,
                           double confidence, fp_arena *scratch, fp_difference *difference, fp_error *error) {
    fp_replicates drawn;
    fp_arena_reset(scratch);
    FP_TRY(draw(bootstrap, first, second, scratch, &drawn, error));
    bool defined = !isnan(drawn.observed), still = drawn.spread.resampled == 0;
    fp_interval found = fp_replicates_interval(&drawn, method, confidence);
    if (!isnan(found.low)) found = within_range(first.measure.row, found);
    *difference = (fp_difference){.value = drawn.observed,
                                  .interval = found,
                                  .error = defined ? sqrt(drawn.spread.variance) : NAN,
                                  .p = fp_difference_p(&drawn),
                                  .units = drawn.units,
                                  .undefined = drawn.undefined};
    return defined && still ? from_each(bootstrap, first, second, confidence, scratch, difference, error) : FP_OK;
}

/* ---- McNemar ---- */

double fp_mcnemar_exact(uint64_t only_first, uint64_t only_second) {
    uint64_t fewer = only_first < only_second ? only_first : only_second, all = only_first + only_second;
    if (all == 0) return 1;
    double exact = all <= UINT32_MAX ? gsl_cdf_binomial_P((unsigned)fewer, 0.5, (unsigned)all) : NAN;
    /* Counts out of the beta distribution's reach: the normal limit, with the continuity correction. */
    if (isnan(exact)) exact = gsl_cdf_ugaussian_P(((double)fewer + 0.5 - (double)all / 2) / (sqrt((double)all) / 2));
    return fmin(1, 2 * exact);
}

static bool right(const fp_ranking *ranking, size_t pair, size_t threshold) {
    bool near = ranking->slot[pair] / 2 < ranking->reach[threshold];
    return near == (ranking->slot[pair] & 1);
}

fp_status fp_mcnemar_of(const fp_bootstrap *bootstrap, size_t first_arm, size_t first_threshold, size_t second_arm,
                        size_t second_threshold, fp_arena *scratch, fp_mcnemar *test, fp_error *error) {
    fp_arena_reset(scratch);
    *test = (fp_mcnemar){.robust = 1};
    const fp_resample *resample = bootstrap->resample;
    const fp_ranking *first = bootstrap->rankings + first_arm, *second = bootstrap->rankings + second_arm;
    double *value = fp_arena_raw(scratch, resample->pair_count, sizeof *value), sum = 0, units;
    bool *discordant = fp_arena_raw(scratch, resample->pair_count, sizeof *discordant);
    if (!value || !discordant) return fp_no_memory(error);
    for (size_t i = 0; i < resample->pair_count; i++) {
        bool a = right(first, i, first_threshold), b = right(second, i, second_threshold);
        test->only_first += a && !b;
        test->only_second += b && !a;
        discordant[i] = a != b;
        value[i] = (double)a - (double)b;
        sum += value[i];
    }
    fp_dyadic spread;
    test->p = fp_mcnemar_exact(test->only_first, test->only_second);
    FP_TRY(fp_dyadic_of(resample, value, scratch, &spread, error));
    FP_TRY(fp_dyadic_fewest_trials(resample, discordant, scratch, &units, error));
    if (spread.variance > 0) test->robust = tail(resample->unit, sum / sqrt(spread.variance), units);
    return FP_OK;
}

/* ---- Holm ---- */

fp_status fp_holm(const double *p, size_t count, const fp_arena *like, double *adjusted, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(like);
    size_t *order = scratch ? fp_arena_raw(scratch, count, sizeof *order) : NULL, *position = NULL;
    double *defined = scratch ? fp_arena_raw(scratch, count, sizeof *defined) : NULL;
    if (scratch) position = fp_arena_raw(scratch, count, sizeof *position);
    if (!order || !defined || !position) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    size_t tests = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(p[i])) {
            adjusted[i] = NAN;
            continue;
        }
        position[tests] = i;
        defined[tests++] = p[i];
    }
    gsl_sort_index(order, defined, 1, tests);
    double largest = 0;
    for (size_t k = 0; k < tests; k++) {
        largest = fmax(largest, fmin(1, defined[order[k]] * (double)(tests - k)));
        adjusted[position[order[k]]] = largest;
    }
    fp_arena_free(scratch);
    return FP_OK;
}
