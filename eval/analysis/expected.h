/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * expected.h - the distance that an algorithm's law expects of each pair.
 */
#ifndef FP_EXPECTED_H
#define FP_EXPECTED_H

#include "eval/experiment/counterpart.h"

/* The mean of the distance under the arm's law (fp_theory_moments) for every labelled pair, at the similarity that the
 * counterpart measured (NULL: none); expected[pair_count] in `arena`, NaN without a law or a similarity. */
fp_status fp_expected_distances(const fp_arm *arm, const fp_measurement *counterpart, size_t pair_count,
                                const fp_progress *progress, fp_arena *arena, double **expected, fp_error *error);

#endif
