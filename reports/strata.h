/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata.h - figures for each part of the pairs: which threshold for which length, how each kind of duplicate fares.
 */
#ifndef FP_STRATA_REPORT_H
#define FP_STRATA_REPORT_H

#include "eval/strata.h"
#include "reports/results.h"

/* The strata of one outcome, with a curve for every arm and stratum. */
typedef struct fp_strata_outcome {
    const fp_outcome *outcome;
    fp_strata strata;
    fp_curve *curves;       /* [arms × strata], by arm */
    fp_histogram *histograms; /* the same; released by fp_strata_outcome_free */
    size_t *own;            /* [strata] pairs of the stratum itself */
} fp_strata_outcome;

fp_status fp_strata_outcome_make(const fp_outcome *outcome, const char *by, const size_t *bounds, size_t bound_count, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error);
void fp_strata_outcome_free(fp_strata_outcome *out);

/* One row for each arm and stratum: pairs, positives, average precision, best F1 and its threshold; a note marks strata that are too small. NULL when there is
 * no memory. */
fp_table *fp_strata_summary(const fp_strata_outcome *outcomes, size_t count, fp_arena *arena);
/* One row for each arm, stratum and threshold, in the columns of results.tsv with `by` and `stratum` behind `arm`. */
fp_table *fp_strata_thresholds(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena);

#endif
