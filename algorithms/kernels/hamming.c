/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hamming kernels. The limit is the processor's population count, not memory; see `make bench`. */
#include "algorithms/kernels/hamming.h"

#include <string.h>

#include "algorithms/kernels/bit_counts.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

FP_BODY void distances(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out,
                       bool counts) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += fp_bits_set(query[w] ^ many[i * words + w], counts);
        out[i] = bits;
    }
}

/* One word is a case of its own, which the compiler turns into vectors. */
FP_BODY void body(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out, bool counts) {
    if (words == 1) distances(query, many, 1, count, out, counts);
    else distances(query, many, words, count, out, counts);
}

static void portable(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    body(query, many, words, count, out, false);
}

FP_FOR_AVX2 static void avx2(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    body(query, many, words, count, out, true);
}

FP_FOR_COUNTING static void avx512(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                   uint32_t *out) {
    body(query, many, words, count, out, true);
}

const fp_hamming_kernel fp_hamming_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};

double fp_hamming_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    uint32_t bits;
    fp_hamming(a.data, b.data, self->layout.bytes / 8, 1, &bits);
    return bits;
}

void fp_hamming_distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                          double *out) {
    enum { BLOCK = 512 };
    uint32_t bits[BLOCK];
    size_t words = self->layout.bytes / 8;
    const unsigned char *data = many->data + first * many->stride;
    for (size_t done = 0; done < count;) {
        size_t some = count - done < BLOCK ? count - done : BLOCK;
        fp_hamming(query.data, (const uint64_t *)(const void *)(data + done * many->stride), words, some, bits);
        for (size_t i = 0; i < some; i++) out[done + i] = bits[i];
        done += some;
    }
}

/* ---- Weighted bits ---- */

/* Tables for fields of `width` bits in each half of a word, the lowest field first: for every value of a field, the sum
 * of the weights of the bits in which it differs from the query's. */
static inline void tables_of_fields(uint64_t word, const uint32_t weight[64], unsigned half, unsigned width,
                                    uint32_t *table) {
    for (unsigned from = 0; from < 64; from += half)
        for (unsigned at = 0; at < half; at += width, table += 1 << width) {
            unsigned first = from + at, wide = half - at < width ? half - at : width;
            table[0] = 0;
            for (unsigned bit = 0; bit < wide; bit++) table[0] += word >> (first + bit) & 1 ? weight[first + bit] : 0;
            for (unsigned bit = 0; bit < width; bit++) { /* the values whose highest bit this is */
                uint32_t more = bit < wide ? weight[first + bit] : 0;
                bool takes = bit < wide && word >> (first + bit) & 1;
                for (uint32_t low = 0; low < 1u << bit; low++)
                    table[(1u << bit) + low] = takes ? table[low] - more : table[low] + more;
            }
        }
}

static void weighted_prepare(uint64_t word, const uint32_t weight[64], uint32_t table[FP_WEIGHTED_TABLE]) {
    tables_of_fields(word, weight, 64, 8, table);
}

static void weighted_portable(const uint32_t table[FP_WEIGHTED_TABLE], const uint64_t *words, size_t count,
                              uint32_t *sum) {
    for (size_t i = 0; i < count; i++) {
        uint64_t word = words[i];
        uint32_t weights = 0;
        for (size_t byte = 0; byte < 8; byte++) weights += table[byte * 256 + (word >> 8 * byte & 255)];
        sum[i] += weights;
    }
}

#if defined(__x86_64__)
/* One register holds a table of eight numbers: fields of three bits, and of two at the end of each half. */
enum { FIELDS_OF_3 = 11, FIELDS_OF_5 = 7 };

static void weighted_prepare_3(uint64_t word, const uint32_t weight[64], uint32_t table[FP_WEIGHTED_TABLE]) {
    tables_of_fields(word, weight, 32, 3, table);
}

__attribute__((target("avx2"))) static inline __m256i weighted_half_3(const uint32_t *table, __m256i half) {
    __m256i sum = _mm256_setzero_si256();
    for (int field = 0; field < FIELDS_OF_3; field++, half = _mm256_srli_epi32(half, 3))
        sum = _mm256_add_epi32(sum, _mm256_permutevar8x32_epi32(
                                        _mm256_load_si256((const __m256i *)(const void *)(table + field * 8)), half));
    return sum;
}

__attribute__((target("avx2"))) static void weighted_avx2(const uint32_t table[FP_WEIGHTED_TABLE],
                                                          const uint64_t *words, size_t count, uint32_t *sum) {
    const __m256i halves = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    uint64_t rest[8] = {0};
    for (size_t i = 0; i < count; i += 8) {
        size_t some = count - i < 8 ? count - i : 8;
        const uint64_t *eight = some == 8 ? words + i : memcpy(rest, words + i, some * sizeof *rest);
        __m256i low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)eight), halves),
                high =
                    _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(eight + 4)), halves);
        __m256i made =
            _mm256_add_epi32(weighted_half_3(table, _mm256_permute2x128_si256(low, high, 0x20)),
                             weighted_half_3(table + FIELDS_OF_3 * 8, _mm256_permute2x128_si256(low, high, 0x31)));
        uint32_t out[8];
        _mm256_storeu_si256((__m256i *)(void *)out, made);
        for (size_t j = 0; j < some; j++) sum[i + j] += out[j];
    }
}

/* Two registers hold a table of 32 numbers: fields of five bits. */
static void weighted_prepare_5(uint64_t word, const uint32_t weight[64], uint32_t table[FP_WEIGHTED_TABLE]) {
    tables_of_fields(word, weight, 32, 5, table);
}

__attribute__((target("avx512f"))) static inline __m512i weighted_half_5(const uint32_t *table, __m512i half) {
    __m512i sum = _mm512_setzero_si512();
    for (int field = 0; field < FIELDS_OF_5; field++, half = _mm512_srli_epi32(half, 5))
        sum = _mm512_add_epi32(sum, _mm512_permutex2var_epi32(_mm512_load_si512(table + field * 32), half,
                                                              _mm512_load_si512(table + field * 32 + 16)));
    return sum;
}

__attribute__((target("avx512f"))) static void weighted_avx512(const uint32_t table[FP_WEIGHTED_TABLE],
                                                               const uint64_t *words, size_t count, uint32_t *sum) {
    const __m512i low = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
                  high = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    for (size_t i = 0; i < count; i += 16) {
        size_t some = count - i < 16 ? count - i : 16;
        uint32_t mask = (1u << some) - 1;
        __m512i a = _mm512_maskz_loadu_epi64((__mmask8)mask, words + i),
                b = some > 8 ? _mm512_maskz_loadu_epi64((__mmask8)(mask >> 8), words + i + 8) : _mm512_setzero_si512();
        __m512i made =
            _mm512_add_epi32(weighted_half_5(table, _mm512_permutex2var_epi32(a, low, b)),
                             weighted_half_5(table + FIELDS_OF_5 * 32, _mm512_permutex2var_epi32(a, high, b)));
        made = _mm512_add_epi32(made, _mm512_maskz_loadu_epi32((__mmask16)mask, sum + i));
        _mm512_mask_storeu_epi32(sum + i, (__mmask16)mask, made);
    }
}
#else
#define weighted_prepare_3 weighted_prepare
#define weighted_prepare_5 weighted_prepare
#define weighted_avx2 weighted_portable
#define weighted_avx512 weighted_portable
#endif

const fp_weighted_kernel fp_weighted_kernels[FP_CPU_LEVELS] = {
    {weighted_prepare, weighted_portable}, {weighted_prepare_3, weighted_avx2}, {weighted_prepare_5, weighted_avx512}};
