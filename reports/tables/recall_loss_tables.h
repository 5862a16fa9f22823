/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recall_loss_tables.h - the tables of where recall is lost.
 */
#ifndef FP_RECALL_LOSS_TABLES_H
#define FP_RECALL_LOSS_TABLES_H

#include "eval/analysis/recall_loss_outcome.h"
#include "reports/tables/results.h"

/* lost.tsv and, where `best`, lost-best.tsv: corpus arm scale index threshold positives; the count of each class
 * (eval/analysis/recall_loss.h); the share of each with its interval; candidates (mean of a query, itself apart),
 * documents, and index_reach, the distance within which the index brings every pair. NA stands where a class cannot
 * hold pairs of the arm. NULL when there is no memory. */
fp_table *fp_recall_loss_table(const fp_recall_loss_outcome *outcomes, size_t count, bool best, fp_arena *arena);
/* For a person: one corpus, each arm at its own threshold. */
fp_table *fp_recall_loss_short(const fp_recall_loss_outcome *outcome, fp_arena *arena);
/* What to know of the indices, a line each: those that may lose pairs within the threshold, those that bring most
 * documents, and where there is none. "" when there is nothing to say; NULL when there is no memory. */
const char *fp_recall_loss_remarks(const fp_recall_loss_outcome *outcome, fp_arena *arena);

#endif
