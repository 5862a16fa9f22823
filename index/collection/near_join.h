/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_join.h - all pairs of sketches within a distance of each other, each once, handed out as they are found: memory
 * grows with the sketches, not with the pairs.
 */
#ifndef FP_NEAR_JOIN_H
#define FP_NEAR_JOIN_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "index/collection/sketch_list.h"

/* One call at a time, from any thread; the pairs come in no particular order. */
typedef fp_status (*fp_take_near)(void *context, const fp_neighbours *pairs, size_t count, fp_error *error);

/* Pairs that were found are looked at once more, in what their sketches were made of, and handed out only where that
 * agrees: an estimate that comes out too near is no match. */
typedef struct fp_near_verify {
    const fp_arm *arm;           /* measures exactly what the arm of the join estimates; NULL: texts are aligned */
    const fp_sketches *sketches; /* [those of the join] of `arm`, or the bytes of the texts (UTF-8) */
    double similarity; /* the least: of `arm`, or the share of common passages (text/alignment) in either text */
} fp_near_verify;

typedef struct fp_near_join {
    const fp_arm *arm;
    const fp_sketches *sketches; /* fewer than 2^32 − 1 */
    const bool *left_out;        /* [sketches->count] take no part; NULL: all do */
    double within;               /* ≥ 0 and below the largest distance of the arm */
    double recall; /* bands: the least probability that a pair right at that distance is found; in (0, 1] */
    fp_take_near take;
    void *context;
    const fp_near_verify *verify; /* NULL: every pair found is reported; with an arm, at the distance of that arm */
    const int64_t *time;  /* [sketches->count] with `window`: texts further apart in time are no pair; FP_TIME_NONE is
                             near no time */
    int64_t window;       /* milliseconds; 0: none */
    const uint32_t *rank; /* [sketches->count] for whoever gathers: the place of each in an order, whose first stands
                             for those equal to it; NULL: that of the sketches */
} fp_near_join;

/* What was done: bit fingerprints go through tables of blocks and sparse vectors through an inverted index, both exact;
 * slots through bands of them, which miss some pairs; of others every pair is looked at. */
typedef struct fp_near_joined {
    const char *how; /* "4 tables of blocks", … */
    double recall;   /* P[a pair right at the distance is found]: 1 where that is sure */
    uint64_t pairs;  /* handed out, and those that the window keeps back */
    uint64_t found;  /* the same before they were verified */
} fp_near_joined;

/* FP_ERROR_RANGE: a distance that every pair has, or that texts have which share nothing, or below 0; and what `take`
 * returns. */
fp_status fp_near_join_run(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                           fp_near_joined *joined, fp_error *error);

/* ---- The pairs of different sketches, gathered; equal ones are compared once. With `verify` those are different whose
 * exact sketches, or texts, are ---- */

typedef struct fp_gathered_pairs {
    fp_neighbours *pairs; /* in no particular order */
    size_t count;
    fp_equals equal; /* with a window every sketch stands for itself */
    fp_near_joined joined;
} fp_gathered_pairs;

/* Lives in `arena`. `take`, where it is not NULL, is handed every pair that is gathered. Errors as of fp_near_join_run.
 */
fp_status fp_near_gather(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                         fp_gathered_pairs *gathered, fp_error *error);

/* ---- What they come to (keep.c): which texts to keep, and which are connected.
 *
 * Keeping: texts are gone through in an order of preference, and a text is dropped when it is within the distance of
 * one that is kept, so that no two kept texts are near-duplicates and each dropped one has a kept one beside it. A text
 * is never dropped for the sake of a dropped one. Clusters are the connected components of the pairs (single linkage):
 * a chain of small steps joins its ends. ---- */

typedef struct fp_kept {
    size_t count;       /* of sketches */
    uint32_t *because;  /* [count] the kept one that it is nearest to, the preferred among equals; FP_KEPT where it is
                           kept itself */
    double *distance;   /* [count] to that one; 0 where it is kept */
    size_t kept, empty; /* empty sketches: kept, and they match no other text */
    fp_near_joined joined;
} fp_kept;

/* Lives in `arena`. Equal sketches are compared once. Memory grows with the near pairs of different sketches. Errors as
 * of fp_near_join_run. */
fp_status fp_keep(const fp_near_join *join, const fp_progress *progress, fp_arena *arena, fp_kept *kept,
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
fp_status fp_cluster_texts(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error);

#endif
