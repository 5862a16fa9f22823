/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers from a table. The limit is loads: one for each number. The table of 64 KiB is about as large as the
 * first-level cache; a table with the signs would be twice as large, and a tenth slower. */
#include "algorithms/kernels/sketch_kernels.h"

#include <string.h>

#include "base/base.h"

/* Made by text/tables/compile_gaussian.c. */
enum { SIZES = 1 << 15 };
extern const int16_t fp_table_gaussian[SIZES + 2];

enum { HALF = FP_TABULATED_SUMS / 2, WORDS = FP_TABULATED_SUMS / 4 };
static const double UNIT = 0x1p-12;

FP_BODY double number_of(uint32_t bits) {
    double size = fp_table_gaussian[bits % SIZES];
    return bits & SIZES ? -size : size;
}

FP_BODY void body(const uint64_t *key, const double *weight, size_t count, size_t block, double *sum) {
    for (size_t i = 0; i < count; i++) {
        double scaled = weight[i] * UNIT;
        for (size_t w = 0; w < WORDS; w++) {
            uint64_t word = fp_mix(key[i], block * WORDS + w);
            sum[2 * w] += scaled * number_of((uint32_t)word);
            sum[2 * w + 1] += scaled * number_of((uint32_t)(word >> 32));
            sum[HALF + 2 * w] += scaled * number_of((uint32_t)(word >> 16));
            sum[HALF + 2 * w + 1] += scaled * number_of((uint32_t)(word >> 48));
        }
    }
}

FP_TWO_LEVELS(body, (const uint64_t *key, const double *weight, size_t count, size_t block, double *sum),
              (key, weight, count, block, sum))

#if defined(__x86_64__)
#include <immintrin.h>

/* fp_mix of eight values to which the streams have been added. */
FP_FOR_AVX512 static inline __m512i mixed_eight(__m512i z) {
    const __m512i first = _mm512_set1_epi64((long long)UINT64_C(0xbf58476d1ce4e5b9)),
                  second = _mm512_set1_epi64((long long)UINT64_C(0x94d049bb133111eb));
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 30)), first);
    z = _mm512_mullo_epi64(_mm512_xor_si512(z, _mm512_srli_epi64(z, 27)), second);
    return _mm512_xor_si512(z, _mm512_srli_epi64(z, 31));
}

/* The numbers at 16 places; bit 15 is the sign. */
FP_FOR_AVX512 static inline __m512i sixteen(__m512i bits) {
    __m512i place = _mm512_and_si512(bits, _mm512_set1_epi32(SIZES - 1));
    __m512i size = _mm512_i32gather_epi32(place, (const int *)(const void *)fp_table_gaussian, 2);
    size = _mm512_and_si512(size, _mm512_set1_epi32(0xffff)); /* sizes are not negative */
    __mmask16 negative = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(SIZES));
    return _mm512_mask_sub_epi32(size, negative, _mm512_setzero_si512(), size);
}

FP_FOR_AVX512 static inline void add_sixteen(__m512i number, __m512d scaled, __m512d sum[2]) {
    __m512d low = _mm512_cvtepi32_pd(_mm512_castsi512_si256(number)),
            high = _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(number, 1));
    sum[0] = _mm512_add_pd(sum[0], _mm512_mul_pd(scaled, low));
    sum[1] = _mm512_add_pd(sum[1], _mm512_mul_pd(scaled, high));
}

FP_FOR_AVX512 static void avx512(const uint64_t *key, const double *weight, size_t count, size_t block, double *sum) {
    enum { LANES = 8, HELD = FP_TABULATED_SUMS / LANES };
    __m512d held[HELD];
    uint64_t stream[WORDS];
    for (size_t h = 0; h < HELD; h++) held[h] = _mm512_loadu_pd(sum + LANES * h);
    for (size_t w = 0; w < WORDS; w++) stream[w] = (block * WORDS + w + 1) * FP_MIX_STEP;
    __m512i low = _mm512_loadu_si512(stream), high = _mm512_loadu_si512(stream + LANES);
    for (size_t i = 0; i < count; i++) {
        __m512i one = _mm512_set1_epi64((long long)key[i]);
        __m512d scaled = _mm512_set1_pd(weight[i] * UNIT);
        __m512i a = mixed_eight(_mm512_add_epi64(one, low)), b = mixed_eight(_mm512_add_epi64(one, high));
        add_sixteen(sixteen(a), scaled, held);
        add_sixteen(sixteen(b), scaled, held + 2);
        add_sixteen(sixteen(_mm512_srli_epi32(a, 16)), scaled, held + 4);
        add_sixteen(sixteen(_mm512_srli_epi32(b, 16)), scaled, held + 6);
    }
    for (size_t h = 0; h < HELD; h++) _mm512_storeu_pd(sum + LANES * h, held[h]);
}
#else
#define avx512 body_portable
#endif

const fp_tabulated_kernel fp_tabulated_kernels[FP_CPU_LEVELS] = {body_portable, body_avx2, avx512};
