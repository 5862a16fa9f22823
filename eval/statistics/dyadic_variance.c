/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of influence values over units and dyads. */
#include "eval/statistics/dyadic_variance.h"

#include <float.h>
#include <math.h>

/* Below this part of the pairs' own squares, the sums over units differ only by rounding. */
#define STILL 1e-20

/* Central moments of the sums over units. */
static void shape(const fp_unit_sums *of, fp_dyadic *spread) {
    double mean = 0, squares = 0, cubes = 0, fourths = 0, units = (double)of->count;
    for (size_t i = 0; i < of->count; i++) {
        mean += of->sum[i] / units;
        spread->fall = fmax(spread->fall, -of->sum[i]);
        spread->rise = fmax(spread->rise, of->sum[i]);
    }
    for (size_t i = 0; i < of->count; i++) {
        double s = of->sum[i] - mean;
        squares += s * s;
        cubes += s * s * s;
        fourths += s * s * s * s;
    }
    bool varies = squares > STILL * of->independent;
    double excess = fmax(DBL_EPSILON, fourths / (squares * squares) - 1 / units);
    spread->acceleration = varies ? cubes / (6 * squares * sqrt(squares)) : 0;
    spread->freedom = varies ? fmax(1, 2 / excess) : INFINITY;
}

/* A unit with more than half of the pairs cannot be compared with the others. */
#define MOST_SHARE 0.5

/* Σ_u c_u² with each unit left out in turn. */
static double without_each(const fp_unit_sums *of) {
    double mean = 0, squares = 0, units = (double)of->count;
    for (size_t i = 0; i < of->count; i++) mean += of->sum[i] / units;
    for (size_t i = 0; i < of->count; i++) {
        double s = (of->sum[i] - mean) / (1 - fmin(of->share[i], MOST_SHARE));
        squares += s * s;
    }
    return squares * (units - 1) / units;
}

double fp_dyadic_variance(const fp_dyadic_sums *of, size_t unit_count) {
    double centre = of->total * of->total / (double)unit_count;
    double robust = of->squares - of->across - centre, independent = of->inside + of->across - centre;
    return fmax(0, fmax(robust, independent / 2));
}

fp_dyadic fp_dyadic_from(const fp_unit_sums *of) {
    fp_dyadic_sums sums = {.across = of->across, .inside = of->inside};
    fp_dyadic spread = {.independent = of->independent,
                        .units = of->count,
                        .effective = of->share ? fp_effective_count(of->share, of->count) : (double)of->count};
    for (size_t i = 0; i < of->count; i++) {
        sums.total += of->sum[i];
        sums.squares += of->sum[i] * of->sum[i];
    }
    sums.squares -= of->noise;
    double centre = sums.total * sums.total / (double)of->count;
    spread.variance = fmax(fp_dyadic_variance(&sums, of->count), of->independent / 2);
    if (of->share) spread.variance = fmax(spread.variance, without_each(of) - of->across - of->noise);
    spread.variance += of->together;
    spread.resampled = fmax(0, sums.squares + sums.across - centre) + of->together;
    shape(of, &spread);
    return spread;
}

double fp_dyadic_freedom(const fp_dyadic *spread) {
    double units = fmin((double)spread->units - 1, spread->freedom + FP_DYADIC_KNOWN);
    if (!(units > 0) || !(spread->seeds > 0)) return units;
    double documents = spread->variance - spread->seeds,
           square = documents * documents / units + spread->seeds * spread->seeds / spread->seed_freedom;
    return spread->variance * spread->variance / square;
}

/* ---- From pairs ---- */

/* The part of the counted pairs that touch each unit. */
static fp_status share_out(const fp_resample *resample, const bool *counted, fp_arena *scratch, double **share,
                           fp_error *error) {
    double count = 0, *touching = FP_NEED(fp_arena_alloc(scratch, resample->unit_count, sizeof *touching), error);
    for (size_t i = 0; i < resample->pair_count; i++) {
        if (!counted[i]) continue;
        uint32_t first = resample->first[i], second = resample->second[i];
        count++;
        touching[first]++;
        if (first != second) touching[second]++;
    }
    for (size_t i = 0; i < resample->unit_count; i++) touching[i] /= fmax(1, count);
    *share = touching;
    return FP_OK;
}

fp_status fp_dyadic_of(const fp_resample *resample, const double *influence, const bool *counted, fp_arena *scratch,
                       fp_dyadic *spread, fp_error *error) {
    fp_unit_sums sums = {.count = resample->unit_count};
    double *share = NULL, *unit = FP_NEED(fp_arena_alloc(scratch, resample->unit_count, sizeof *unit), error),
           *dyad = FP_NEED(fp_arena_alloc(scratch, resample->dyad_count, sizeof *dyad), error);
    fp_resample_sum(resample, influence, unit);
    for (size_t i = 0; i < resample->pair_count; i++) {
        dyad[resample->dyad[i]] += influence[i];
        sums.independent += influence[i] * influence[i];
    }
    for (size_t i = 0; i < resample->dyad_count; i++) {
        uint32_t pair = resample->dyad_pair[i];
        *(resample->first[pair] == resample->second[pair] ? &sums.inside : &sums.across) += dyad[i] * dyad[i];
    }
    if (counted && resample->unit != FP_SAMPLING_PAIR) FP_TRY(share_out(resample, counted, scratch, &share, error));
    sums.sum = unit;
    sums.share = share;
    *spread = fp_dyadic_from(&sums);
    return FP_OK;
}

/* ---- Variance between seeds of the hash ---- */

fp_seed_spread fp_seed_spread_of(const double *values, size_t count) {
    fp_seed_spread of = {0};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i])) continue;
        sum += values[i];
        of.count++;
    }
    of.mean = of.count ? sum / (double)of.count : NAN;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) squares += (values[i] - of.mean) * (values[i] - of.mean);
    if (of.count > 1) of.deviation = sqrt(squares / (double)(of.count - 1));
    if (of.count > 1) of.variance = squares / (double)(of.count - 1) / (double)of.count;
    return of;
}

void fp_dyadic_add_seeds(fp_dyadic *spread, const fp_seed_spread *seeds) {
    if (seeds->count < 2 || !(seeds->variance > 0)) return;
    spread->variance += seeds->variance;
    spread->seeds = seeds->variance;
    spread->seed_freedom = (double)(seeds->count - 1);
}

double fp_seed_share(const fp_seed_spread *seeds, double variance) {
    return variance > 0 ? seeds->variance / variance : NAN;
}
