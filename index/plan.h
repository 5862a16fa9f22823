/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plan.h - what a pigeonhole index costs: fingerprints of f bits cut into blocks, each stored under each of its blocks.
 * Two fingerprints within distance k agree in at least one of k + 1 blocks, so that exact look-ups find them all
 * (Manku, Jain, Das Sarma 2007, section 3).
 */
#ifndef FP_PLAN_H
#define FP_PLAN_H

#include "base/base.h"

typedef struct fp_plan {
    unsigned bits, blocks, distance;
    double fingerprints;
    unsigned smallest_block; /* bits of the narrowest block: f/blocks, rounded down */
    double lookups;          /* per query: one a block */
    double candidates; /* expected per query, each block in a table of its own: Σ n/2^(bits of the block), for random
                          fingerprints */
    double candidates_shared; /* all blocks in one key space, as when keys carry no block number: each look-up meets the
                                 entries of all positions */
    double storage;           /* copies of each fingerprint */
    double brute_force;       /* comparisons of a full scan */
    double variants; /* look-ups or copies when every fingerprint within the distance is enumerated: Σ C(f, i), i = 1 …
                        k */
} fp_plan;

/* FP_ERROR_RANGE unless 1 ≤ bits ≤ 1024, distance < blocks ≤ bits, fingerprints ≥ 1. */
fp_status fp_plan_make(unsigned bits, unsigned blocks, unsigned distance, double fingerprints, fp_plan *plan,
                       fp_error *error);

#endif
