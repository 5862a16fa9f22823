/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * map.h - an open-addressing table from 64-bit hashes to positions 0 … 2^32 − 2, linear probing, at most half full.
 * Equal hashes are treated as equal keys.
 */
#ifndef FP_MAP_H
#define FP_MAP_H

#include <string.h>

#include "base/base.h"

#define FP_MAP_NONE UINT32_MAX

typedef struct fp_map {
    size_t mask;
    uint64_t *key;
    uint32_t *value; /* FP_MAP_NONE: free */
} fp_map;

/* Room for `keys` keys. */
static inline fp_status fp_map_open(fp_map *map, size_t keys, fp_arena *arena, fp_error *error) {
    *map = (fp_map){0};
    if (keys >= FP_MAP_NONE) return fp_fail(error, FP_ERROR_RANGE, "more than %u distinct keys", FP_MAP_NONE - 1);
    size_t capacity = 8;
    while (capacity < keys * 2) capacity *= 2;
    map->mask = capacity - 1;
    map->key = fp_arena_raw(arena, capacity, sizeof *map->key);
    map->value = fp_arena_raw(arena, capacity, sizeof *map->value);
    if (!map->key || !map->value) return fp_no_memory(error);
    memset(map->value, 0xff, capacity * sizeof *map->value);
    return FP_OK;
}

/* The slot of `key`: where it is, or the free slot where it would go (value FP_MAP_NONE). */
static inline size_t fp_map_place(const fp_map *map, uint64_t key) {
    size_t at = (size_t)(key ^ key >> 32) & map->mask;
    while (map->value[at] != FP_MAP_NONE && map->key[at] != key) at = (at + 1) & map->mask;
    return at;
}

/* Prefetches the slot of `key`. */
static inline void fp_map_ask_ahead(const fp_map *map, uint64_t key) {
    size_t at = (size_t)(key ^ key >> 32) & map->mask;
    __builtin_prefetch(map->key + at);
    __builtin_prefetch(map->value + at);
}

static inline uint32_t fp_map_get(const fp_map *map, uint64_t key) { return map->value[fp_map_place(map, key)]; }

static inline void fp_map_put(fp_map *map, uint64_t key, uint32_t value) {
    size_t at = fp_map_place(map, key);
    map->key[at] = key;
    map->value[at] = value;
}

/* Inserts a new key and returns FP_MAP_NONE; for an existing key, returns its value. */
static inline uint32_t fp_map_take(fp_map *map, uint64_t key, uint32_t value) {
    uint32_t before = fp_map_get(map, key);
    if (before == FP_MAP_NONE) fp_map_put(map, key, value);
    return before;
}

/* The key of an unordered pair of numbers below 2³², unique for each pair. Mixed, because pairs of neighbours would
 * otherwise fall into few slots. */
static inline uint64_t fp_pair_key(uint64_t a, uint64_t b) {
    return fp_mix((a < b ? a : b) << 32 | (a < b ? b : a), 0);
}

#endif
