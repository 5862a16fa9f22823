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

/* log₂ a of each slot of a block, and t. */
FP_BODY void draw(uint64_t value, float level, size_t from, float rank[BLOCK], float step[BLOCK]) {
    uint32_t high[WORDS][BLOCK], low[WORDS][BLOCK];
    for (size_t word = 0; word < WORDS; word++) {
        for (size_t lane = 0; lane < BLOCK; lane++) {
            uint64_t random = fp_mix(value, (from + lane) * WORDS + word);
            high[word][lane] = (uint32_t)(random >> 32);
            low[word][lane] = (uint32_t)random;
        }
    }
    for (size_t lane = 0; lane < BLOCK; lane++) {
        float r = -fp_log2_short(fp_uniform_short(high[0][lane]) * fp_uniform_short(low[0][lane]));
        float c = -fp_log2_short(fp_uniform_short(high[1][lane]) * fp_uniform_short(low[1][lane]));
        float beta = fp_uniform_rest(high[0][lane], low[0][lane]);
        float t = fp_floor_short(level / r + beta);
        rank[lane] = fp_log2_short(c) - r * (t - beta + 1);
        step[lane] = t;
    }
}

FP_BODY void body(const uint64_t *value, const float *level, size_t values, uint64_t *sample, size_t slots) {
    for (size_t from = 0; from < slots; from += BLOCK) {
        size_t some = slots - from < BLOCK ? slots - from : BLOCK;
        float least[BLOCK], step[BLOCK] = {0};
        uint32_t chosen[BLOCK] = {0};
        for (size_t lane = 0; lane < BLOCK; lane++) least[lane] = INFINITY;
        for (size_t f = 0; f < values; f++) {
            float rank[BLOCK], t[BLOCK];
            draw(value[f], level[f], from, rank, t);
            for (size_t lane = 0; lane < BLOCK; lane++) {
                uint32_t less = 0 - (fp_bits_of_float(rank[lane] - least[lane]) >> 31);
                least[lane] = fp_chosen_float(less, rank[lane], least[lane]);
                step[lane] = fp_chosen_float(less, t[lane], step[lane]);
                chosen[lane] = ((uint32_t)f & less) | (chosen[lane] & ~less);
            }
        }
        for (size_t lane = 0; lane < some; lane++)
            sample[from + lane] = values ? sample_of(value[chosen[lane]], from + lane, step[lane]) : UINT64_MAX;
    }
}

FP_TWO_LEVELS(body, (const uint64_t *value, const float *level, size_t values, uint64_t *sample, size_t slots),
              (value, level, values, sample, slots))

#if defined(__x86_64__)
#include "algorithms/kernels/mix_avx512.h"

#define WIDE FP_FOR_AVX512 FP_BODY

/* The functions of consistent_draws.h for 16 numbers. */
WIDE __m512 sum(__m512 a, __m512 b, __m512 c) { return _mm512_add_ps(a, _mm512_mul_ps(b, c)); }

WIDE __m512 log2_of(__m512 x) {
    static const float TERM[] = {FP_LOG2_TERMS};
#define T(i) _mm512_set1_ps(TERM[i])
    const __m512i half_root = _mm512_set1_epi32(FP_HALF_ROOT_BITS);
    __m512i bits = _mm512_add_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(FP_ONE_BITS - FP_HALF_ROOT_BITS));
    __m512 k = _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_srli_epi32(bits, 23), _mm512_set1_epi32(127)));
    bits = _mm512_add_epi32(_mm512_and_si512(bits, _mm512_set1_epi32(0x7fffff)), half_root);
    __m512 f = _mm512_sub_ps(_mm512_castsi512_ps(bits), _mm512_set1_ps(1)), square = _mm512_mul_ps(f, f);
    __m512 low = sum(T(0), T(1), f), middle = sum(T(2), T(3), f), high = sum(sum(T(4), T(5), f), T(6), square);
    return sum(k, f, sum(sum(low, middle, square), high, _mm512_mul_ps(square, square)));
#undef T
}

WIDE __m512 negative(__m512 x) { return _mm512_xor_ps(x, _mm512_set1_ps(-0.0F)); }

/* The product of two uniform numbers, from the halves of 16 words. */
WIDE __m512 uniforms(__m512i high, __m512i low) {
    const __m512i one = _mm512_set1_epi32(FP_ONE_BITS);
    const __m512 off = _mm512_set1_ps(FP_UNIFORM_OFF);
    __m512 first = _mm512_castsi512_ps(_mm512_or_si512(_mm512_srli_epi32(high, 9), one)),
           second = _mm512_castsi512_ps(_mm512_or_si512(_mm512_srli_epi32(low, 9), one));
    return _mm512_mul_ps(_mm512_sub_ps(first, off), _mm512_sub_ps(second, off));
}

WIDE __m512 uniform_rest(__m512i high, __m512i low) {
    const __m512i rest = _mm512_set1_epi32(0x1ff), one = _mm512_set1_epi32(FP_ONE_BITS);
    __m512i bits = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(high, rest), 14),
                                   _mm512_slli_epi32(_mm512_and_si512(low, rest), 5));
    return _mm512_sub_ps(_mm512_castsi512_ps(_mm512_or_si512(bits, one)), _mm512_set1_ps(1));
}

/* The upper and the lower halves of 16 words. */
WIDE void halves(__m512i first, __m512i second, __m512i *high, __m512i *low) {
    const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    *low = _mm512_permutex2var_epi32(first, even, second);
    *high = _mm512_permutex2var_epi32(first, _mm512_add_epi32(even, _mm512_set1_epi32(1)), second);
}

/* Lanes where log₂ c may be below x, with c = −log₂ u; in all others it is not. c ≥ (1 − u)·log₂ e. 2ˣ is at most the
 * float whose bits are made from x, because mantissas are linear between powers of 2. 1.44 is less than log₂ e by
 * 2·10⁻³, a hundred times the possible rounding. c is above 2⁻²³, so cutting x at both ends changes no decision. */
WIDE __mmask16 may_be_below(__m512 u, __m512 x) {
    x = _mm512_max_ps(_mm512_min_ps(x, _mm512_set1_ps(100)), _mm512_set1_ps(-100));
    __m512i power = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_add_ps(x, _mm512_set1_ps(127)), _mm512_set1_ps(0x1p23F)));
    __m512 c = _mm512_mul_ps(_mm512_sub_ps(_mm512_set1_ps(1), u), _mm512_set1_ps(1.44F));
    return _mm512_cmp_ps_mask(c, _mm512_castsi512_ps(power), _CMP_LT_OQ);
}

/* The samples of the slots of a block. */
typedef struct sampled {
    __m512 least, step;
    __m512i chosen;
} sampled;

/* For most features an inequality for c excludes all 16 slots before c is computed. Both words are mixed first:
 * logarithms are long dependency chains, and later work would wait for them. */
WIDE void offer(uint64_t value, float level, size_t number, const __m512i stream[2], sampled *to) {
    const __m512i next = _mm512_set1_epi64((long long)FP_MIX_STEP);
    __m512i key = _mm512_set1_epi64((long long)value), high, low, other_high, other_low;
    __m512i first = _mm512_add_epi64(key, stream[0]), second = _mm512_add_epi64(key, stream[1]);
    halves(fp_mixed_eight(first), fp_mixed_eight(second), &high, &low);
    halves(fp_mixed_eight(_mm512_add_epi64(first, next)), fp_mixed_eight(_mm512_add_epi64(second, next)), &other_high,
           &other_low);
    __m512 u = uniforms(other_high, other_low);
    __m512 r = negative(log2_of(uniforms(high, low))), beta = uniform_rest(high, low);
    __m512 x = _mm512_add_ps(_mm512_div_ps(_mm512_set1_ps(level), r), beta);
    __m512 t = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    __m512 off = _mm512_mul_ps(r, _mm512_add_ps(_mm512_sub_ps(t, beta), _mm512_set1_ps(1)));
    if (!may_be_below(u, _mm512_add_ps(to->least, off))) return;
    __m512 rank = _mm512_sub_ps(log2_of(negative(log2_of(u))), off);
    __mmask16 less = _mm512_cmp_ps_mask(rank, to->least, _CMP_LT_OQ);
    to->least = _mm512_mask_mov_ps(to->least, less, rank);
    to->step = _mm512_mask_mov_ps(to->step, less, t);
    to->chosen = _mm512_mask_mov_epi32(to->chosen, less, _mm512_set1_epi32((int)number));
}

FP_FOR_AVX512 static void avx512(const uint64_t *value, const float *level, size_t values, uint64_t *sample,
                                 size_t slots) {
    for (size_t from = 0; from < slots; from += BLOCK) {
        size_t some = slots - from < BLOCK ? slots - from : BLOCK;
        sampled own = {_mm512_set1_ps(INFINITY), _mm512_setzero_ps(), _mm512_setzero_si512()};
        uint64_t streams[BLOCK];
        for (size_t lane = 0; lane < BLOCK; lane++) streams[lane] = ((from + lane) * WORDS + 1) * FP_MIX_STEP;
        __m512i stream[2] = {_mm512_loadu_si512(streams), _mm512_loadu_si512(streams + BLOCK / 2)};
        for (size_t f = 0; f < values; f++) offer(value[f], level[f], f, stream, &own);
        float step[BLOCK];
        uint32_t chosen[BLOCK];
        _mm512_storeu_ps(step, own.step);
        _mm512_storeu_si512(chosen, own.chosen);
        for (size_t lane = 0; lane < some; lane++)
            sample[from + lane] = values ? sample_of(value[chosen[lane]], from + lane, step[lane]) : UINT64_MAX;
    }
}
#else
#define avx512 body_portable
#endif

const fp_consistent_kernel fp_consistent_kernels[FP_CPU_LEVELS] = {body_portable, body_avx2, avx512};
