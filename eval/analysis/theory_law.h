/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * theory_law.h - a law, spread out over the distances, and its moments.
 */
#ifndef FP_THEORY_LAW_H
#define FP_THEORY_LAW_H

#include "eval/analysis/theory.h"

/* Whole thresholds up to the largest distance. */
size_t fp_theory_steps(const fp_instance *instance);

/* P[distance ≤ h] for h = 0 … fp_theory_steps − 1 in below[] (may be NULL), and the moments. */
fp_moments fp_theory_spread_out(const fp_instance *instance, double similarity, double *below);

#endif
