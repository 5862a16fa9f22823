/* SPDX-License-Identifier: GPL-3.0-or-later
 * Walking the compiled trie, and building the growing one. */
#include "text/segmentation/trie.h"

size_t fp_trie_find(const uint64_t *units, const uint32_t *characters, size_t count) {
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        at = fp_trie_child(units, i ? fp_trie_base(units[at]) : 0, characters[i]);
        if (at == 0) return 0;
    }
    return at;
}

fp_status fp_growing_trie_open(fp_growing_trie *trie, size_t limit, fp_arena *arena, fp_error *error) {
    if (limit >= (size_t)1 << 31) return fp_no_memory(error);
    size_t slots = 16;
    while (slots < 2 * limit) slots *= 2;
    *trie = (fp_growing_trie){
        .edge = fp_arena_alloc(arena, slots, sizeof *trie->edge),
        .child = fp_arena_raw(arena, slots, sizeof *trie->child),
        .mask = slots - 1,
        .count = 1,
        .limit = limit + 1,
    };
    return trie->edge && trie->child ? FP_OK : fp_no_memory(error);
}

/* The slot that holds the edge, or the free one for it. */
static size_t edge_slot(const fp_growing_trie *trie, uint64_t edge) {
    size_t slot = (size_t)fp_mix(edge, 0) & trie->mask;
    while (trie->edge[slot] && trie->edge[slot] != edge) slot = (slot + 1) & trie->mask;
    return slot;
}

static uint64_t edge_of(uint32_t node, uint32_t symbol) { return ((uint64_t)node << 32 | symbol) + 1; }

uint32_t fp_growing_trie_add(fp_growing_trie *trie, uint32_t node, uint32_t symbol) {
    uint64_t edge = edge_of(node, symbol);
    size_t slot = edge_slot(trie, edge);
    if (!trie->edge[slot]) {
        trie->edge[slot] = edge;
        trie->child[slot] = (uint32_t)trie->count++;
    }
    return trie->child[slot];
}

uint32_t fp_growing_trie_child(const fp_growing_trie *trie, uint32_t node, uint32_t symbol) {
    size_t slot = edge_slot(trie, edge_of(node, symbol));
    return trie->edge[slot] ? trie->child[slot] : 0;
}

uint32_t fp_growing_trie_find(const fp_growing_trie *trie, const uint32_t *symbols, size_t count) {
    uint32_t node = 0;
    for (size_t i = 0; i < count; i++) {
        node = fp_growing_trie_child(trie, node, symbols[i]);
        if (node == 0) break;
    }
    return node;
}
