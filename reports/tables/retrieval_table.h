/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * retrieval_table.h - how well arms rank the documents that each document is paired with.
 */
#ifndef FP_RETRIEVAL_TABLE_H
#define FP_RETRIEVAL_TABLE_H

#include "eval/outcome/retrieval_outcome.h"
#include "reports/tables/table.h"

/* retrieval.tsv: corpus arm queries retrieved relevant average_precision r_precision reciprocal_rank precision_5 …
 * precision_1000. NULL when there is no memory. */
fp_table *fp_retrieval_table(const fp_retrieval_outcome *outcomes, size_t count, fp_arena *arena);
/* The same with precision at 5 and 10 alone. */
fp_table *fp_retrieval_table_short(const fp_retrieval_outcome *outcomes, size_t count, fp_arena *arena);

#endif
