/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks_table.h - the arms of an evaluation over all its corpora.
 */
#ifndef FP_RANKS_TABLE_H
#define FP_RANKS_TABLE_H

#include "eval/statistics/ranks.h"
#include "reports/tables/results.h"

/* ranks.tsv: arm average_precision low high mean_rank corpora critical_difference friedman_p; best rank first. The last
 * three are the same in every row, friedman_p by Iman and Davenport. NULL when there is no memory. */
fp_table *fp_results_ranks(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* For a person: the same without the last three. */
fp_table *fp_results_ranks_short(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* What the tests say, in lines that end with \n; NULL when there is no memory. */
const char *fp_results_ranks_describe(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);

#endif
