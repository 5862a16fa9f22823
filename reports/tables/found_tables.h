/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * found_tables.h - tables of the passages that two texts share, and of tracking results.
 */
#ifndef FP_FOUND_TABLES_H
#define FP_FOUND_TABLES_H

#include "index/collection/tracking.h"
#include "reports/tables/table.h"
#include "text/alignment/alignment.h"

/* Both texts of each passage, two rows a passage, for people. Marks text of one side like word differences: [-only in
 * a-] and {+only in b+}. `texts` are a and b. */
fp_table *fp_alignment_view(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena);
/* For programs: a row "all", then one row for each passage, with places in characters and in bytes. */
fp_table *fp_alignment_rows(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena);

/* Writes the table for a colour terminal: marked text is red in a and green in b. */
fp_status fp_alignment_write_coloured(const fp_table *table, FILE *stream, fp_error *error);

/* ---- Tracking results, by text, by source and by day ---- */

/* text, verdict (new, duplicate, empty), of, distance, similarity, shared, near, cluster, source, time; if not
 * for_person also passages. */
fp_table *fp_tracking_table(bool for_person, fp_arena *arena);
void fp_tracking_add_row(fp_table *table, bool for_person, const fp_record *record, const fp_tracked *tracked);

/* Running counts by source and by day. */
typedef struct fp_tracking_counts fp_tracking_counts;
fp_tracking_counts *fp_tracking_counts_open(fp_arena *arena);
void fp_tracking_counts_close(fp_tracking_counts *counts);
fp_status fp_tracking_count(fp_tracking_counts *counts, const fp_record *record, const fp_tracked *tracked,
                            fp_error *error);

/* source, texts, duplicates, share, number of its duplicates of other sources' texts, number of other sources'
 * duplicates of its texts; most texts first. "" is the source of texts without one. */
fp_table *fp_tracking_by_source_table(const fp_tracking_counts *counts, fp_arena *arena);
/* day (UTC), texts, duplicates, share, ascending; "" for texts without a time, last. */
fp_table *fp_tracking_by_day_table(const fp_tracking_counts *counts, fp_arena *arena);

#endif
