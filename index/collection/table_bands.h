/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table_bands.h - bands of slots for an arm and a threshold: with them near texts are found in memory (near_join.h) as
 * in a collection.
 */
#ifndef FP_TABLE_BANDS_H
#define FP_TABLE_BANDS_H

#include "algorithms/arms/arm.h"
#include "pairs/tables/band_tables.h"

/* Whether a layout is of slots, as many as bands are made of. */
bool fp_layout_takes_bands(const fp_layout *layout);

/* The bands with the fewest candidates with which pairs right at the distance `within` are candidates with probability
 * `recall`, by the S-curve. Pairs at distance 0 need one band of all slots. Where every pair must be found (a recall of
 * 1), where the slots of the arm do not agree as often as texts are similar, or where no bands reach the recall, each
 * slot is a band: that misses none that has a slot in common. The layout takes bands. FP_ERROR_MEMORY. */
fp_status fp_arm_bands(const fp_arm *arm, double within, double recall, fp_banding *banding, fp_error *error);

/* P[a pair at the distance is a candidate]: 1 where fewer slots differ than there are bands, the S-curve elsewhere. */
double fp_arm_bands_recall(const fp_arm *arm, fp_banding banding, double distance);

#endif
