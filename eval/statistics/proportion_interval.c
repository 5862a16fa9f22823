/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval of a weighted share. */
#include "eval/statistics/proportion_interval.h"

#include <math.h>

#include "eval/statistics/bootstrap.h"
#include "eval/statistics/share_interval.h"

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

/* What a unit brings that errs as those do which err: its size, by which it is more likely to be met. */
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
