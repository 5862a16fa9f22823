/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of measures: from replicates, or from the spread over units. */
#include "eval/statistics/measure_interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/share_interval.h"
#include "eval/statistics/spread.h"

/* ---- Cells of the table ---- */

enum { TP = FP_CELL_TP, FP = FP_CELL_FP, FN = FP_CELL_FN, TN = FP_CELL_TN };

static double weight_of(const fp_cells *weights, unsigned cell) {
    if (!weights) return 1;
    return cell == TP ? weights->tp : cell == FP ? weights->fp : cell == FN ? weights->fn : weights->tn;
}

/* Where good values begin: the lower end of the range, or 0 where that is infinite. */
static double floor_of(const fp_measure_row *row) { return isfinite(row->least) ? row->least : 0; }

typedef struct work {
    const fp_bootstrap *bootstrap;
    size_t arm;
    fp_method method;
    double confidence;
    fp_arena *scratch;
} work;

/* ---- One unit more ---- */

/* What one unit more brings to these cells, if it is like the others: all its positives are lost (FN), or as many found
 * as elsewhere (TP); all pairs of a dyad are told apart (TN), or as many called as duplicates are (FP). */
static double unit_in(const fp_bootstrap *bootstrap, unsigned cells, const fp_cells *weights, double recall) {
    double most = 0, positives = bootstrap->unit_positives, negatives = bootstrap->dyad_negatives;
    if (cells & FN) most = fmax(most, weight_of(weights, FN) * positives);
    if (cells & TP) most = fmax(most, weight_of(weights, TP) * fmax(1, recall * positives));
    if (cells & FP) most = fmax(most, weight_of(weights, FP) * fmax(1, recall * negatives));
    if (cells & TN) most = fmax(most, weight_of(weights, TN) * negatives);
    return most;
}

static double recall_of(fp_confusion counts) {
    return counts.tp + counts.fn ? (double)counts.tp / (double)(counts.tp + counts.fn) : 1;
}

/* The least and the most that a measure comes to with one unit more. */
typedef struct extremes {
    double least, most;
} extremes;

static extremes under_seed(const fp_bootstrap *bootstrap, size_t lane, fp_measure measure, double value) {
    extremes found = {value, value};
    fp_confusion counts = fp_bootstrap_counts(bootstrap, bootstrap->replicates, lane, measure.threshold);
    fp_cells c = {(double)counts.tp, (double)counts.fp, (double)counts.fn, (double)counts.tn};
    double recall = c.tp + c.fn > 0 ? c.tp / (c.tp + c.fn) : 1;
    fp_cells more[] = {{.tp = unit_in(bootstrap, TP, NULL, recall)},
                       {.fp = unit_in(bootstrap, FP, NULL, recall)},
                       {.fn = unit_in(bootstrap, FN, NULL, recall)},
                       {.tn = unit_in(bootstrap, TN, NULL, recall)}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        fp_cells all = {c.tp + more[i].tp, c.fp + more[i].fp, c.fn + more[i].fn, c.tn + more[i].tn};
        double changed = measure.row->value(all, measure.parameter);
        if (isnan(changed)) continue;
        found.least = fmin(found.least, changed);
        found.most = fmax(found.most, changed);
    }
    return found;
}

/* Means over the seeds of the arm under which the measure is defined, of which there is one. */
static extremes with_one_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure) {
    extremes mean = {0, 0};
    double defined = 0;
    for (size_t k = 0; k < fp_bootstrap_seed_count(bootstrap, arm); k++) {
        size_t lane = fp_bootstrap_lane(bootstrap, arm, k);
        double value = fp_bootstrap_lane_value(bootstrap, bootstrap->replicates, lane, measure);
        if (isnan(value)) continue;
        extremes own = under_seed(bootstrap, lane, measure, value);
        mean = (extremes){mean.least + own.least, mean.most + own.most};
        defined++;
    }
    return (extremes){mean.least / defined, mean.most / defined};
}

/* Of a measure over the range: what it loses with all positives of one unit. */
static double lost_with_a_unit(const fp_bootstrap *bootstrap, const fp_measure_row *row) {
    double positives = (double)bootstrap->totals[bootstrap->replicates * bootstrap->lane_count].positives;
    return (row->lost > 0 ? row->lost : 1) * fmin(1, bootstrap->unit_positives / fmax(1, positives));
}

double fp_measure_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure) {
    const fp_measure_row *row = measure.row;
    if (!fp_measure_at_threshold(row)) return lost_with_a_unit(bootstrap, row) * (row->most - floor_of(row));
    double value = fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure);
    extremes found = with_one_unit(bootstrap, arm, measure);
    return row->lower_is_better ? found.most - value : value - found.least;
}

/* `plain`: every pair weighs the same, so that independent pairs make a binomial share. */
static fp_share_spread spread_for(const work *of, double share, const fp_dyadic *spread, bool plain, double wrong,
                                  double right) {
    bool binomial = plain && of->bootstrap->resample->unit == FP_SAMPLING_PAIR && !(spread->seeds > 0);
    return (fp_share_spread){.variance = spread->variance,
                             .independent = spread->independent,
                             .wider = binomial ? 1 : fp_by_student(fp_dyadic_freedom(spread), of->confidence),
                             .wrong = share > 0 ? fmax(spread->fall / share, wrong) : wrong,
                             .right = share < 1 ? fmax(spread->rise / (1 - share), right) : right};
}

static bool too_few(const work *of, const fp_dyadic *spread) {
    return of->bootstrap->resample->unit != FP_SAMPLING_PAIR && spread->units < 2;
}

/* ---- Shares ---- */

typedef struct proportion {
    double share;
    fp_influence influence;
    fp_dyadic spread;
    fp_interval interval;
} proportion;

/* Successes among trials, both sets of cells, and what a trial of each cell weighs. */
typedef struct trials {
    unsigned success, counted;
    const fp_cells *weights; /* NULL: all alike */
} trials;

/* A number for each of these cells, 0 for the others. */
static fp_cells in_cells(unsigned cells, fp_cells number) {
    return (fp_cells){cells & TP ? number.tp : 0, cells & FP ? number.fp : 0, cells & FN ? number.fn : 0,
                      cells & TN ? number.tn : 0};
}

static fp_cells weights_in(unsigned cells, const fp_cells *weights) {
    return in_cells(cells, weights ? *weights : (fp_cells){1, 1, 1, 1});
}

static double weigh(fp_confusion counts, fp_cells weights) {
    return (double)counts.tp * weights.tp + (double)counts.fp * weights.fp + (double)counts.fn * weights.fn +
           (double)counts.tn * weights.tn;
}

/* What a trial adds to the share, by its cell: weight·(success − share)/Σ weight. */
static fp_cells by_trial(trials what, double share, double sum) {
    fp_cells all = weights_in(what.counted, what.weights), right = weights_in(what.success, what.weights);
    return (fp_cells){(right.tp - share * all.tp) / sum, (right.fp - share * all.fp) / sum,
                      (right.fn - share * all.fn) / sum, (right.tn - share * all.tn) / sum};
}

/* What the seeds of an arm come to. */
typedef struct share_sums {
    double *share;       /* [seeds] NaN without trials */
    double wrong, right; /* weights of one unit more: sums */
    size_t defined;
    fp_influence last; /* of the last that is defined */
    double *value;     /* [pair_count] of several seeds: sums of influence values; else NULL */
    double *own;       /* [pair_count] room */
} share_sums;

static void add_share(const work *of, size_t seed, size_t threshold, const trials *what, share_sums *to) {
    const fp_bootstrap *bootstrap = of->bootstrap;
    size_t lane = fp_bootstrap_lane(bootstrap, of->arm, seed);
    fp_confusion counts = fp_bootstrap_counts(bootstrap, bootstrap->replicates, lane, threshold);
    double sum = weigh(counts, weights_in(what->counted, what->weights)), recall = recall_of(counts);
    double share = weigh(counts, weights_in(what->success, what->weights)) / sum;
    to->share[seed] = sum > 0 ? share : NAN;
    if (!(sum > 0)) return;
    to->defined++;
    to->last = (fp_influence){.functional = SIZE_MAX, .threshold = threshold, .by = by_trial(*what, share, sum)};
    to->wrong += unit_in(bootstrap, what->counted & ~what->success, what->weights, recall) / sum;
    to->right += unit_in(bootstrap, what->success, what->weights, recall) / sum;
    if (!to->value) return;
    fp_influence_fill(bootstrap->rankings + lane, &to->last, to->own);
    for (size_t i = 0; i < bootstrap->resample->pair_count; i++) to->value[i] += to->own[i];
}

static fp_status open_sums(const work *of, share_sums *sums, fp_error *error) {
    size_t seeds = fp_bootstrap_seed_count(of->bootstrap, of->arm), pairs = of->bootstrap->resample->pair_count;
    *sums = (share_sums){.share = fp_arena_raw(of->scratch, seeds, sizeof *sums->share)};
    if (!sums->share) return fp_no_memory(error);
    if (seeds == 1) return FP_OK;
    sums->value = fp_arena_alloc(of->scratch, pairs, sizeof *sums->value);
    sums->own = fp_arena_raw(of->scratch, pairs, sizeof *sums->own);
    return sums->value && sums->own ? FP_OK : fp_no_memory(error);
}

/* Means over the seeds under which there are trials. */
static fp_status measure_share(const work *of, size_t threshold, trials what, proportion *p, fp_error *error) {
    const fp_bootstrap *bootstrap = of->bootstrap;
    size_t seeds = fp_bootstrap_seed_count(bootstrap, of->arm);
    share_sums sums;
    FP_TRY(open_sums(of, &sums, error));
    for (size_t k = 0; k < seeds; k++) add_share(of, k, threshold, &what, &sums);
    fp_seed_spread drawn = fp_seed_spread_of(sums.share, seeds);
    *p = (proportion){.share = drawn.mean, .interval = {NAN, NAN}};
    if (sums.defined == 0) return FP_OK;
    double defined = (double)sums.defined;
    for (size_t i = 0; sums.value && i < bootstrap->resample->pair_count; i++) sums.value[i] /= defined;
    p->influence = sums.last;
    p->influence.mean = sums.value;
    FP_TRY(fp_spread_of(bootstrap, of->arm, &p->influence, (fp_member_cells){what.counted, threshold}, of->scratch,
                        &p->spread, error));
    fp_dyadic_add_seeds(&p->spread, &drawn);
    if (too_few(of, &p->spread)) return FP_OK;
    fp_share_spread spread =
        spread_for(of, p->share, &p->spread, !what.weights, sums.wrong / defined, sums.right / defined);
    p->interval = fp_share_interval(p->share, &spread, of->confidence, of->method == FP_METHOD_CLOPPER_PEARSON);
    return FP_OK;
}

static void take(const proportion *p, fp_interval interval, fp_estimate *estimate) {
    estimate->interval = interval;
    estimate->trials = p->share * (1 - p->share) / p->spread.variance;
}

static fp_status from_share(const work *of, fp_measure measure, fp_estimate *estimate, fp_error *error) {
    const fp_measure_row *row = measure.row;
    fp_cells weights = row->weights ? row->weights(measure.parameter) : (fp_cells){0};
    proportion p;
    FP_TRY(measure_share(of, measure.threshold, (trials){row->success, row->counted, row->weights ? &weights : NULL},
                         &p, error));
    fp_interval found = p.interval;
    if (row->of_share) found = (fp_interval){row->of_share(found.low), row->of_share(found.high)};
    take(&p, found, estimate);
    return FP_OK;
}

static fp_status variance_of(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                             fp_arena *scratch, double *variance, fp_error *error) {
    fp_dyadic spread;
    FP_TRY(fp_spread_of(bootstrap, arm, influence, (fp_member_cells){0}, scratch, &spread, error));
    *variance = spread.variance;
    return FP_OK;
}

fp_status fp_rates_correlation(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_arena *scratch,
                               double *correlation, fp_error *error) {
    fp_measure recall = {.row = &fp_measure_recall, .threshold = threshold},
               specificity = {.row = &fp_measure_specificity, .threshold = threshold};
    fp_influence both, passes;
    double sum, hit, pass;
    *correlation = 0;
    if (bootstrap->resample->unit == FP_SAMPLING_PAIR) return FP_OK;
    FP_TRY(fp_influence_of(bootstrap, arm, recall, scratch, &both, error));
    FP_TRY(fp_influence_of(bootstrap, arm, specificity, scratch, &passes, error));
    FP_TRY(variance_of(bootstrap, arm, &both, scratch, &hit, error));
    FP_TRY(variance_of(bootstrap, arm, &passes, scratch, &pass, error));
    /* The influence on the false positive rate is that on specificity, negative; no pair has both. */
    both.by.fp = -passes.by.fp;
    both.by.tn = -passes.by.tn;
    if (both.mean && passes.mean) {
        size_t pairs = bootstrap->resample->pair_count;
        double *less = fp_arena_raw(scratch, pairs, sizeof *less);
        if (!less) return fp_no_memory(error);
        for (size_t i = 0; i < pairs; i++) less[i] = both.mean[i] - passes.mean[i];
        both.mean = less;
    }
    FP_TRY(variance_of(bootstrap, arm, &both, scratch, &sum, error));
    if (hit * pass > 0) *correlation = fmax(-1, fmin(1, (sum - hit - pass) / 2 / sqrt(hit * pass)));
    return FP_OK;
}

static fp_status precision_at(const work *of, size_t threshold, double prevalence, fp_estimate *estimate,
                              fp_error *error) {
    proportion recall, passes;
    double correlation;
    FP_TRY(measure_share(of, threshold, (trials){TP, TP | FN, NULL}, &recall, error));
    FP_TRY(measure_share(of, threshold, (trials){TN, FP | TN, NULL}, &passes, error));
    FP_TRY(fp_rates_correlation(of->bootstrap, of->arm, threshold, of->scratch, &correlation, error));
    fp_interval rate = {1 - passes.interval.high, 1 - passes.interval.low};
    estimate->interval =
        fp_precision_at_interval(recall.share, recall.interval, 1 - passes.share, rate, correlation, prevalence);
    estimate->error = fp_precision_at_error(recall.share, sqrt(recall.spread.variance), 1 - passes.share,
                                            sqrt(passes.spread.variance), correlation, prevalence);
    return FP_OK;
}

/* ---- On a range ---- */

/* As if the measure were a share between the ends of its range. A value below the range that a share can speak of has
 * Student's interval. */
static void from_spread(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate) {
    const fp_measure_row *row = measure.row;
    double least = floor_of(row), width = row->most - least, share = (estimate->value - least) / width;
    if (too_few(of, spread)) return;
    if (share < 0) {
        double half = estimate->error * fp_by_student(fp_dyadic_freedom(spread), of->confidence) *
                      gsl_cdf_ugaussian_Qinv((1 - of->confidence) / 2);
        estimate->interval =
            (fp_interval){fmax(row->least, estimate->value - half), fmin(row->most, estimate->value + half)};
        return;
    }
    fp_dyadic scaled = *spread;
    scaled.variance /= width * width;
    scaled.independent /= width * width;
    scaled.fall /= width;
    scaled.rise /= width;
    proportion p = {.share = fmin(1, share), .spread = scaled};
    /* Weights of a unit that brings the share so low, or so high. */
    double wrong = lost_with_a_unit(of->bootstrap, row), right = wrong;
    if (fp_measure_at_threshold(row)) {
        extremes one = with_one_unit(of->bootstrap, of->arm, measure);
        double low = fmax(0, (one.least - least) / width), high = fmin(1, (one.most - least) / width);
        wrong = low > 0 ? p.share / low - 1 : wrong;
        right = high < 1 ? (high - p.share) / (1 - high) : right;
    }
    fp_share_spread asked = spread_for(of, p.share, &scaled, false, wrong, right);
    fp_interval found = fp_share_interval(p.share, &asked, of->confidence, of->method == FP_METHOD_CLOPPER_PEARSON);
    take(&p, (fp_interval){least + found.low * width, least + found.high * width}, estimate);
}

static fp_status from_units(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate,
                            fp_error *error) {
    switch (measure.row->interval) {
    case FP_INTERVAL_OF_SHARE: return from_share(of, measure, estimate, error);
    case FP_INTERVAL_OF_TWO_RATES:
        /* What is made of the mean rates is not the mean of what is made of each. */
        if (fp_bootstrap_seed_count(of->bootstrap, of->arm) > 1)
            return from_spread(of, measure, spread, estimate), FP_OK;
        return precision_at(of, measure.threshold, measure.parameter, estimate, error);
    case FP_INTERVAL_OF_RANGE: from_spread(of, measure, spread, estimate); return FP_OK;
    }
    return FP_OK;
}

/* ---- Which ---- */

/* A value that does not vary, every prediction being right or every one wrong, has no replicates that tell. */
static fp_method method_for(fp_method asked, const fp_replicates *drawn) {
    return fp_method_draws(asked) && drawn->spread.resampled == 0 ? FP_METHOD_MID_P : asked;
}

fp_status fp_measure_interval(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_replicates *drawn,
                              double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    const fp_measure_row *row = measure.row;
    estimate->method = method_for(estimate->method, drawn);
    if (fp_method_draws(estimate->method)) {
        fp_interval found = fp_replicates_interval(drawn, estimate->method, confidence);
        estimate->monte_carlo = fp_replicates_error(drawn, estimate->method, confidence);
        estimate->interval = (fp_interval){isnan(found.low) ? NAN : fmax(row->least, found.low),
                                           isnan(found.high) ? NAN : fmin(row->most, found.high)};
        return FP_OK;
    }
    work of = {bootstrap, arm, estimate->method, confidence, scratch};
    return from_units(&of, measure, &drawn->spread, estimate, error);
}
