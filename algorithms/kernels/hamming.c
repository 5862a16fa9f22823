/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hamming kernels. The limit is the processor's population count, not memory; see `make bench`. */
#include "algorithms/kernels/hamming.h"

#include "algorithms/kernels/bit_counts.h"

static void portable(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        for (size_t w = 0; w < words; w++) bits += fp_bits_portable(query[w] ^ many[i * words + w]);
        out[i] = bits;
    }
}

/* Of distances that are written down, some at a time. */
static uint32_t least_of(fp_hamming_kernel kernel, const uint64_t *query, const uint64_t *many, size_t words,
                         size_t count) {
    enum { SOME = 256 };
    uint32_t bits[SOME], least = UINT32_MAX;
    for (size_t begin = 0; begin < count; begin += SOME) {
        size_t some = count - begin < SOME ? count - begin : SOME;
        kernel(query, many + begin * words, words, some, bits);
        for (size_t i = 0; i < some; i++) least = bits[i] < least ? bits[i] : least;
    }
    return least;
}

static uint32_t portable_least(const uint64_t *query, const uint64_t *many, size_t words, size_t count) {
    return least_of(portable, query, many, words, count);
}

static bool always(void) { return true; }

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

static uint32_t avx2_least(const uint64_t *query, const uint64_t *many, size_t words, size_t count) {
    return least_of(avx2, query, many, words, count);
}

/* Four vectors at a time, each with a least of its own. */
__attribute__((target("avx512f,avx512vpopcntdq,popcnt"))) static uint32_t avx512_least(const uint64_t *query,
                                                                                       const uint64_t *many,
                                                                                       size_t words, size_t count) {
    enum { VECTORS = 4, LANES = 8 };
    if (words != 1) return least_of(popcnt, query, many, words, count);
    __m512i wanted = _mm512_set1_epi64((long long)query[0]), least[VECTORS];
    for (size_t v = 0; v < VECTORS; v++) least[v] = _mm512_set1_epi64(UINT32_MAX);
    size_t i = 0;
    for (; i + VECTORS * LANES <= count; i += VECTORS * LANES)
        for (size_t v = 0; v < VECTORS; v++)
            least[v] = _mm512_min_epu64(
                least[v], _mm512_popcnt_epi64(_mm512_xor_si512(wanted, _mm512_loadu_si512(many + i + v * LANES))));
    for (size_t v = 1; v < VECTORS; v++) least[0] = _mm512_min_epu64(least[0], least[v]);
    uint32_t whole = (uint32_t)_mm512_reduce_min_epu64(least[0]),
             rest = least_of(popcnt, query, many + i, 1, count - i);
    return whole < rest ? whole : rest;
}

static bool has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
static bool has_avx512(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"); }
#endif

const fp_hamming_variant fp_hamming_variants[] = {
#if defined(__x86_64__)
    {"avx512-vpopcntdq", FP_CPU_AVX512, avx512, avx512_least, has_avx512},
    {"avx2", FP_CPU_AVX2, avx2, avx2_least, has_avx2},
#endif
    {"portable", FP_CPU_PORTABLE, portable, portable_least, always},
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
