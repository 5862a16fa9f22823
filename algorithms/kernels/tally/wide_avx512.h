/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wide_avx512.h - vectors of eight words, as in wide_avx2.h.
 */
#include "algorithms/kernels/bit_counts.h"

#undef WIDE
#undef VECTOR
#undef LANES
#undef NAME
#undef INLINE
#define WIDE FP_FOR_COUNTING
#define VECTOR __m512i
#define LANES 8
#define NAME(x) x##_avx512
#define INLINE FP_BODY WIDE

INLINE __m512i zero_avx512(void) { return _mm512_setzero_si512(); }
INLINE __m512i every_avx512(uint64_t word) { return _mm512_set1_epi64((long long)word); }
INLINE __m512i load_avx512(const uint64_t *words) { return _mm512_loadu_si512(words); }
INLINE void store_avx512(uint64_t *words, __m512i a) { _mm512_storeu_si512(words, a); }
INLINE __m512i add_avx512(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
INLINE __m512i exclusive_avx512(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
INLINE __m512i left_avx512(__m512i a, __m512i bits) { return _mm512_sllv_epi64(a, bits); }
INLINE __m512i right_avx512(__m512i a, __m512i bits) { return _mm512_srlv_epi64(a, bits); }
INLINE __m512i half_avx512(__m512i a) { return _mm512_srli_epi64(a, 1); }
INLINE __m512i mean_avx512(__m512i a, __m512i b) { return _mm512_avg_epu8(a, b); }
INLINE __m512i parity_avx512(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
INLINE __m512i majority_avx512(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0xe8); }
INLINE __m512i either_avx512(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0xfe); }
INLINE __m512i count_bits_avx512(__m512i a) { return _mm512_popcnt_epi64(a); }
INLINE __m512i least_avx512(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
/* In assembly, because gcc 12 may spill a mask as one byte and read it back as four. */
INLINE unsigned within_avx512(__m512i a, uint64_t limit) {
    __mmask8 mask = _mm512_cmple_epu64_mask(a, every_avx512(limit));
    unsigned bits;
    __asm__("kmovb %1, %0" : "=r"(bits) : "k"(mask));
    return bits;
}
INLINE bool meets_avx512(__m512i a, __m512i b) { return _mm512_test_epi64_mask(a, b) != 0; }

INLINE void add_where_avx512(uint64_t word, uint64_t weight, uint64_t counts[64]) {
    for (size_t j = 0; j < 64; j += LANES, word >>= LANES) {
        __m512i before = load_avx512(counts + j);
        store_avx512(counts + j, _mm512_mask_add_epi64(before, (__mmask8)word, before, every_avx512(weight)));
    }
}

/* ---- Small numbers ---- */

INLINE __m512i every_small_avx512(uint32_t number, bool wide) {
    return wide ? _mm512_set1_epi32((int)number) : _mm512_set1_epi16((short)number);
}
INLINE __m512i add_equal_avx512(__m512i count, __m512i a, __m512i b, bool wide) {
    const __m512i ones = _mm512_set1_epi32(-1);
    return wide ? _mm512_mask_sub_epi32(count, _mm512_cmpeq_epi32_mask(a, b), count, ones)
                : _mm512_mask_sub_epi16(count, _mm512_cmpeq_epi16_mask(a, b), count, ones);
}
INLINE bool any_at_least_avx512(__m512i a, __m512i least, bool wide) {
    return wide ? _mm512_cmpge_epu32_mask(a, least) != 0 : _mm512_cmpge_epu16_mask(a, least) != 0;
}
INLINE __m512i widen_avx512(const void *small, bool wide) {
    if (wide) return _mm512_cvtepu32_epi64(_mm256_loadu_si256(small));
    return _mm512_cvtepu16_epi64(_mm_loadu_si128(small));
}
