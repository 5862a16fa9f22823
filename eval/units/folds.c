/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dealing. */
#include "eval/units/folds.h"

#include <stdlib.h>

#include "base/order.h"

typedef struct dealt {
    uint32_t unit;
    uint64_t key; /* by seed: the order of equals */
    fp_unit_load load;
} dealt;

static int in_dealing_order(const void *left, const void *right) {
    const dealt *a = left, *b = right;
    if (a->load.positives != b->load.positives) return a->load.positives > b->load.positives ? -1 : 1;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return FP_ORDER(a->unit, b->unit);
}

static size_t neediest(const fp_unit_load *folds, size_t count, bool positives) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        bool tie = !positives || folds[i].positives == folds[best].positives;
        if (tie ? folds[i].size < folds[best].size : folds[i].positives < folds[best].positives) best = i;
    }
    return best;
}

fp_status fp_folds_deal(const fp_unit_load *units, size_t count, size_t folds, uint64_t seed, fp_arena *scratch,
                        uint8_t *fold, fp_error *error) {
    dealt *order = fp_arena_raw(scratch, count, sizeof *order);
    fp_unit_load *held = fp_arena_alloc(scratch, folds, sizeof *held);
    if (!order || !held) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) order[i] = (dealt){(uint32_t)i, fp_mix(fp_mix(seed, 1), units[i].key), units[i]};
    qsort(order, count, sizeof *order, in_dealing_order);
    for (size_t i = 0; i < count; i++) {
        size_t chosen = neediest(held, folds, order[i].load.positives > 0);
        held[chosen].positives += order[i].load.positives;
        held[chosen].size += order[i].load.size;
        fold[order[i].unit] = (uint8_t)chosen;
    }
    return FP_OK;
}
