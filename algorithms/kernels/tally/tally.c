/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tallies of Hamming distances. The limit is the kernel that only computes them; see `make bench`. */
#include "algorithms/kernels/tally/tally.h"

#include <string.h>

#include "algorithms/kernels/hamming.h"

/* ---- One increment per pair ---- */

enum { BLOCK = 1024 };

/* Reports the near pairs from the pair `first` on; if `turned`, the query advances, else the other. */
static void report_near(const uint32_t *bits, size_t count, fp_tally_pair first, bool turned, fp_tally_watch *watch) {
    fp_tally_pair pairs[BLOCK];
    size_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bits[i] > watch->limit) continue;
        pairs[found++] = (fp_tally_pair){first.query + (turned ? i : 0), first.other + (turned ? 0 : i), bits[i]};
    }
    if (found) watch->report(watch, pairs, found);
}

static bool any_near(const uint32_t *bits, size_t count, int64_t limit) {
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < count; i++) least = bits[i] < least ? bits[i] : least;
    return least <= limit;
}

/* One fingerprint against many; `turned` if the many are queries. */
static void increment_one(fp_hamming_kernel kernel, const uint64_t *one, const uint64_t *many, size_t count,
                          size_t words, fp_tally_pair first, bool turned, fp_tally_watch *watch, uint64_t *tally) {
    uint32_t bits[BLOCK];
    size_t places = words * 64 + 1;
    kernel(one, many, words, count, bits);
    for (size_t i = 0; i < count; i++) tally[i % FP_TALLY_LANES * places + bits[i]]++;
    if (watch && any_near(bits, count, watch->limit)) report_near(bits, count, first, turned, watch);
}

/* Queries from begin.query on, fingerprints from begin.other on: distances by a kernel of hamming.h, and an increment
 * for each. The kernel runs along the longer list. */
static void increment(fp_hamming_kernel kernel, fp_tally_pair begin, const uint64_t *queries, size_t query_count,
                      const uint64_t *many, size_t count, size_t words, fp_tally_watch *watch, uint64_t *tally) {
    bool turned = query_count - begin.query > count - begin.other;
    size_t from = turned ? begin.query : begin.other, to = turned ? query_count : count,
           row = turned ? begin.other : begin.query, rows = turned ? count : query_count;
    const uint64_t *one = turned ? many : queries, *other = turned ? queries : many;
    for (size_t first = from; first < to; first += BLOCK) {
        size_t some = to - first < BLOCK ? to - first : BLOCK;
        for (size_t r = row; r < rows; r++) {
            fp_tally_pair pair = {(uint32_t)(turned ? first : r), (uint32_t)(turned ? r : first), 0};
            increment_one(kernel, one + r * words, other + first * words, some, words, pair, turned, watch, tally);
        }
    }
}

static void portable(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, size_t words,
                     bool odd, fp_tally_watch *watch, uint64_t *tally) {
    (void)odd;
    increment(fp_hamming_kernels[FP_CPU_PORTABLE], (fp_tally_pair){0}, queries, query_count, many, count, words, watch,
              tally);
}

/* Pairs that do not fill the vectors, and fingerprints of more than MOST_WORDS words. */
static void one_by_one(fp_tally_pair begin, const uint64_t *queries, size_t query_count, const uint64_t *many,
                       size_t count, size_t words, fp_tally_watch *watch, uint64_t *tally) {
    increment(fp_hamming_kernels[fp_cpu_counting(fp_cpu_chosen())], begin, queries, query_count, many, count, words,
              watch, tally);
}

#if defined(__x86_64__)

/* counts[j]: bits in place j. Numbers of two bits begin at each even place; the one at place 2k counts distance 2k, or
 * 63 − 2k if `odd`. */
static void add_counts(const uint64_t counts[64], uint64_t pairs, bool odd, uint64_t *tally) {
    uint64_t counted = 0;
    for (size_t place = 0; place < 64; place += 2) {
        uint64_t here = counts[place] + 2 * counts[place + 1];
        tally[odd ? 63 - place : place] += here;
        counted += here;
    }
    if (!odd) tally[64] += pairs - counted;
}

/* counts[k]: pairs at distance 2k − odd. An even number of words lacks one place: the last count is the remainder. */
static void add_halves(const uint64_t *counts, size_t words, uint64_t pairs, bool odd, uint64_t *tally) {
    uint64_t counted = 0;
    for (size_t k = odd; k < (words + 1) / 2 * 64 && k <= words * 32; k++) {
        tally[2 * k - odd] += counts[k];
        counted += counts[k];
    }
    tally[words * 64 - odd] += pairs - counted;
}

/* Queries of a step; planes of planes.h; the most words that the vector kernels take; and the words that are transposed
 * at once, which stay in the first-level cache. */
enum { QUERIES = 16, PLANES = 40, MOST_WORDS = 16, TURNED = 2048 };

/* ---- AVX2: population counts by a look-up for each four bits, which are separated beforehand ---- */

#include "algorithms/kernels/tally/wide_avx2.h"

typedef struct many_avx2 {
    __m256i low, high;
} many_avx2;
typedef many_avx2 query_avx2;

INLINE many_avx2 halves_of_bytes_avx2(__m256i x) {
    const __m256i low = _mm256_set1_epi8(15);
    return (many_avx2){_mm256_and_si256(x, low), _mm256_and_si256(_mm256_srli_epi16(x, 4), low)};
}
INLINE many_avx2 prepare_many_avx2(const uint64_t *words) { return halves_of_bytes_avx2(load_avx2(words)); }
INLINE query_avx2 prepare_query_avx2(uint64_t word) { return halves_of_bytes_avx2(every_avx2(word)); }
INLINE __m256i bits_avx2(query_avx2 query, many_avx2 many) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    __m256i low = _mm256_shuffle_epi8(table, _mm256_xor_si256(query.low, many.low));
    __m256i high = _mm256_shuffle_epi8(table, _mm256_xor_si256(query.high, many.high));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
}

#include "algorithms/kernels/tally/planes.h"
#include "algorithms/kernels/tally/tally_word.h"
#include "algorithms/kernels/tally/tally_words.h"
#include "algorithms/kernels/tally/tally_kernel.h"

/* ---- AVX-512 ---- */

#include "algorithms/kernels/tally/wide_avx512.h"

typedef __m512i many_avx512;
typedef uint64_t query_avx512; /* broadcast to every lane by the instruction that reads it */

INLINE many_avx512 prepare_many_avx512(const uint64_t *words) { return load_avx512(words); }
INLINE query_avx512 prepare_query_avx512(uint64_t word) { return word; }
INLINE __m512i bits_avx512(query_avx512 query, many_avx512 many) {
    return count_bits_avx512(exclusive_avx512(every_avx512(query), many));
}

#include "algorithms/kernels/tally/planes.h"
#include "algorithms/kernels/tally/tally_word.h"
#include "algorithms/kernels/tally/tally_words.h"
#include "algorithms/kernels/tally/tally_kernel.h"

#else
static void tally_avx2(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, size_t words,
                       bool odd, fp_tally_watch *watch, uint64_t *tally) {
    (void)odd;
    one_by_one((fp_tally_pair){0}, queries, query_count, many, count, words, watch, tally);
}
#define tally_avx512 tally_avx2
#endif

const fp_tally_kernel fp_tally_kernels[FP_CPU_LEVELS] = {portable, tally_avx2, tally_avx512};

bool fp_tally_odd(const uint64_t *fingerprint, size_t words) {
    uint64_t all = 0;
    for (size_t w = 0; w < words; w++) all ^= fingerprint[w];
    for (unsigned half = 32; half; half /= 2) all ^= all >> half;
    return all & 1;
}
