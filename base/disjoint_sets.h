/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * disjoint_sets.h - disjoint sets (union by smallest member, path halving; Tarjan, van Leeuwen 1984): connected
 * components and single linkage.
 */
#ifndef FP_DISJOINT_SETS_H
#define FP_DISJOINT_SETS_H

#include "base/base.h"

typedef struct fp_disjoint_sets {
    size_t count;
    uint32_t *parent; /* [count]; a root is its own parent and the smallest member of its set */
} fp_disjoint_sets;

/* Makes `count` singletons in `arena`; count ≤ 2³² − 1. */
fp_status fp_disjoint_sets_make(size_t count, fp_arena *arena, fp_disjoint_sets *forest, fp_error *error);
/* The smallest member of the set that holds `member`. */
uint32_t fp_disjoint_sets_find(fp_disjoint_sets *forest, uint32_t member);
/* Unites two sets; false if they were already one. */
bool fp_disjoint_sets_join(fp_disjoint_sets *forest, uint32_t a, uint32_t b);

#endif
