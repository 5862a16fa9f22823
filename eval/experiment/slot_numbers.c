/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers the values of each slot, slot by slot, with a hash table. */
#include "eval/experiment/slot_numbers.h"

#include "base/map.h"
#include "pairs/band_keys.h"

/* ---- Tiles ---- */

static void put(const fp_slot_tiles *tiles, size_t signature, size_t slot, uint32_t number) {
    size_t at = fp_slot_place(tiles, signature, slot);
    if (tiles->wide) ((uint32_t *)tiles->at)[at] = number;
    else ((uint16_t *)tiles->at)[at] = (uint16_t)number;
}

static fp_status make_tiles(size_t slots, bool wide, size_t count, fp_arena *arena, fp_slot_tiles *tiles,
                            fp_error *error) {
    *tiles = (fp_slot_tiles){.slots = slots, .wide = wide};
    size_t columns = fp_slot_columns(tiles);
    tiles->at = fp_arena_alloc(arena, (count + columns - 1) / columns * slots, FP_SLOT_TILE_BYTES);
    return tiles->at ? FP_OK : fp_no_memory(error);
}

/* ---- Numbering ---- */

typedef struct numbering {
    const fp_signatures *signatures;
    fp_slot_tiles tiles;
    _Atomic bool too_few; /* 16-bit numbers do not suffice */
} numbering;

/* A value gets a number when a second signature holds it. */
static fp_status number_slot(void *context, size_t slot, fp_arena *arena, fp_error *error) {
    numbering *in = context;
    const fp_signatures *of = in->signatures;
    uint32_t next = FP_SLOT_ALONE_ASKED + 1;
    fp_map first; /* the first signature that holds a value */
    FP_TRY(fp_map_open(&first, of->count, arena, error));
    for (uint32_t i = 0; i < of->count && !in->too_few; i++) {
        uint64_t value;
        fp_slot_values(of->layout, fp_sketches_at(of->sketches, of->which[i]).data, slot, 1, &value);
        uint32_t other = fp_map_take(&first, fp_mix(value, 0), i);
        if (other == FP_MAP_NONE) continue;
        uint32_t number = fp_slot_number(&in->tiles, other, slot);
        if (number == FP_SLOT_ALONE) {
            if (!in->tiles.wide && next > UINT16_MAX) in->too_few = true;
            number = next++;
            put(&in->tiles, other, slot, number);
        }
        put(&in->tiles, i, slot, number);
    }
    return FP_OK;
}

fp_status fp_slot_numbers(const fp_signatures *signatures, const fp_arenas *arenas, const fp_progress *progress,
                          fp_arena *arena, fp_slot_tiles *tiles, fp_error *error) {
    const fp_progress quiet = fp_progress_quiet(progress);
    numbering in = {.signatures = signatures};
    size_t slots = signatures->layout->slots;
    for (int wide = 0; wide == 0 || (wide == 1 && in.too_few); wide++) {
        in.too_few = false;
        FP_TRY(make_tiles(slots, wide, signatures->count, arena, &in.tiles, error));
        FP_TRY(fp_parallel(slots, arenas, true, number_slot, &in, "distances", &quiet, error));
    }
    *tiles = in.tiles;
    return FP_OK;
}

fp_status fp_slot_queries(const fp_slot_tiles *tiles, size_t begin, size_t end, fp_arena *arena, void **queries,
                          fp_error *error) {
    size_t size = tiles->wide ? sizeof(uint32_t) : sizeof(uint16_t), at = 0;
    void *made = FP_NEED(fp_arena_raw(arena, (end - begin) * tiles->slots, size), error);
    for (size_t i = begin; i < end; i++) {
        for (size_t s = 0; s < tiles->slots; s++, at++) {
            uint32_t number = fp_slot_number(tiles, i, s);
            if (number == FP_SLOT_ALONE) number = FP_SLOT_ALONE_ASKED;
            if (tiles->wide) ((uint32_t *)made)[at] = number;
            else ((uint16_t *)made)[at] = (uint16_t)number;
        }
    }
    *queries = made;
    return FP_OK;
}
