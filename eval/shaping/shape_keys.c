/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units, their numbers, and what a shape adds up to. */
#include "eval/shaping/shape_keys.h"

#include <string.h>

#include "base/order.h"

int fp_shape_by_key(const void *left, const void *right) {
    const fp_shape_keyed *a = left, *b = right;
    int order = FP_ORDER(a->key, b->key);
    return order ? order : FP_ORDER(a->place, b->place);
}

fp_status fp_shape_units(const fp_corpus *corpus, uint64_t seed, fp_arena *arena, fp_components *units, uint64_t **keys,
                         fp_error *error) {
    const fp_labelled_documents from = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    FP_TRY(fp_components_make(&from, arena, arena, units, error));
    uint64_t *made = *keys = fp_arena_raw(arena, units->count, sizeof *made);
    uint32_t *smallest = fp_arena_raw(arena, units->count, sizeof *smallest);
    if (!made || !smallest) return fp_no_memory(error);
    memset(smallest, 0xff, units->count * sizeof *smallest);
    for (size_t i = 0; i < corpus->document_count; i++) {
        uint32_t *least = &smallest[units->of[i]];
        if (*least == UINT32_MAX || fp_string_compare(corpus->documents[i].id, corpus->documents[*least].id) < 0)
            *least = (uint32_t)i;
    }
    for (size_t u = 0; u < units->count; u++) made[u] = fp_shape_key(corpus->documents[smallest[u]].id, seed);
    return FP_OK;
}

fp_status fp_shape_open(const fp_corpus *corpus, size_t parts, fp_arena *arena, fp_shape *shape, uint8_t **part,
                        fp_error *error) {
    *part = fp_arena_raw(arena, corpus->document_count, 1);
    *shape = (fp_shape){.part_count = parts,
                        .part = *part,
                        .documents = fp_arena_alloc(arena, parts, sizeof *shape->documents),
                        .units = fp_arena_alloc(arena, parts, sizeof *shape->units)};
    if (!*part || !shape->documents || !shape->units) return fp_no_memory(error);
    memset(*part, FP_SHAPE_NONE, corpus->document_count);
    return FP_OK;
}

fp_status fp_shape_count(const fp_corpus *corpus, const fp_components *units, fp_arena *arena, fp_shape *shape,
                         fp_error *error) {
    bool *seen = fp_arena_alloc(arena, units->count * shape->part_count, sizeof *seen);
    if (!seen) return fp_no_memory(error);
    shape->unit_count = units->count;
    for (size_t i = 0; i < corpus->document_count; i++) {
        uint8_t part = shape->part[i];
        if (part == FP_SHAPE_NONE) continue;
        bool *here = &seen[units->of[i] * shape->part_count + part];
        shape->documents[part]++;
        shape->units[part] += !*here;
        *here = true;
    }
    for (size_t i = 0; i < corpus->pair_count; i++) {
        uint8_t a = shape->part[corpus->pairs[i].a], b = shape->part[corpus->pairs[i].b];
        shape->crossing += a != b && a != FP_SHAPE_NONE && b != FP_SHAPE_NONE;
    }
    return FP_OK;
}
