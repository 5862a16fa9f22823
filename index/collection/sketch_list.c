/* SPDX-License-Identifier: GPL-3.0-or-later
 * A growing list of sketches. */
#include "index/collection/sketch_list.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/kernels/near.h"

/* ---- Results ---- */

fp_status fp_near_list_add(fp_near_list *list, uint32_t number, double distance, fp_error *error) {
    FP_TRY(FP_ROOM(list->arena, list->found, list->count, list->room, error));
    list->found[list->count++] = (fp_near){number, distance};
    return FP_OK;
}

FP_COMPARES(by_distance, fp_near, FP_ORDER(a->distance, b->distance) ?: FP_ORDER(a->number, b->number));

void fp_near_list_sort(fp_near_list *list) {
    size_t kept = 0;
    if (list->count > 1) qsort(list->found, list->count, sizeof *list->found, by_distance);
    for (size_t i = 0; i < list->count; i++)
        if (!kept || list->found[i].number != list->found[kept - 1].number) list->found[kept++] = list->found[i];
    list->count = kept;
}

/* ---- The list ---- */

fp_status fp_sketch_list_open(fp_sketch_list *list, const fp_layout *layout, const fp_arena *like, fp_error *error) {
    *list = (fp_sketch_list){0};
    fp_arena *arena = FP_NEED(fp_arena_new_like(like), error);
    return fp_store_open(&list->sketches, layout, SIZE_MAX, arena, error);
}

void fp_sketch_list_free(fp_sketch_list *list) {
    fp_arena_free(list->sketches.arena);
    *list = (fp_sketch_list){0};
}

fp_status fp_sketch_list_add(fp_sketch_list *list, uint32_t number, fp_string sketch, fp_error *error) {
    fp_store *to = &list->sketches;
    const fp_sketch one = {.data = sketch.data, .size = sketch.length};
    if (to->stride && sketch.length != to->stride)
        return fp_fail(error, FP_ERROR_SYNTAX, "a fingerprint of %zu bytes, not %zu", sketch.length, to->stride);
    FP_TRY(FP_ROOM(to->arena, list->number, to->count, list->room, error));
    list->number[to->count] = number;
    return fp_store_add(to, 1, &one, error);
}

void fp_sketch_list_cut(fp_sketch_list *list, size_t count) {
    fp_store *of = &list->sketches;
    if (count >= of->count) return;
    of->count = count;
    if (!of->stride) of->bytes = of->offset[count];
}

fp_sketches fp_sketch_list_view(const fp_sketch_list *list) {
    const fp_store *of = &list->sketches;
    return (fp_sketches){
        .count = of->count, .stride = of->stride, .data = of->data, .offset = of->offset, .size = of->size};
}

/* Finds the sketches first … first + count − 1 within the distance: index place[i], relative to `first`, ascending, at
 * distance[i]. Returns their number. Of bit fingerprints, measures only the near ones. */
static size_t near_places(const fp_arm *arm, fp_sketch query, double within, const fp_sketches *all, size_t first,
                          size_t count, uint32_t *place, double *distance) {
    size_t found = 0, bits = arm->instance.layout.bits;
    if (!(within >= 0)) return 0;
    if (bits) {
        uint32_t most = (uint32_t)(within < (double)bits ? within : (double)bits);
        found = fp_near_positions(query.data, (const void *)(all->data + first * all->stride),
                                  all->stride / sizeof(uint64_t), count, most, place);
        for (size_t i = 0; i < found; i++)
            distance[i] = fp_arm_distance(arm, query, fp_sketches_at(all, first + place[i]));
        return found;
    }
    fp_arm_distances(arm, query, all, first, count, distance);
    for (size_t i = 0; i < count; i++) {
        if (!(distance[i] <= within)) continue;
        distance[found] = distance[i];
        place[found++] = (uint32_t)i;
    }
    return found;
}

fp_status fp_sketch_list_near(const fp_sketch_list *list, const fp_arm *arm, fp_sketch query, double within,
                              fp_near_list *found, fp_error *error) {
    fp_sketches all = fp_sketch_list_view(list);
    double distance[FP_SKETCHES_NEAR];
    uint32_t place[FP_SKETCHES_NEAR];
    for (size_t first = 0; first < all.count; first += FP_SKETCHES_NEAR) {
        size_t width = all.count - first < FP_SKETCHES_NEAR ? all.count - first : FP_SKETCHES_NEAR,
               count = near_places(arm, query, within, &all, first, width, place, distance);
        for (size_t i = 0; i < count; i++)
            FP_TRY(fp_near_list_add(found, list->number[first + place[i]], distance[i], error));
    }
    return FP_OK;
}

/* ---- Equal sketches: an open-addressing table by hash; entries are compared byte by byte ---- */

enum { FREE = 0 }; /* slots hold index + 1 */

static bool same(fp_sketch a, fp_sketch b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static uint32_t rank_of(const uint32_t *rank, size_t i) { return rank ? rank[i] : (uint32_t)i; }

/* The slot of the class of sketch i, or the free slot where it would go. */
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
    uint32_t *slots = FP_NEED(fp_arena_alloc(arena, capacity, sizeof *slots), error);
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
    equal->first = FP_NEED(fp_arena_raw(arena, count, sizeof *equal->first), error);
    equal->left_out = FP_NEED(fp_arena_raw(arena, count, sizeof *equal->left_out), error);
    for (size_t i = 0; i < count; i++) equal->first[i] = (uint32_t)i;
    if (together) FP_TRY(find_first(sketches, left_out, rank, arena, equal->first, error));
    for (size_t i = 0; i < count; i++) equal->left_out[i] = equal->first[i] != i || (left_out && left_out[i]);
    return FP_OK;
}
