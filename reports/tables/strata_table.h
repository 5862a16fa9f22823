/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata_table.h - figures for each part of the pairs: which threshold for which length, how each kind of duplicate
 * fares.
 */
#ifndef FP_STRATA_TABLE_H
#define FP_STRATA_TABLE_H

#include "eval/outcome/stratum.h"
#include "reports/tables/results.h"

/* The strata of one outcome, with the figures of every arm on each. */
typedef struct fp_strata_outcome {
    const fp_outcome *outcome;
    fp_strata strata;
    const fp_stratum *each; /* [strata.count] */
    size_t replicates;      /* that each took: fewer than were asked for where there are many strata of many pairs */
} fp_strata_outcome;

/* `by` and the bounds as fp_strata_make has them. */
typedef struct fp_strata_choice {
    const char *by;
    const size_t *bounds;
    size_t bound_count;
} fp_strata_choice;

fp_status fp_strata_outcome_make(const fp_outcome *outcome, const fp_strata_choice *choice,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error);

/* strata.tsv: one row for each arm and stratum that has pairs, the rows of an arm together: pairs, positives and
 * negatives (with those that join), average precision, the best threshold, and F1, precision and recall there, each
 * with its interval; a note marks strata that are too small. NULL when there is no memory. */
fp_table *fp_strata_summary(const fp_strata_outcome *outcomes, size_t count, fp_arena *arena);
/* strata-thresholds.tsv: one row for each arm, stratum and threshold, in the columns of results.tsv with `by` and
 * `stratum` behind `arm`, and the interval of F1 behind it. */
fp_table *fp_strata_thresholds(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena);
/* For a person: the best threshold of each stratum of one corpus. */
fp_table *fp_strata_short(const fp_results *results, const fp_strata_outcome *outcome, fp_arena *arena);

#endif
