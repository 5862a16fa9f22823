/* SPDX-License-Identifier: GPL-3.0-or-later
 * Minima of products. The limit is arithmetic: one 64-bit product per feature and slot. A block of slots stays in
 * registers while all features are multiplied; values are mixed a piece at a time. */
#include "algorithms/kernels/sketch_kernels.h"

#include <string.h>

#include "base/base.h"

enum { PIECE = 256, WIDE_BLOCK = 64, BLOCK = 16 };

/* The factors of slots first … first + count − 1. */
static void set_factors(size_t first, size_t count, uint64_t *factor) {
    for (size_t i = 0; i < count; i++) factor[i] = fp_mix(first + i, 1) | 1;
}

/* `block` slots, of which `some` exist. */
FP_BODY void take_block(const uint64_t *mixed, size_t values, uint64_t *least, size_t first, size_t some,
                        size_t block) {
    uint64_t factor[WIDE_BLOCK], own[WIDE_BLOCK];
    set_factors(first, block, factor);
    for (size_t lane = 0; lane < block; lane++) own[lane] = UINT64_MAX;
    memcpy(own, least + first, some * sizeof *own);
    for (size_t f = 0; f < values; f++) {
        for (size_t lane = 0; lane < block; lane++) {
            uint64_t product = mixed[f] * factor[lane];
            own[lane] = product < own[lane] ? product : own[lane];
        }
    }
    memcpy(least + first, own, some * sizeof *own);
}

FP_BODY void mix_all(const uint64_t *value, size_t values, uint64_t *mixed) {
    for (size_t f = 0; f < values; f++) mixed[f] = fp_mix(value[f], 0);
}

FP_BODY void body(const uint64_t *value, size_t values, uint64_t *least, size_t slots, size_t wide) {
    uint64_t mixed[PIECE];
    for (size_t from = 0; from < values; from += PIECE) {
        size_t some = values - from < PIECE ? values - from : PIECE, first = 0;
        mix_all(value + from, some, mixed);
        for (; slots - first >= wide; first += wide) take_block(mixed, some, least, first, wide, wide);
        for (; first < slots; first += BLOCK)
            take_block(mixed, some, least, first, slots - first < BLOCK ? slots - first : BLOCK, BLOCK);
    }
}

static void portable(const uint64_t *value, size_t values, uint64_t *least, size_t slots) {
    body(value, values, least, slots, BLOCK);
}

FP_FOR_AVX2 static void avx2(const uint64_t *value, size_t values, uint64_t *least, size_t slots) {
    body(value, values, least, slots, BLOCK);
}

FP_FOR_AVX512 static void avx512(const uint64_t *value, size_t values, uint64_t *least, size_t slots) {
    body(value, values, least, slots, WIDE_BLOCK);
}

const fp_least_products_kernel fp_least_products_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};

FP_BODY void two_body(const uint64_t *value, size_t values, uint64_t *least, uint64_t *second, size_t slots) {
    for (size_t first = 0; first < slots; first += BLOCK) {
        size_t some = slots - first < BLOCK ? slots - first : BLOCK;
        uint64_t factor[BLOCK], one[BLOCK], two[BLOCK];
        set_factors(first, BLOCK, factor);
        for (size_t lane = 0; lane < BLOCK; lane++) one[lane] = two[lane] = UINT64_MAX;
        for (size_t f = 0; f < values; f++) {
            uint64_t mixed = fp_mix(value[f], 0);
            for (size_t lane = 0; lane < BLOCK; lane++) {
                uint64_t product = mixed * factor[lane], larger = product > one[lane] ? product : one[lane];
                one[lane] = product < one[lane] ? product : one[lane];
                two[lane] = larger < two[lane] ? larger : two[lane];
            }
        }
        memcpy(least + first, one, some * sizeof *one);
        memcpy(second + first, two, some * sizeof *two);
    }
}

FP_KERNELS(fp_two_least_kernel, fp_two_least_kernels, two_body,
           (const uint64_t *value, size_t values, uint64_t *least, uint64_t *second, size_t slots),
           (value, values, least, second, slots))

/* ---- Minima of shifted functions ---- */

/* The limit is arithmetic: two 64-bit products per feature and slot. */
FP_BODY void minima_body(const uint64_t *value, size_t values, uint64_t *minimum, size_t slots) {
    for (size_t from = 0; from < slots; from += BLOCK) {
        size_t some = slots - from < BLOCK ? slots - from : BLOCK;
        uint64_t least[BLOCK], shift[BLOCK];
        for (size_t lane = 0; lane < BLOCK; lane++) least[lane] = UINT64_MAX, shift[lane] = (from + lane) * FP_MIX_STEP;
        for (size_t f = 0; f < values; f++) {
            for (size_t lane = 0; lane < BLOCK; lane++) {
                uint64_t candidate = fp_mix(value[f] + shift[lane], 0);
                least[lane] = candidate < least[lane] ? candidate : least[lane];
            }
        }
        for (size_t lane = 0; lane < some; lane++)
            minimum[from + lane] = least[lane] < minimum[from + lane] ? least[lane] : minimum[from + lane];
    }
}

FP_KERNELS(fp_minima_kernel, fp_minima_kernels, minima_body,
           (const uint64_t *value, size_t values, uint64_t *minimum, size_t slots), (value, values, minimum, slots))
