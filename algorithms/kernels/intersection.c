/* SPDX-License-Identifier: GPL-3.0-or-later
 * Common elements of sorted sets. The portable form is a merge without branches on the data: one step per element, each
 * dependent on the one before. The vector form compares eight elements of one set with eight of the other, all 64 pairs
 * by rotating one of them, and then skips the eight with the smaller last element, or both if these are equal.
 */
#include "algorithms/kernels/distance_kernels.h"

static size_t portable(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    size_t i = 0, j = 0, both = 0;
    while (i < a_count && j < b_count) {
        uint64_t left = a[i], right = b[j];
        both += left == right;
        i += left <= right;
        j += right <= left;
    }
    return both;
}

#if defined(__x86_64__)
#include <immintrin.h>

enum { LANES = 8 };

/* The number of common elements of two groups of eight. */
FP_FOR_AVX512 static inline size_t shared(__m512i a, __m512i b) {
    /* Two independent halves: b rotated by 0 … 3, and by 4 … 7. */
    __m512i turned = _mm512_alignr_epi64(b, b, 4);
    unsigned low = _mm512_cmpeq_epi64_mask(a, b), high = _mm512_cmpeq_epi64_mask(a, turned);
    low |= _mm512_cmpeq_epi64_mask(a, _mm512_alignr_epi64(b, b, 1));
    high |= _mm512_cmpeq_epi64_mask(a, _mm512_alignr_epi64(b, b, 5));
    low |= _mm512_cmpeq_epi64_mask(a, _mm512_alignr_epi64(b, b, 2));
    high |= _mm512_cmpeq_epi64_mask(a, _mm512_alignr_epi64(b, b, 6));
    low |= _mm512_cmpeq_epi64_mask(a, _mm512_alignr_epi64(b, b, 3));
    high |= _mm512_cmpeq_epi64_mask(a, _mm512_alignr_epi64(b, b, 7));
    return (size_t)__builtin_popcount(low | high);
}

/* An element is counted once: it is in one group of its set, and a pair of groups is compared once. */
FP_FOR_AVX512 static size_t avx512(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    size_t i = 0, j = 0, both = 0;
    while (a_count - i >= LANES && b_count - j >= LANES) {
        uint64_t a_last = a[i + LANES - 1], b_last = b[j + LANES - 1];
        both += shared(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + j));
        i += a_last <= b_last ? LANES : 0;
        j += b_last <= a_last ? LANES : 0;
    }
    return both + portable(a + i, a_count - i, b + j, b_count - j);
}
#else
#define avx512 portable
#endif

const fp_intersection_kernel fp_intersection_kernels[FP_CPU_LEVELS] = {portable, portable, avx512};
