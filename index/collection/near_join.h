/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_join.h - reports all pairs of sketches within a distance, each once, as they are found. Memory grows with the
 * number of sketches, not of pairs.
 */
#ifndef FP_NEAR_JOIN_H
#define FP_NEAR_JOIN_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "index/collection/sketch_list.h"

/* Called by any thread, one call at a time; pairs are in no particular order. */
typedef fp_status (*fp_take_near)(void *context, const fp_neighbours *pairs, size_t count, fp_error *error);

/* Verification of the pairs found: a pair is reported only if the exact measure confirms it, so that estimates that are
 * too small cause no matches. */
typedef struct fp_near_verify {
    const fp_arm *arm;           /* measures exactly what the arm of the join estimates; NULL: align the texts */
    const fp_sketches *sketches; /* [sketches of the join] of `arm`, or the bytes of the texts (UTF-8) */
    double similarity;           /* minimum: by `arm`, or the share of common passages (text/alignment) in both texts */
} fp_near_verify;

typedef struct fp_near_join {
    const fp_arm *arm;
    const fp_sketches *sketches; /* fewer than 2^32 − 1 */
    const bool *left_out;        /* [sketches->count] excluded; NULL: no sketch is excluded */
    double within;               /* ≥ 0 and below the maximum distance of the arm */
    double recall; /* bands: minimum probability that a pair at exactly that distance is found; in (0, 1] */
    fp_take_near take;
    void *context;
    const fp_near_verify *verify; /* NULL: reports every pair found; with an arm, pairs have the distance of that arm */
    const int64_t *time;          /* [sketches->count] for `window`; FP_TIME_NONE is near no time */
    int64_t window;               /* milliseconds: reports no pairs further apart in time; 0: no limit */
    const uint32_t *rank; /* [sketches->count] for fp_near_gather: position of each sketch in an order of preference;
                             the first of equal sketches represents them; NULL: the order of the sketches */
} fp_near_join;

/* The method and its result. Bit fingerprints use tables of blocks and sparse vectors an inverted index, both exact;
 * slots use bands, which miss some pairs; for others all pairs are compared. */
typedef struct fp_near_joined {
    const char *how; /* "4 tables of blocks", … */
    double recall;   /* P[a pair at exactly the distance is found]: 1 if certain */
    uint64_t pairs;  /* reported, plus those that the window excludes */
    uint64_t found;  /* the same before verification */
} fp_near_joined;

/* FP_ERROR_RANGE: a distance below 0, or so large that all pairs, or all texts without common features, are within it.
 * Also returns the errors of `take`. */
fp_status fp_near_join_run(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                           fp_near_joined *joined, fp_error *error);

/* ---- Gathering the pairs of distinct sketches; equal ones are compared once. With `verify`, sketches are distinct if
 * their exact sketches or texts are ---- */

typedef struct fp_gathered_pairs {
    fp_neighbours *pairs; /* in no particular order */
    size_t count;
    fp_equals equal; /* with a window each sketch represents itself */
    fp_near_joined joined;
} fp_gathered_pairs;

/* Lives in `arena`. Passes every pair to `take`, unless it is NULL. Errors: fp_near_join_run. */
fp_status fp_near_gather(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                         fp_gathered_pairs *gathered, fp_error *error);

#endif
