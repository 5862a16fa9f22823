/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hamming kernels. The limit is the processor's population count, not memory; see `make bench`. */
#include "algorithms/kernels/hamming.h"

#include "algorithms/kernels/bit_counts.h"
#include "algorithms/kernels/variants.h"

static void portable(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += fp_bits_portable(query[w] ^ many[i * words + w]);
        out[i] = bits;
    }
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) static void popcnt(const uint64_t *query, const uint64_t *many, size_t words,
                                                     size_t count, uint32_t *out) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += (uint32_t)_mm_popcnt_u64(query[w] ^ many[i * words + w]);
        out[i] = bits;
    }
}

__attribute__((target("avx2,popcnt"))) static inline __m256i avx2_differing(__m256i wanted, const uint64_t *four) {
    return fp_bits_avx2(_mm256_xor_si256(wanted, _mm256_loadu_si256((const __m256i *)(const void *)four)));
}

/* Eight one-word fingerprints at a time; wider ones go to popcnt. */
__attribute__((target("avx2,popcnt"))) static void avx2(const uint64_t *query, const uint64_t *many, size_t words,
                                                        size_t count, uint32_t *out) {
    if (words != 1) {
        popcnt(query, many, words, count, out);
        return;
    }
    __m256i wanted = _mm256_set1_epi64x((long long)query[0]);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        /* Sums below 2³², so that the other half of each lane is free for the second four: 0 4 1 5 2 6 3 7. */
        __m256i both = _mm256_or_si256(avx2_differing(wanted, many + i),
                                       _mm256_slli_epi64(avx2_differing(wanted, many + i + 4), 32));
        both = _mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
        _mm256_storeu_si256((__m256i *)(void *)(out + i), both);
    }
    popcnt(query, many + i, 1, count - i, out + i);
}

/* Eight one-word fingerprints at a time; wider ones go to popcnt. */
__attribute__((target("avx512f,avx512vpopcntdq,popcnt"))) static void avx512(const uint64_t *query,
                                                                             const uint64_t *many, size_t words,
                                                                             size_t count, uint32_t *out) {
    if (words != 1) {
        popcnt(query, many, words, count, out);
        return;
    }
    __m512i wanted = _mm512_set1_epi64((long long)query[0]);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m512i bits = _mm512_popcnt_epi64(_mm512_xor_si512(wanted, _mm512_loadu_si512(many + i)));
        _mm256_storeu_si256((__m256i *)(void *)(out + i), _mm512_cvtepi64_epi32(bits));
    }
    popcnt(query, many + i, 1, count - i, out + i);
}

#elif defined(__aarch64__)
/* Sixteen one-word fingerprints at a time; wider ones have a population count of their own in the portable body. */
static void neon(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    size_t i = 0;
    if (words == 1) {
        uint64x2_t wanted = vdupq_n_u64(query[0]);
        for (; i + 16 <= count; i += 16) {
            uint8x16_t bits = fp_bits_of_sixteen(wanted, many + i);
            uint16x8_t low = vmovl_u8(vget_low_u8(bits)), high = vmovl_high_u8(bits);
            vst1q_u32(out + i, vmovl_u16(vget_low_u16(low)));
            vst1q_u32(out + i + 4, vmovl_high_u16(low));
            vst1q_u32(out + i + 8, vmovl_u16(vget_low_u16(high)));
            vst1q_u32(out + i + 12, vmovl_high_u16(high));
        }
    }
    portable(query, many + i * words, words, count - i, out + i);
}
#endif

const fp_hamming_variant fp_hamming_variants[] = {
#if defined(__x86_64__)
    {"avx512-vpopcntdq", FP_CPU_AVX512, avx512, fp_variant_avx512},
    {"avx2", FP_CPU_AVX2, avx2, fp_variant_avx2},
#elif defined(__aarch64__)
    {"neon", FP_CPU_NEON, neon, fp_variant_always},
#endif
    {"portable", FP_CPU_PORTABLE, portable, fp_variant_always},
    {0},
};

FP_VARIANT_CHOSEN(hamming)

double fp_hamming_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    uint32_t bits;
    fp_hamming_chosen()->kernel(a.data, b.data, self->layout.bytes / 8, 1, &bits);
    return bits;
}

void fp_hamming_distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                          double *out) {
    enum { BLOCK = 512 };
    uint32_t bits[BLOCK];
    size_t words = self->layout.bytes / 8;
    fp_hamming_kernel kernel = fp_hamming_chosen()->kernel;
    const unsigned char *data = many->data + first * many->stride;
    for (size_t done = 0; done < count;) {
        size_t some = count - done < BLOCK ? count - done : BLOCK;
        kernel(query.data, (const uint64_t *)(const void *)(data + done * many->stride), words, some, bits);
        for (size_t i = 0; i < some; i++) out[done + i] = bits[i];
        done += some;
    }
}
