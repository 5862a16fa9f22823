/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sup-t bands from unit sums of influence values. */
#include "eval/statistics/simultaneous.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/counted.h"
#include "eval/statistics/measure_interval.h"
#include "eval/statistics/spread.h"

/* Thresholds that call different pairs. */
typedef struct points {
    size_t count;
    double *sums[FP_SIMULTANEOUS_POINTS]; /* [unit_count] of norm 1: the product of two is their correlation */
    bool still;                           /* there are thresholds where nothing varies */
} points;

/* ---- Unit sums ---- */

/* Centres them, and makes their norm 1. False where they do not vary. */
static bool standardise(double *sums, size_t count) {
    double mean = 0, squares = 0, size = 0;
    for (size_t u = 0; u < count; u++) {
        mean += sums[u] / (double)count;
        size += sums[u] * sums[u];
    }
    for (size_t u = 0; u < count; u++) {
        sums[u] -= mean;
        squares += sums[u] * sums[u];
    }
    if (!(squares > 1e-20 * size)) return false;
    for (size_t u = 0; u < count; u++) sums[u] /= sqrt(squares);
    return true;
}

static fp_status add_point(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch, points *to,
                           fp_error *error) {
    size_t units = bootstrap->resample->unit_count;
    fp_influence influence;
    double *sums = FP_NEED(fp_arena_alloc(scratch, units, sizeof *sums), error);
    if (isnan(fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure))) return FP_OK;
    FP_TRY(fp_influence_of(bootstrap, arm, measure, scratch, &influence, error));
    FP_TRY(fp_spread_unit_sums(bootstrap, arm, &influence, scratch, sums, error));
    if (standardise(sums, units)) to->sums[to->count++] = sums;
    else to->still = true;
    return FP_OK;
}

/* Whether a pair of the arm lies between a threshold and the one before. */
static bool calls_more(const fp_bootstrap *bootstrap, size_t arm, size_t threshold) {
    const size_t *reach = bootstrap->counted ? bootstrap->counted->arms[arm].reach : bootstrap->rankings[arm].reach;
    return threshold == 0 || reach[threshold] != reach[threshold - 1];
}

static size_t list_thresholds(const fp_bootstrap *bootstrap, size_t arm, size_t *list) {
    size_t count = 0;
    for (size_t t = 0; t < bootstrap->options.threshold_count; t++)
        if (calls_more(bootstrap, arm, t)) list[count++] = t;
    return count;
}

static fp_status make_points(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                             points *to, fp_error *error) {
    size_t *list = FP_NEED(fp_arena_raw(scratch, bootstrap->options.threshold_count, sizeof *list), error);
    size_t all = list_thresholds(bootstrap, arm, list), most = FP_SIMULTANEOUS_POINTS;
    size_t count = all < most ? all : most;
    for (size_t i = 0; i < count; i++) {
        measure.threshold = list[count < 2 ? 0 : i * (all - 1) / (count - 1)];
        FP_TRY(add_point(bootstrap, arm, measure, scratch, to, error));
    }
    return FP_OK;
}

/* ---- Draws ---- */

/* root[count·rank], rows of a root of the matrix of correlations: Cholesky with pivots (Golub, Van Loan, Matrix
 * Computations, section 4.2.8), which stops where nothing is left. rest[count·count] is for its use. */
static size_t find_root(const points *of, size_t units, double *rest, double *root) {
    size_t rank = 0, n = of->count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double product = 0;
            for (size_t u = 0; u < units; u++) product += of->sums[i][u] * of->sums[j][u];
            rest[i * n + j] = rest[j * n + i] = product;
        }
    for (; rank < n; rank++) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (rest[i * n + i] > rest[best * n + best]) best = i;
        if (rest[best * n + best] < 1e-10) break;
        double length = sqrt(rest[best * n + best]);
        for (size_t i = 0; i < n; i++) root[i * n + rank] = rest[i * n + best] / length;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) rest[i * n + j] -= root[i * n + rank] * root[j * n + rank];
    }
    return rank;
}

enum { AT_ONCE = 8 };
_Static_assert(FP_SIMULTANEOUS_DRAWS % AT_ONCE == 0, "draws come in blocks");

/* The largest deviation of each sample of a block. Sums per sample, so that a row of the root is read once. */
static void draw_largest(const points *of, const double *root, size_t rank, double (*normal)[AT_ONCE],
                         gsl_rng *generator, double *largest) {
    for (size_t d = 0; d < AT_ONCE; d++) {
        largest[d] = of->still ? fabs(gsl_ran_gaussian_ziggurat(generator, 1)) : 0;
        for (size_t k = 0; k < rank; k++) normal[k][d] = gsl_ran_gaussian_ziggurat(generator, 1);
    }
    for (size_t i = 0; i < of->count; i++) {
        double deviation[AT_ONCE] = {0};
        for (size_t k = 0; k < rank; k++)
            for (size_t d = 0; d < AT_ONCE; d++) deviation[d] += root[i * of->count + k] * normal[k][d];
        for (size_t d = 0; d < AT_ONCE; d++)
            if (fabs(deviation[d]) > largest[d]) largest[d] = fabs(deviation[d]);
    }
}

fp_status fp_simultaneous_level(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                                const fp_simultaneous_options *options, fp_arena *scratch, double *level,
                                fp_error *error) {
    points of = {0};
    gsl_rng generator;
    fp_bootstrap own = fp_bootstrap_own(bootstrap);
    fp_arena_reset(scratch);
    *level = options->confidence;
    FP_TRY(make_points(&own, arm, measure, scratch, &of, error));
    if (of.count + of.still < 2) return FP_OK;
    enum { DRAWS = FP_SIMULTANEOUS_DRAWS };
    double *root = FP_NEED(fp_arena_alloc(scratch, of.count * of.count + 1, sizeof *root), error);
    double *rest = FP_NEED(fp_arena_raw(scratch, of.count * of.count + 1, sizeof *rest), error);
    double(*normal)[AT_ONCE] = FP_NEED(fp_arena_alloc(scratch, of.count + 1, sizeof *normal), error);
    double *largest = FP_NEED(fp_arena_raw(scratch, DRAWS, sizeof *largest), error);
    FP_TRY(fp_generator_open(options->seed, 0, scratch, &generator, error));
    size_t rank = find_root(&of, bootstrap->resample->unit_count, rest, root);
    for (size_t i = 0; i < DRAWS; i += AT_ONCE) draw_largest(&of, root, rank, normal, &generator, largest + i);
    gsl_sort(largest, 1, DRAWS);
    size_t place = (size_t)ceil(options->confidence * (DRAWS + 1)) - 1;
    double critical = largest[place < DRAWS ? place : DRAWS - 1];
    *level = fmax(options->confidence, 1 - 2 * gsl_cdf_ugaussian_Q(critical));
    return FP_OK;
}

fp_status fp_simultaneous_band(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure,
                               const fp_simultaneous_options *options, fp_arena *scratch, fp_interval *band,
                               fp_error *error) {
    double level;
    FP_TRY(fp_simultaneous_level(bootstrap, arm, measure, options, scratch, &level, error));
    for (measure.threshold = 0; measure.threshold < bootstrap->options.threshold_count; measure.threshold++) {
        fp_estimate estimate;
        FP_TRY(fp_bootstrap_estimate(bootstrap, arm, measure, options->method, level, scratch, &estimate, error));
        band[measure.threshold] = estimate.interval;
    }
    return FP_OK;
}
