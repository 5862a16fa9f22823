/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prevalence_table.h - tables of precision at other shares of duplicates than the set's own.
 */
#ifndef FP_PREVALENCE_TABLE_H
#define FP_PREVALENCE_TABLE_H

#include "eval/outcome/prevalence_outcome.h"
#include "reports/tables/results.h"

/* prevalence.tsv: one row for each arm, threshold (of the list, and the best of the arm) and prevalence, the rows of an
 * arm together; `best` and `stated` are 1 where the threshold is the arm's best and the prevalence the stated one. NULL
 * when there is no memory. */
fp_table *fp_prevalence_table(const fp_prevalence_outcome *outcomes, size_t count, fp_arena *arena);
/* For a person: each arm at its best threshold, with the set's own prevalence and with the stated one. */
fp_table *fp_prevalence_short(const fp_prevalence_outcome *outcome, fp_arena *arena);

#endif
