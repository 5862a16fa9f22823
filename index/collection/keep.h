/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * keep.h - what near pairs come to: which texts to keep, and which are connected.
 *
 * Keeping: texts are gone through in an order of preference, and a text is dropped when it is within the distance of
 * one that is kept, so that no two kept texts are near-duplicates and each dropped one has a kept one beside it. A text
 * is never dropped for the sake of a dropped one. Clusters are the connected components of the pairs (single linkage):
 * a chain of small steps joins its ends.
 */
#ifndef FP_KEEP_H
#define FP_KEEP_H

#include "index/collection/near_join.h"

typedef struct fp_kept {
    size_t count;        /* of sketches */
    uint32_t *because;   /* [count] the kept one that it is nearest to, the preferred among equals; FP_KEPT where it is
                            kept itself */
    double *distance;    /* [count] to that one; 0 where it is kept */
    size_t kept, silent; /* empty sketches: kept, and they match no other text */
    fp_near_joined joined;
} fp_kept;

/* Lives in `arena`. Equal sketches are compared once. Memory grows with the near pairs of different sketches. Errors as
 * of fp_near_join_run. */
fp_status fp_keep(const fp_near_gathering *keeping, const fp_progress *progress, fp_arena *arena, fp_kept *kept,
                  fp_error *error);

/* ---- Clusters ---- */

typedef struct fp_clustered {
    size_t count; /* of sketches */
    uint32_t *of; /* [count] the first text of its cluster; its own where it is alone */
    size_t cluster_count;
    fp_cluster *clusters; /* [cluster_count] of two texts or more, the largest first, then by first text */
    fp_near_joined joined;
} fp_clustered;

/* Clusters of pairs that came from elsewhere, of places below `count`; sorts them. `distinct` is the size. Lives in
 * `arena`. */
fp_status fp_cluster_pairs(fp_neighbours *pairs, size_t pair_count, size_t count, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error);

/* `take` of the join, where it is not NULL, is told of every link: near pairs of different sketches, and each text with
 * the first that has its sketch. Lives in `arena`; memory grows with the near pairs of different sketches. Errors as of
 * fp_near_join_run. */
fp_status fp_cluster_texts(const fp_near_gathering *clustering, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error);

#endif
