/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trie.h - two tries over numbered characters: a compiled one, read-only, and a growing one.
 *
 * The compiled trie is a double array (Aoe 1989) of 64-bit units. The unit of a node holds the character that leads to
 * it, its value, and the position of its children:
 *
 *     bits 0–15  the character's number, 1 … 65534; FP_TRIE_EMPTY for an empty unit
 *     bits 16–31 the node's value: 0 none, FP_TRIE_PREFIX a proper prefix of an entry, 2 … defined by the owner
 *     bits 32–63 base: the child by character c is the unit at base + c, if that unit's character is c
 *
 * No two nodes share a base, so the character alone identifies a child. The root's base is 0, and the first units
 * belong to it: unit c is the node of the one character c, or empty. Leaves and empty units have base FP_TRIE_LEAF,
 * which no inner node has, so that no unit matches as their child and a walk needs no test for them. The array extends
 * beyond every base + c. Character 0 is not a character and never a child.
 */
#ifndef FP_TRIE_H
#define FP_TRIE_H

#include "base/map.h"

enum { FP_TRIE_EMPTY = 0xffff, FP_TRIE_PREFIX = 1, FP_TRIE_LEAF = 1 };

static inline uint32_t fp_trie_character(uint64_t unit) { return unit & 0xffff; }
static inline uint32_t fp_trie_value(uint64_t unit) { return unit >> 16 & 0xffff; }
static inline uint32_t fp_trie_base(uint64_t unit) { return (uint32_t)(unit >> 32); }
static inline uint64_t fp_trie_unit(uint32_t character, uint32_t value, uint32_t base) {
    return (uint64_t)base << 32 | (uint64_t)value << 16 | character;
}

/* The position of the child by `character` of a node with that base; 0 if there is none. */
static inline size_t fp_trie_child(const uint64_t *units, uint32_t base, uint32_t character) {
    size_t at = (size_t)base + character;
    if (character == 0 || character >= FP_TRIE_EMPTY) return 0;
    return fp_trie_character(units[at]) == character ? at : 0;
}

/* The position of the unit that `count` characters lead to; 0 if there is none. Numbers over 65535 are never found. */
size_t fp_trie_find(const uint64_t *units, const uint32_t *characters, size_t count);

/* ---- Growing trie ---- */

/* Nodes are numbered from 0, the root; the owner stores their data. Walks are read-only and thread-safe; growing is
 * not. */
typedef struct fp_growing_trie {
    fp_map edges;        /* from node and symbol to the child */
    size_t count, limit; /* nodes */
} fp_growing_trie;

/* Makes room for `limit` nodes besides the root. FP_ERROR_RANGE for 2³² − 1 or more. */
fp_status fp_growing_trie_open(fp_growing_trie *trie, size_t limit, fp_arena *arena, fp_error *error);
/* The child, which is added if it is missing. The caller must respect the limit. */
uint32_t fp_growing_trie_add(fp_growing_trie *trie, uint32_t node, uint32_t symbol);
/* The child, or 0 if there is none: the root is never a child. */
uint32_t fp_growing_trie_child(const fp_growing_trie *trie, uint32_t node, uint32_t symbol);
/* The node that `count` symbols lead to, or 0. */
uint32_t fp_growing_trie_find(const fp_growing_trie *trie, const uint32_t *symbols, size_t count);

#endif
