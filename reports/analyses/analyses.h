/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * analyses.h - the list of all analyses, and what they share.
 */
#ifndef FP_ANALYSES_H
#define FP_ANALYSES_H

#include "eval/evaluation/findings.h"
#include "reports/tables/results.h"

/* The list: options, tables, figures, sections of the page and parts of the terminal stand in this order. */
#define FP_ANALYSES(X) X(prevalence) X(theory) X(lost) X(gain) X(costs) X(calibration) X(clusters) X(retrieval) X(bytes)
#define FP_DECLARE_ANALYSIS(name) extern const fp_analysis fp_analysis_##name;
FP_ANALYSES(FP_DECLARE_ANALYSIS)
/* Each of them, ended by NULL. */
extern const fp_analysis *const fp_analyses[];

/* A table over all corpora; found[results->count]. */
fp_table *fp_analysis_rows(const fp_schema *table, const fp_results *results, const void *const *found,
                           fp_arena *arena);

/* All tables of runs: those of fp_schemas, then those of the analyses; NULL behind the last. */
const fp_schema *fp_schema_at(int at);
/* By name; NULL: there is none. */
const fp_schema *fp_schema_find(fp_string name);

/* ---- What options say ---- */

/* "A..B", 0 ≤ A ≤ B */
bool fp_read_range(const char *text, int64_t *first, int64_t *last);
/* "50,100,200": numbers[most] from 1 on, ascending. */
bool fp_read_ascending(const char *text, size_t most, size_t *numbers, size_t *count);

/* ---- For the terminal ---- */

/* What a heading says of figures that are not means over the seeds of a hash: " (first hash seed)"; empty where every
 * arm has one. */
const char *fp_brief_first_seed(const fp_brief *to);
/* "0.01 of the pairs are duplicates" */
const char *fp_brief_share(fp_brief *to, double prevalence, double own);

#endif
