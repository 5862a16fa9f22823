/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shape_keys.h - the numbers that documents, units and pairs are drawn by.
 */
#ifndef FP_SHAPE_KEYS_H
#define FP_SHAPE_KEYS_H

#include "eval/shaping/shape.h"

/* Of one document: XXH3-64 of its id, mixed with the seed. */
static inline uint64_t fp_shape_key(fp_string id, uint64_t seed) {
    return fp_mix(fp_xxh3(id.data, id.length, 0), seed);
}

/* Of a pair, in either order. */
static inline uint64_t fp_shape_pair_key(fp_string a, fp_string b, uint64_t seed) {
    uint64_t one = fp_shape_key(a, seed), other = fp_shape_key(b, seed);
    return fp_mix(one < other ? one : other, one < other ? other : one);
}

/* The units of a corpus, and the key of the smallest id of each. In `arena`. */
fp_status fp_shape_units(const fp_corpus *corpus, uint64_t seed, fp_arena *arena, fp_components *units, uint64_t **keys,
                         fp_error *error);

/* A number and its place. */
typedef struct fp_shape_keyed {
    uint64_t key;
    uint32_t place;
} fp_shape_keyed;
/* For qsort: by keys, then by places. */
int fp_shape_by_key(const void *left, const void *right);

/* A shape of `parts` parts, with nothing in them, in `arena`. */
fp_status fp_shape_open(const fp_corpus *corpus, size_t parts, fp_arena *arena, fp_shape *shape, uint8_t **part,
                        fp_error *error);
/* Counts documents, units and crossing pairs, once `part` is filled. */
fp_status fp_shape_count(const fp_corpus *corpus, const fp_components *units, fp_arena *arena, fp_shape *shape,
                         fp_error *error);

#endif
