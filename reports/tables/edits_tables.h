/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edits_tables.h - the table of distances against length and share of edited characters.
 */
#ifndef FP_EDITS_TABLES_H
#define FP_EDITS_TABLES_H

#include "eval/analyses/edits.h"
#include "reports/tables/table.h"

/* edits.tsv: one row for each arm, length and share of edited characters that has duplicates. `lengths` numbers the
 * strata from 1, for the picture. A corpus of groups has no rows. NULL when there is no memory. */
fp_table *fp_edits_table(const fp_edits_outcome *outcomes, size_t count, fp_arena *arena);

#endif
