/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edits_tables.h - the table of distances against length and share of edited characters.
 */
#ifndef FP_EDITS_TABLES_H
#define FP_EDITS_TABLES_H

#include "reports/tables/strata_table.h"

/* edits.tsv: one row for each arm, length and share of edited characters that has duplicates; the outcomes are divided
 * by length. `lengths` numbers the strata from 1, for the picture. Reads outcome->counterparts where there are any. A
 * corpus of groups has no rows. */
fp_status fp_results_edits(const fp_results *results, const fp_strata_outcome *outcomes, const fp_progress *progress,
                           fp_arena *arena, fp_table **table, fp_error *error);

#endif
