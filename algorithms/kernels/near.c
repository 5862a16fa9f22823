/* SPDX-License-Identifier: GPL-3.0-or-later
 * Kernels that find near fingerprints. Hardly any is near: one test checks a mask of many comparisons. */
#include "algorithms/kernels/near.h"

#include "algorithms/kernels/bit_counts.h"

/* The near ones among the fingerprints from `first` on. */
FP_BODY size_t one_by_one(const uint64_t *query, const uint64_t *many, size_t words, size_t first, size_t count,
                          uint32_t most, uint32_t *out, bool counts) {
    size_t found = 0;
    for (size_t i = first; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += fp_bits_set(query[w] ^ many[i * words + w], counts);
        if (bits <= most) out[found++] = (uint32_t)i;
    }
    return found;
}

static size_t portable(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                       uint32_t *out) {
    return one_by_one(query, many, words, 0, count, most, out, false);
}

#if defined(__x86_64__)

/* Writes the position first + i of every set bit i of a mask; returns their number. */
static inline size_t write_positions(uint64_t mask, size_t first, uint32_t *out) {
    size_t found = 0;
    for (; mask; mask &= mask - 1) out[found++] = (uint32_t)(first + (size_t)__builtin_ctzll(mask));
    return found;
}

/* ---- AVX2: sixteen one-word fingerprints at a time; wider ones go one by one ---- */

FP_FOR_AVX2 static inline uint64_t avx2_four(__m256i wanted, __m256i above, const uint64_t *four) {
    __m256i bits = fp_bits_avx2(_mm256_xor_si256(wanted, _mm256_loadu_si256((const __m256i *)(const void *)four)));
    return (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(above, bits)));
}

FP_FOR_AVX2 static size_t avx2(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                               uint32_t *out) {
    size_t found = 0, i = 0;
    if (words == 1) {
        __m256i wanted = _mm256_set1_epi64x((long long)query[0]), above = _mm256_set1_epi64x((long long)most + 1);
        for (; i + 16 <= count; i += 16) {
            uint64_t mask = avx2_four(wanted, above, many + i) | avx2_four(wanted, above, many + i + 4) << 4 |
                            avx2_four(wanted, above, many + i + 8) << 8 | avx2_four(wanted, above, many + i + 12) << 12;
            if (__builtin_expect(mask != 0, 0)) found += write_positions(mask, i, out + found);
        }
    }
    return found + one_by_one(query, many, words, i, count, most, out + found, true);
}

/* ---- AVX-512: the distances of eight fingerprints, side by side ---- */

FP_FOR_COUNTING static inline __m512i differing(__m512i wanted, const uint64_t *words) {
    return _mm512_popcnt_epi64(_mm512_xor_si512(wanted, _mm512_loadu_si512(words)));
}

/* Sums of neighbours: those of a, then those of b. */
FP_FOR_COUNTING static inline __m512i add_neighbours(__m512i a, __m512i b) {
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                  odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    return _mm512_add_epi64(_mm512_permutex2var_epi64(a, even, b), _mm512_permutex2var_epi64(a, odd, b));
}

/* Word 1, 2 or 3 of eight three-word fingerprints: `from_ab` picks from the first 16 words, `from_c` from the rest. */
FP_FOR_COUNTING static inline __m512i pick(__m512i a, __m512i b, __m512i c, __m512i from_ab, __m512i from_c) {
    return _mm512_permutex2var_epi64(_mm512_permutex2var_epi64(a, from_ab, b), from_c, c);
}

FP_FOR_COUNTING static inline __m512i add_threes(__m512i a, __m512i b, __m512i c) {
    __m512i first =
        pick(a, b, c, _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13));
    __m512i second =
        pick(a, b, c, _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0), _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14));
    __m512i third =
        pick(a, b, c, _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0), _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15));
    return _mm512_add_epi64(_mm512_add_epi64(first, second), third);
}

/* The query, repeated as the words of vector v of fingerprints of `words` words. */
FP_FOR_COUNTING static inline __m512i repeat(const uint64_t *query, size_t words, size_t v) {
    uint64_t lane[8];
    for (size_t i = 0; i < 8; i++) lane[i] = query[(v * 8 + i) % words];
    return _mm512_loadu_si512(lane);
}

FP_FOR_COUNTING static inline __m512i avx512_eight(const __m512i *wanted, const uint64_t *eight, size_t words) {
    __m512i a = differing(wanted[0], eight);
    if (words == 1) return a;
    __m512i b = differing(wanted[1], eight + 8);
    if (words == 2) return add_neighbours(a, b);
    __m512i c = differing(wanted[2], eight + 16);
    if (words == 3) return add_threes(a, b, c);
    return add_neighbours(add_neighbours(a, b), add_neighbours(c, differing(wanted[3], eight + 24)));
}

/* 32 at a time, then eight. With one word the last few are read under a mask: most groups of a table are small. */
FP_FOR_COUNTING FP_BODY size_t avx512_body(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                           uint32_t most, uint32_t *out) {
    __m512i wanted[4], limit = _mm512_set1_epi64(most);
    size_t found = 0, i = 0;
    for (size_t v = 0; v < words; v++) wanted[v] = repeat(query, words, v);
    for (; i + 32 <= count; i += 32) {
        __mmask8 mask[4];
        for (size_t v = 0; v < 4; v++)
            mask[v] = _mm512_cmple_epu64_mask(avx512_eight(wanted, many + (i + v * 8) * words, words), limit);
        if (__builtin_expect((mask[0] | mask[1] | mask[2] | mask[3]) == 0, 1)) continue;
        uint64_t all = mask[0] | (uint64_t)mask[1] << 8 | (uint64_t)mask[2] << 16 | (uint64_t)mask[3] << 24;
        found += write_positions(all, i, out + found);
    }
    for (; i + 8 <= count; i += 8) {
        __mmask8 mask = _mm512_cmple_epu64_mask(avx512_eight(wanted, many + i * words, words), limit);
        if (__builtin_expect(mask != 0, 0)) found += write_positions(mask, i, out + found);
    }
    if (words > 1 || i == count) return found + one_by_one(query, many, words, i, count, most, out + found, true);
    __mmask8 rest = (__mmask8)((1U << (count - i)) - 1);
    __m512i bits = _mm512_popcnt_epi64(_mm512_xor_si512(wanted[0], _mm512_maskz_loadu_epi64(rest, many + i)));
    return found + write_positions(_mm512_mask_cmple_epu64_mask(rest, bits, limit), i, out + found);
}

/* Any number of words: eight words at a time of one fingerprint. */
FP_FOR_COUNTING static size_t avx512_wide(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                          uint32_t most, uint32_t *out) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        __m512i sum = _mm512_setzero_si512();
        for (size_t w = 0; w < words; w += 8) {
            __mmask8 some = (__mmask8)(words - w < 8 ? (1U << (words - w)) - 1 : 255);
            sum = _mm512_add_epi64(
                sum, _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_maskz_loadu_epi64(some, query + w),
                                                          _mm512_maskz_loadu_epi64(some, many + i * words + w))));
        }
        if ((uint64_t)_mm512_reduce_add_epi64(sum) <= most) out[found++] = (uint32_t)i;
    }
    return found;
}

FP_FOR_COUNTING static size_t avx512(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                     uint32_t most, uint32_t *out) {
    switch (words) {
    case 1: return avx512_body(query, many, 1, count, most, out);
    case 2: return avx512_body(query, many, 2, count, most, out);
    case 3: return avx512_body(query, many, 3, count, most, out);
    case 4: return avx512_body(query, many, 4, count, most, out);
    }
    return avx512_wide(query, many, words, count, most, out);
}

/* ---- AVX-512: several rows, of one word or two ---- */

/* Word w of eight fingerprints. */
FP_FOR_COUNTING static inline __m512i word_of_eight(const uint64_t *eight, size_t words, size_t w) {
    const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), one = _mm512_set1_epi64(1);
    if (words == 1) return _mm512_loadu_si512(eight);
    return _mm512_permutex2var_epi64(_mm512_loadu_si512(eight), w ? _mm512_add_epi64(even, one) : even,
                                     _mm512_loadu_si512(eight + 8));
}

FP_FOR_COUNTING FP_BODY uint64_t blocks_body(const uint64_t *rows, const uint64_t *many, size_t words, uint32_t most) {
    enum { VECTORS = FP_NEAR_BLOCK / 8 };
    __m512i row[FP_NEAR_ROWS][2];
    uint64_t found = 0;
    for (size_t r = 0; r < FP_NEAR_ROWS; r++)
        for (size_t w = 0; w < words; w++) row[r][w] = _mm512_set1_epi64((long long)rows[r * words + w]);
    for (size_t i = 0; i < FP_NEAR_MANY; i += FP_NEAR_BLOCK) {
        __m512i least[VECTORS];
        for (size_t v = 0; v < VECTORS; v++) {
            const uint64_t *eight = many + (i + v * 8) * words;
            __m512i first = word_of_eight(eight, words, 0), second = words > 1 ? word_of_eight(eight, words, 1) : first;
            for (size_t r = 0; r < FP_NEAR_ROWS; r++) {
                __m512i bits = _mm512_popcnt_epi64(_mm512_xor_si512(row[r][0], first));
                if (words > 1) bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(_mm512_xor_si512(row[r][1], second)));
                least[v] = r ? _mm512_min_epu32(least[v], bits) : bits;
            }
        }
        for (size_t v = 1; v < VECTORS; v++) least[0] = _mm512_min_epu32(least[0], least[v]);
        bool near = _mm512_cmple_epu64_mask(least[0], _mm512_set1_epi64(most)) != 0;
        found |= (uint64_t)near << i / FP_NEAR_BLOCK;
    }
    return found;
}

FP_FOR_COUNTING static uint64_t avx512_blocks(const uint64_t *rows, const uint64_t *many, size_t words, uint32_t most) {
    return words == 1 ? blocks_body(rows, many, 1, most) : blocks_body(rows, many, 2, most);
}

#else
static size_t avx2(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                   uint32_t *out) {
    return one_by_one(query, many, words, 0, count, most, out, true);
}
#define avx512 avx2
#define avx512_blocks NULL
#endif

const fp_near_kernel fp_near_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
const fp_near_blocks fp_near_block_kernels[FP_CPU_LEVELS] = {NULL, NULL, avx512_blocks};
