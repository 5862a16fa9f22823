/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * threshold_grid.h - the thresholds that are tried on an arm's scale, numbered: whole numbers where distances are
 * whole; where they are real, the multiples of a power of ten, 1,000 to 10,000 of them up to the largest distance. A
 * threshold so found can be written down and typed in again.
 */
#ifndef FP_THRESHOLD_GRID_H
#define FP_THRESHOLD_GRID_H

#include "base/base.h"

typedef struct fp_threshold_grid {
    size_t count;      /* 1 … FP_THRESHOLD_GRID_MOST */
    double multiplier; /* the threshold is step · multiplier / divisor, one of which is 1 */
    double divisor;
} fp_threshold_grid;

enum { FP_THRESHOLD_GRID_MOST = UINT16_MAX };

fp_threshold_grid fp_threshold_grid_of(const fp_layout *layout);
double fp_threshold_grid_value(const fp_threshold_grid *steps, size_t step);
/* The smallest step at which the distance counts: the first whose value is not below it, or the last. */
uint16_t fp_threshold_grid_find(const fp_threshold_grid *steps, double distance);

#endif
