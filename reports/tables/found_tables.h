/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * found_tables.h - the passages of two texts as rows.
 */
#ifndef FP_FOUND_TABLES_H
#define FP_FOUND_TABLES_H

#include "index/collection/tracking.h"
#include "reports/tables/table.h"
#include "text/alignment/alignment.h"

/* Both texts of each passage, for a person: two rows a passage. What one text alone has is marked as word differences
 * are: [-only in a-] and {+only in b+}. `texts` are a and b. */
fp_table *fp_alignment_view(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena);
/* For programs: a row "all", then one a passage, with places in characters and in bytes. */
fp_table *fp_alignment_rows(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena);

/* The table as a terminal with colours shows it: what the marks enclose is red in a and green in b. */
fp_status fp_alignment_write_coloured(const fp_table *table, FILE *stream, fp_error *error);

/* ---- what tracking found, text by text, by source, and by day. ---- */

/* text, verdict (new, duplicate, silent), of, distance, similarity, shared, near, cluster, source, time, and, unless it
 * is for a person, passages. */
fp_table *fp_tracking_table(bool for_person, fp_arena *arena);
void fp_tracking_add_row(fp_table *table, bool for_person, const fp_record *record, const fp_tracked *tracked);

/* Counts by source and by day, while texts go by. */
typedef struct fp_tracking_counts fp_tracking_counts;
fp_tracking_counts *fp_tracking_counts_open(fp_arena *arena);
void fp_tracking_counts_close(fp_tracking_counts *counts);
fp_status fp_tracking_count(fp_tracking_counts *counts, const fp_record *record, const fp_tracked *tracked,
                            fp_error *error);

/* source, texts, duplicates, share, and how many duplicates of other sources' texts it has, and how often its own were
 * taken up by other sources: the most texts first. "" is the source of texts without one. */
fp_table *fp_tracking_by_source_table(const fp_tracking_counts *counts, fp_arena *arena);
/* day (UTC), texts, duplicates, share, ascending; "" for texts without a time, last. */
fp_table *fp_tracking_by_day_table(const fp_tracking_counts *counts, fp_arena *arena);

#endif
