/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rank_pairs.h - every two arms on several corpora: the size of the differences is looked at, not the order alone
 * (Benavoli, Corani, Mangili, JMLR 17, 2016: mean ranks of two arms turn with the other arms).
 */
#ifndef FP_RANK_PAIRS_H
#define FP_RANK_PAIRS_H

#include "eval/ranks/bayes_signed_rank.h"
#include "eval/ranks/ranks.h"
#include "eval/ranks/signed_rank.h"

typedef struct fp_rank_pair {
    size_t first, second;   /* arms; the first has the better mean rank */
    double mean;            /* of the differences, the first minus the second */
    fp_signed_rank test;    /* of the same */
    double adjusted;        /* its p by Holm over all pairs */
    fp_posterior posterior; /* `above`: the first is better by more than the margin */
} fp_rank_pair;

typedef struct fp_rank_pairs {
    size_t count;
    const fp_rank_pair *pairs; /* [count] every two arms, best ranks first */
    fp_bayes_options bayes;    /* as it was used */
} fp_rank_pairs;

/* Everything lives in `arena`. */
fp_status fp_rank_pairs_make(const fp_ranks *ranks, const fp_bayes_options *bayes, fp_arena *arena,
                             fp_rank_pairs *pairs, fp_error *error);

#endif
