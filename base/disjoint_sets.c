/* SPDX-License-Identifier: GPL-3.0-or-later
 * Disjoint sets. The smallest member is the root, so the labels do not depend on the order of the unions. */
#include "base/disjoint_sets.h"

fp_status fp_disjoint_sets_make(size_t count, fp_arena *arena, fp_disjoint_sets *forest, fp_error *error) {
    if (count > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu members are more than 2^32 - 1", count);
    *forest = (fp_disjoint_sets){count, fp_arena_raw(arena, count, sizeof *forest->parent)};
    if (!forest->parent) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) forest->parent[i] = (uint32_t)i;
    return FP_OK;
}

uint32_t fp_disjoint_sets_find(fp_disjoint_sets *forest, uint32_t member) {
    uint32_t *parent = forest->parent;
    while (parent[member] != member) {
        parent[member] = parent[parent[member]];
        member = parent[member];
    }
    return member;
}

bool fp_disjoint_sets_join(fp_disjoint_sets *forest, uint32_t a, uint32_t b) {
    uint32_t first = fp_disjoint_sets_find(forest, a), second = fp_disjoint_sets_find(forest, b);
    if (first == second) return false;
    forest->parent[first > second ? first : second] = first > second ? second : first;
    return true;
}
