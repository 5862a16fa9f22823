/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of measures: from replicates, or from the spread over units. */
#include "eval/statistics/measure_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/counted.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/spread.h"
#include "eval/statistics/two_rates.h"

/* ---- Cells of the table ---- */

enum { TP = FP_CELL_TP, FP = FP_CELL_FP, FN = FP_CELL_FN, TN = FP_CELL_TN };

/* The lower end of good values: that of the range, or 0 if that is infinite. */
static double floor_of(const fp_measure_row *row) { return isfinite(row->least) ? row->least : 0; }

typedef struct work {
    const fp_bootstrap *bootstrap;
    size_t arm;
    fp_method method;
    double confidence;
    fp_arena *scratch;
} work;

/* ---- One more unit ---- */

/* The number of pairs that a measured one may represent; up to a threshold. */
static double weight_of(const fp_bootstrap *bootstrap, size_t arm) {
    return bootstrap->counted ? fp_counted_weight(bootstrap->counted, arm) : 1;
}

static double weight_within(const fp_bootstrap *bootstrap, size_t arm, size_t threshold) {
    return weight_of(bootstrap, arm) > 1 ? fp_counted_drawn_calls(bootstrap->counted, arm, threshold).heaviest : 1;
}

/* What one more typical unit adds to a cell: all its positives lost (FN), or as many found as elsewhere (TP); all pairs
 * of a dyad not called (TN), or as many called as duplicates are (FP). While few are found, the share of a unit that is
 * found where any is remains unknown: if `found` is none, all of it; if k times a unit, no fewer than 1/(1 + k). Errors
 * smaller than `least` pairs cannot be seen. */
static fp_cells unit_of(const fp_bootstrap *bootstrap, double recall, double found, double least) {
    double positives = bootstrap->unit_positives, negatives = bootstrap->dyad_negatives;
    return (fp_cells){.tp = fmax(1, fmax(recall, 1 / (1 + found / positives)) * positives),
                      .fp = fmax(least, recall * negatives),
                      .fn = positives,
                      .tn = negatives};
}

/* The smallest and largest value of the measure with one more unit. */
typedef struct extremes {
    double least, most;
} extremes;

static extremes under_seed(const fp_bootstrap *bootstrap, size_t lane, fp_measure measure, double value, double least) {
    extremes found = {value, value};
    fp_confusion counts = fp_bootstrap_counts(bootstrap, bootstrap->replicates, lane, measure.threshold);
    fp_cells c = {(double)counts.tp, (double)counts.fp, (double)counts.fn, (double)counts.tn};
    double recall = c.tp + c.fn > 0 ? c.tp / (c.tp + c.fn) : 1;
    fp_cells unit = unit_of(bootstrap, recall, c.tp, least);
    fp_cells more[] = {{.tp = unit.tp}, {.fp = unit.fp}, {.fn = unit.fn}, {.tn = unit.tn}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        fp_cells all = {c.tp + more[i].tp, c.fp + more[i].fp, c.fn + more[i].fn, c.tn + more[i].tn};
        double changed = measure.row->value(all, measure.parameter);
        if (isnan(changed)) continue;
        found.least = fmin(found.least, changed);
        found.most = fmax(found.most, changed);
    }
    return found;
}

/* Means over those seeds of the arm for which the measure is defined; there is at least one. */
static extremes with_one_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, double least) {
    extremes mean = {0, 0};
    double defined = 0;
    for (size_t k = 0; k < fp_seed_count(bootstrap->options.further, arm); k++) {
        size_t lane = fp_seed_lane(bootstrap->options.further, arm, k);
        double value = fp_bootstrap_lane_value(bootstrap, bootstrap->replicates, lane, measure);
        if (isnan(value)) continue;
        extremes own = under_seed(bootstrap, lane, measure, value, least);
        mean = (extremes){mean.least + own.least, mean.most + own.most};
        defined++;
    }
    return (extremes){mean.least / defined, mean.most / defined};
}

/* For a measure over the range: its loss when all positives of one unit are lost. */
static double lost_with_a_unit(const fp_bootstrap *bootstrap, const fp_measure_row *row) {
    double positives = (double)bootstrap->totals[bootstrap->replicates * bootstrap->lane_count].positives;
    return (row->lost > 0 ? row->lost : 1) * fmin(1, bootstrap->unit_positives / fmax(1, positives));
}

double fp_measure_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure) {
    const fp_measure_row *row = measure.row;
    if (!fp_measure_at_threshold(row)) return lost_with_a_unit(bootstrap, row) * (row->most - floor_of(row));
    double value = fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure);
    extremes found = with_one_unit(bootstrap, arm, measure, weight_within(bootstrap, arm, measure.threshold));
    return row->lower_is_better ? found.most - value : value - found.least;
}

/* ---- As a share ---- */

/* A measure on a scale from 0 to 1, and its derivative there. */
typedef struct scaled {
    double share, slope;
} scaled;

static scaled to_share(const fp_measure_row *row, double value) {
    double least = floor_of(row), width = row->most - least;
    scaled to = {(value - least) / width, 1 / width};
    if (row->to_share) to.share = row->to_share(value, &to.slope);
    return to;
}

static double from_share(const fp_measure_row *row, double share) {
    double least = floor_of(row);
    return row->of_share ? row->of_share(share) : least + share * (row->most - least);
}

/* For independent pairs, a share with equal weights is binomial. */
static bool is_binomial(const work *of, const fp_measure_row *row, const fp_dyadic *spread) {
    return row->interval == FP_INTERVAL_OF_SHARE && !row->weights &&
           of->bootstrap->resample->unit == FP_SAMPLING_PAIR && !(spread->seeds > 0);
}

static fp_share_spread spread_of(const work *of, fp_measure measure, scaled at, const fp_dyadic *spread) {
    const fp_measure_row *row = measure.row;
    double square = at.slope * at.slope, share = at.share;
    /* Weights of a unit that lowers, or raises, the share this much. */
    double wrong = lost_with_a_unit(of->bootstrap, row), right = wrong;
    if (fp_measure_at_threshold(row)) {
        /* For a share, the sampled trials have their own limits (counted.h). */
        double least =
            row->interval == FP_INTERVAL_OF_SHARE ? 1 : weight_within(of->bootstrap, of->arm, measure.threshold);
        extremes one = with_one_unit(of->bootstrap, of->arm, measure, least);
        double low = to_share(row, one.least).share, high = to_share(row, one.most).share;
        wrong = low > 0 ? share / low - 1 : wrong;
        right = high < 1 ? (high - share) / (1 - high) : right;
    }
    double wider = is_binomial(of, row, spread) ? 1 : fp_by_student(fp_dyadic_freedom(spread), of->confidence);
    return (fp_share_spread){.variance = square * spread->variance,
                             .independent = square * spread->independent,
                             .wider = wider,
                             .wrong = share > 0 ? fmax(at.slope * spread->fall / share, wrong) : wrong,
                             .right = share < 1 ? fmax(at.slope * spread->rise / (1 - share), right) : right};
}

/* ---- Of a sample ---- */

static double in_cells(fp_cells counts, fp_cells weights, unsigned cells) {
    return (cells & TP ? weights.tp * counts.tp : 0) + (cells & FP ? weights.fp * counts.fp : 0) +
           (cells & FN ? weights.fn * counts.fn : 0) + (cells & TN ? weights.tn * counts.tn : 0);
}

/* If false positives are wrong trials, sampled ones move the limits. */
static fp_interval with_draw(const work *of, fp_measure measure, double share, double wider, fp_interval limits) {
    const fp_measure_row *row = measure.row;
    const fp_counted_pairs *counted = of->bootstrap->counted;
    bool wrong = row->interval == FP_INTERVAL_OF_SHARE && (row->counted & FP) && !(row->success & FP);
    if (!wrong || weight_of(of->bootstrap, of->arm) <= 1) return limits;
    fp_confusion c = fp_bootstrap_counts(of->bootstrap, of->bootstrap->replicates, of->arm, measure.threshold);
    fp_cells counts = {(double)c.tp, (double)c.fp, (double)c.fn, (double)c.tn},
             weights = row->weights ? row->weights(measure.parameter) : (fp_cells){1, 1, 1, 1};
    fp_drawn_calls drawn = fp_counted_drawn_calls(counted, of->arm, measure.threshold);
    return fp_share_with_draw(share, limits, &drawn, weights.fp / in_cells(counts, weights, row->success), wider,
                              of->confidence);
}

/* Best F1 is F1 at a threshold, so on the scale of its share, TP/(TP + FP + FN), sampled calls move its lower limit in
 * the same way. The upper one also allows for another threshold that sampled calls have made look worse. */
static fp_interval best_with_draw(const work *of, double value, double wider, fp_interval limits) {
    const fp_measure_row *f1 = &fp_measure_f1;
    const fp_counted_pairs *counted = of->bootstrap->counted;
    if (weight_of(of->bootstrap, of->arm) <= 1 || !(value > 0)) return limits;
    fp_counted_calls best = fp_counted_best_calls(counted, of->arm, of->confidence);
    double slope, share = f1->to_share(value, &slope);
    fp_interval as_shares = {f1->to_share(limits.low, &slope), f1->to_share(limits.high, &slope)};
    fp_interval found = fp_share_with_draw(share, as_shares, &best.drawn, 1 / best.tp, wider, of->confidence);
    return (fp_interval){f1->of_share(found.low), fmax(best.most, f1->of_share(found.high))};
}

/* Average precision is a mean of precisions, each of which the sample may overestimate. */
static fp_interval ranked_with_draw(const work *of, double value, double wider, fp_interval limits) {
    if (weight_of(of->bootstrap, of->arm) <= 1) return limits;
    double missed = value - fp_counted_least_average_precision(of->bootstrap->counted, of->arm, wider, of->confidence),
           below = value - limits.low;
    return (fp_interval){fmax(0, value - sqrt(below * below + missed * missed)), limits.high};
}

/* ---- Area under the ROC curve ---- */

/* The influence values of the area are the placement values of DeLong, DeLong and Clarke-Pearson (Biometrics 44, 1988,
 * equation 5), so that `spread` is the variance of theirs, summed over units as by Obuchowski (Biometrics 53, 1997) and
 * over dyads. Student's interval on the logit scale. */
static fp_interval roc_by_delong(double area, const fp_dyadic *spread, double wider, double confidence) {
    double middle = log(area / (1 - area)),
           half = wider * gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * sqrt(spread->variance) / (area * (1 - area));
    return (fp_interval){1 / (1 + exp(half - middle)), 1 / (1 + exp(-half - middle))};
}

/* The number of units that decide the variance, as degrees of freedom: below the first limit, DeLong's interval covers
 * too little; from the second on its coverage is nominal (tests/deep/intervals/coverage_real.c). */
enum { FEW_FOR_DELONG = 20, MANY_FOR_DELONG = 40 };

/* If few units decide the variance, the next may be worse than all observed ones: `careful` adds one such unit. Between
 * the limits above, a geometric mean of the errors 1 − A. For sampled negatives only `careful`. */
static fp_interval roc_interval(const work *of, double area, const fp_dyadic *spread, double wider,
                                fp_interval careful) {
    double weight = (spread->freedom - FEW_FOR_DELONG) / (MANY_FOR_DELONG - FEW_FOR_DELONG);
    weight = fmin(1, fmax(0, weight));
    bool known = spread->variance > 0 && area > 0 && area < 1 && weight_of(of->bootstrap, of->arm) <= 1;
    if (!known || of->method == FP_METHOD_CLOPPER_PEARSON) return careful;
    fp_interval delong = roc_by_delong(area, spread, wider, of->confidence);
    return (fp_interval){1 - pow(1 - careful.low, 1 - weight) * pow(1 - delong.low, weight),
                         1 - pow(1 - careful.high, 1 - weight) * pow(1 - delong.high, weight)};
}

/* A value below the range of a share. */
static fp_interval by_student(const work *of, const fp_measure_row *row, const fp_dyadic *spread, double value) {
    double half = sqrt(spread->variance) * fp_by_student(fp_dyadic_freedom(spread), of->confidence) *
                  gsl_cdf_ugaussian_Qinv((1 - of->confidence) / 2);
    return (fp_interval){fmax(row->least, value - half), fmin(row->most, value + half)};
}

static void from_spread(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate) {
    const fp_measure_row *row = measure.row;
    if (of->bootstrap->resample->unit != FP_SAMPLING_PAIR && spread->units < 2) return;
    scaled at = to_share(row, estimate->value);
    if (at.share < 0) {
        estimate->interval = by_student(of, row, spread, estimate->value);
        return;
    }
    at.share = fmin(1, at.share);
    fp_share_spread asked = spread_of(of, measure, at, spread);
    fp_interval found = fp_share_interval(at.share, &asked, of->confidence, of->method == FP_METHOD_CLOPPER_PEARSON);
    if (fp_measure_at_threshold(row)) found = with_draw(of, measure, at.share, asked.wider, found);
    else if (row == &fp_measure_best_f1) found = best_with_draw(of, at.share, asked.wider, found);
    else if (row == &fp_measure_roc_area) found = roc_interval(of, at.share, spread, asked.wider, found);
    else if (row == &fp_measure_average_precision) found = ranked_with_draw(of, at.share, asked.wider, found);
    estimate->interval = (fp_interval){from_share(row, found.low), from_share(row, found.high)};
    estimate->trials = at.share * (1 - at.share) / asked.variance;
}

static fp_status from_units(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate,
                            fp_error *error) {
    switch (measure.row->interval) {
    case FP_INTERVAL_OF_SHARE:
    case FP_INTERVAL_OF_RANGE: from_spread(of, measure, spread, estimate); return FP_OK;
    case FP_INTERVAL_OF_TWO_RATES: break;
    }
    fp_rates rates;
    FP_TRY(fp_rates_find(of->bootstrap, of->arm, measure.threshold, of->method, of->confidence, of->scratch, &rates,
                         error));
    *estimate = fp_rates_carry(&rates, measure.parameter, estimate->value);
    return FP_OK;
}

/* ---- From replicates ---- */

const char *fp_method_name(fp_method method) {
    static const char *const NAMES[] = {"mid-p", "clopper-pearson", "percentile", "bca"};
    return NAMES[method];
}

double fp_by_student(double freedom, double confidence) {
    double tail = (1 - confidence) / 2;
    if (!(freedom > 0)) return INFINITY;
    return isinf(freedom) ? 1 : gsl_cdf_tdist_Qinv(tail, freedom) / gsl_cdf_ugaussian_Qinv(tail);
}

void fp_replicates_draw(double *values, size_t count, double observed, const fp_dyadic *spread,
                        fp_replicates *replicates) {
    *replicates = (fp_replicates){.observed = observed, .drawn = values, .spread = *spread};
    double shrink = spread->resampled > 0 ? sqrt(spread->variance / spread->resampled) : 1;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) values[replicates->count++] = observed + shrink * (values[i] - observed);
    replicates->undefined = count - replicates->count;
}

fp_interval fp_replicates_interval(fp_replicates *from, fp_method method, double confidence, fp_interval *monte_carlo) {
    double middle = from->observed, wider = fp_by_student(fp_dyadic_freedom(&from->spread), confidence);
    fp_interval found, error = {NAN, NAN};
    if (monte_carlo) *monte_carlo = error;
    if (from->count == 0 || from->count < from->undefined || isnan(middle) || isinf(wider))
        return (fp_interval){NAN, NAN};
    gsl_sort(from->drawn, 1, from->count);
    if (method == FP_METHOD_PERCENTILE) {
        found = fp_bootstrap_percentile(from->drawn, from->count, confidence);
        if (monte_carlo) error = fp_bootstrap_percentile_error(from->drawn, from->count, confidence);
    } else {
        double acceleration = from->spread.acceleration;
        found = fp_bootstrap_bca(from->drawn, from->count, middle, acceleration, confidence);
        if (monte_carlo) error = fp_bootstrap_bca_error(from->drawn, from->count, middle, acceleration, confidence);
    }
    if (monte_carlo) *monte_carlo = (fp_interval){wider * error.low, wider * error.high};
    return (fp_interval){middle + wider * (found.low - middle), middle + wider * (found.high - middle)};
}

static void from_replicates(const fp_measure_row *row, fp_replicates *drawn, double confidence, fp_estimate *estimate) {
    fp_interval found = fp_replicates_interval(drawn, estimate->method, confidence, &estimate->monte_carlo);
    estimate->interval = (fp_interval){isnan(found.low) ? NAN : fmax(row->least, found.low),
                                       isnan(found.high) ? NAN : fmin(row->most, found.high)};
}

/* ---- All together ---- */

static fp_status draw(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                      fp_replicates *drawn, fp_seed_spread *seeds, fp_error *error) {
    size_t replicates = bootstrap->replicates;
    double *values = FP_NEED(fp_arena_raw(scratch, replicates, sizeof *values), error);
    fp_spread_side side = {.arm = arm, .members = fp_members_of_measure(measure)};
    fp_dyadic spread;
    fp_bootstrap_values(bootstrap, arm, measure, values);
    double observed = fp_bootstrap_value(bootstrap, replicates, arm, measure);
    FP_TRY(fp_influence_of(bootstrap, arm, measure, scratch, &side.influence, error));
    FP_TRY(fp_spread_of(bootstrap, &side, NULL, scratch, &spread, error));
    FP_TRY(fp_bootstrap_seeds(bootstrap, (fp_side){arm, measure}, NULL, scratch, seeds, error));
    fp_dyadic_add_seeds(&spread, seeds);
    fp_replicates_draw(values, replicates, observed, &spread, drawn);
    return FP_OK;
}

/* A value set by convention has no uncertainty. */
static bool is_by_rule(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure) {
    if (!fp_measure_at_threshold(measure.row)) return false;
    bool any = false;
    for (size_t k = 0; k < fp_seed_count(bootstrap->options.further, arm) && !any; k++) {
        size_t lane = fp_seed_lane(bootstrap->options.further, arm, k);
        fp_confusion counts = fp_bootstrap_counts(bootstrap, bootstrap->replicates, lane, measure.threshold);
        any = isnan(fp_measure_of(measure, counts, FP_EMPTY_NA)) &&
              !isnan(fp_measure_of(measure, counts, bootstrap->options.empty));
    }
    return any;
}

fp_status fp_bootstrap_estimate(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_method method,
                                double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    fp_replicates drawn;
    fp_seed_spread seeds;
    fp_bootstrap own = fp_bootstrap_own(bootstrap);
    if (fp_measure_at_threshold(measure.row)) bootstrap = &own;
    fp_arena_reset(scratch);
    FP_TRY(draw(bootstrap, arm, measure, scratch, &drawn, &seeds, error));
    bool defined = !isnan(drawn.observed);
    *estimate = (fp_estimate){.value = drawn.observed,
                              .interval = {NAN, NAN},
                              .method = method,
                              .error = defined ? sqrt(drawn.spread.variance) : NAN,
                              .trials = NAN,
                              .units = bootstrap->effective_units,
                              .few = defined && bootstrap->resample->unit != FP_SAMPLING_PAIR &&
                                     bootstrap->effective_units < FP_FEW_UNITS,
                              .undefined = drawn.undefined,
                              .seeds = seeds};
    if (!defined || is_by_rule(bootstrap, arm, measure)) return FP_OK;
    /* A value that does not vary (every prediction is right, or every one wrong) has no informative replicates. */
    if (fp_method_draws(method) && drawn.spread.resampled == 0) estimate->method = FP_METHOD_MID_P;
    if (fp_method_draws(estimate->method)) {
        from_replicates(measure.row, &drawn, confidence, estimate);
        return FP_OK;
    }
    work of = {bootstrap, arm, estimate->method, confidence, scratch};
    return from_units(&of, measure, &drawn.spread, estimate, error);
}

/* ---- The best threshold of every replicate ---- */

static fp_interval percentile(double *values, size_t count, double confidence) {
    double tail = (1 - confidence) / 2, last = (double)(count - 1);
    gsl_sort(values, 1, count);
    return (fp_interval){values[(size_t)floor(tail * last)], values[(size_t)ceil((1 - tail) * last)]};
}

fp_status fp_best_threshold(const fp_bootstrap *bootstrap, size_t arm, double confidence, fp_arena *scratch,
                            fp_estimate *estimate, fp_error *error) {
    fp_measure best_threshold = {.row = &fp_measure_best_threshold};
    fp_arena_reset(scratch);
    *estimate = (fp_estimate){.value = fp_bootstrap_lane_value(bootstrap, bootstrap->replicates, arm, best_threshold),
                              .interval = {NAN, NAN},
                              .method = FP_METHOD_PERCENTILE,
                              .error = NAN,
                              .trials = NAN,
                              .units = NAN};
    size_t count = 0;
    double *values = FP_NEED(fp_arena_raw(scratch, bootstrap->replicates, sizeof *values), error);
    for (size_t i = 0; i < bootstrap->replicates; i++) {
        double best = fp_bootstrap_lane_value(bootstrap, i, arm, best_threshold);
        if (!isnan(best)) values[count++] = best;
    }
    estimate->undefined = bootstrap->replicates - count;
    estimate->seeds = fp_seed_spread_of(&estimate->value, 1);
    if (!isnan(estimate->value) && count > 0 && count >= estimate->undefined)
        estimate->interval = percentile(values, count, confidence);
    return FP_OK;
}

fp_status fp_thresholds_merge(const double *list, size_t count, const double *further, size_t further_count,
                              fp_arena *arena, double **merged, size_t *merged_count, fp_error *error) {
    double *all = FP_NEED(fp_arena_raw(arena, count + further_count, sizeof *all), error);
    size_t used = 0, kept = 0;
    for (size_t i = 0; i < count; i++) all[used++] = list[i];
    for (size_t i = 0; i < further_count; i++)
        if (!isnan(further[i])) all[used++] = further[i];
    gsl_sort(all, 1, used);
    for (size_t i = 0; i < used; i++)
        if (i == 0 || all[i] != all[kept - 1]) all[kept++] = all[i];
    *merged = all;
    *merged_count = kept;
    return FP_OK;
}

size_t fp_threshold_position(const double *list, size_t count, double threshold) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == threshold) return i;
    return count;
}
