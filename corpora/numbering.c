/* SPDX-License-Identifier: GPL-3.0-or-later
 * A map that grows: each map in an arena of its own, which goes with it. */
#include "corpora/numbering.h"

static fp_status grow(fp_numbering *of, fp_error *error) {
    fp_numbering larger = {.count = of->count,
                           .room = of->room ? 2 * of->room : 1024,
                           .like = of->like,
                           .arena = fp_arena_new_like(of->like)};
    if (!larger.arena) return fp_no_memory(error);
    fp_status status = fp_map_open(&larger.map, larger.room, larger.arena, error);
    if (status != FP_OK) {
        fp_arena_free(larger.arena);
        return status;
    }
    for (size_t i = 0; of->arena && i <= of->map.mask; i++)
        if (of->map.value[i] != FP_MAP_NONE) fp_map_put(&larger.map, of->map.key[i], of->map.value[i]);
    fp_arena_free(of->arena);
    *of = larger;
    return FP_OK;
}

fp_status fp_numbering_of(fp_numbering *numbering, fp_string text, uint32_t *number, bool *fresh, fp_error *error) {
    if (numbering->count == numbering->room) FP_TRY(grow(numbering, error));
    uint64_t key = fp_xxh3(text.data, text.length, 0);
    *number = fp_map_get(&numbering->map, key);
    *fresh = *number == FP_MAP_NONE;
    if (*fresh) fp_map_put(&numbering->map, key, *number = (uint32_t)numbering->count++);
    return FP_OK;
}

uint32_t fp_numbering_find(const fp_numbering *numbering, fp_string text) {
    if (!numbering->arena) return FP_MAP_NONE;
    return fp_map_get(&numbering->map, fp_xxh3(text.data, text.length, 0));
}

void fp_numbering_free(fp_numbering *numbering) {
    fp_arena_free(numbering->arena);
    *numbering = (fp_numbering){.like = numbering->like};
}
