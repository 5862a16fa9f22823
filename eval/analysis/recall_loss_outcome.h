/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * recall_loss_outcome.h - where every arm loses recall, at every threshold of a list and at its own.
 */
#ifndef FP_RECALL_LOSS_OUTCOME_H
#define FP_RECALL_LOSS_OUTCOME_H

#include "eval/analysis/recall_loss.h"
#include "eval/outcome/outcome.h"

/* What was lost of one outcome: each arm at every threshold of the list, and at one threshold of its own. */
typedef struct fp_recall_loss_outcome {
    fp_recall_loss lost;
    size_t row_count;
    const fp_recall_loss_row *rows; /* [row_count] arm by arm, thresholds ascending */
    const fp_recall_loss_row *best; /* [lost.arm_count] */
} fp_recall_loss_outcome;

/* How the losses of one outcome are looked for. */
typedef struct fp_recall_loss_options {
    const double *thresholds; /* [threshold_count] for every arm */
    size_t threshold_count;
    double confidence;
    const double *best;      /* [arms] overrides the threshold of an arm's largest F1; NaN, or NULL: does not */
    const fp_lsh_spec *spec; /* NULL: for each arm an index that brings every pair within its own threshold */
} fp_recall_loss_options;

/* Pairs are counted, so that the outcome must not be one of documents. Reads outcome->counterparts where there are any.
 * Errors as of fp_recall_loss_make. Everything lives in `arena`. */
fp_status fp_recall_loss_outcome_make(const fp_outcome *outcome, const fp_recall_loss_options *options,
                                      const fp_progress *progress, fp_arena *arena, fp_recall_loss_outcome *out,
                                      fp_error *error);

#endif
