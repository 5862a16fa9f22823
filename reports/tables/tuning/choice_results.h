/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice_results.h - choices as an evaluation finds them: each at its own threshold, beside what tuning promised.
 */
#ifndef FP_CHOICE_RESULTS_H
#define FP_CHOICE_RESULTS_H

#include "eval/evaluation/outcome.h"
#include "reports/tables/tuning/choice_file.h"
#include "reports/tables/results.h"

/* choices[c] gave the arms[c] of every outcome its threshold. Each returns NULL when there is no memory. */

/* choices.tsv: corpus arm scale threshold tp fp fn tn, then precision, recall and F1 with their intervals, then the
 * precision and recall on held-out groups that the choice came with. Intervals as in results.tsv. */
fp_table *fp_choice_results(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices, fp_arena *arena);
/* The same for a person. */
fp_table *fp_choice_results_short(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                                  fp_arena *arena);

#endif
