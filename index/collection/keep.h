/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * keep.h - which texts to keep, and clusters. Texts are processed in order of preference. A text is dropped if it
 * is within the distance of a kept one, so no two kept texts are near-duplicates, and each dropped text has a kept one
 * near it. Matching is not transitive: dropped texts drop no others. Clusters are the connected components of the pairs
 * (single linkage): a chain of small steps connects its ends.
 */
#ifndef FP_KEEP_H
#define FP_KEEP_H

#include "index/collection/near_join.h"

typedef struct fp_kept {
    size_t count;       /* of sketches */
    uint32_t *because;  /* [count] the nearest kept text, the preferred one of several; FP_KEPT if it is kept itself */
    double *distance;   /* [count] distance to that text; 0 if it is kept itself */
    size_t kept, empty; /* empty: empty sketches, which are kept and match nothing */
    fp_near_joined joined;
} fp_kept;

/* Lives in `arena`. Compares equal sketches once. Memory grows with the near pairs of distinct sketches. Errors:
 * fp_near_join_run. */
fp_status fp_keep(const fp_near_join *join, const fp_progress *progress, fp_arena *arena, fp_kept *kept,
                  fp_error *error);

/* ---- Clusters ---- */

typedef struct fp_clustered {
    size_t count; /* of sketches */
    uint32_t *of; /* [count] the first text of its cluster; its own index if it is alone */
    size_t cluster_count;
    fp_cluster *clusters; /* [cluster_count] of at least two texts, the largest first, then by first text */
    fp_near_joined joined;
} fp_clustered;

/* Clusters pairs from elsewhere, of places below `count`; sorts the pairs. `distinct` is the size. Lives in `arena`. */
fp_status fp_cluster_pairs(fp_neighbours *pairs, size_t pair_count, size_t count, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error);

/* Passes every link to `take` of the join, unless it is NULL: near pairs of distinct sketches, and each text with the
 * first one of the same sketch. Lives in `arena`. Memory grows with the near pairs of distinct sketches. Errors:
 * fp_near_join_run. */
fp_status fp_cluster_texts(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error);

#endif
