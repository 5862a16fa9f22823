/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * robustness_tables.h - tables of arms against corruptions.
 */
#ifndef FP_ROBUSTNESS_TABLES_H
#define FP_ROBUSTNESS_TABLES_H

#include "eval/analyses/robustness.h"
#include "reports/tables/table.h"

/* robustness.tsv: a row for each arm, kind and rate, the rates of a kind together, as the kinds of an arm. */
fp_table *fp_robustness_table(const fp_robustness *of, fp_arena *arena);
/* robustness-parts.tsv: the same for each corpus and hash seed. */
fp_table *fp_robustness_parts_table(const fp_robustness *of, fp_arena *arena);
/* robustness-thresholds.tsv: a row for each arm, corpus, hash seed and fold. */
fp_table *fp_robustness_thresholds_table(const fp_robustness *of, fp_arena *arena);
/* For a person: F1 of each arm at each rate as a mean over kinds, and the kind that it stands worst at the largest. */
fp_table *fp_robustness_short(const fp_robustness *of, fp_arena *arena);

#endif
