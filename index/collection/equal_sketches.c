/* SPDX-License-Identifier: GPL-3.0-or-later
 * Equal sketches: an open table by hash, whose entries are compared byte by byte. */
#include "index/collection/equal_sketches.h"

#include <string.h>

enum { FREE = 0 }; /* places hold positions + 1 */

static bool same(fp_sketch a, fp_sketch b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static uint32_t rank_of(const uint32_t *rank, size_t i) { return rank ? rank[i] : (uint32_t)i; }

/* The slot of the class of sketch i, or the free one where it begins. */
static size_t slot_of(const fp_sketches *sketches, const uint32_t *slots, size_t mask, size_t i) {
    fp_sketch own = fp_sketches_at(sketches, i);
    size_t at = fp_xxh3(own.data, own.size, 0) & mask;
    while (slots[at] != FREE && !same(own, fp_sketches_at(sketches, slots[at] - 1))) at = (at + 1) & mask;
    return at;
}

static fp_status find_first(const fp_sketches *sketches, const bool *left_out, const uint32_t *rank, fp_arena *arena,
                            uint32_t *first, fp_error *error) {
    size_t capacity = 16, count = sketches->count;
    while (capacity < 2 * count) capacity *= 2;
    uint32_t *slots = fp_arena_alloc(arena, capacity, sizeof *slots);
    if (!slots) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (left_out && left_out[i]) continue;
        uint32_t *slot = slots + slot_of(sketches, slots, capacity - 1, i);
        if (*slot == FREE || rank_of(rank, i) < rank_of(rank, *slot - 1)) *slot = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < count; i++)
        if (!left_out || !left_out[i]) first[i] = slots[slot_of(sketches, slots, capacity - 1, i)] - 1;
    return FP_OK;
}

fp_status fp_equal_sketches(const fp_sketches *sketches, const bool *left_out, const uint32_t *rank, bool together,
                            fp_arena *arena, fp_equals *equal, fp_error *error) {
    size_t count = sketches->count;
    equal->first = fp_arena_raw(arena, count, sizeof *equal->first);
    equal->left_out = fp_arena_raw(arena, count, sizeof *equal->left_out);
    if (!equal->first || !equal->left_out) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) equal->first[i] = (uint32_t)i;
    if (together) FP_TRY(find_first(sketches, left_out, rank, arena, equal->first, error));
    for (size_t i = 0; i < count; i++) equal->left_out[i] = equal->first[i] != i || (left_out && left_out[i]);
    return FP_OK;
}
