/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * retrieval_outcome.h - how well every arm ranks: each document with a duplicate is a query for the documents that it
 * is paired with, the nearest first (eval/measures/retrieval.h). Where small groups are listed as pairs, these are all
 * other documents.
 */
#ifndef FP_RETRIEVAL_OUTCOME_H
#define FP_RETRIEVAL_OUTCOME_H

#include "eval/measures/retrieval.h"
#include "eval/outcome/outcome.h"

typedef struct fp_retrieval_outcome {
    const fp_outcome *outcome;
    size_t queries;                     /* the same for every arm */
    const fp_retrieval_measures *means; /* [outcome->count] over the queries */
} fp_retrieval_outcome;

/* Of an outcome at the level of pairs or clusters. FP_ERROR_EMPTY without labelled pairs. Everything lives in `arena`.
 */
fp_status fp_retrieval_outcome_make(const fp_outcome *outcome, fp_arena *arena, fp_retrieval_outcome *out,
                                    fp_error *error);

#endif
