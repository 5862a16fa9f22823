/* SPDX-License-Identifier: GPL-3.0-or-later
 * Objectives from weighted counts, and thresholds as multiples of a power of ten. */
#include "eval/tuning/objective.h"

#include <math.h>

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
