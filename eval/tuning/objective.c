/* SPDX-License-Identifier: GPL-3.0-or-later
 * Objectives from weighted counts, and the evidence for a precision. */
#include "eval/tuning/objective.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/measure_interval.h"

double fp_called_precision(fp_called_pairs called, double weight) {
    double sum = (double)called.tp + weight * (double)called.fp;
    return sum > 0 ? (double)called.tp / sum : NAN;
}

double fp_called_recall(fp_called_pairs called) {
    return called.tp + called.fn ? (double)called.tp / (double)(called.tp + called.fn) : NAN;
}

double fp_called_fbeta(fp_called_pairs called, double weight, double beta) {
    double square = beta * beta, hits = (1 + square) * (double)called.tp,
           all = hits + square * (double)called.fn + weight * (double)called.fp;
    return all > 0 ? hits / all : NAN;
}

double fp_objective_value(const fp_objective *objective, fp_called_pairs called, double weight) {
    return isnan(objective->min_precision) ? fp_called_fbeta(called, weight, objective->beta)
                                           : fp_called_recall(called);
}

const char *fp_objective_name(const fp_objective *objective, fp_arena *arena) {
    return isnan(objective->min_precision) ? fp_format(arena, "F%.6g", objective->beta) : "recall";
}

fp_status fp_objective_check(const fp_objective *objective, fp_error *error) {
    if (!(objective->beta > 0 && objective->beta <= 1000))
        return fp_fail(error, FP_ERROR_RANGE, "beta %.6g is not above 0 and at most 1000", objective->beta);
    if (isnan(objective->min_precision) || (objective->min_precision > 0 && objective->min_precision < 1)) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "a precision of %.6g is not between 0 and 1, both excluded",
                   objective->min_precision);
}

fp_best_step fp_objective_search(const fp_objective *objective, const fp_step_counts *counts, double weight) {
    fp_best_step best = {.score = NAN};
    fp_called_pairs called = {0};
    for (size_t i = 0; i < counts->count; i++) called.fn += counts->cells[2 * i];
    for (size_t i = 0; i < counts->count; i++) {
        const uint32_t *cell = counts->cells + 2 * i;
        if (cell[0] + cell[1] == 0) continue;
        called.tp += cell[0];
        called.fn -= cell[0];
        called.fp += cell[1];
        double score = fp_objective_value(objective, called, weight);
        if (fp_called_precision(called, weight) < objective->min_precision)
            continue; /* never if no precision is requested */
        if (isnan(score) || (best.found && score <= best.score)) continue;
        best = (fp_best_step){true, i, score};
    }
    return best;
}

/* ----
 * Division by a power of ten rounds as a decimal literal does; multiplication by its inverse would not.
 */

fp_threshold_grid fp_threshold_grid_of(const fp_layout *layout) {
    fp_threshold_grid steps = {.multiplier = 1, .divisor = 1};
    double maximum = layout->maximum > 0 ? layout->maximum : 1;
    while (!layout->integral && maximum * steps.divisor < 1000 && steps.divisor < 1e15) steps.divisor *= 10;
    double most = layout->integral ? FP_THRESHOLD_GRID_MOST - 1 : 10000;
    while (maximum / steps.multiplier > most) steps.multiplier *= 10;
    steps.count = (size_t)ceil(maximum * steps.divisor / steps.multiplier) + 1;
    return steps;
}

double fp_threshold_grid_value(const fp_threshold_grid *steps, size_t step) {
    return (double)step * steps->multiplier / steps->divisor;
}

uint16_t fp_threshold_grid_find(const fp_threshold_grid *steps, double distance) {
    double guess = ceil(distance / steps->multiplier * steps->divisor);
    if (!(guess > 0)) return 0;
    size_t step = guess < (double)steps->count ? (size_t)guess : steps->count - 1;
    while (step > 0 && fp_threshold_grid_value(steps, step - 1) >= distance) step--;
    while (step + 1 < steps->count && fp_threshold_grid_value(steps, step) < distance) step++;
    return (uint16_t)step;
}

/* ---- Evidence for a precision: sums over units that grow with every call, and the tests on them ---- */

fp_status fp_evidence_open(size_t unit_count, double weight, fp_arena *arena, fp_evidence_sums *sums, fp_error *error) {
    *sums = (fp_evidence_sums){
        .unit_count = unit_count, .weight = weight, .unit = fp_arena_alloc(arena, unit_count, sizeof *sums->unit)};
    return sums->unit ? FP_OK : fp_no_memory(error);
}

/* (x + w)² = x² + w·(2x + w). */
static void add_to_unit(fp_evidence_sums *sums, fp_evidence_unit *unit, double weight, bool right) {
    sums->now.units += unit->right + unit->wrong == 0;
    sums->now.failing += !right && unit->wrong == 0;
    double *mine = right ? &unit->right : &unit->wrong;
    *(right ? &sums->right_squares : &sums->wrong_squares) += weight * (2 * *mine + weight);
    sums->mixed += weight * (right ? unit->wrong : unit->right);
    *(right ? &sums->touching.right : &sums->touching.wrong) += weight;
    *mine += weight;
}

void fp_evidence_add(fp_evidence_sums *sums, uint32_t first, uint32_t second, bool right) {
    double weight = right ? 1 : sums->weight;
    add_to_unit(sums, sums->unit + first, weight, right);
    if (first != second) add_to_unit(sums, sums->unit + second, weight, right);
    *(right ? &sums->now.right : &sums->now.wrong) += weight;
}

static double effective(const fp_evidence_sums *sums, double level) {
    double called = sums->now.right + sums->now.wrong, p = sums->now.right / called, q = 1 - p,
           units = (double)sums->unit_count, sum = q * sums->touching.right - p * sums->touching.wrong;
    double squares = q * q * sums->right_squares - 2 * p * q * sums->mixed + p * p * sums->wrong_squares;
    double variance = units / (units - 1) * fmax(0, squares - sum * sum / units) / (called * called);
    double wider = fp_by_student((double)sums->now.units - 1, 1 - 2 * level);
    return variance > 0 ? p * q / variance / (wider * wider) : INFINITY;
}

fp_evidence fp_evidence_now(const fp_evidence_sums *sums, double level) {
    fp_evidence now = sums->now;
    double called = now.right + now.wrong;
    if (!(called > 0)) return now;
    now.most = now.trials = fmin((double)now.units, called / sums->weight);
    if (now.wrong > 0)
        now.clump = sums->wrong_squares / sums->touching.wrong - sums->touching.wrong / (double)sums->unit_count;
    if (now.wrong > 0 && now.right > 0) now.trials = fmin(now.trials, effective(sums, level));
    return now;
}

/* ---- Tests ---- */

static bool shows(double right, double wrong, double precision, double level) {
    return right > 0 && gsl_cdf_beta_P(precision, right, wrong + 1) <= level;
}

bool fp_evidence_shows(const fp_evidence *of, double precision, double level) {
    double called = of->right + of->wrong;
    return called > 0 && shows(of->trials * of->right / called, of->trials * of->wrong / called, precision, level);
}

size_t fp_evidence_needed(double precision, double level, size_t failing) {
    size_t low = failing, high = failing + 1;
    for (; high < SIZE_MAX / 4 && !shows((double)(high - failing), (double)failing, precision, level); high *= 2)
        low = high;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(shows((double)(middle - failing), (double)failing, precision, level) ? &high : &low) = middle;
    }
    return high;
}

void fp_evidence_bound(fp_evidence *at, size_t count) {
    for (size_t i = 0, ahead = 0; i < count && at[i].failing < FP_EVIDENCE_FEW; i++) {
        while (ahead + 1 < count && at[ahead].failing < FP_EVIDENCE_FEW) ahead++;
        double bound = (at[i].right + at[i].wrong) / fmax(1, at[ahead].clump);
        at[i].most = fmin(at[i].most, bound);
        at[i].trials = fmin(at[i].trials, bound);
    }
}

size_t fp_evidence_reach(const fp_evidence_path *path, double precision, double level) {
    size_t found = SIZE_MAX;
    double needed = (double)fp_evidence_needed(precision, level, 0);
    for (size_t i = 0; i < path->count; i++) {
        const fp_evidence *at = path->at + i;
        if (at->most < needed) continue;
        if (!fp_evidence_shows(at, precision, level)) break;
        if (found == SIZE_MAX || at->right > path->at[found].right) found = i;
    }
    return found;
}
