/* SPDX-License-Identifier: GPL-3.0-or-later
 * Four bits select a row of four ±1, and a product with ±1 is exact. Sixteen sums at a time stay in registers while all
 * weights are added. Measured against a choice of ±weight bit by bit, the portable form takes a fifth of the time, AVX2
 * a tenth; vectors of 512 bits gain nothing over 256. */
#include "algorithms/kernels/sketch_kernels.h"

#include <string.h>

#define SIGN(row, bit) ((row) >> (bit)&1 ? 1.0 : -1.0)
#define ROW(row) \
    { SIGN(row, 0), SIGN(row, 1), SIGN(row, 2), SIGN(row, 3) }

enum { HELD = 16 };

static const _Alignas(32) double ROWS[16][4] = {ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
                                                ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};

FP_BODY void four(double *sum, const double *row, double weight) {
    for (unsigned lane = 0; lane < 4; lane++) sum[lane] += weight * row[lane];
}

FP_BODY void body(const uint64_t *signs, const double *weight, size_t count, double *sum) {
    for (unsigned from = 0; from < FP_SIGNED_SUMS; from += HELD) {
        double held[HELD];
        memcpy(held, sum + from, sizeof held);
        for (size_t i = 0; i < count; i++) {
            uint64_t bits = signs[i] >> from;
            four(held, ROWS[bits & 15], weight[i]);
            four(held + 4, ROWS[bits >> 4 & 15], weight[i]);
            four(held + 8, ROWS[bits >> 8 & 15], weight[i]);
            four(held + 12, ROWS[bits >> 12 & 15], weight[i]);
        }
        memcpy(sum + from, held, sizeof held);
    }
}

FP_TWO_LEVELS(body, (const uint64_t *signs, const double *weight, size_t count, double *sum),
              (signs, weight, count, sum))

const fp_signed_sum_kernel fp_signed_sum_kernels[FP_CPU_LEVELS] = {body_portable, body_avx2, body_avx2};

/* ---- Weights that are all 1. Byte k of counter b counts bit 8·k + b: a word shifted by b has these bits in the lowest
 * bit of each byte, so that eight additions count all 64. Counters are emptied before a byte could overflow ---- */

enum { BYTES = 8, MOST = 255 };

FP_BODY void count_ones(const uint64_t *word, size_t count, uint64_t *ones) {
    for (size_t from = 0, some; from < count; from += some) {
        uint64_t counter[BYTES] = {0};
        some = count - from < MOST ? count - from : MOST;
        for (size_t i = 0; i < some; i++)
            for (unsigned b = 0; b < BYTES; b++) counter[b] += word[from + i] >> b & UINT64_C(0x0101010101010101);
        for (unsigned j = 0; j < FP_ONES; j++) ones[j] += counter[j % BYTES] >> j / BYTES * BYTES & MOST;
    }
}

FP_KERNELS(fp_ones_kernel, fp_ones_kernels, count_ones, (const uint64_t *word, size_t count, uint64_t *ones),
           (word, count, ones))
