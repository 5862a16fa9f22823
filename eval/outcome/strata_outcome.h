/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata_outcome.h - the measures of every arm on every part of the pairs.
 */
#ifndef FP_STRATA_OUTCOME_H
#define FP_STRATA_OUTCOME_H

#include "eval/outcome/outcome.h"
#include "eval/outcome/stratum.h"

/* The strata of one outcome, with the measures of every arm on each. */
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

/* Divides the pairs and infers on each part, with fewer replicates where there are many strata of many pairs. Errors
 * as of fp_strata_make. Everything lives in `arena`. */
fp_status fp_strata_outcome_make(const fp_outcome *outcome, const fp_strata_choice *choice,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error);

#endif
