/* SPDX-License-Identifier: GPL-3.0-or-later
 * Random directions. Word i of a term is fp_mix(fp_mix(hash, seed), i). One word gives two Gaussian coordinates, four
 * tabulated ones, 64 signs, or two sparse coordinates. */
#include "algorithms/families/directions.h"

#include <string.h>

#include "algorithms/kernels/gaussian.h"
#include "algorithms/kernels/signed_sum.h"
#include "algorithms/kernels/tabulated.h"

enum { PAIRS = FP_DIRECTION_BLOCK / 2 };

_Static_assert((int)FP_SIGNED_SUMS == (int)FP_DIRECTION_BLOCK, "one word of signs is one block");
_Static_assert((int)FP_GAUSSIANS == (int)FP_DIRECTION_BLOCK, "the kernel makes one block");
_Static_assert((int)FP_TABULATED_SUMS == (int)FP_DIRECTION_BLOCK, "the kernel adds to one block");

/* Each half of a word times 6: the whole part is uniform on 0 … 5 up to 2⁻³⁰; 0 gives +√3, 1 gives −√3. */
static void sparse(uint64_t key, size_t block, double coordinate[FP_DIRECTION_BLOCK]) {
    static const double FACE[6] = {1.7320508075688772935, -1.7320508075688772935, 0, 0, 0, 0};
    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t word = fp_mix(key, block * PAIRS + i);
        coordinate[i] = FACE[(word >> 32) * 6 >> 32];
        coordinate[PAIRS + i] = FACE[(word & UINT32_MAX) * 6 >> 32];
    }
}

/* Signs, or keys, go to the kernel many terms at a time. */
static void add_many(fp_direction kind, uint64_t seed, const fp_features *features, size_t block, double *sum) {
    enum { CHUNK = 128 };
    uint64_t key[CHUNK];
    for (size_t i = 0, some; i < features->count; i += some) {
        const double *weight = features->weight + i;
        some = features->count - i < CHUNK ? features->count - i : CHUNK;
        for (size_t c = 0; c < some; c++) key[c] = fp_mix(features->hash[i + c], seed);
        if (kind == FP_DIRECTION_TABULATED) {
            fp_tabulated_add(key, weight, some, block, sum);
            continue;
        }
        for (size_t c = 0; c < some; c++) key[c] = fp_mix(key[c], block);
        fp_signed_sum_add(key, weight, some, sum);
    }
}

void fp_directions_of(fp_direction kind, uint64_t seed, uint64_t hash, size_t block,
                      double coordinate[FP_DIRECTION_BLOCK]) {
    const double one = 1;
    uint64_t key = fp_mix(hash, seed);
    switch (kind) {
    case FP_DIRECTION_GAUSSIAN: fp_gaussian_kernels[fp_cpu_chosen()](key, block, coordinate); return;
    case FP_DIRECTION_SPARSE: sparse(key, block, coordinate); return;
    case FP_DIRECTION_RADEMACHER:
    case FP_DIRECTION_TABULATED: break;
    }
    memset(coordinate, 0, FP_DIRECTION_BLOCK * sizeof *coordinate);
    add_many(kind, seed, &(fp_features){.count = 1, .hash = &hash, .weight = &one}, block, coordinate);
}

/* A block's sums stay in the nearest cache while all features pass. */
void fp_directions_project(fp_direction kind, uint64_t seed, const fp_features *features, size_t blocks, double *sum) {
    for (size_t block = 0; block < blocks; block++, sum += FP_DIRECTION_BLOCK) {
        if (kind == FP_DIRECTION_RADEMACHER || kind == FP_DIRECTION_TABULATED) {
            add_many(kind, seed, features, block, sum);
            continue;
        }
        for (size_t i = 0; i < features->count; i++) {
            double coordinate[FP_DIRECTION_BLOCK], weight = features->weight[i];
            fp_directions_of(kind, seed, features->hash[i], block, coordinate);
            for (size_t j = 0; j < FP_DIRECTION_BLOCK; j++) sum[j] += weight * coordinate[j];
        }
    }
}
