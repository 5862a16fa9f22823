/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sources_table.h - which source of chance the uncertainty of a figure comes from: the documents, or the draw of the
 * hash functions (eval/statistics/hash_seeds.h).
 */
#ifndef FP_SOURCES_TABLE_H
#define FP_SOURCES_TABLE_H

#include "reports/tables/results.h"

/* Whether any arm was measured under several seeds. */
bool fp_sources_any(const fp_results *results);

/* sources.tsv: corpus arm arm_b figure threshold seeds value seed_deviation standard_error documents hash. First all
 * measures of the arms with several seeds, then the differences in which one has part: arm_b is the other, and NA for
 * measures. `documents` and `hash` are shares of the variance, and NA where it is 0 or not known. NULL when there is no
 * memory. */
fp_table *fp_sources_table(const fp_results *results, fp_arena *arena);
/* For a person: of one outcome, what arms are compared by: each arm with several seeds, and its differences. */
fp_table *fp_sources_short(const fp_results *results, const fp_outcome *outcome, fp_arena *arena);

#endif
