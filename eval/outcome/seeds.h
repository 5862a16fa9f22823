/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * seeds.h - what an arm of an outcome comes to under all the seeds of its hash that it was measured under
 * (eval/statistics/hash_seeds.h). A mean is over the seeds under which the figure is defined.
 */
#ifndef FP_SEEDS_H
#define FP_SEEDS_H

#include "eval/outcome/outcome.h"

/* How many seeds an arm was measured under, and where the measurement under one of them stands; 0 is the arm's own. */
size_t fp_seeds_count(const fp_outcome *outcome, size_t arm);
size_t fp_seeds_lane(const fp_outcome *outcome, size_t arm, size_t seed);

/* Mean counts at a threshold. */
fp_cells fp_seeds_counts(const fp_outcome *outcome, size_t arm, double h);
/* The mean of a figure of the curve: offsetof(fp_curve, average_precision) and so on. */
double fp_seeds_curve_mean(const fp_outcome *outcome, size_t arm, size_t offset);

#endif
