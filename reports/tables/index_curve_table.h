/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index_curve_table.h - what an index brings of pairs of a similarity, as tables.
 */
#ifndef FP_INDEX_CURVE_TABLE_H
#define FP_INDEX_CURVE_TABLE_H

#include "eval/analysis/index_curve.h"
#include "reports/tables/table.h"

/* Tables over all outcomes; arms without a curve have no rows. Each is NULL when there is no memory. */

/* index.tsv: corpus arm index low high pairs similarity brought brought_low brought_high expected: a row a tenth of
 * similarity. */
fp_table *fp_index_table(const fp_index_outcome *outcomes, size_t count, fp_arena *arena);
/* index-curve.tsv: corpus arm index measure similarity expected: the probability over similarities from 0 to 1, for a
 * curve. */
fp_table *fp_index_curve_table(const fp_index_outcome *outcomes, size_t count, fp_arena *arena);

#endif
