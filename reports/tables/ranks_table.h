/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks_table.h - the arms of an evaluation over all its corpora.
 */
#ifndef FP_RANKS_TABLE_H
#define FP_RANKS_TABLE_H

#include "eval/analyses/ranks.h"
#include "reports/tables/results.h"

/* ranks.tsv; best rank first. The last six columns are the same in every row: χ² and F of ranks.h with their p. */
fp_table *fp_results_ranks(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* For a person: the same without the last six. */
fp_table *fp_results_ranks_short(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* What the tests say, in lines that end with \n. */
const char *fp_results_ranks_describe(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);

/* signed-ranks.tsv; the first of each two has the better mean rank. */
fp_table *fp_results_rank_pairs(const fp_results *results, const fp_ranks *ranks, const fp_rank_pairs *pairs,
                                fp_arena *arena);
/* For a person, and what stands under it: lines that end with \n. */
fp_table *fp_results_rank_pairs_short(const fp_results *results, const fp_rank_pairs *pairs, fp_arena *arena);
const char *fp_results_rank_pairs_describe(const fp_ranks *ranks, const fp_rank_pairs *pairs, fp_arena *arena);

#endif
