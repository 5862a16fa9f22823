/* SPDX-License-Identifier: GPL-3.0-or-later
 * Kernels that find near fingerprints. Hardly any is near: one test checks the least of many distances. */
#include "algorithms/kernels/near.h"

#include "algorithms/kernels/bit_counts.h"

FP_BODY uint64_t distance(const uint64_t *a, const uint64_t *b, size_t words, bool counts) {
    uint64_t bits = 0;
    for (size_t w = 0; w < words; w++) bits += fp_bits_set(a[w] ^ b[w], counts);
    return bits;
}

/* The near ones among the fingerprints from `first` on. */
FP_BODY size_t find(const uint64_t *query, const uint64_t *many, size_t words, size_t first, size_t count,
                    uint32_t most, uint32_t *out, bool counts) {
    enum { STEP = 32 };
    size_t found = 0, i = first;
    for (; i + STEP <= count; i += STEP) {
        uint64_t bits[STEP], least = UINT64_MAX;
        for (size_t k = 0; k < STEP; k++) bits[k] = distance(query, many + (i + k) * words, words, counts);
        for (size_t k = 0; k < STEP; k++) least = bits[k] < least ? bits[k] : least;
        if (__builtin_expect(least > most, 1)) continue;
        for (size_t k = 0; k < STEP; k++)
            if (bits[k] <= most) out[found++] = (uint32_t)(i + k);
    }
    for (; i < count; i++)
        if (distance(query, many + i * words, words, counts) <= most) out[found++] = (uint32_t)i;
    return found;
}

/* The compiler turns the loops of a few words into vectors. */
FP_BODY size_t body(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                    uint32_t *out, bool counts) {
    switch (words) {
    case 1: return find(query, many, 1, 0, count, most, out, counts);
    case 2: return find(query, many, 2, 0, count, most, out, counts);
    case 3: return find(query, many, 3, 0, count, most, out, counts);
    case 4: return find(query, many, 4, 0, count, most, out, counts);
    }
    return find(query, many, words, 0, count, most, out, counts);
}

static size_t portable(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                       uint32_t *out) {
    return body(query, many, words, count, most, out, false);
}

#if defined(__x86_64__)

/* Writes the position first + i of every set bit i of a mask; returns their number. */
static inline size_t write_positions(uint64_t mask, size_t first, uint32_t *out) {
    size_t found = 0;
    for (; mask; mask &= mask - 1) out[found++] = (uint32_t)(first + (size_t)__builtin_ctzll(mask));
    return found;
}

/* ---- AVX2: one word, sixteen fingerprints at a time ---- */

FP_FOR_AVX2 static inline uint64_t avx2_four(__m256i wanted, __m256i above, const uint64_t *four) {
    __m256i bits = fp_bits_avx2(_mm256_xor_si256(wanted, _mm256_loadu_si256((const __m256i *)(const void *)four)));
    return (uint64_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(above, bits)));
}

FP_FOR_AVX2 static size_t avx2(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                               uint32_t *out) {
    if (words > 1) return body(query, many, words, count, most, out, true);
    size_t found = 0, i = 0;
    __m256i wanted = _mm256_set1_epi64x((long long)query[0]), above = _mm256_set1_epi64x((long long)most + 1);
    for (; i + 16 <= count; i += 16) {
        uint64_t mask = avx2_four(wanted, above, many + i) | avx2_four(wanted, above, many + i + 4) << 4 |
                        avx2_four(wanted, above, many + i + 8) << 8 | avx2_four(wanted, above, many + i + 12) << 12;
        if (__builtin_expect(mask != 0, 0)) found += write_positions(mask, i, out + found);
    }
    return found + find(query, many, 1, i, count, most, out + found, true);
}

/* ---- AVX-512: one word, 32 at a time, then eight; the last few are read under a mask, because most groups of a table
 * are small ---- */

FP_FOR_COUNTING static inline __mmask8 avx512_eight(__m512i wanted, __m512i limit, __m512i eight) {
    return _mm512_cmple_epu64_mask(_mm512_popcnt_epi64(_mm512_xor_si512(wanted, eight)), limit);
}

FP_FOR_COUNTING static size_t avx512(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                     uint32_t most, uint32_t *out) {
    if (words > 1) return body(query, many, words, count, most, out, true);
    __m512i wanted = _mm512_set1_epi64((long long)query[0]), limit = _mm512_set1_epi64(most);
    size_t found = 0, i = 0;
    for (; i + 32 <= count; i += 32) {
        __mmask8 mask[4];
        for (size_t v = 0; v < 4; v++) mask[v] = avx512_eight(wanted, limit, _mm512_loadu_si512(many + i + v * 8));
        if (__builtin_expect((mask[0] | mask[1] | mask[2] | mask[3]) == 0, 1)) continue;
        uint64_t all = mask[0] | (uint64_t)mask[1] << 8 | (uint64_t)mask[2] << 16 | (uint64_t)mask[3] << 24;
        found += write_positions(all, i, out + found);
    }
    for (; i + 8 <= count; i += 8) {
        __mmask8 mask = avx512_eight(wanted, limit, _mm512_loadu_si512(many + i));
        if (__builtin_expect(mask != 0, 0)) found += write_positions(mask, i, out + found);
    }
    __mmask8 rest = (__mmask8)((1U << (count - i)) - 1);
    __mmask8 mask = rest & avx512_eight(wanted, limit, _mm512_maskz_loadu_epi64(rest, many + i));
    return found + write_positions(mask, i, out + found);
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
    return body(query, many, words, count, most, out, true);
}
#define avx512 avx2
#define avx512_blocks NULL
#endif

const fp_near_kernel fp_near_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
const fp_near_blocks fp_near_block_kernels[FP_CPU_LEVELS] = {NULL, NULL, avx512_blocks};
