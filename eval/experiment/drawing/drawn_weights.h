/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drawn_weights.h - for how many pairs each of a sample stands (drawn_pairs.h).
 */
#ifndef FP_DRAWN_WEIGHTS_H
#define FP_DRAWN_WEIGHTS_H

#include "eval/experiment/drawing/drawn_pairs.h"

/* Fills drawn->weights, in `arena`, and what belongs to them, when the pairs, the bands and drawn->chance are there.
 * certain[drawn->count] says which pairs are in the sample for certain. */
fp_status fp_drawn_weigh(fp_drawn_pairs *drawn, const bool *certain, const fp_progress *progress, fp_arena *arena,
                         fp_error *error);

#endif
