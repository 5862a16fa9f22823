/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * theory_bins.h - pairs divided by their similarity.
 */
#ifndef FP_THEORY_BINS_H
#define FP_THEORY_BINS_H

#include "eval/analysis/theory.h"

/* Fills theory->bins from theory->mean and theory->variance. `places` may be NULL. */
fp_status fp_theory_divide(const fp_theory_pairs *pairs, const fp_fit_input *places, double confidence, fp_arena *arena,
                           fp_theory *theory, fp_error *error);

#endif
