/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * analyses.h - the list of all analyses, and their shared functions.
 */
#ifndef FP_ANALYSES_H
#define FP_ANALYSES_H

#include "eval/evaluation/findings.h"
#include "reports/tables/results.h"

/* All analyses, in the order of options, tables, figures, page sections and terminal output. */
#define FP_ANALYSES(X) X(prevalence) X(theory) X(lost) X(gain) X(costs) X(calibration) X(clusters) X(retrieval) X(bytes)
#define FP_DECLARE_ANALYSIS(name) extern const fp_analysis fp_analysis_##name;
FP_ANALYSES(FP_DECLARE_ANALYSIS)
/* The same list, ended by NULL. */
extern const fp_analysis *const fp_analyses[];

/* All tables of runs: those of fp_schemas, then those of the analyses. NULL at the end. */
const fp_schema *fp_schema_at(int at);
/* NULL: no table has this name. */
const fp_schema *fp_schema_find(fp_string name);

/* ---- Parsing of options ---- */

/* "A..B", 0 ≤ A ≤ B */
bool fp_read_range(const char *text, int64_t *first, int64_t *last);
/* "50,100,200": at most `most` ascending numbers ≥ 1. */
bool fp_read_ascending(const char *text, size_t most, size_t *numbers, size_t *count);

/* The share of duplicates that probabilities and costs assume: the stated one, or that of the set. */
double fp_assumed_prevalence(const fp_outcome *outcome, const fp_inference_options *options);

/* ---- Terminal output ---- */

/* " (first hash seed)", for headings of figures that are not means over hash seeds; "" if every arm has one seed. */
const char *fp_brief_first_seed(const fp_brief *to);
/* "0.01 of the pairs are duplicates" */
const char *fp_brief_share(fp_brief *to, const fp_outcome *outcome);

#endif
