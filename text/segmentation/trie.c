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
    *trie = (fp_growing_trie){.count = 1, .limit = limit + 1};
    return fp_map_open(&trie->edges, limit, arena, error);
}

/* fp_mix is invertible, so no two edges have the same key. */
static uint64_t key_of(uint32_t node, uint32_t symbol) { return fp_mix((uint64_t)node << 32 | symbol, 0); }

uint32_t fp_growing_trie_add(fp_growing_trie *trie, uint32_t node, uint32_t symbol) {
    uint32_t child = fp_map_take(&trie->edges, key_of(node, symbol), (uint32_t)trie->count);
    return child != FP_MAP_NONE ? child : (uint32_t)trie->count++;
}

uint32_t fp_growing_trie_child(const fp_growing_trie *trie, uint32_t node, uint32_t symbol) {
    uint32_t child = fp_map_get(&trie->edges, key_of(node, symbol));
    return child != FP_MAP_NONE ? child : 0;
}

uint32_t fp_growing_trie_find(const fp_growing_trie *trie, const uint32_t *symbols, size_t count) {
    uint32_t node = 0;
    for (size_t i = 0; i < count; i++) {
        node = fp_growing_trie_child(trie, node, symbols[i]);
        if (node == 0) break;
    }
    return node;
}
