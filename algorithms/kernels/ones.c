/* SPDX-License-Identifier: GPL-3.0-or-later
 * Byte k of counter b counts bit 8·k + b: a word shifted by b has those in the lowest bits of its bytes, so that eight
 * additions count all 64. Counters are emptied before a byte could overflow. */
#include "algorithms/kernels/sketch_kernels.h"

enum { BYTES = 8, MOST = 255 };

FP_BODY void body(const uint64_t *word, size_t count, uint64_t *ones) {
    for (size_t from = 0, some; from < count; from += some) {
        uint64_t counter[BYTES] = {0};
        some = count - from < MOST ? count - from : MOST;
        for (size_t i = 0; i < some; i++)
            for (unsigned b = 0; b < BYTES; b++) counter[b] += word[from + i] >> b & UINT64_C(0x0101010101010101);
        for (unsigned j = 0; j < FP_ONES; j++) ones[j] += counter[j % BYTES] >> j / BYTES * BYTES & MOST;
    }
}

FP_KERNELS(fp_ones_kernel, fp_ones_kernels, body, (const uint64_t *word, size_t count, uint64_t *ones),
           (word, count, ones))
