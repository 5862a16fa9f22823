/* SPDX-License-Identifier: GPL-3.0-or-later
 * A measure with its interval: from replicates, or binomial with the effective number of trials. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/bootstrap.h"
#include "eval/statistics/effective.h"

const char *fp_method_name(fp_method method) {
    static const char *const NAMES[] = {"percentile", "bca", "wilson", "clopper-pearson"};
    return NAMES[method];
}

/* ---- Few units ---- */

double fp_by_student(double freedom, double confidence) {
    double tail = (1 - confidence) / 2;
    return isinf(freedom) ? 1 : gsl_cdf_tdist_Qinv(tail, freedom) / gsl_cdf_ugaussian_Qinv(tail);
}

double fp_widening(fp_sampling_unit unit, double units, double confidence) {
    if (unit == FP_SAMPLING_PAIR) return 1;
    if (units < 2) return INFINITY;
    return sqrt(units / (units - 1)) * fp_by_student(units - 1, confidence);
}

/* ---- From replicates ---- */

void fp_replicates_sort(fp_sampling_unit unit, double *values, size_t count, double observed, const fp_dyadic *spread,
                        double units, fp_replicates *replicates) {
    *replicates =
        (fp_replicates){.unit = unit, .observed = observed, .sorted = values, .spread = *spread, .units = units};
    double shrink = spread->resampled > 0 ? sqrt(spread->variance / spread->resampled) : 1;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) values[replicates->count++] = observed + shrink * (values[i] - observed);
    replicates->undefined = count - replicates->count;
    gsl_sort(values, 1, replicates->count);
}

fp_interval fp_replicates_interval(const fp_replicates *from, fp_method method, double confidence) {
    double middle = from->observed, wider = fp_widening(from->unit, from->units, confidence);
    if (from->count < from->undefined || isnan(middle) || isinf(wider)) return (fp_interval){NAN, NAN};
    fp_interval found = method == FP_METHOD_PERCENTILE ? fp_bootstrap_percentile(from->sorted, from->count, confidence)
                                                       : fp_bootstrap_bca(from->sorted, from->count, middle,
                                                                          from->spread.acceleration, confidence);
    if (wider == 1) return found;
    return (fp_interval){middle + wider * (found.low - middle), middle + wider * (found.high - middle)};
}

/* ---- Cells of the table ---- */

enum { TP = 1, FP = 2, FN = 4, TN = 8 };

static unsigned cell_of(const fp_ranking *ranking, size_t pair, size_t reach) {
    bool near = ranking->slot[pair] / 2 < reach, positive = ranking->slot[pair] & 1;
    return near ? (positive ? TP : FP) : (positive ? FN : TN);
}

typedef struct work {
    const fp_bootstrap *bootstrap;
    const fp_ranking *ranking;
    fp_method method;
    double confidence;
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

static fp_status units_of(const work *of, fp_measure measure, double *units, fp_error *error) {
    size_t count, reach = fp_measure_describe(measure.kind)->at_threshold ? of->ranking->reach[measure.threshold] : 0;
    double others;
    switch (measure.kind) {
    case FP_MEASURE_PRECISION: return count_members(of, reach, TP | FP, units, &count, error);
    case FP_MEASURE_F1: return count_members(of, reach, TP | FP | FN, units, &count, error);
    case FP_MEASURE_SPECIFICITY: return count_members(of, reach, TN | FP, units, &count, error);
    case FP_MEASURE_NONE_PRECISION: return count_members(of, reach, TN | FN, units, &count, error);
    case FP_MEASURE_NONE_F1: return count_members(of, reach, TN | FN | FP, units, &count, error);
    case FP_MEASURE_RECALL: return count_members(of, reach, TP | FN, units, &count, error);
    default: break; /* rests on both classes */
    }
    FP_TRY(count_members(of, reach, TP | FN, units, &count, error));
    FP_TRY(count_members(of, reach, FP | TN, &others, &count, error));
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

/* Successes among trials, both sets of cells. Leaves the influence values in of->value. */
static fp_status measure_share(const work *of, size_t reach, unsigned success, unsigned trial, proportion *p,
                               fp_error *error) {
    size_t pairs = of->ranking->pair_count, trials, successes = 0;
    fp_dyadic spread;
    *p = (proportion){0};
    FP_TRY(count_members(of, reach, trial, &p->fewest, &trials, error));
    for (size_t i = 0; i < pairs; i++) successes += (cell_of(of->ranking, i, reach) & success) != 0;
    p->share = trials ? (double)successes / (double)trials : NAN;
    for (size_t i = 0; i < pairs; i++) {
        double right = (cell_of(of->ranking, i, reach) & success) != 0;
        of->value[i] = of->member[i] ? (right - p->share) / (double)trials : 0;
    }
    FP_TRY(fp_dyadic_of(of->bootstrap->resample, of->value, of->scratch, &spread, error));
    p->variance = spread.variance;
    fill_interval(of, p->fewest, (double)trials, p);
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
    FP_TRY(measure_share(of, reach, TP, TP | FN, &recall, error));
    FP_TRY(measure_share(of, reach, TN, FP | TN, &passes, error));
    if (of->bootstrap->resample->unit != FP_SAMPLING_PAIR)
        FP_TRY(correlate(of, reach, &recall, &passes, &correlation, error));
    fp_interval rate = {1 - passes.interval.high, 1 - passes.interval.low};
    estimate->interval =
        fp_precision_at_interval(recall.share, recall.interval, 1 - passes.share, rate, correlation, prevalence);
    return FP_OK;
}

/* Measures over the whole range are means over the positives, or over couples of a positive and a negative, of values
 * between 0 and 1. */
static fp_status over_the_range(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate,
                                fp_error *error) {
    proportion p = {
        .share = fmin(1, fmax(0, estimate->value)), .variance = spread->variance, .freedom = spread->freedom};
    FP_TRY(units_of(of, measure, &p.fewest, error));
    fill_interval(of, 1, INFINITY, &p);
    estimate->interval = p.interval;
    estimate->trials = p.trials;
    return FP_OK;
}

static fp_status estimate_binomial(const work *of, fp_measure measure, const fp_dyadic *spread, fp_estimate *estimate,
                                   fp_error *error) {
    proportion p;
    if (!fp_measure_describe(measure.kind)->at_threshold) return over_the_range(of, measure, spread, estimate, error);
    size_t reach = of->ranking->reach[measure.threshold];
    switch (measure.kind) {
    case FP_MEASURE_PRECISION: FP_TRY(measure_share(of, reach, TP, TP | FP, &p, error)); break;
    case FP_MEASURE_RECALL: FP_TRY(measure_share(of, reach, TP, TP | FN, &p, error)); break;
    case FP_MEASURE_SPECIFICITY: FP_TRY(measure_share(of, reach, TN, TN | FP, &p, error)); break;
    case FP_MEASURE_NONE_PRECISION: FP_TRY(measure_share(of, reach, TN, TN | FN, &p, error)); break;
    case FP_MEASURE_NONE_F1: FP_TRY(measure_share(of, reach, TN, TN | FN | FP, &p, error)); break;
    case FP_MEASURE_PRECISION_AT: return precision_at(of, reach, measure.prevalence, estimate, error);
    default: FP_TRY(measure_share(of, reach, TP, TP | FP | FN, &p, error)); break;
    }
    bool f1 = measure.kind == FP_MEASURE_F1 || measure.kind == FP_MEASURE_NONE_F1;
    estimate->interval = f1 ? fp_f1_interval(p.interval) : p.interval;
    estimate->trials = p.trials;
    return FP_OK;
}

/* ---- Either ---- */

static fp_status draw(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                      fp_replicates *drawn, fp_error *error) {
    size_t replicates = bootstrap->replicates;
    double *values = fp_arena_raw(scratch, replicates, sizeof *values), units;
    double *influence = fp_arena_raw(scratch, bootstrap->resample->pair_count, sizeof *influence);
    fp_dyadic spread;
    if (!values || !influence) return fp_no_memory(error);
    for (size_t i = 0; i < replicates; i++) values[i] = fp_bootstrap_value(bootstrap, i, arm, measure);
    double observed = fp_bootstrap_value(bootstrap, replicates, arm, measure);
    FP_TRY(fp_bootstrap_influence(bootstrap, arm, measure, scratch, influence, error));
    FP_TRY(fp_bootstrap_units(bootstrap, arm, measure, scratch, &units, error));
    FP_TRY(fp_dyadic_of(bootstrap->resample, influence, scratch, &spread, error));
    fp_replicates_sort(bootstrap->resample->unit, values, replicates, observed, &spread, units, drawn);
    return FP_OK;
}

fp_status fp_bootstrap_estimate(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_method method,
                                double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    fp_replicates drawn;
    fp_arena_reset(scratch);
    FP_TRY(draw(bootstrap, arm, measure, scratch, &drawn, error));
    *estimate = (fp_estimate){.value = drawn.observed,
                              .interval = {NAN, NAN},
                              .method = method,
                              .error = isnan(drawn.observed) ? NAN : sqrt(drawn.spread.variance),
                              .trials = NAN,
                              .units = drawn.units,
                              .undefined = drawn.undefined};
    if (isnan(drawn.observed)) return FP_OK;
    bool still = drawn.spread.resampled == 0, replicates = method == FP_METHOD_PERCENTILE || method == FP_METHOD_BCA;
    if (replicates && !still) {
        fp_interval found = fp_replicates_interval(&drawn, method, confidence);
        estimate->interval =
            (fp_interval){isnan(found.low) ? NAN : fmax(0, found.low), isnan(found.high) ? NAN : fmin(1, found.high)};
        return FP_OK;
    }
    work of;
    FP_TRY(open_work(bootstrap, arm, scratch, &of, error));
    of.method = estimate->method = method == FP_METHOD_CLOPPER_PEARSON ? method : FP_METHOD_WILSON;
    of.confidence = confidence;
    return estimate_binomial(&of, measure, &drawn.spread, estimate, error);
}
