/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alignment_table.h - the passages of two texts as rows.
 */
#ifndef FP_ALIGNMENT_TABLE_H
#define FP_ALIGNMENT_TABLE_H

#include "reports/tables/table.h"
#include "text/alignment/alignment.h"

/* Both texts of each passage, for a person: two rows a passage. What one text alone has is marked as word differences
 * are: [-only in a-] and {+only in b+}. `texts` are a and b. NULL when there is no memory. */
fp_table *fp_alignment_view(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena);
/* For programs: a row "all", then one a passage, with places in characters and in bytes. */
fp_table *fp_alignment_rows(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena);

/* The table as a terminal with colours shows it: what the marks enclose is red in a and green in b. */
fp_status fp_alignment_write_coloured(const fp_table *table, FILE *stream, fp_error *error);

#endif
