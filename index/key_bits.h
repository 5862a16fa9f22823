/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * key_bits.h - keys made of some of the bits of a sketch, and the choices of some of several parts.
 */
#ifndef FP_KEY_BITS_H
#define FP_KEY_BITS_H

#include "base/base.h"

/* A run of bits in one 64-bit word. */
typedef struct fp_bit_run {
    uint64_t mask;
    uint32_t word;
    uint8_t shift, width;
} fp_bit_run;

/* How many bits are set in mask[words]; and leaves the lowest `bits` of them. */
unsigned fp_mask_bits(const uint64_t *mask, size_t words);
void fp_mask_keep_lowest(uint64_t *mask, size_t words, unsigned bits);

typedef struct fp_key_bits {
    const fp_bit_run *runs; /* ascending */
    size_t run_count;
    unsigned bits; /* of all runs */
} fp_key_bits;

/* The runs of the bits that are set in mask[words], in `arena`. FP_ERROR_MEMORY. */
fp_status fp_key_bits_cut(const uint64_t *mask, size_t words, fp_arena *arena, fp_key_bits *key, fp_error *error);

/* The bits under the mask side by side, the lowest first, as the instruction PEXT does it; at most 64 of them. */
static inline uint64_t fp_key_bits_of(const fp_key_bits *key, const uint64_t *sketch) {
    uint64_t value = 0;
    for (size_t i = 0, at = 0; i < key->run_count; at += key->runs[i++].width)
        value |= (sketch[key->runs[i].word] & key->runs[i].mask) >> key->runs[i].shift << at;
    return value;
}

static inline bool fp_key_bits_agree(const fp_key_bits *key, const uint64_t *a, const uint64_t *b) {
    for (size_t i = 0; i < key->run_count; i++)
        if ((a[key->runs[i].word] ^ b[key->runs[i].word]) & key->runs[i].mask) return false;
    return true;
}

/* The next choice of `count` of the numbers 0 … of − 1, ascending, in lexical order; the first is 0 … count − 1. False
 * after the last. */
bool fp_next_choice(unsigned *chosen, unsigned count, unsigned of);

#endif
