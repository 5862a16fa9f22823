/* SPDX-License-Identifier: GPL-3.0-or-later
 * XXH3 of short slices. Slices of 4 to 16 bytes, which most K-grams are, go eight at a time where blocks.h has vectors:
 * what xxHash does with such lengths (its specification, "XXH3 algorithm for small inputs"), on lanes. Neighbours lie
 * within 64 bytes, so that one load holds all eight, and a permutation each brings their words: gathering them took
 * half as long again. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "text/features/window_hash.h"
#include "text/unicode/blocks.h"

static void one_by_one(const char *data, const uint32_t *begin, const uint32_t *end, size_t count, uint64_t *hash) {
    for (size_t i = 0; i < count; i++) hash[i] = XXH3_64bits(data + begin[i], end[i] - begin[i]);
}

#if defined(__x86_64__)
#define WIDE FP_FOR_VBMI2 FP_BODY

enum { LANES = 8 };

WIDE __m512i every(uint64_t word) { return _mm512_set1_epi64((long long)word); }

/* What of the secret is xored to the input: its words at two places. */
static uint64_t flip(size_t first, size_t second) {
    return XXH_readLE64(XXH3_kSecret + first) ^ XXH_readLE64(XXH3_kSecret + second);
}

WIDE __m512i shifted(__m512i word, unsigned bits) { return _mm512_xor_si512(word, _mm512_srli_epi64(word, bits)); }

/* The eight bytes of the block from each place on; those behind its end may be any. */
WIDE __m512i words_at(__m512i block, __m512i place) {
    const __m512i first =
        _mm512_set_epi64(0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0);
    __m512i byte = _mm512_add_epi8(_mm512_shuffle_epi8(place, first), every(UINT64_C(0x0706050403020100)));
    return _mm512_permutexvar_epi8(byte, block);
}

WIDE __m512i swapped(__m512i word) {
    const __m512i order =
        _mm512_set_epi64(0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607,
                         0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607);
    return _mm512_shuffle_epi8(word, order);
}

/* The halves of the product of 128 bits, xored. */
WIDE __m512i folded_product(__m512i a, __m512i b) {
    const __m512i half = every(UINT32_MAX);
    __m512i a_high = _mm512_srli_epi64(a, 32), b_high = _mm512_srli_epi64(b, 32);
    __m512i low = _mm512_mul_epu32(a, b), high = _mm512_mul_epu32(a_high, b_high);
    __m512i first = _mm512_mul_epu32(a_high, b), second = _mm512_mul_epu32(a, b_high);
    __m512i middle = _mm512_add_epi64(first, _mm512_srli_epi64(low, 32));
    middle = _mm512_add_epi64(middle, _mm512_and_si512(second, half));
    high = _mm512_add_epi64(high, _mm512_srli_epi64(second, 32));
    high = _mm512_add_epi64(high, _mm512_srli_epi64(middle, 32));
    return _mm512_xor_si512(_mm512_mullo_epi64(a, b), high);
}

/* Eight slices from `begin` to `end` in a block. */
typedef struct slices {
    __m512i block, begin, end, length;
    uint64_t flips[3];
} slices;

/* Those of 9 to 16 bytes. */
WIDE __m512i nine_to_sixteen(const slices *of) {
    __m512i first = words_at(of->block, of->begin), last = words_at(of->block, _mm512_sub_epi64(of->end, every(8)));
    first = _mm512_xor_si512(first, every(of->flips[0]));
    last = _mm512_xor_si512(last, every(of->flips[1]));
    __m512i sum = _mm512_add_epi64(of->length, _mm512_add_epi64(swapped(first), last));
    sum = shifted(_mm512_add_epi64(sum, folded_product(first, last)), 37);
    return shifted(_mm512_mullo_epi64(sum, every(UINT64_C(0x165667919e3779f9))), 32);
}

/* Those of 4 to 8 bytes. */
WIDE __m512i four_to_eight(const slices *of) {
    const __m512i factor = every(UINT64_C(0x9fb21c651e98df25)), half = every(UINT32_MAX);
    __m512i first = words_at(of->block, of->begin), last = words_at(of->block, _mm512_sub_epi64(of->end, every(4)));
    __m512i word = _mm512_or_si512(_mm512_slli_epi64(first, 32), _mm512_and_si512(last, half));
    word = _mm512_xor_si512(word, every(of->flips[2]));
    word = _mm512_ternarylogic_epi64(word, _mm512_rol_epi64(word, 49), _mm512_rol_epi64(word, 24), 0x96);
    word = _mm512_mullo_epi64(word, factor);
    word = _mm512_xor_si512(word, _mm512_add_epi64(_mm512_srli_epi64(word, 35), of->length));
    return shifted(_mm512_mullo_epi64(word, factor), 28);
}

/* Which are as long as that; lengths are unsigned. */
WIDE __mmask8 between(__m512i length, uint64_t least, uint64_t most) {
    return _mm512_cmple_epu64_mask(_mm512_sub_epi64(length, every(least)), every(most - least));
}

WIDE __m512i load_eight(const uint32_t *from, uint32_t base) {
    __m512i wide = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)from));
    return _mm512_sub_epi64(wide, every(base));
}

/* Writes the hashes of eight slices; those that were made are in the result. */
WIDE unsigned hash_eight(const char *data, const uint32_t *begin, const uint32_t *end, slices *of, uint64_t *hash) {
    uint32_t base = begin[0], last = end[LANES - 1];
    if (last < base) return 0;
    unsigned there = last - base < FP_BLOCK ? last - base : FP_BLOCK;
    of->block = _mm512_maskz_loadu_epi8(fp_bits_below(there), data + base);
    of->begin = load_eight(begin, base);
    of->end = load_eight(end, base);
    of->length = _mm512_sub_epi64(of->end, of->begin);
    __mmask8 here = between(of->begin, 0, there) & between(of->end, 0, there);
    __mmask8 longer = here & between(of->length, 9, 16), shorter = here & between(of->length, 4, 8);
    __m512i made = nine_to_sixteen(of);
    if (shorter) made = _mm512_mask_mov_epi64(made, shorter, four_to_eight(of));
    _mm512_storeu_si512(hash, made);
    return longer | shorter;
}

FP_FOR_VBMI2 static void eight_at_a_time(const char *data, const uint32_t *begin, const uint32_t *end, size_t count,
                                         uint64_t *hash) {
    slices of = {.flips = {flip(24, 32), flip(40, 48), flip(8, 16)}};
    if (count < LANES) {
        one_by_one(data, begin, end, count, hash);
        return;
    }
    /* The last eight of a number that eight does not divide are hashed with some of those before them, again. */
    for (size_t done = 0; done < count; done += LANES) {
        size_t i = done + LANES <= count ? done : count - LANES;
        unsigned left = 0xff & ~hash_eight(data, begin + i, end + i, &of, hash + i);
        for (; left; left &= left - 1) {
            size_t lane = i + (size_t)__builtin_ctz(left);
            one_by_one(data, begin + lane, end + lane, 1, hash + lane);
        }
    }
}
#else
#define eight_at_a_time one_by_one
#endif

void fp_window_hash(const char *data, const uint32_t *begin, const uint32_t *end, size_t count, uint64_t *hash) {
    (fp_blocks_there() ? eight_at_a_time : one_by_one)(data, begin, end, count, hash);
}
