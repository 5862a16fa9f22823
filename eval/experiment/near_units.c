/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs of documents to near pairs of units. */
#include "eval/experiment/near_units.h"

#include <stdlib.h>

#include "base/order.h"

static int by_number(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return FP_ORDER(*a, *b);
}

/* Couples of units as numbers, both ways, ascending, each once. */
static fp_status list_couples(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count,
                              fp_arena *scratch, uint64_t **couples, size_t *count, fp_error *error) {
    size_t pairs = 0, listed = 0;
    for (size_t a = 0; a < arm_count; a++) pairs += measurements[a].near ? measurements[a].near->count : 0;
    uint32_t *unit_of = fp_unit_of_documents(units, scratch);
    *couples = fp_arena_raw(scratch, pairs, 2 * sizeof **couples);
    if (!unit_of || !*couples) return fp_no_memory(error);
    for (size_t a = 0; a < arm_count; a++) {
        const fp_near_pairs *near = measurements[a].near;
        for (size_t i = 0; near && i < near->count; i++) {
            uint64_t one = unit_of[near->pairs[i].a], other = unit_of[near->pairs[i].b];
            (*couples)[listed++] = one << 32 | other;
            (*couples)[listed++] = other << 32 | one;
        }
    }
    *count = 0;
    if (listed) qsort(*couples, listed, sizeof **couples, by_number);
    for (size_t i = 0; i < listed; i++)
        if (i == 0 || (*couples)[i] != (*couples)[*count - 1]) (*couples)[(*count)++] = (*couples)[i];
    return FP_OK;
}

static fp_status make(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count, fp_arena *arena,
                      fp_arena *scratch, fp_near_units *near, fp_error *error) {
    uint64_t *couples;
    size_t count = 0, at = 0;
    FP_TRY(list_couples(units, measurements, arm_count, scratch, &couples, &count, error));
    size_t *begin = fp_arena_raw(arena, units->count + 1, sizeof *begin);
    uint32_t *other = fp_arena_raw(arena, count, sizeof *other);
    if (!begin || !other) return fp_no_memory(error);
    *near = (fp_near_units){.begin = begin, .other = other};
    for (size_t u = 0; u < units->count; u++) {
        begin[u] = at;
        while (at < count && couples[at] >> 32 == u) {
            other[at] = (uint32_t)couples[at];
            at++;
        }
        if (at - begin[u] > near->most) near->most = at - begin[u];
    }
    begin[units->count] = at;
    return FP_OK;
}

fp_status fp_near_units_make(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count,
                             fp_arena *arena, fp_near_units *near, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = make(units, measurements, arm_count, arena, scratch, near, error);
    fp_arena_free(scratch);
    return status;
}
