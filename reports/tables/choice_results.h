/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice_results.h - choices as an evaluation finds them: each at its own threshold, beside what tuning promised.
 */
#ifndef FP_CHOICE_RESULTS_H
#define FP_CHOICE_RESULTS_H

#include "reports/tables/choice_file.h"
#include "reports/tables/results.h"

/* The arms of the choices are the last of every outcome. choices.tsv: corpus arm scale threshold tp fp fn tn, then
 * precision, recall and F1 with their intervals, then the precision and recall on held-out groups that the choice came
 * with. Intervals as in results.tsv. */
fp_status fp_choice_results(const fp_results *results, const fp_choice *choices, size_t count, fp_arena *arena,
                            fp_table **table, fp_error *error);

/* The same for a person. */
fp_status fp_choice_results_short(const fp_results *results, const fp_choice *choices, size_t count, fp_arena *arena,
                                  fp_table **table, fp_error *error);

#endif
