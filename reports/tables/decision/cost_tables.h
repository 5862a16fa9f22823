/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cost_tables.h - tables of what thresholds cost, and of precision–recall–gain curves.
 */
#ifndef FP_COST_TABLES_H
#define FP_COST_TABLES_H

#include "eval/decision/cost_outcome.h"
#include "reports/tables/results.h"

/* cost-curve.tsv: the lower envelope of every arm: corpus arm scale threshold tp fp fnr fpr pc_from pc_to cost_from
 * cost_to; threshold −1 calls nothing. NULL when there is no memory, here and below. */
fp_table *fp_cost_curves(const fp_cost_outcome *outcomes, size_t count, fp_arena *arena);
/* costs.tsv: the decision at each ratio: corpus arm scale prevalence ratio pc threshold threshold_low threshold_high tp
 * fp cost cost_low cost_high nearer nearer_cost farther farther_cost call_nothing call_everything cut. */
fp_table *fp_cost_decisions(const fp_cost_outcome *outcomes, size_t count, fp_arena *arena);
/* For a person: one corpus, a column for each ratio; for each arm the threshold, under it those that cannot be told
 * from it, and the cost. */
fp_table *fp_cost_short(const fp_cost_outcome *outcome, fp_arena *arena);

/* gain.tsv: corpus arm distance precision_gain recall_gain f1_gain, and on each row of an arm area area_low area_high.
 */
fp_table *fp_gain_table(const fp_results *results, fp_arena *arena);

#endif
