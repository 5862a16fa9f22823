/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * keep.h - which of many near-duplicate texts to keep. Texts are gone through in an order of preference, and a text is
 * dropped when it is within the distance of one that is kept: so that no two kept texts are near-duplicates, and each
 * dropped one has a kept one beside it. Chains do not carry: a text is never dropped for the sake of a dropped one.
 */
#ifndef FP_KEEP_H
#define FP_KEEP_H

#include "index/collection/near_join.h"

#define FP_KEPT UINT32_MAX

typedef struct fp_kept {
    size_t count;        /* of sketches */
    uint32_t *because;   /* [count] the kept one that it is nearest to, the preferred among equals; FP_KEPT where it is
                            kept itself */
    double *distance;    /* [count] to that one; 0 where it is kept */
    size_t kept, silent; /* those of which nothing is said are kept, and near nothing */
    fp_near_joined joined;
} fp_kept;

/* Lives in `arena`. Equal sketches are compared once. Memory grows with the near pairs of different sketches. Errors as
 * of fp_near_join_run. */
fp_status fp_keep(const fp_near_gathering *keeping, const fp_progress *progress, fp_arena *arena, fp_kept *kept,
                  fp_error *error);

#endif
