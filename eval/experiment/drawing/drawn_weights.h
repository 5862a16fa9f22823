/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drawn_weights.h - for how many pairs each of a sample stands (drawn_pairs.h).
 */
#ifndef FP_DRAWN_WEIGHTS_H
#define FP_DRAWN_WEIGHTS_H

#include "eval/experiment/drawing/drawn_pairs.h"

/* Why a pair is in a sample: for certain, or because it was drawn, whether bands found it or not, or only found. */
typedef enum fp_pair_origin { FP_PAIR_CERTAIN, FP_PAIR_DRAWN, FP_PAIR_FOUND } fp_pair_origin;

/* Fills drawn->weights and ->without, in `arena`, and what belongs to them, when the pairs, the bands and drawn->chance
 * are there; origin[drawn->count]. */
fp_status fp_drawn_weigh(fp_drawn_pairs *drawn, const fp_pair_origin *origin, const fp_progress *progress,
                         fp_arena *arena, fp_error *error);

#endif
