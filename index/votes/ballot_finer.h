/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ballot_finer.h - a second, finer comparison of what the votes leave uncertain: of the texts themselves.
 */
#ifndef FP_BALLOT_FINER_H
#define FP_BALLOT_FINER_H

#include "index/votes/ballot.h"

typedef struct fp_finer {
    /* Looked at are matches whose share is from `low` to `high` (below, so little was copied that it may be left at the
     * votes; above, so much that there is no doubt), and whose hits are not fewer than those of the first by more than
     * `doubt` standard errors of the difference, √(hits + first hits). INFINITY: however few; else 2, say. */
    double low, high, doubt;
    /* Which measure: NULL aligns the texts (text/alignment/alignment.h), and `finer` is the share of the text that
     * asked; else the similarity that the arm's distance stands for, exact of such as cosine, of a fitted arm. */
    const fp_arm *arm;
    double least; /* a match that comes out lower is dropped */
    /* The text of a document, in `arena`, or where it stays: valid UTF-8. */
    fp_status (*text)(void *context, size_t document, fp_arena *arena, fp_string *text, fp_error *error);
    void *context;
} fp_finer;

/* Looks at the ballot's matches, with the text that asked. Aligned ones then change places among themselves, the
 * largest share first; a cosine is of another kind, and leaves the order. What is made meanwhile lives in `arena`. */
fp_status fp_ballot_look_finer(fp_ballot *ballot, fp_string asked, const fp_finer *how, fp_arena *arena,
                               fp_error *error);

#endif
