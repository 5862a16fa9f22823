/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicates: weights once for all arms, then one fill and one pass an arm. */
#include "eval/statistics/bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/statistics/counted.h"
#include "eval/statistics/spread.h"

typedef struct job {
    const fp_bootstrap *out;
    size_t first; /* next replicate to compute; the observed values come after the last */
    fp_totals *totals;
    fp_called *called;
    double *values;
} job;

static fp_status pass_arms(const job *work, size_t replicate, const uint32_t *weight, fp_arena *scratch,
                           fp_error *error) {
    const fp_bootstrap *out = work->out;
    fp_ranked_step *steps = FP_NEED(fp_arena_raw(scratch, out->resample->pair_count, sizeof *steps), error);
    for (size_t lane = 0; lane < out->lane_count; lane++) {
        const fp_ranking *ranking = out->rankings + lane;
        uint64_t *cells = FP_NEED(fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *cells), error);
        size_t row = replicate * out->lane_count + lane;
        fp_ranking_fill(ranking, weight, cells);
        fp_ranked ranked = fp_ranking_count(ranking, cells, steps, work->called + row * out->options.threshold_count);
        work->totals[row] = (fp_totals){ranked.positives, ranked.negatives};
        for (size_t k = 0; k < out->options.ranked_count; k++)
            work->values[row * out->options.ranked_count + k] = out->options.ranked[k].row->over_range(&ranked);
    }
    return FP_OK;
}

static fp_status run_replicate(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const job *work = context;
    const fp_resample *resample = work->out->resample;
    index += work->first;
    uint32_t *multiplicity = FP_NEED(fp_arena_raw(scratch, resample->unit_count, sizeof *multiplicity), error);
    uint32_t *weight = FP_NEED(fp_arena_raw(scratch, resample->pair_count, sizeof *weight), error);
    if (index == work->out->replicates) return pass_arms(work, index, NULL, scratch, error);
    FP_TRY(fp_resample_draw(resample, work->out->options.seed, index, scratch, multiplicity, error));
    fp_resample_weigh(resample, multiplicity, weight);
    return pass_arms(work, index, weight, scratch, error);
}

static fp_status rank(const fp_paired_distances *paired, fp_bootstrap *to, fp_arena *arena, fp_error *error) {
    fp_ranking *rankings = FP_NEED(fp_arena_alloc(arena, to->lane_count, sizeof *rankings), error);
    for (size_t lane = 0; lane < to->lane_count; lane++)
        FP_TRY(fp_ranking_make(paired->distances[lane], paired->pairs, to->resample->pair_count, to->options.thresholds,
                               to->options.threshold_count, arena, rankings + lane, error));
    to->rankings = rankings;
    return FP_OK;
}

/* Typical size of a unit. */
static fp_status weigh_units(const fp_pair *pairs, fp_arena *arena, fp_bootstrap *to, fp_error *error) {
    const fp_resample *resample = to->resample;
    double *positive = FP_NEED(fp_arena_alloc(arena, resample->unit_count, sizeof *positive), error);
    bool *negative = FP_NEED(fp_arena_alloc(arena, resample->dyad_count, sizeof *negative), error);
    double units = 0, dyads = 0, positives = 0, negatives = 0;
    for (size_t i = 0; i < resample->pair_count; i++) {
        positives += pairs[i].label;
        negatives += !pairs[i].label;
        if (pairs[i].label) positive[resample->first[i]]++;
        else negative[resample->dyad[i]] = true;
    }
    for (size_t i = 0; i < resample->unit_count; i++) units += positive[i] > 0;
    for (size_t i = 0; i < resample->dyad_count; i++) dyads += negative[i];
    to->unit_positives = units > 0 ? positives / units : 1;
    to->dyad_negatives = dyads > 0 ? negatives / dyads : 1;
    to->effective_units =
        positives > 0 ? fp_effective_count(positive, resample->unit_count) : (double)resample->unit_count;
    return FP_OK;
}

static void copy_rows(const fp_bootstrap *from, size_t first, size_t count, const job *to, size_t place) {
    size_t lanes = from->lane_count, called = lanes * from->options.threshold_count,
           values = lanes * from->options.ranked_count;
    memcpy(to->totals + place * lanes, from->totals + first * lanes, count * lanes * sizeof *to->totals);
    if (called) memcpy(to->called + place * called, from->called + first * called, count * called * sizeof *to->called);
    if (values) memcpy(to->values + place * values, from->values + first * values, count * values * sizeof *to->values);
}

/* Computes the replicates that `before` lacks (NULL: all, and the observed values), and copies the others. */
static fp_status fill(fp_bootstrap *bootstrap, const fp_bootstrap *before, const fp_progress *progress, fp_arena *arena,
                      fp_error *error) {
    size_t lanes = bootstrap->lane_count, first = before ? before->replicates : 0;
    size_t rows = (bootstrap->replicates + 1) * lanes;
    job work = {.out = bootstrap, .first = first};
    work.totals = FP_NEED(fp_arena_raw(arena, rows, sizeof *work.totals), error);
    work.called = FP_NEED(fp_arena_raw(arena, rows, bootstrap->options.threshold_count * sizeof *work.called), error);
    work.values = FP_NEED(fp_arena_raw(arena, rows, bootstrap->options.ranked_count * sizeof *work.values), error);
    if (before) {
        copy_rows(before, 0, before->replicates, &work, 0);
        copy_rows(before, before->replicates, 1, &work, bootstrap->replicates);
    }
    bootstrap->totals = work.totals;
    bootstrap->called = work.called;
    bootstrap->values = work.values;
    size_t count = bootstrap->replicates - first + (before ? 0 : 1);
    return fp_parallel_in(arena, count, run_replicate, &work, "bootstrap", progress, error);
}

fp_status fp_bootstrap_run(const fp_resample *resample, const fp_paired_distances *paired,
                           const fp_bootstrap_options *options, const fp_progress *progress, fp_arena *arena,
                           fp_bootstrap *bootstrap, fp_error *error) {
    *bootstrap = (fp_bootstrap){.resample = resample,
                                .options = *options,
                                .replicates = options->replicates,
                                .arm_count = paired->arm_count,
                                .lane_count = fp_lane_count(options->further, paired->arm_count)};
    FP_TRY(rank(paired, bootstrap, arena, error));
    FP_TRY(weigh_units(paired->pairs, arena, bootstrap, error));
    return fill(bootstrap, NULL, progress, arena, error);
}

fp_status fp_bootstrap_extend(fp_bootstrap *bootstrap, size_t replicates, const fp_progress *progress, fp_arena *arena,
                              fp_error *error) {
    fp_bootstrap before = *bootstrap;
    if (replicates <= before.replicates) return FP_OK;
    bootstrap->replicates = replicates;
    return fill(bootstrap, &before, progress, arena, error);
}

static double row_size(const fp_bootstrap *bootstrap) {
    return (double)(sizeof(fp_totals) + bootstrap->options.threshold_count * sizeof(fp_called) +
                    bootstrap->options.ranked_count * sizeof(double));
}

size_t fp_bootstrap_affordable(const fp_bootstrap *bootstrap, size_t most) {
    double bytes = row_size(bootstrap) * (double)bootstrap->lane_count, affordable = (double)(1u << 28) / bytes;
    return affordable >= (double)most ? most : affordable > 1 ? (size_t)affordable : 1;
}

/* ---- What was drawn ---- */

fp_confusion fp_bootstrap_counts(const fp_bootstrap *bootstrap, size_t replicate, size_t lane, size_t threshold) {
    size_t row = replicate * bootstrap->lane_count + lane;
    fp_called called = bootstrap->called[row * bootstrap->options.threshold_count + threshold];
    fp_totals totals = bootstrap->totals[row];
    return (fp_confusion){called.tp, called.fp, totals.positives - called.tp, totals.negatives - called.fp};
}

double fp_bootstrap_lane_value(const fp_bootstrap *bootstrap, size_t replicate, size_t lane, fp_measure measure) {
    if (fp_measure_at_threshold(measure.row))
        return fp_measure_of(measure, fp_bootstrap_counts(bootstrap, replicate, lane, measure.threshold),
                             bootstrap->options.empty);
    const double *values =
        bootstrap->values + (replicate * bootstrap->lane_count + lane) * bootstrap->options.ranked_count;
    for (size_t k = 0; k < bootstrap->options.ranked_count; k++)
        if (fp_measure_same(bootstrap->options.ranked + k, &measure)) return values[k];
    return NAN;
}

double fp_bootstrap_value(const fp_bootstrap *bootstrap, size_t replicate, size_t arm, fp_measure measure) {
    size_t seeds = fp_seed_count(bootstrap->options.further, arm), defined = 0;
    double sum = 0;
    for (size_t k = 0; k < seeds; k++) {
        double value =
            fp_bootstrap_lane_value(bootstrap, replicate, fp_seed_lane(bootstrap->options.further, arm, k), measure);
        if (isnan(value)) continue;
        sum += value;
        defined++;
    }
    return defined ? sum / (double)defined : NAN;
}

void fp_bootstrap_values(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, double *values) {
    for (size_t i = 0; i < bootstrap->replicates; i++) values[i] = fp_bootstrap_value(bootstrap, i, arm, measure);
}

/* ---- Seeds ---- */

fp_bootstrap fp_bootstrap_own(const fp_bootstrap *bootstrap) {
    fp_bootstrap own = *bootstrap;
    own.options.further = NULL;
    return own;
}

/* Under one of the seeds; an arm of one seed has that one. */
static double under_seed(const fp_bootstrap *bootstrap, const fp_side *of, size_t seed) {
    const fp_further_seeds *further = bootstrap->options.further;
    size_t lane = fp_seed_lane(further, of->arm, fp_seed_count(further, of->arm) > 1 ? seed : 0);
    return fp_bootstrap_lane_value(bootstrap, bootstrap->replicates, lane, of->measure);
}

fp_status fp_bootstrap_seeds(const fp_bootstrap *bootstrap, fp_side of, const fp_side *minus, fp_arena *scratch,
                             fp_seed_spread *seeds, fp_error *error) {
    size_t count = fp_seed_count(bootstrap->options.further, of.arm),
           other = minus ? fp_seed_count(bootstrap->options.further, minus->arm) : 0;
    if (other > count) count = other;
    double *values = FP_NEED(fp_arena_raw(scratch, count, sizeof *values), error);
    for (size_t k = 0; k < count; k++)
        values[k] = under_seed(bootstrap, &of, k) - (minus ? under_seed(bootstrap, minus, k) : 0);
    *seeds = fp_seed_spread_of(values, count);
    return FP_OK;
}

/* ---- Percentile and BCa intervals ---- */

fp_interval fp_bootstrap_percentile(const double *sorted, size_t count, double confidence) {
    if (count == 0) return (fp_interval){NAN, NAN};
    double tail = (1 - confidence) / 2;
    return (fp_interval){gsl_stats_quantile_from_sorted_data(sorted, 1, count, tail),
                         gsl_stats_quantile_from_sorted_data(sorted, 1, count, 1 - tail)};
}

static double bias(const double *sorted, size_t count, double observed) {
    double below = 0;
    for (size_t i = 0; i < count && sorted[i] <= observed; i++) below += sorted[i] < observed ? 1 : 0.5;
    double n = (double)count;
    return gsl_cdf_ugaussian_Pinv(fmin(fmax(below, 0.5), n - 0.5) / n);
}

/* If 1 − a(z₀ + z) is not positive, the acceleration is undefined and only the bias is corrected. */
static double corrected(double z0, double z, double acceleration) {
    double scale = 1 - acceleration * (z0 + z);
    return gsl_cdf_ugaussian_P(z0 + (z0 + z) / (scale > 0 ? scale : 1));
}

fp_interval fp_bootstrap_bca(const double *sorted, size_t count, double observed, double acceleration,
                             double confidence) {
    if (count == 0 || isnan(observed)) return (fp_interval){NAN, NAN};
    double z0 = bias(sorted, count, observed), z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    return (fp_interval){gsl_stats_quantile_from_sorted_data(sorted, 1, count, corrected(z0, -z, acceleration)),
                         gsl_stats_quantile_from_sorted_data(sorted, 1, count, corrected(z0, z, acceleration))};
}

/* ---- Monte Carlo errors ---- */

/* The derivative of the quantile by its level. Equal values may be out of order through rounding. */
static double slope_at(const double *sorted, size_t count, double level) {
    double step = sqrt(level * (1 - level) / (double)count), low = fmax(0, level - step), high = fmin(1, level + step);
    if (!(high > low)) return 0;
    double rise = gsl_stats_quantile_from_sorted_data(sorted, 1, count, high) -
                  gsl_stats_quantile_from_sorted_data(sorted, 1, count, low);
    return fmax(0, rise) / (high - low);
}

fp_interval fp_bootstrap_percentile_error(const double *sorted, size_t count, double confidence) {
    if (count == 0) return (fp_interval){NAN, NAN};
    double tail = (1 - confidence) / 2, spread = sqrt(tail * (1 - tail) / (double)count);
    return (fp_interval){spread * slope_at(sorted, count, tail), spread * slope_at(sorted, count, 1 - tail)};
}

/* For the quantile at Φ(u), u = z₀ + (z₀ + z)/(1 − a(z₀ + z)): the variance of q'·share − F̂, where F̂ is the share of
 * replicates below the quantile and `share` that below the observed value, from which z₀ = Φ⁻¹(share). */
static double corrected_error(const double *sorted, size_t count, double z0, double z, double acceleration) {
    double scale = 1 - acceleration * (z0 + z), level = corrected(z0, z, acceleration), share = gsl_cdf_ugaussian_P(z0);
    scale = scale > 0 ? scale : 1;
    double moved = 1 + (scale == 1 ? 1 : 1 / (scale * scale));
    double rate = gsl_ran_ugaussian_pdf(gsl_cdf_ugaussian_Pinv(fmin(fmax(level, 1e-300), 1 - 1e-16))) * moved /
                  gsl_ran_ugaussian_pdf(z0);
    double both = fmin(level, share) - level * share;
    double variance = level * (1 - level) + rate * rate * share * (1 - share) - 2 * rate * both;
    return sqrt(fmax(0, variance) / (double)count) * slope_at(sorted, count, level);
}

fp_interval fp_bootstrap_bca_error(const double *sorted, size_t count, double observed, double acceleration,
                                   double confidence) {
    if (count == 0 || isnan(observed)) return (fp_interval){NAN, NAN};
    double z0 = bias(sorted, count, observed), z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    return (fp_interval){corrected_error(sorted, count, z0, -z, acceleration),
                         corrected_error(sorted, count, z0, z, acceleration)};
}
