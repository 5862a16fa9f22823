/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hash_seeds.h - the lanes of arms that are measured under several hash seeds.
 */
#ifndef FP_HASH_SEEDS_H
#define FP_HASH_SEEDS_H

#include <stddef.h>

/* The lanes of an arm under further seeds; the lanes of the arms themselves come first. */
typedef struct fp_further_seeds {
    size_t first, count;
} fp_further_seeds;

/* How many seeds an arm was measured under, how many lanes all arms have, and the lane of an arm under one of its
 * seeds; 0 is its own. further[arms], or NULL: no arm has further seeds. */
static inline size_t fp_seed_count(const fp_further_seeds *further, size_t arm) {
    return 1 + (further ? further[arm].count : 0);
}
static inline size_t fp_lane_count(const fp_further_seeds *further, size_t arm_count) {
    size_t count = arm_count;
    for (size_t arm = 0; further && arm < arm_count; arm++) count += further[arm].count;
    return count;
}
static inline size_t fp_seed_lane(const fp_further_seeds *further, size_t arm, size_t seed) {
    return seed ? further[arm].first + seed - 1 : arm;
}

#endif
