/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * equal_sketches.h - sketches that are the same bytes: each class of them has a first one, which stands for all.
 */
#ifndef FP_EQUAL_SKETCHES_H
#define FP_EQUAL_SKETCHES_H

#include "base/base.h"

typedef struct fp_equals {
    uint32_t
        *first; /* [count] the position of the first sketch, in the order of `rank`, that has the bytes of this one */
    bool *left_out; /* [count] those that need not be looked at: not the first, or left out before */
} fp_equals;

/* rank[] NULL: the order of the sketches. Those of left_out (may be NULL) stand for themselves, and without `together`
 * all do, as where equal texts may be far apart in time. Lives in `arena`. */
fp_status fp_equal_sketches(const fp_sketches *sketches, const bool *left_out, const uint32_t *rank, bool together,
                            fp_arena *arena, fp_equals *equal, fp_error *error);

#endif
