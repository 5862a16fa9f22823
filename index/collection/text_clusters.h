/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_clusters.h - connected near-duplicates: the connected components of the pairs within a distance (single
 * linkage). Unlike what is kept (keep.h), a chain of small steps joins its ends.
 */
#ifndef FP_TEXT_CLUSTERS_H
#define FP_TEXT_CLUSTERS_H

#include "index/collection/near_join.h"

typedef struct fp_cluster {
    uint32_t first;    /* its first text, which names it */
    uint32_t size;     /* ≥ 2 */
    uint32_t distinct; /* different sketches */
    /* The weakest link of its minimum spanning tree: without it the cluster would fall apart. */
    uint32_t a, b;
    double distance;
} fp_cluster;

typedef struct fp_clustered {
    size_t count; /* of sketches */
    uint32_t *of; /* [count] the first text of its cluster; its own where it is alone */
    size_t cluster_count;
    fp_cluster *clusters; /* [cluster_count] of two texts or more, the largest first, then by first text */
    fp_near_joined joined;
} fp_clustered;

/* `take` of the join, where it is not NULL, is told of every link: near pairs of different sketches, and each text with
 * the first that has its sketch. Lives in `arena`; memory grows with the near pairs of different sketches. Errors as of
 * fp_near_join_run. */
fp_status fp_cluster_texts(const fp_near_gathering *clustering, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error);

#endif
