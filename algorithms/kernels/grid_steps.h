/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * grid_steps.h - which multiple of a step a distance is rounded up to.
 */
#ifndef FP_GRID_STEPS_H
#define FP_GRID_STEPS_H

#include "base/cpu.h"

/* place[i] = ⌈distance[i]·by_step⌉, i < count, but no less than 0 and no more than `last` < 2³¹; `last` for NaN too.
 * The same on every level. `distance` and `place` do not overlap. */
typedef void (*fp_grid_kernel)(const double *distance, size_t count, double by_step, uint32_t last, uint32_t *place);

extern const fp_grid_kernel fp_grid_kernels[FP_CPU_LEVELS];

#endif
