/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hamming kernels. The limit is memory: 8 bytes read per distance; see `make bench`. */
#include "algorithms/kernels/hamming.h"

/* Bits set, by sideways addition (Warren, Hacker's Delight, section 5-1). */
static uint32_t portable_bits(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static void portable(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += portable_bits(query[w] ^ many[i * words + w]);
        out[i] = bits;
    }
}

static bool always(void) { return true; }

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("popcnt"))) static void popcnt(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                                     uint32_t *out) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += (uint32_t)_mm_popcnt_u64(query[w] ^ many[i * words + w]);
        out[i] = bits;
    }
}

/* Eight one-word fingerprints at a time; wider ones go to popcnt. */
__attribute__((target("avx512f,avx512vpopcntdq,popcnt"))) static void avx512(const uint64_t *query, const uint64_t *many,
                                                                              size_t words, size_t count, uint32_t *out) {
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

static bool has_popcnt(void) { return __builtin_cpu_supports("popcnt"); }
static bool has_avx512(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"); }
#endif

const fp_hamming_variant fp_hamming_variants[] = {
#if defined(__x86_64__)
    {"avx512-vpopcntdq", FP_CPU_AVX512, avx512, has_avx512},
    {"popcnt", FP_CPU_AVX2, popcnt, has_popcnt},
#endif
    {"portable", FP_CPU_PORTABLE, portable, always},
    {0},
};

static const fp_hamming_variant *choose(void) {
    const fp_hamming_variant *best = fp_hamming_variants;
    while (best->level > fp_cpu_chosen() || !best->supported()) best++;
    return best;
}

const fp_hamming_variant *fp_hamming_chosen(void) {
    /* Every thread would choose the same, so that a race between two first calls is harmless. */
    static _Atomic(const fp_hamming_variant *) chosen;
    const fp_hamming_variant *variant = chosen;
    if (!variant) chosen = variant = choose();
    return variant;
}

double fp_hamming_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    uint32_t bits;
    fp_hamming_chosen()->kernel(a.data, b.data, self->layout.bytes / 8, 1, &bits);
    return bits;
}

void fp_hamming_distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count, double *out) {
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
