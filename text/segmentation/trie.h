/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trie.h - two tries over numbered characters: a compiled one that is only read, and one that grows.
 *
 * The compiled trie is a double array (Aoe 1989) of 64-bit units. The unit of a node says which character leads to
 * it, what it is worth, and where its children are:
 *
 *     bits 0–15  the character's number, 1 … 65534; FP_TRIE_EMPTY where no node lives
 *     bits 16–31 the node's value: 0 none, FP_TRIE_PREFIX a proper prefix of something with a value, 2 … the owner's
 *     bits 32–63 base: the child by character c is the unit at base + c, if that unit's character is c
 *
 * No two nodes share a base, so the character alone proves parenthood. The root's base is 0, and the first units are
 * all its own: unit c is the node of the one character c, or empty. Leaves and empty units have base FP_TRIE_LEAF,
 * which no inner node has, so that no unit proves to be their child and a walk needs no test for them. The array
 * reaches beyond every base + c. Character 0 is no character: nobody's child.
 */
#ifndef FP_TRIE_H
#define FP_TRIE_H

#include "base/base.h"

enum { FP_TRIE_EMPTY = 0xffff, FP_TRIE_PREFIX = 1, FP_TRIE_LEAF = 1 };

static inline uint32_t fp_trie_character(uint64_t unit) { return unit & 0xffff; }
static inline uint32_t fp_trie_value(uint64_t unit) { return unit >> 16 & 0xffff; }
static inline uint32_t fp_trie_base(uint64_t unit) { return (uint32_t)(unit >> 32); }
static inline uint64_t fp_trie_unit(uint32_t character, uint32_t value, uint32_t base) {
    return (uint64_t)base << 32 | (uint64_t)value << 16 | character;
}

/* The unit of the node that `count` characters lead to, by position; 0 when there is none. Numbers over 65535 are
 * never found. */
size_t fp_trie_find(const uint64_t *units, const uint32_t *characters, size_t count);

/* ---- A trie that grows ---- */

/* Nodes are numbered from 0, the root; an edge is (node, symbol) → node in one open-addressing hash table, and what a
 * node holds is the owner's business. Walks are read-only and thread-safe; growing is not. */
typedef struct fp_growing_trie {
    uint64_t *edge;  /* [mask + 1] node << 32 | symbol, plus 1; 0: free */
    uint32_t *child; /* [mask + 1] */
    size_t mask;
    size_t count, limit; /* nodes */
} fp_growing_trie;

/* Room for `limit` nodes beside the root. FP_ERROR_MEMORY also when `limit` is 2³¹ or more. */
fp_status fp_growing_trie_open(fp_growing_trie *trie, size_t limit, fp_arena *arena, fp_error *error);
/* The child, made when it is not there. Symbols are under 2³² − 1. The caller keeps to the limit. */
uint32_t fp_growing_trie_add(fp_growing_trie *trie, uint32_t node, uint32_t symbol);
/* The child, or 0 when there is none: the root is nobody's child. */
uint32_t fp_growing_trie_child(const fp_growing_trie *trie, uint32_t node, uint32_t symbol);

#endif
