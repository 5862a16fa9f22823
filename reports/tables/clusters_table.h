/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters_table.h - agreement of found and true clusters at each threshold.
 */
#ifndef FP_CLUSTERS_TABLE_H
#define FP_CLUSTERS_TABLE_H

#include "eval/outcome/levels.h"
#include "reports/tables/results.h"

/* clusters.tsv: corpus arm scale threshold, then each figure with its interval; single linkage over the labelled pairs
 * at a distance ≤ the threshold. */
fp_status fp_results_clusters(const fp_results *results, const fp_inference_options *options, fp_arena *arena,
                              fp_table **table, fp_error *error);

/* Tells the definitions of a level: one sentence each with its formula. */
void fp_results_define(fp_level level, FILE *stream);

#endif
