/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers of pairs, and their order at random. */
#include "eval/experiment/drawing/pair_numbers.h"

#include "base/base.h"

fp_numbered_pair fp_pair_at(size_t count, uint64_t number) {
    size_t low = 0, high = count - 1; /* the last row that begins at or before `number` */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        uint64_t begin = (uint64_t)middle * (2 * count - middle - 1) / 2;
        if (begin <= number) low = middle;
        else high = middle;
    }
    uint64_t begin = (uint64_t)low * (2 * count - low - 1) / 2;
    return (fp_numbered_pair){low, low + 1 + (size_t)(number - begin)};
}

/* Four rounds of a Feistel network over the next even number of bits, walked until the value is in range (Black,
 * Rogaway, CT-RSA 2002). */
uint64_t fp_number_permuted(uint64_t value, uint64_t total, uint64_t seed) {
    unsigned half = 1;
    while (half < 32 && total > (uint64_t)1 << 2 * half) half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = value >> half, right = value & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t kept = right;
            right = left ^ (fp_mix(fp_mix(seed, round), right) & mask);
            left = kept;
        }
        value = left << half | right;
    } while (value >= total);
    return value;
}
