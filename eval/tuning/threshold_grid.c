/* SPDX-License-Identifier: GPL-3.0-or-later
 * Division by a power of ten rounds as a decimal literal does; multiplication by its inverse would not. */
#include "eval/tuning/threshold_grid.h"

#include <math.h>

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
