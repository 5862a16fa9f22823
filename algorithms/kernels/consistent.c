/* SPDX-License-Identifier: GPL-3.0-or-later
 * Consistent weighted samples. The limit is arithmetic: two mixes, three logarithms and a division per feature and
 * slot. Logarithms have base 2: r and c are then in units of ln 2, which cancels in t and adds a constant to log a. */
#include "algorithms/kernels/sketch_kernels.h"

#include <math.h>

#include "algorithms/kernels/consistent_draws.h"
#include "base/base.h"

enum { BLOCK = 16, WORDS = 2 };

void fp_consistent_levels(const double *weight, size_t values, float *level) {
    /* As fp_log2_short, with the bits of √½ and 1 in double precision. */
    const uint64_t half_root = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(0x3ff0000000000000);
    for (size_t i = 0; i < values; i++) {
        uint64_t bits;
        double m;
        memcpy(&bits, weight + i, sizeof bits);
        bits += one - half_root;
        float k = (float)((int32_t)(bits >> 52) - 1023);
        bits = (bits & UINT64_C(0xfffffffffffff)) + half_root;
        memcpy(&m, &bits, sizeof m);
        float f = (float)(m - 1);
        level[i] = k + f * fp_log2_ratio(f);
    }
}

/* The hash of the sampled pair of value and step. */
static uint64_t sample_of(uint64_t value, size_t slot, float step) {
    return fp_mix(fp_mix(value, WORDS * slot), (uint64_t)(int64_t)step);
}

/* What a feature offers to the slots of a block: log₂ a is log₂ c − off, c = −log₂ u and off = r·(t − β + 1). */
typedef struct offers {
    float r[BLOCK], beta[BLOCK], u[BLOCK];
    float t[BLOCK], off[BLOCK];
} offers;

/* ---- Two steps with AVX-512 instructions that the compiler does not find ---- */

FP_BODY void floors(float x[BLOCK]) {
    for (size_t lane = 0; lane < BLOCK; lane++) x[lane] = fp_floor_short(x[lane]);
}

FP_BODY bool any_negative(const float x[BLOCK]) {
    uint32_t any = 0;
    for (size_t lane = 0; lane < BLOCK; lane++) any |= fp_bits_of_float(x[lane]);
    return any >> 31;
}

#if defined(__x86_64__)
#include <immintrin.h>

FP_FOR_AVX512 FP_BODY void floors_avx512(float x[BLOCK]) {
    _mm512_storeu_ps(x, _mm512_roundscale_ps(_mm512_loadu_ps(x), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
}

FP_FOR_AVX512 FP_BODY bool any_negative_avx512(const float x[BLOCK]) {
    return _mm512_movepi32_mask(_mm512_loadu_si512(x)) != 0;
}
#else
#define floors_avx512 floors
#define any_negative_avx512 any_negative
#endif

/* ---- Blocks of slots ---- */

/* The random numbers of a feature, and x = ln S/r + β in t. */
FP_BODY void draw(uint64_t value, float level, size_t from, offers *to) {
    uint32_t high[WORDS][BLOCK], low[WORDS][BLOCK];
    for (size_t word = 0; word < WORDS; word++) {
        for (size_t lane = 0; lane < BLOCK; lane++) {
            uint64_t random = fp_mix(value, (from + lane) * WORDS + word);
            high[word][lane] = (uint32_t)(random >> 32);
            low[word][lane] = (uint32_t)random;
        }
    }
    for (size_t lane = 0; lane < BLOCK; lane++) {
        to->r[lane] = -fp_log2_short(fp_uniform_short(high[0][lane]) * fp_uniform_short(low[0][lane]));
        to->beta[lane] = fp_uniform_rest(high[0][lane], low[0][lane]);
        to->u[lane] = fp_uniform_short(high[1][lane]) * fp_uniform_short(low[1][lane]);
        to->t[lane] = level / to->r[lane] + to->beta[lane];
    }
}

/* Computes `off`, and without a logarithm a bound: where it is not negative, log₂ a is not below `least`. c ≥ (1 −
 * u)·log₂ e, and log₂ is at least the line between its values at powers of 2, which the bits of a float give. 1.44 is
 * less than log₂ e by 2·10⁻³, a hundred times the error of the logarithm; what follows it is computed and rounded as in
 * `body`. */
FP_BODY void bound(offers *of, const float least[BLOCK], float low[BLOCK]) {
    for (size_t lane = 0; lane < BLOCK; lane++) {
        of->off[lane] = of->r[lane] * (of->t[lane] - of->beta[lane] + 1);
        float c = (1 - of->u[lane]) * 1.44F, line = (float)(int32_t)(fp_bits_of_float(c) - FP_ONE_BITS) * 0x1p-23F;
        low[lane] = line - of->off[lane] - least[lane];
    }
}

/* For most features the bound excludes all slots of a block. */
FP_BODY void body(const uint64_t *value, const float *level, size_t values, uint64_t *sample, size_t slots,
                  void (*floor_all)(float *), bool (*any_below)(const float *)) {
    for (size_t from = 0; from < slots; from += BLOCK) {
        size_t some = slots - from < BLOCK ? slots - from : BLOCK;
        float least[BLOCK], step[BLOCK] = {0};
        uint32_t chosen[BLOCK] = {0};
        for (size_t lane = 0; lane < BLOCK; lane++) least[lane] = INFINITY;
        for (size_t f = 0; f < values; f++) {
            offers made;
            float low[BLOCK];
            draw(value[f], level[f], from, &made);
            floor_all(made.t);
            bound(&made, least, low);
            if (!any_below(low)) continue;
            for (size_t lane = 0; lane < BLOCK; lane++) {
                float rank = fp_log2_short(-fp_log2_short(made.u[lane])) - made.off[lane];
                uint32_t less = 0 - (fp_bits_of_float(rank - least[lane]) >> 31);
                least[lane] = fp_chosen_float(less, rank, least[lane]);
                step[lane] = fp_chosen_float(less, made.t[lane], step[lane]);
                chosen[lane] = ((uint32_t)f & less) | (chosen[lane] & ~less);
            }
        }
        for (size_t lane = 0; lane < some; lane++)
            sample[from + lane] = values ? sample_of(value[chosen[lane]], from + lane, step[lane]) : UINT64_MAX;
    }
}

static void portable(const uint64_t *value, const float *level, size_t values, uint64_t *sample, size_t slots) {
    body(value, level, values, sample, slots, floors, any_negative);
}

FP_FOR_AVX2 static void avx2(const uint64_t *value, const float *level, size_t values, uint64_t *sample, size_t slots) {
    body(value, level, values, sample, slots, floors, any_negative);
}

FP_FOR_AVX512 static void avx512(const uint64_t *value, const float *level, size_t values, uint64_t *sample,
                                 size_t slots) {
    body(value, level, values, sample, slots, floors_avx512, any_negative_avx512);
}

const fp_consistent_kernel fp_consistent_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
