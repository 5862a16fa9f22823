/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stated_pairs.h - which pairs have a label already, so that none has two. The two documents may stand in either order.
 */
#ifndef FP_STATED_PAIRS_H
#define FP_STATED_PAIRS_H

#include "base/map.h"

typedef struct fp_stated_pairs {
    fp_map at; /* to positions in the list of pairs */
} fp_stated_pairs;

/* Room for `most` pairs. */
fp_status fp_stated_pairs_open(fp_stated_pairs *stated, size_t most, fp_arena *arena, fp_error *error);
/* The position of the same pair, where it was stated before; otherwise FP_MAP_NONE, and it stands at `position` now. */
uint32_t fp_stated_pairs_take(fp_stated_pairs *stated, fp_pair pair, uint32_t position);

#endif
