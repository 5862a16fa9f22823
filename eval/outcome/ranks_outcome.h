/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks_outcome.h - the arms of several outcomes over all their corpora.
 */
#ifndef FP_RANKS_OUTCOME_H
#define FP_RANKS_OUTCOME_H

#include "eval/outcome/outcome.h"
#include "eval/ranks/rank_pairs.h"

/* Two corpora or more, with the same two arms or more, where every arm has an average precision. */
bool fp_ranks_outcome_can(const fp_outcome *outcomes, size_t count);

/* Ranks by average precision. Everything lives in `arena`. Errors as of fp_ranks_make. */
fp_status fp_ranks_outcome_make(const fp_outcome *outcomes, size_t count, double confidence, fp_arena *arena,
                                fp_ranks *ranks, fp_error *error);

#endif
