/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * expected.h - the distance that an algorithm's law expects of each duplicate.
 */
#ifndef FP_EXPECTED_H
#define FP_EXPECTED_H

#include "eval/experiment/counterpart.h"

/* The mean of the distance under the arm's law (fp_theory_moments) for every pair of pairs[pair_count] that is labelled
 * a duplicate, at the similarity that the counterpart measured of it (NULL: none); expected[pair_count] in `arena`, NaN
 * for the other pairs, and without a law or a similarity. */
fp_status fp_expected_distances(const fp_arm *arm, const fp_measurement *counterpart, const fp_pair *pairs,
                                size_t pair_count, const fp_progress *progress, fp_arena *arena, double **expected,
                                fp_error *error);

#endif
