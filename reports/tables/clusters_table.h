/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters_table.h - agreement of found and true clusters at each threshold.
 */
#ifndef FP_CLUSTERS_TABLE_H
#define FP_CLUSTERS_TABLE_H

#include "eval/outcome/clusters_outcome.h"
#include "reports/tables/table.h"

/* clusters.tsv: corpus arm scale threshold, then each measure with its interval; single linkage over the labelled pairs
 * at a distance ≤ the threshold. NULL when there is no memory. */
fp_table *fp_clusters_table(const fp_clusters_outcome *outcomes, size_t count, fp_arena *arena);

/* Tells the definitions of a level: one sentence each with its formula. */
void fp_results_define(fp_level level, FILE *stream);

#endif
