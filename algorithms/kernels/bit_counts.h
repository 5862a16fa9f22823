/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bit_counts.h - population counts where no single instruction gives them, for the kernels of Hamming distances.
 */
#ifndef FP_BIT_COUNTS_H
#define FP_BIT_COUNTS_H

#include "base/cpu.h"

/* Bits set, by sideways addition (Warren, Hacker's Delight, section 5-1). */
static inline uint32_t fp_bits_portable(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* By one instruction if the processor has it. */
FP_BODY uint32_t fp_bits_set(uint64_t x, bool counts) {
    return counts ? (uint32_t)__builtin_popcountll(x) : fp_bits_portable(x);
}

#if defined(__x86_64__)
#include <immintrin.h>

/* The set bits of each 64-bit lane, by a table look-up per four bits (Muła, Kurz, Lemire, Faster population counts
 * using AVX2 instructions, 2018). */
__attribute__((target("avx2,popcnt"))) static inline __m256i fp_bits_avx2(__m256i x) {
    const __m256i low = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    __m256i right = _mm256_shuffle_epi8(table, _mm256_and_si256(x, low));
    __m256i left = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
    return _mm256_sad_epu8(_mm256_add_epi8(left, right), zero);
}
#endif

#endif
