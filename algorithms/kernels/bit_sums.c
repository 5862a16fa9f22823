/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists of bits, added sixteen at a time: fifteen full adders give the lowest four bits of the sums and the carry to
 * the fifth, which half adders propagate. Then three rounds of exchanges between planes (Warren, Hacker's Delight, 2nd
 * edition, section 7-3) transpose eight planes of bits into eight bytes for each eight places, all at once. */
#include "algorithms/kernels/distance_kernels.h"

enum { WORDS = FP_BIT_SUMS_WORDS, PLANES = 16, BYTE = 8, AT_ONCE = 16 };

/* Planes that the sums may need. */
FP_BODY size_t planes_of(const fp_bit_lists *lists) {
    size_t most = 0, used = 0;
    for (size_t w = 0; w < FP_BIT_SUMS_WEIGHTS; w++) most += lists->count[w] << w;
    while (used < PLANES && most >> used) used++;
    return used;
}

#define LANES 2
#define NAME(x) x##_2
#include "algorithms/kernels/bit_adder.h"
#define LANES 4
#define NAME(x) x##_4
#include "algorithms/kernels/bit_adder.h"
#define LANES 8
#define NAME(x) x##_8
#include "algorithms/kernels/bit_adder.h"

static void portable(const fp_bit_lists *lists, size_t words, uint16_t *sum) { body_2(lists, words, sum); }
FP_FOR_AVX2 static void avx2(const fp_bit_lists *lists, size_t words, uint16_t *sum) { body_4(lists, words, sum); }
FP_FOR_AVX512 static void avx512(const fp_bit_lists *lists, size_t words, uint16_t *sum) { body_8(lists, words, sum); }

const fp_bit_sums_kernel fp_bit_sums_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
