/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_pairs.h - of all pairs of a corpus whose truth is its groups, those that a threshold can call or miss: the pairs
 * inside groups, and the others within a distance. They are few where all pairs are many, and precision, recall and F1
 * up to that distance depend on no other.
 */
#ifndef FP_NEAR_PAIRS_H
#define FP_NEAR_PAIRS_H

#include "eval/experiment/experiment.h"

/* So many can be listed. */
enum { FP_NEAR_MOST = 1000000 };

typedef struct fp_near_pairs {
    bool complete; /* false: there are more than FP_NEAR_MOST; then the pairs inside groups alone are listed, or none
                      when they are too many */
    size_t count;
    const fp_pair *pairs;    /* [count] ascending by a, then b; a < b */
    const double *distances; /* [count] */
} fp_near_pairs;

/* Lists them for one arm, whose sketches must be there; a pass over all pairs. Same list for any number of threads.
 * Everything lives in `arena`. */
fp_status fp_near_pairs_list(const fp_corpus *corpus, const fp_measurement *measurement, double limit,
                             const fp_progress *progress, fp_arena *arena, fp_near_pairs *near, fp_error *error);

#endif
