/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trie_layout.h - lays out the nodes of a trie as a double array. Families (the children of one node) are placed
 * individually, large ones first, each at the smallest base at which all its places are free and which no other family
 * has; small families then fill the gaps of the large ones. For compile_jieba.c.
 */
#ifndef FP_TRIE_LAYOUT_H
#define FP_TRIE_LAYOUT_H

#include "text/segmentation/trie.h"
#include "text/tables/compile.h"

/* One edge of the trie; after sorting, the children of a node are adjacent. */
typedef struct edge {
    uint32_t parent, character, child;
} edge;

typedef struct family {
    uint32_t parent;
    uint32_t first, count; /* edges */
} family;

typedef struct layout {
    size_t capacity; /* room for units and bases, a multiple of 64 */
    size_t used;     /* the last occupied unit plus one */
    size_t lowest;   /* no unit below it is free */
    uint64_t *taken; /* [capacity / 64 + 1] one bit per unit */
    uint64_t *based; /* [capacity / 64 + 1] one bit per base in use */
} layout;

static void set_bit(uint64_t *bits, size_t at) { bits[at / 64] |= (uint64_t)1 << at % 64; }

static bool get_bit(const uint64_t *bits, size_t at) { return bits[at / 64] >> at % 64 & 1; }

/* The 64 bits from `at` on. */
static uint64_t window(const uint64_t *bits, size_t at) {
    uint64_t low = bits[at / 64] >> at % 64;
    return at % 64 ? low | bits[at / 64 + 1] << (64 - at % 64) : low;
}

FP_COMPARES(by_parent, edge, FP_ORDER(a->parent, b->parent) ?: FP_ORDER(a->character, b->character));

/* Large families first; ties in the order of the words. */
FP_COMPARES(by_size, family, FP_ORDER(b->count, a->count) ?: FP_ORDER(a->parent, b->parent));

static edge *edges_of(const fp_growing_trie *trie) {
    edge *edges = take_memory(trie->count, sizeof *edges);
    size_t count = 0;
    for (size_t slot = 0; slot <= trie->mask; slot++) {
        if (!trie->edge[slot]) continue;
        uint64_t key = trie->edge[slot] - 1;
        edges[count++] = (edge){(uint32_t)(key >> 32), (uint32_t)key, trie->child[slot]};
    }
    qsort(edges, count, sizeof *edges, by_parent);
    return edges;
}

static size_t families_of(const edge *edges, size_t edge_count, family *families) {
    size_t count = 0;
    for (size_t i = 0; i < edge_count; i++) {
        if (i == 0 || edges[i].parent != edges[i - 1].parent)
            families[count++] = (family){edges[i].parent, (uint32_t)i, 0};
        families[count - 1].count++;
    }
    return count;
}

/* Makes room for the units and bases 0 … need − 1. */
static void reserve(layout *to, size_t need) {
    if (need <= to->capacity) return;
    size_t capacity = to->capacity ? to->capacity : 1 << 20;
    while (capacity < need) capacity *= 2;
    uint64_t *taken = take_memory(capacity / 64 + 1, sizeof *taken);
    uint64_t *based = take_memory(capacity / 64 + 1, sizeof *based);
    if (to->capacity) {
        memcpy(taken, to->taken, to->capacity / 8);
        memcpy(based, to->based, to->capacity / 8);
    }
    *to = (layout){capacity, to->used, to->lowest, taken, based};
}

/* The smallest base, not below `at`, at which all places of the family are free; tries 64 bases at a time. */
static size_t first_fit(const layout *to, const edge *children, size_t count, size_t at) {
    for (;; at += 64) {
        uint64_t busy = window(to->based, at);
        for (size_t i = count; i-- > 0 && ~busy;) busy |= window(to->taken, at + children[i].character);
        if (~busy) return at + (size_t)__builtin_ctzll(~busy);
    }
}

/* Finds the base of a family and occupies its places. */
static uint32_t place(layout *to, const edge *children, size_t count, uint32_t characters) {
    reserve(to, to->used + 2 * (size_t)characters + 256);
    while (get_bit(to->taken, to->lowest)) to->lowest++;
    size_t first = children[0].character;
    size_t from = to->lowest > first + FP_TRIE_LEAF ? to->lowest - first : FP_TRIE_LEAF + 1;
    size_t at = first_fit(to, children, count, from);
    set_bit(to->based, at);
    for (size_t i = 0; i < count; i++) set_bit(to->taken, at + children[i].character);
    size_t end = at + children[count - 1].character + 1;
    if (end > to->used) to->used = end;
    return (uint32_t)at;
}

/* Children come after their parents, so one pass from the end finds every prefix. */
static void mark_prefixes(const edge *edges, size_t edge_count, uint16_t *value) {
    for (size_t i = edge_count; i-- > 0;)
        if (value[edges[i].child] && !value[edges[i].parent]) value[edges[i].parent] = FP_TRIE_PREFIX;
}

typedef struct trie_layout {
    uint64_t *units; /* [count] */
    size_t count;
} trie_layout;

/* `value` holds the value of each node: 0, or 2 and above; inner nodes with value 0 and a valued descendant get
 * FP_TRIE_PREFIX. `characters` is the largest character number plus one. The same trie gives the same units. */
static trie_layout lay_out_trie(const fp_growing_trie *trie, uint16_t *value, uint32_t characters) {
    size_t edge_count = trie->count - 1, largest = FP_TRIE_LEAF;
    edge *edges = edges_of(trie);
    family *families = take_memory(edge_count + 1, sizeof *families);
    uint32_t *bases = take_memory(trie->count, sizeof *bases);
    size_t family_count = families_of(edges, edge_count, families);
    mark_prefixes(edges, edge_count, value);
    qsort(families, family_count, sizeof *families, by_size);

    layout to = {.used = characters};
    reserve(&to, 2 * (size_t)characters);
    for (size_t i = 0; i < characters; i++) set_bit(to.taken, i);
    for (size_t i = 0; i < trie->count; i++) bases[i] = FP_TRIE_LEAF;
    for (size_t i = 0; i < family_count; i++) {
        if (families[i].parent == 0) continue; /* the root's base is 0 */
        uint32_t base = place(&to, edges + families[i].first, families[i].count, characters);
        bases[families[i].parent] = base;
        if (base > largest) largest = base;
    }
    bases[0] = 0;

    trie_layout made = {.count = largest + characters};
    made.units = take_memory(made.count, sizeof *made.units);
    for (size_t i = 0; i < made.count; i++) made.units[i] = fp_trie_unit(FP_TRIE_EMPTY, 0, FP_TRIE_LEAF);
    for (size_t i = 0; i < edge_count; i++) {
        const edge *it = edges + i;
        made.units[bases[it->parent] + it->character] = fp_trie_unit(it->character, value[it->child], bases[it->child]);
    }
    return made;
}

#endif
