/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages from ready features on, and of one pair. The features are fp_mix(i, 1), i < 300, with weights 1 to 4; a second
 * set begins 100 later. */
#include "bench/stages/stage.h"

enum { FEATURES = 300, LATER = 100, SLOTS = 64, NUMBERS = 1 << 15, CALLS = 50, LANES = 8 };

typedef struct sketch_state {
    fp_arm *arm;
    fp_arena *scratch;
    uint64_t hash[FEATURES + LATER];
    double weight[FEATURES + LATER];
    fp_sketch pair[2];
    int32_t number[NUMBERS];
    uint32_t factor[SLOTS], addend[SLOTS];
} sketch_state;

static fp_sketch sketch_of(const sketch_state *state, size_t from, fp_arena *arena) {
    fp_document document = {
        .features = {FEATURES, state->hash + from, state->weight + from, NULL, FEATURES, state->hash + from}};
    fp_sketch made;
    fp_error error;
    fp_bench_must(state->arm->instance.algorithm->sketch(&state->arm->instance, &document, arena, &made, &error),
                  &error);
    return made;
}

static sketch_state *open_arm(const char *spec, fp_arena *arena) {
    sketch_state *state = fp_bench_room(arena, 1, sizeof *state);
    state->arm = fp_bench_arm(spec, arena);
    state->scratch = fp_arena_new();
    for (size_t i = 0; i < FEATURES + LATER; i++) {
        state->hash[i] = fp_mix(i, 1);
        state->weight[i] = (double)(1 + state->hash[i] % 4);
    }
    for (size_t i = 0; i < NUMBERS; i++) state->number[i] = (int32_t)(fp_mix(i, 2) % 16384) - 8192;
    for (size_t s = 0; s < SLOTS; s++) {
        state->factor[s] = (uint32_t)fp_mix(s, 3) | 1;
        state->addend[s] = (uint32_t)fp_mix(s, 4);
    }
    for (size_t k = 0; k < 2; k++) state->pair[k] = sketch_of(state, k * LATER, arena);
    return state;
}

static void *open_weighted(fp_arena *arena) { return open_arm("weightedminhash", arena); }
static void *open_real(fp_arena *arena) { return open_arm("weightedminhash:weight=logtf", arena); }
static void *open_hyperplane(fp_arena *arena) { return open_arm("hyperplane", arena); }
static void *open_jaccard(fp_arena *arena) { return open_arm("jaccard", arena); }

static double sketch(void *opaque) {
    sketch_state *state = opaque;
    for (size_t i = 0; i < CALLS; i++) {
        fp_bench_kept += sketch_of(state, i, state->scratch).size;
        fp_arena_reset(state->scratch);
    }
    return CALLS;
}

/* ---- Weighted minhash: minima over as many copies of a feature as it weighs ---- */

FP_BENCH_BODY uint64_t copies_body(const sketch_state *state, size_t from) {
    uint32_t least[SLOTS];
    for (size_t s = 0; s < SLOTS; s++) least[s] = UINT32_MAX;
    for (size_t f = from; f < from + FEATURES; f++) {
        uint32_t hash = (uint32_t)state->hash[f], copies = (uint32_t)state->weight[f];
        for (uint32_t copy = 0; copy < copies; copy++, hash = hash * 2654435761U + 1) {
            for (size_t s = 0; s < SLOTS; s++) {
                uint32_t value = hash * state->factor[s] + state->addend[s];
                least[s] = value < least[s] ? value : least[s];
            }
        }
    }
    uint64_t sum = 0;
    for (size_t s = 0; s < SLOTS; s++) sum += least[s];
    return sum;
}
FP_BENCH_WIDE static uint64_t copies_wide(const sketch_state *state, size_t from) { return copies_body(state, from); }
static uint64_t copies_plain(const sketch_state *state, size_t from) { return copies_body(state, from); }

static double copies_bare(void *opaque) {
    for (size_t i = 0; i < CALLS; i++)
        fp_bench_kept += fp_bench_is_wide() ? copies_wide(opaque, i) : copies_plain(opaque, i);
    return CALLS;
}

/* ---- Hyperplanes: numbers from a table in the nearest caches ---- */

FP_BENCH_BODY uint64_t planes_body(const sketch_state *state, size_t from) {
    float sum[SLOTS] = {0};
    for (size_t f = from; f < from + FEATURES; f++) {
        uint32_t hash = (uint32_t)state->hash[f];
        float weight = (float)state->weight[f];
        for (size_t s = 0; s < SLOTS; s++) {
            uint32_t place = (hash * state->factor[s]) >> 17;
            sum[s] += weight * (float)state->number[place];
        }
    }
    uint64_t bits = 0;
    for (size_t s = 0; s < SLOTS; s++) bits = bits << 1 | (sum[s] > 0);
    return bits;
}
FP_BENCH_WIDE static uint64_t planes_wide(const sketch_state *state, size_t from) { return planes_body(state, from); }
static uint64_t planes_plain(const sketch_state *state, size_t from) { return planes_body(state, from); }

static double planes_bare(void *opaque) {
    for (size_t i = 0; i < CALLS; i++)
        fp_bench_kept += fp_bench_is_wide() ? planes_wide(opaque, i) : planes_plain(opaque, i);
    return CALLS;
}

/* ---- One pair ---- */

static double pair(void *opaque) {
    const sketch_state *state = opaque;
    double sum = 0;
    for (size_t i = 0; i < CALLS; i++)
        sum +=
            state->arm->instance.algorithm->distance(&state->arm->instance, state->pair[i % 2], state->pair[1 - i % 2]);
    fp_bench_kept += (uint64_t)sum;
    return CALLS;
}

/* Eight elements of one set with eight of the other; the eight that end first are done with. */
#if defined(__x86_64__)
#include <immintrin.h>

FP_BENCH_WIDE static size_t eights_wide(const uint64_t *a, const uint64_t *b) {
    size_t i = 0, j = 0, both = 0;
    while (i + LANES <= FEATURES && j + LANES <= FEATURES) {
        __m512i eight = _mm512_loadu_si512(a + i);
        unsigned hit = 0;
        for (size_t k = 0; k < LANES; k++)
            hit |= _mm512_cmpeq_epi64_mask(eight, _mm512_set1_epi64((long long)b[j + k]));
        both += (size_t)__builtin_popcount(hit);
        uint64_t a_last = a[i + LANES - 1], b_last = b[j + LANES - 1];
        i += a_last <= b_last ? LANES : 0;
        j += b_last <= a_last ? LANES : 0;
    }
    return both;
}
#else
#define eights_wide merged
#endif

static size_t merged(const uint64_t *a, const uint64_t *b) {
    size_t i = 0, j = 0, both = 0;
    while (i < FEATURES && j < FEATURES) {
        uint64_t left = a[i], right = b[j];
        both += left == right;
        i += left <= right;
        j += right <= left;
    }
    return both;
}

static double pair_bare(void *opaque) {
    const sketch_state *state = opaque;
    for (size_t i = 0; i < CALLS; i++) {
        const uint64_t *a = state->pair[i % 2].data, *b = state->pair[1 - i % 2].data;
        fp_bench_kept += fp_bench_is_wide() ? eights_wide(a, b) : merged(a, b);
    }
    return CALLS;
}

const fp_bench_stage fp_bench_sketches[] = {
    {"weightedminhash 64, whole weights", "document of 300 features", open_weighted, sketch, copies_bare,
     "a product of 32 bits a copy and slot"},
    {"weightedminhash 64, logtf", "document of 300 features", open_real, sketch, NULL, NULL},
    {"hyperplane 64", "document of 300 features", open_hyperplane, sketch, planes_bare,
     "a number of a table a feature and bit"},
    {"jaccard, one pair", "pair of 300 features", open_jaccard, pair, pair_bare, "eight elements with eight at a time"},
    {0},
};
