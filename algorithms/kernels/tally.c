/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tallies of Hamming distances. The limit is the kernel that only computes them; see `make bench`. */
#include "algorithms/kernels/tally.h"

#include <string.h>

#include "algorithms/kernels/hamming.h"

/* Distances by a kernel of hamming.h, and an increment for each. */
static void increment(fp_hamming_kernel kernel, const uint64_t *queries, size_t query_count, const uint64_t *many,
                      size_t count, size_t words, uint64_t *tally) {
    enum { BLOCK = 1024 };
    uint32_t bits[BLOCK];
    size_t places = words * 64 + 1;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t some = count - first < BLOCK ? count - first : BLOCK;
        for (size_t q = 0; q < query_count; q++) {
            kernel(queries + q * words, many + first * words, words, some, bits);
            for (size_t i = 0; i < some; i++) tally[i % FP_TALLY_LANES * places + bits[i]]++;
        }
    }
}

static void portable(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, size_t words,
                     bool odd, uint64_t *tally) {
    (void)odd;
    const fp_hamming_variant *last = fp_hamming_variants;
    while (last[1].name) last++;
    increment(last->kernel, queries, query_count, many, count, words, tally);
}

static bool always(void) { return true; }

#if defined(__x86_64__)
#include <immintrin.h>

/* What does not fill the vectors, and fingerprints of several words. */
static void one_by_one(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, size_t words,
                       uint64_t *tally) {
    increment(fp_hamming_chosen()->kernel, queries, query_count, many, count, words, tally);
}

/* counts[j]: bits in place j. Numbers of two bits begin at each even place; the one at place 2k counts distance 2k,
 * or 63 − 2k when counted from the top. */
static void add_counts(const uint64_t counts[64], uint64_t pairs, bool odd, uint64_t *tally) {
    uint64_t counted = 0;
    for (size_t place = 0; place < 64; place += 2) {
        uint64_t here = counts[place] + 2 * counts[place + 1];
        tally[odd ? 63 - place : place] += here;
        counted += here;
    }
    if (!odd) tally[64] += pairs - counted;
}

/* A step takes 16 queries and three vectors of the others: 48 marks, three at a time, are 16 words, which fill planes
 * 0 to 3 once. Of the shapes of a step, this one measured fastest. The fingerprints that a block of queries meets
 * stay in the first-level cache. 16 · 2^40 steps are out of reach. */
enum { TALLY_QUERIES = 16, TALLY_MANY = 3, TALLY_NEAR = 1008, TALLY_PLANES = 40 };

/* ---- AVX2: four words; the bits set come from a look-up for each four bits, which are set apart beforehand ---- */

#define WIDE __attribute__((target("avx2,popcnt")))
#define VECTOR __m256i
#define LANES 4
#define NAME(x) x##_avx2
#define INLINE static inline __attribute__((always_inline)) WIDE

typedef struct many_avx2 {
    __m256i low, high;
} many_avx2;
typedef many_avx2 query_avx2;

INLINE __m256i zero_avx2(void) { return _mm256_setzero_si256(); }
INLINE __m256i every_avx2(uint64_t word) { return _mm256_set1_epi64x((long long)word); }
INLINE __m256i add_avx2(__m256i a, __m256i b) { return _mm256_add_epi64(a, b); }
INLINE __m256i left_avx2(__m256i a, __m256i bits) { return _mm256_sllv_epi64(a, bits); }
INLINE __m256i right_avx2(__m256i a, __m256i bits) { return _mm256_srlv_epi64(a, bits); }
INLINE __m256i parity_avx2(__m256i a, __m256i b, __m256i c) { return _mm256_xor_si256(_mm256_xor_si256(a, b), c); }
INLINE __m256i majority_avx2(__m256i a, __m256i b, __m256i c) {
    return _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_xor_si256(a, b), c));
}
INLINE many_avx2 halves_avx2(__m256i x) {
    const __m256i low = _mm256_set1_epi8(15);
    return (many_avx2){_mm256_and_si256(x, low), _mm256_and_si256(_mm256_srli_epi16(x, 4), low)};
}
INLINE many_avx2 prepare_many_avx2(const uint64_t *words) {
    return halves_avx2(_mm256_loadu_si256((const __m256i *)(const void *)words));
}
INLINE query_avx2 prepare_query_avx2(uint64_t word) { return halves_avx2(every_avx2(word)); }
INLINE __m256i bits_avx2(query_avx2 query, many_avx2 many) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    __m256i low = _mm256_shuffle_epi8(table, _mm256_xor_si256(query.low, many.low));
    __m256i high = _mm256_shuffle_epi8(table, _mm256_xor_si256(query.high, many.high));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
}

#include "algorithms/kernels/tally_planes.h"

#undef WIDE
#undef VECTOR
#undef LANES
#undef NAME

/* ---- AVX-512: eight words ---- */

#define WIDE __attribute__((target("avx512f,avx512vpopcntdq,popcnt")))
#define VECTOR __m512i
#define LANES 8
#define NAME(x) x##_avx512

typedef __m512i many_avx512;
typedef uint64_t query_avx512; /* set in every lane by the instruction that reads it */

INLINE __m512i zero_avx512(void) { return _mm512_setzero_si512(); }
INLINE __m512i every_avx512(uint64_t word) { return _mm512_set1_epi64((long long)word); }
INLINE __m512i add_avx512(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
INLINE __m512i left_avx512(__m512i a, __m512i bits) { return _mm512_sllv_epi64(a, bits); }
INLINE __m512i right_avx512(__m512i a, __m512i bits) { return _mm512_srlv_epi64(a, bits); }
INLINE __m512i parity_avx512(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
INLINE __m512i majority_avx512(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0xe8); }
INLINE many_avx512 prepare_many_avx512(const uint64_t *words) { return _mm512_loadu_si512(words); }
INLINE query_avx512 prepare_query_avx512(uint64_t word) { return word; }
INLINE __m512i bits_avx512(query_avx512 query, many_avx512 many) {
    return _mm512_popcnt_epi64(_mm512_xor_si512(every_avx512(query), many));
}

#include "algorithms/kernels/tally_planes.h"

static bool has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
static bool has_avx512(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"); }
#endif

const fp_tally_variant fp_tally_variants[] = {
#if defined(__x86_64__)
    {"avx512-vpopcntdq", FP_CPU_AVX512, tally_avx512, has_avx512},
    {"avx2", FP_CPU_AVX2, tally_avx2, has_avx2},
#endif
    {"portable", FP_CPU_PORTABLE, portable, always},
    {0},
};

static const fp_tally_variant *choose(void) {
    const fp_tally_variant *best = fp_tally_variants;
    while (best->level > fp_cpu_chosen() || !best->supported()) best++;
    return best;
}

const fp_tally_variant *fp_tally_chosen(void) {
    /* Every thread would choose the same, so that a race between two first calls is harmless. */
    static _Atomic(const fp_tally_variant *) chosen;
    const fp_tally_variant *variant = chosen;
    if (!variant) chosen = variant = choose();
    return variant;
}

bool fp_tally_odd(const uint64_t *fingerprint, size_t words) {
    uint64_t all = 0;
    for (size_t w = 0; w < words; w++) all ^= fingerprint[w];
    for (unsigned half = 32; half; half /= 2) all ^= all >> half;
    return all & 1;
}
