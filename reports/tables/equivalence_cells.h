/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * equivalence_cells.h - what a table says of a difference besides its interval and p.
 */
#ifndef FP_EQUIVALENCE_CELLS_H
#define FP_EQUIVALENCE_CELLS_H

#include "eval/statistics/equivalence.h"
#include "reports/tables/table.h"

/* narrow_low narrow_high margin within_margin units units_to_differ units_to_equal: for files. NA where no number of
 * units would do. */
#define FP_EQUIVALENCE_COLUMNS ">narrow_low|>narrow_high|>margin|within_margin|>units|>units_to_differ|>units_to_equal"
void fp_table_equivalence(fp_table *table, const fp_equivalence *equivalence);

#endif
