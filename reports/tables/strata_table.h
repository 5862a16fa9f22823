/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata_table.h - figures for each part of the pairs: which threshold for which length, how each kind of duplicate
 * fares.
 */
#ifndef FP_STRATA_TABLE_H
#define FP_STRATA_TABLE_H

#include "eval/analyses/edits.h"
#include "eval/analyses/stratum.h"
#include "reports/tables/results.h"
#include "reports/tables/table.h"

/* strata.tsv: one row for each arm and stratum that has pairs, the rows of an arm together: pairs, positives and
 * negatives of its own, average precision, the best threshold, and F1, precision and recall there, each
 * with its interval; how many pairs join a stratum of one label; a note marks strata that are too small. */
fp_table *fp_strata_summary(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena);
/* strata-thresholds.tsv: one row for each arm, stratum and threshold, in the columns of results.tsv with `by` and
 * `stratum` behind `arm`, and the interval of F1 behind it. */
fp_table *fp_strata_thresholds(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena);
/* For a person: the best threshold of each stratum of one corpus. */
fp_table *fp_strata_short(const fp_results *results, const fp_strata_outcome *outcome, fp_arena *arena);

/* ---- the table of distances against length and share of edited characters. ---- */

/* edits.tsv: one row for each arm, length and share of edited characters that has duplicates. `lengths` numbers the
 * strata from 1, for the picture. A corpus of groups has no rows. */
fp_table *fp_edits_table(const fp_edits_outcome *outcomes, size_t count, fp_arena *arena);

#endif
