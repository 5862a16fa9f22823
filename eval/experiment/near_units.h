/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near_units.h - which units have near pairs with which others, under any arm.
 */
#ifndef FP_NEAR_UNITS_H
#define FP_NEAR_UNITS_H

#include "eval/experiment/near_pairs.h"
#include "eval/experiment/unit_list.h"

typedef struct fp_near_units {
    const size_t *begin;   /* [unit count + 1] into other */
    const uint32_t *other; /* ascending for each unit, from both sides */
    size_t most;           /* others that one unit has */
} fp_near_units;

/* From the lists of all arms. In `arena`. */
fp_status fp_near_units_make(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count,
                             fp_arena *arena, fp_near_units *near, fp_error *error);

#endif
