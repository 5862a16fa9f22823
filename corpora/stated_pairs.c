/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs by their two documents. */
#include "corpora/stated_pairs.h"

fp_status fp_stated_pairs_open(fp_stated_pairs *stated, size_t most, fp_arena *arena, fp_error *error) {
    return fp_map_open(&stated->at, most, arena, error);
}

uint32_t fp_stated_pairs_take(fp_stated_pairs *stated, fp_pair pair, uint32_t position) {
    uint64_t low = pair.a < pair.b ? pair.a : pair.b, high = pair.a < pair.b ? pair.b : pair.a;
    size_t place = fp_map_place(&stated->at, low << 32 | high);
    uint32_t before = stated->at.value[place];
    if (before == FP_MAP_NONE) fp_map_put(&stated->at, low << 32 | high, position);
    return before;
}
