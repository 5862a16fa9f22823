/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wide_avx2.h - vectors of four words, under the names that planes.h and its neighbours use; included once for each
 * group of headers compiled at this width, without a guard.
 */
#include "algorithms/kernels/bit_counts.h"

#undef WIDE
#undef VECTOR
#undef LANES
#undef NAME
#undef INLINE
#define WIDE FP_FOR_AVX2
#define VECTOR __m256i
#define LANES 4
#define NAME(x) x##_avx2
#define INLINE FP_BODY WIDE

INLINE __m256i zero_avx2(void) { return _mm256_setzero_si256(); }
INLINE __m256i every_avx2(uint64_t word) { return _mm256_set1_epi64x((long long)word); }
INLINE __m256i load_avx2(const uint64_t *words) { return _mm256_loadu_si256((const __m256i *)(const void *)words); }
INLINE void store_avx2(uint64_t *words, __m256i a) { _mm256_storeu_si256((__m256i *)(void *)words, a); }
INLINE __m256i add_avx2(__m256i a, __m256i b) { return _mm256_add_epi64(a, b); }
INLINE __m256i exclusive_avx2(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
INLINE __m256i left_avx2(__m256i a, __m256i bits) { return _mm256_sllv_epi64(a, bits); }
INLINE __m256i right_avx2(__m256i a, __m256i bits) { return _mm256_srlv_epi64(a, bits); }
INLINE __m256i half_avx2(__m256i a) { return _mm256_srli_epi64(a, 1); }
/* (a + b + 1)/2 of numbers below 256. */
INLINE __m256i mean_avx2(__m256i a, __m256i b) { return _mm256_avg_epu8(a, b); }
INLINE __m256i parity_avx2(__m256i a, __m256i b, __m256i c) { return _mm256_xor_si256(_mm256_xor_si256(a, b), c); }
INLINE __m256i majority_avx2(__m256i a, __m256i b, __m256i c) {
    return _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_xor_si256(a, b), c));
}
INLINE __m256i either_avx2(__m256i a, __m256i b, __m256i c) { return _mm256_or_si256(_mm256_or_si256(a, b), c); }
INLINE __m256i count_bits_avx2(__m256i a) { return fp_bits_avx2(a); }
INLINE __m256i least_avx2(__m256i a, __m256i b) { return _mm256_min_epu32(a, b); }
INLINE unsigned within_avx2(__m256i a, uint64_t limit) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(every_avx2(limit + 1), a)));
}
INLINE bool meets_avx2(__m256i a, __m256i b) { return !_mm256_testz_si256(a, b); }

/* Adds `weight` to the counts of the bits of a word. */
INLINE void add_where_avx2(uint64_t word, uint64_t weight, uint64_t counts[64]) {
    for (size_t j = 0; j < 64; j++) counts[j] += (word >> j & 1) * weight;
}

/* ---- Vectors of small numbers: 16 bits wide, or 32 ---- */

INLINE __m256i every_small_avx2(uint32_t number, bool wide) {
    return wide ? _mm256_set1_epi32((int)number) : _mm256_set1_epi16((short)number);
}
INLINE __m256i add_equal_avx2(__m256i count, __m256i a, __m256i b, bool wide) {
    return wide ? _mm256_sub_epi32(count, _mm256_cmpeq_epi32(a, b)) : _mm256_sub_epi16(count, _mm256_cmpeq_epi16(a, b));
}
INLINE bool any_at_least_avx2(__m256i a, __m256i least, bool wide) {
    __m256i no_less =
        wide ? _mm256_cmpeq_epi32(_mm256_max_epu32(a, least), a) : _mm256_cmpeq_epi16(_mm256_max_epu16(a, least), a);
    return !_mm256_testz_si256(no_less, no_less);
}
/* LANES small numbers as words. */
INLINE __m256i widen_avx2(const void *small, bool wide) {
    if (wide) return _mm256_cvtepu32_epi64(_mm_loadu_si128(small));
    return _mm256_cvtepu16_epi64(_mm_loadl_epi64(small));
}
