/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * edits_outcome.h - distances of every arm against length and share of edited characters.
 */
#ifndef FP_EDITS_OUTCOME_H
#define FP_EDITS_OUTCOME_H

#include "eval/analysis/edit_cells.h"
#include "eval/outcome/strata_outcome.h"

typedef struct fp_edits_outcome {
    const fp_strata_outcome *divided;  /* by length */
    const fp_edit_cell *const *of_arm; /* [arms] cells[strata·FP_EDIT_SHARES]; NULL where the truth is groups, whose
                                          pairs are not listed */
} fp_edits_outcome;

/* Reads counterparts of the outcome where there are any. Everything lives in `arena`. */
fp_status fp_edits_outcome_make(const fp_strata_outcome *divided, double confidence, const fp_progress *progress,
                                fp_arena *arena, fp_edits_outcome *out, fp_error *error);

#endif
