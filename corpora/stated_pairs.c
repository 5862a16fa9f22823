/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs by their two documents. */
#include "corpora/stated_pairs.h"

fp_status fp_stated_pairs_open(fp_stated_pairs *stated, size_t most, fp_arena *arena, fp_error *error) {
    return fp_map_open(&stated->at, most, arena, error);
}

/* Mixed, for neighbours make pairs, and the places of the plain numbers would be few; no two have the same key. */
static uint64_t key_of(fp_pair pair) {
    uint64_t low = pair.a < pair.b ? pair.a : pair.b, high = pair.a < pair.b ? pair.b : pair.a;
    return fp_mix(low << 32 | high, 0);
}

uint32_t fp_stated_pairs_take(fp_stated_pairs *stated, fp_pair pair, uint32_t position) {
    uint64_t key = key_of(pair);
    uint32_t before = fp_map_get(&stated->at, key);
    if (before == FP_MAP_NONE) fp_map_put(&stated->at, key, position);
    return before;
}
