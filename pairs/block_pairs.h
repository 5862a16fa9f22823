/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_pairs.h - all pairs of fingerprints within a Hamming distance, exactly, by the tables of a design
 * (pairs/block_design.h): fingerprints that agree in a prefix of the key form a group, and each group is compared with
 * itself.
 */
#ifndef FP_BLOCK_PAIRS_H
#define FP_BLOCK_PAIRS_H

#include "base/parallel.h"
#include "pairs/lsh_tables.h"
#include "pairs/block_design.h"

/* count < 2^32 − 1 fingerprints of fp_block_words(design->bits) words each, contiguous, and their numbers in strictly
 * ascending order; NULL: 0, 1, … */
typedef struct fp_block_source {
    const uint64_t *fingerprints;
    const uint32_t *numbers;
    size_t count;
} fp_block_source;

/* FP_ERROR_RANGE: an invalid design, too many fingerprints, bits set beyond design->bits, numbers that do not ascend.
 */
fp_status fp_block_source_check(const fp_block_design *design, const fp_block_source *source, fp_error *error);

/* ---- All pairs ---- */

typedef struct fp_found_pair {
    uint32_t a, b; /* numbers, a < b */
    uint32_t distance;
} fp_found_pair;

/* Called by several threads at once. `pairs` is valid only during the call. A failure ends the search. */
typedef fp_status (*fp_take_found_pairs)(void *context, const fp_found_pair *pairs, size_t count, fp_error *error);

/* Reports all pairs within the design's distance, each once, in batches of no particular order. Holds one
 * table at a time. Resets the arenas. Errors: fp_block_source_check, and those of `take`. */
fp_status fp_block_pairs(const fp_block_design *design, const fp_block_source *source, fp_take_found_pairs take,
                         void *context, const fp_arenas *arenas, const fp_progress *progress, fp_error *error);

/* ---- Groups ---- */

/* The prefix of each table, which defines its groups: the fp_block_prefix_bits lowest bits of its key. In `arena`.
 * Without levels: one prefix of 0 bits. */
fp_status fp_block_prefixes(const fp_block_design *design, size_t count, unsigned least, fp_arena *arena,
                            fp_key_bits **prefixes, size_t *prefix_count, fp_error *error);

/* The source grouped by a prefix of p bits: group g has the prefix value g and extends from begin[g] to begin[g + 1] −
 * 1. A group keeps the order of the source. */
typedef struct fp_block_table {
    uint32_t *begin;        /* [2^p + 2] */
    uint64_t *fingerprints; /* [count · words] */
    uint32_t *numbers;      /* [count] */
} fp_block_table;

/* Allocates a table for `count` fingerprints and up to `most_bits` bits, in `arena`. */
fp_status fp_block_table_open(fp_block_table *table, size_t count, size_t words, unsigned most_bits, fp_arena *arena,
                              fp_error *error);
/* Fills the table, whatever it held. */
void fp_block_group_by(const fp_block_source *source, size_t words, const fp_key_bits *prefix,
                       const fp_block_table *table);

static inline uint32_t fp_block_distance(const uint64_t *a, const uint64_t *b, size_t words) {
    uint32_t bits = 0;
    for (size_t w = 0; w < words; w++) bits += (uint32_t)__builtin_popcountll(a[w] ^ b[w]);
    return bits;
}

#endif
