/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * distance_check.h - whether an algorithm from outside keeps its promises on the pairs at hand, before anything is
 * counted of them. What is registered is tested, and not asked.
 */
#ifndef FP_DISTANCE_CHECK_H
#define FP_DISTANCE_CHECK_H

#include "eval/experiment/experiment.h"

/* Of so many pairs, spread over all, it is seen whether the distance is the same in both orders and 0 of a document and
 * itself. */
enum { FP_DISTANCES_SAMPLED = 1000 };

/* Every distance of `pairs`, or where that is NULL of all pairs of documents, but those that say nothing:
 * FP_ERROR_RANGE with the pair's ids where one is NaN, below 0 or above the largest; for a sample, where it breaks the
 * other promises of fp_algorithm.distance. Each distance is asked once more for it; nothing is where the algorithm is
 * registered.
 * Where distances are known of some pairs alone (fp_algorithm.pairs_known), registered or not: FP_ERROR_EMPTY with the
 * number of pairs that lack one and the ids of the first; and the arm's caution tells of known pairs that the corpus
 * does not ask for, where `pairs` are all that it has. */
fp_status fp_distances_check(const fp_corpus *corpus, const fp_measurement *measurement, const fp_pair *pairs,
                             size_t pair_count, const fp_progress *progress, fp_error *error);

#endif
