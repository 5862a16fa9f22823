/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of signatures. */
#include "eval/experiment/tally/pair_tally.h"
#include "eval/experiment/tally/slot_numbers.h"

/* Rows of one piece of work: whole tiles. */
enum { ROWS = FP_SLOT_TILE_BYTES };

typedef struct slot_way {
    fp_tally_way way;
    fp_slot_tiles all;  /* of the set of all documents */
    uint32_t *position; /* [document_count] there, of each document that is counted */
} slot_way;

static fp_status fill_all(slot_way *slots, fp_arena *arena, fp_tally_set *set, fp_error *error) {
    const fp_all_pairs *all = slots->way.all;
    const fp_measurement *measurement = all->measurement;
    fp_signatures signatures = {&measurement->arm->instance.layout, &measurement->sketches, set->document, set->count};
    slots->position = fp_arena_raw(arena, all->stage->corpus->document_count, sizeof *slots->position);
    if (!slots->position) return fp_no_memory(error);
    for (size_t i = 0; i < set->count; i++) slots->position[set->document[i]] = (uint32_t)i;
    set->sketches = &slots->all;
    return fp_slot_numbers(&signatures, all->arenas, all->stage->progress, arena, &slots->all, error);
}

static fp_status fill(fp_tally_way *way, fp_arena *arena, fp_tally_set *set, fp_error *error) {
    slot_way *slots = (slot_way *)(void *)way;
    if (!set->group) return fill_all(slots, arena, set, error);
    fp_slot_tiles *tiles = fp_arena_alloc(arena, 1, sizeof *tiles);
    uint32_t *which = fp_arena_raw(arena, set->count, sizeof *which);
    if (!tiles || !which) return fp_no_memory(error);
    for (size_t i = 0; i < set->count; i++) which[i] = slots->position[set->document[i]];
    set->sketches = tiles;
    return fp_slot_tiles_pick(&slots->all, which, set->count, arena, tiles, error);
}

static fp_status count(const fp_tally_way *way, const fp_tally_set *set, size_t begin, size_t end, size_t from,
                       size_t to, fp_pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error) {
    const fp_slot_tiles *tiles = set->sketches;
    void *queries;
    (void)way;
    if (from == to) return FP_OK;
    FP_TRY(fp_slot_queries(tiles, begin, end, arena, &queries, error));
    if (watch) watch->row = begin, watch->other = from;
    fp_slot_tally_chosen()->kernel(tiles, queries, end - begin, from, to, watch ? &watch->watch : NULL, tally);
    return FP_OK;
}

/* As a query a row does not agree with itself where nothing agrees with it. */
static uint32_t own(const fp_tally_way *way, const fp_tally_set *set, size_t row) {
    const fp_slot_tiles *tiles = set->sketches;
    uint32_t alone = 0;
    (void)way;
    for (size_t s = 0; s < tiles->slots; s++) alone += fp_slot_number(tiles, row, s) == FP_SLOT_ALONE;
    return alone;
}

static uint32_t distance(const fp_tally_way *way, size_t a, size_t b) {
    const slot_way *slots = (const slot_way *)(const void *)way;
    uint32_t differing = 0;
    for (size_t s = 0; s < slots->all.slots; s++) {
        uint32_t number = fp_slot_number(&slots->all, slots->position[a], s);
        differing += number == FP_SLOT_ALONE || number != fp_slot_number(&slots->all, slots->position[b], s);
    }
    return differing;
}

fp_status fp_all_pairs_slots(const fp_all_pairs *all, fp_error *error) {
    size_t distances = all->measurement->arm->instance.layout.slots + 1;
    slot_way slots = {.way = {.all = all,
                              .distances = distances,
                              .tally = distances,
                              .rows = ROWS,
                              .fill = fill,
                              .count = count,
                              .own = own,
                              .distance = distance}};
    return fp_pair_tally(&slots.way, error);
}
