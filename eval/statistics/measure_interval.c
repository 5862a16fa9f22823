/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of measures: from replicates, or binomial with the effective number of trials. */
#include "eval/statistics/measure_interval.h"

#include <math.h>

#include "eval/statistics/effective.h"

/* ---- Cells of the table ---- */

enum { TP = FP_CELL_TP, FP = FP_CELL_FP, FN = FP_CELL_FN, TN = FP_CELL_TN };

static unsigned cell_of(const fp_ranking *ranking, size_t pair, size_t reach) {
    bool near = ranking->slot[pair] / 2 < reach, positive = ranking->slot[pair] & 1;
    return near ? (positive ? TP : FP) : (positive ? FN : TN);
}

typedef struct work {
    const fp_bootstrap *bootstrap;
    const fp_ranking *ranking;
    fp_method method;
    double confidence;
    double units;  /* the fewest trials among the pairs that the measure counts */
    bool *member;  /* [pair_count] */
    double *value; /* [pair_count] */
    fp_arena *scratch;
} work;

static fp_status open_work(const fp_bootstrap *bootstrap, size_t arm, fp_arena *scratch, work *to, fp_error *error) {
    size_t pairs = bootstrap->resample->pair_count;
    *to = (work){.bootstrap = bootstrap, .ranking = bootstrap->rankings + arm, .scratch = scratch};
    to->member = fp_arena_raw(scratch, pairs, sizeof *to->member);
    to->value = fp_arena_raw(scratch, pairs, sizeof *to->value);
    return to->member && to->value ? FP_OK : fp_no_memory(error);
}

/* The fewest trials among the pairs of some cells, and how many pairs they are. */
static fp_status count_members(const work *of, size_t reach, unsigned cells, double *fewest, size_t *count,
                               fp_error *error) {
    *count = 0;
    for (size_t i = 0; i < of->ranking->pair_count; i++) {
        of->member[i] = (cell_of(of->ranking, i, reach) & cells) != 0;
        *count += of->member[i];
    }
    return fp_dyadic_fewest_trials(of->bootstrap->resample, of->member, of->scratch, fewest, error);
}

/* Of a measure that rests on both classes, the fewer of either. */
static fp_status units_of(const work *of, fp_measure measure, double *units, fp_error *error) {
    const fp_measure_row *row = measure.row;
    size_t count;
    double others;
    if (fp_measure_at_threshold(row) && row->counted != FP_CELL_ALL)
        return count_members(of, of->ranking->reach[measure.threshold], row->counted, units, &count, error);
    FP_TRY(count_members(of, 0, TP | FN, units, &count, error));
    FP_TRY(count_members(of, 0, FP | TN, &others, &count, error));
    *units = fmin(*units, others);
    return FP_OK;
}

fp_status fp_bootstrap_units(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                             double *units, fp_error *error) {
    work of;
    FP_TRY(open_work(bootstrap, arm, scratch, &of, error));
    return units_of(&of, measure, units, error);
}

/* ---- Binomial ---- */

/* A proportion with the variance that its dependent trials have. */
typedef struct proportion {
    double share, variance;
    double fewest;  /* trials when all pairs of a unit agree */
    double freedom; /* of the variance, where it is that of more than a share; 0 otherwise */
    double trials;  /* effective number, with the widening for few units put in */
    fp_interval interval;
} proportion;

static void fill_interval(const work *of, double least, double most, proportion *p) {
    double wider = fp_widening(of->bootstrap->resample->unit, p->fewest, of->confidence);
    if (p->freedom > 0) wider = fmax(wider, fp_by_student(p->freedom, of->confidence));
    p->trials = fp_effective_trials(p->share, p->variance, wider, p->fewest, least, most);
    p->interval = of->method == FP_METHOD_CLOPPER_PEARSON
                      ? fp_clopper_pearson_effective(p->share, p->trials, of->confidence)
                      : fp_wilson_effective(p->share, p->trials, of->confidence);
}

/* Successes among trials, both sets of cells, and what a trial of each cell weighs. */
typedef struct trials {
    unsigned success, counted;
    const fp_cells *weights; /* NULL: all alike */
} trials;

static double weight_of(const trials *what, unsigned cell) {
    if (!what->weights) return 1;
    return cell == TP   ? what->weights->tp
           : cell == FP ? what->weights->fp
           : cell == FN ? what->weights->fn
                        : what->weights->tn;
}

/* Leaves the influence values in of->value. Where trials weigh differently the bounds of their effective number are
 * those of proportion_interval.c. */
static fp_status measure_share(const work *of, size_t reach, trials what, proportion *p, fp_error *error) {
    size_t pairs = of->ranking->pair_count, counted;
    double right = 0, sum = 0, squares = 0, largest = 0;
    fp_dyadic spread;
    *p = (proportion){0};
    FP_TRY(count_members(of, reach, what.counted, &p->fewest, &counted, error));
    for (size_t i = 0; i < pairs; i++) {
        unsigned cell = cell_of(of->ranking, i, reach);
        double weight = cell & what.counted ? weight_of(&what, cell) : 0;
        sum += weight;
        right += cell & what.success ? weight : 0;
        squares += weight * weight;
        largest = fmax(largest, weight);
    }
    p->share = counted ? right / sum : NAN;
    for (size_t i = 0; i < pairs; i++) {
        unsigned cell = cell_of(of->ranking, i, reach);
        of->value[i] = of->member[i] ? weight_of(&what, cell) * (((cell & what.success) != 0) - p->share) / sum : 0;
    }
    FP_TRY(fp_dyadic_of(of->bootstrap->resample, of->value, of->scratch, &spread, error));
    p->variance = spread.variance;
    double least = p->fewest;
    if (what.weights) {
        least *= pow(sum / ((double)counted * largest), 2);
        p->fewest = fmin(p->fewest, sum * sum / squares);
    }
    fill_interval(of, least, (double)counted, p);
    return FP_OK;
}

/* Correlation of the two rates, from the variances of each and of their sum; of->value holds the influence on
 * specificity. */
static fp_status correlate(const work *of, size_t reach, const proportion *recall, const proportion *passes,
                           double *correlation, fp_error *error) {
    size_t positives;
    double fewest;
    fp_dyadic both;
    FP_TRY(count_members(of, reach, TP | FN, &fewest, &positives, error));
    for (size_t i = 0; i < of->ranking->pair_count; i++) {
        double right = cell_of(of->ranking, i, reach) == TP;
        of->value[i] = of->member[i] ? (right - recall->share) / (double)positives : -of->value[i];
    }
    FP_TRY(fp_dyadic_of(of->bootstrap->resample, of->value, of->scratch, &both, error));
    double product = sqrt(recall->variance * passes->variance);
    double covariance = (both.variance - recall->variance - passes->variance) / 2;
    *correlation = product > 0 ? fmax(-1, fmin(1, covariance / product)) : 0;
    return FP_OK;
}

static fp_status precision_at(const work *of, size_t reach, double prevalence, fp_estimate *estimate, fp_error *error) {
    proportion recall, passes;
    double correlation = 0;
    FP_TRY(measure_share(of, reach, (trials){TP, TP | FN, NULL}, &recall, error));
    FP_TRY(measure_share(of, reach, (trials){TN, FP | TN, NULL}, &passes, error));
    if (of->bootstrap->resample->unit != FP_SAMPLING_PAIR)
        FP_TRY(correlate(of, reach, &recall, &passes, &correlation, error));
    fp_interval rate = {1 - passes.interval.high, 1 - passes.interval.low};
    estimate->interval =
        fp_precision_at_interval(recall.share, recall.interval, 1 - passes.share, rate, correlation, prevalence);
    return FP_OK;
}

static fp_status from_share(const work *of, fp_measure measure, fp_estimate *estimate, fp_error *error) {
    const fp_measure_row *row = measure.row;
    fp_cells weights = row->weights ? row->weights(measure.parameter) : (fp_cells){0};
    proportion p;
    FP_TRY(measure_share(of, of->ranking->reach[measure.threshold],
                         (trials){row->success, row->counted, row->weights ? &weights : NULL}, &p, error));
    estimate->interval = p.interval;
    if (row->of_share)
        estimate->interval = (fp_interval){row->of_share(p.interval.low), row->of_share(p.interval.high)};
    estimate->trials = p.trials;
    return FP_OK;
}

/* Where good values begin: the lower end of the range, or 0 where that is infinite. */
static double floor_of(const fp_measure_row *row) { return isfinite(row->least) ? row->least : 0; }

/* As if the measure were a mean of values between the ends of its range, which average precision (over the positives)
 * and the ROC area (over couples of a positive and a negative) are. At a threshold pairs that happen to agree inside no
 * unit, so that the variance all but vanishes, say no more than independent ones: as for a share. */
static void from_variance(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate) {
    double least = floor_of(measure.row), width = measure.row->most - least;
    proportion p = {.share = fmin(1, fmax(0, (estimate->value - least) / width)),
                    .variance = spread->variance / (width * width),
                    .fewest = of->units,
                    .freedom = spread->freedom};
    bool capped = fp_measure_at_threshold(measure.row) && spread->independent > 0;
    double most = capped ? p.share * (1 - p.share) * width * width / spread->independent : INFINITY;
    fill_interval(of, 1, fmax(1, most), &p);
    estimate->interval = (fp_interval){least + p.interval.low * width, least + p.interval.high * width};
    estimate->trials = p.trials;
}

static fp_status estimate_binomial(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate,
                                   fp_error *error) {
    switch (measure.row->interval) {
    case FP_INTERVAL_OF_SHARE: return from_share(of, measure, estimate, error);
    case FP_INTERVAL_OF_TWO_RATES:
        return precision_at(of, of->ranking->reach[measure.threshold], measure.parameter, estimate, error);
    case FP_INTERVAL_OF_RANGE: from_variance(of, measure, spread, estimate); return FP_OK;
    }
    return FP_OK;
}

/* ---- Which ---- */

static bool from_replicates(fp_method method) { return method == FP_METHOD_PERCENTILE || method == FP_METHOD_BCA; }

/* A value that does not vary has a binomial interval under every method; one below the range that such an interval can
 * speak of has BCa's. */
static fp_method method_for(fp_method asked, const fp_measure_row *row, const fp_replicates *drawn) {
    bool still = drawn->spread.resampled == 0;
    if (from_replicates(asked)) return still ? FP_METHOD_WILSON : asked;
    return !still && drawn->observed <= floor_of(row) && !isfinite(row->least) ? FP_METHOD_BCA : asked;
}

fp_status fp_measure_interval(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_replicates *drawn,
                              double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    const fp_measure_row *row = measure.row;
    estimate->method = method_for(estimate->method, row, drawn);
    if (from_replicates(estimate->method)) {
        fp_interval found = fp_replicates_interval(drawn, estimate->method, confidence);
        estimate->interval = (fp_interval){isnan(found.low) ? NAN : fmax(row->least, found.low),
                                           isnan(found.high) ? NAN : fmin(row->most, found.high)};
        return FP_OK;
    }
    work of;
    FP_TRY(open_work(bootstrap, arm, scratch, &of, error));
    of.method = estimate->method;
    of.confidence = confidence;
    of.units = drawn->units;
    return estimate_binomial(&of, measure, &drawn->spread, estimate, error);
}
