/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages from given features on, and for one pair. The features are fp_mix(i, 1), i < 300, with weights 1 to 4; a
 * second set begins 100 later. */
#include "bench/stages/stage.h"

enum { FEATURES = 300, LATER = 100, SLOTS = 64, NUMBERS = 1 << 15, CALLS = 50, LANES = 8 };

typedef struct sketch_state {
    fp_arm *arm;
    fp_arena *scratch;
    uint64_t hash[FEATURES + LATER];
    double weight[FEATURES + LATER];
    fp_sketch pair[2];
    size_t step[2 * FEATURES / LANES][2], step_count; /* where the compared groups of eight begin in both of the pair */
    int32_t number[NUMBERS];
    uint32_t factor[SLOTS], addend[SLOTS];
    uint64_t wide[2 * SLOTS];
} sketch_state;

static fp_sketch sketch_of(const sketch_state *state, size_t from, fp_arena *arena) {
    fp_document document = {
        .features = {FEATURES, state->hash + from, state->weight + from, NULL, FEATURES, state->hash + from}};
    fp_sketch made;
    fp_error error;
    bench_must(state->arm->instance.algorithm->sketch(&state->arm->instance, &document, arena, &made, &error), &error);
    return made;
}

static void find_steps(sketch_state *state) {
    const uint64_t *a = state->pair[0].data, *b = state->pair[1].data;
    for (size_t i = 0, j = 0; i + LANES <= FEATURES && j + LANES <= FEATURES;) {
        uint64_t a_last = a[i + LANES - 1], b_last = b[j + LANES - 1];
        state->step[state->step_count][0] = i;
        state->step[state->step_count++][1] = j;
        i += a_last <= b_last ? LANES : 0;
        j += b_last <= a_last ? LANES : 0;
    }
}

static sketch_state *open_arm(const char *spec, fp_arena *arena) {
    sketch_state *state = bench_room(arena, 1, sizeof *state);
    state->arm = bench_arm(spec, arena);
    state->scratch = fp_arena_new();
    for (size_t i = 0; i < FEATURES + LATER; i++) {
        state->hash[i] = fp_mix(i, 1);
        state->weight[i] = (double)(1 + state->hash[i] % 4);
    }
    for (size_t i = 0; i < NUMBERS; i++) state->number[i] = (int32_t)(fp_mix(i, 2) % 16384) - 8192;
    for (size_t s = 0; s < SLOTS; s++) {
        state->factor[s] = (uint32_t)fp_mix(s, 3) | 1;
        state->addend[s] = (uint32_t)fp_mix(s, 4);
        state->wide[s] = fp_mix(s, 5) | 1, state->wide[SLOTS + s] = fp_mix(s, 6) | 1;
    }
    for (size_t k = 0; k < 2; k++) state->pair[k] = sketch_of(state, k * LATER, arena);
    return state;
}

void *open_weighted(fp_arena *arena) { return open_arm("weightedminhash", arena); }
void *open_real(fp_arena *arena) { return open_arm("weightedminhash:weight=logtf", arena); }
void *open_hyperplane(fp_arena *arena) { return open_arm("hyperplane", arena); }
void *open_pair(fp_arena *arena) {
    sketch_state *state = open_arm("jaccard", arena);
    find_steps(state);
    return state;
}

double sketch_features(void *opaque) {
    sketch_state *state = opaque;
    for (size_t i = 0; i < CALLS; i++) {
        bench_found += sketch_of(state, i, state->scratch).size;
        fp_arena_reset(state->scratch);
    }
    return CALLS;
}

/* ---- Weighted minhash: minima over the copies of a feature, as many as its weight ---- */

BENCH_BODY uint64_t copies_body(const sketch_state *state, size_t from) {
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
BENCH_LOOP(copies, sketch_state)

double copies_limit(void *opaque) {
    for (size_t i = 0; i < CALLS; i++) bench_found += copies(opaque, i);
    return CALLS;
}

/* Real weights: two random words, a division and a minimum per feature and slot; no logarithm. */
BENCH_BODY uint64_t real_body(const sketch_state *state, size_t from) {
    float least[SLOTS], sum = 0;
    for (size_t s = 0; s < SLOTS; s++) least[s] = 1e30F;
    for (size_t f = from; f < from + FEATURES; f++) {
        float weight = (float)state->weight[f];
        for (size_t s = 0; s < SLOTS; s++) {
            uint64_t one = state->hash[f] * state->wide[s], other = state->hash[f] * state->wide[SLOTS + s];
            float t = weight / (float)(int32_t)(one >> 33), rank = t + (float)(int32_t)(other >> 33);
            least[s] = rank < least[s] ? rank : least[s];
        }
    }
    for (size_t s = 0; s < SLOTS; s++) sum += least[s];
    return (uint64_t)sum;
}
BENCH_LOOP(real, sketch_state)

double real_limit(void *opaque) {
    for (size_t i = 0; i < CALLS; i++) bench_found += real(opaque, i);
    return CALLS;
}

/* ---- Hyperplanes: numbers from a table in the first two caches ---- */

BENCH_BODY uint64_t planes_body(const sketch_state *state, size_t from) {
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
BENCH_LOOP(planes, sketch_state)

double planes_limit(void *opaque) {
    for (size_t i = 0; i < CALLS; i++) bench_found += planes(opaque, i);
    return CALLS;
}

/* ---- One pair ---- */

double pair(void *opaque) {
    const sketch_state *state = opaque;
    double sum = 0;
    for (size_t i = 0; i < CALLS; i++)
        sum +=
            state->arm->instance.algorithm->distance(&state->arm->instance, state->pair[i % 2], state->pair[1 - i % 2]);
    bench_found += (uint64_t)sum;
    return CALLS;
}

/* Compares all 64 pairs of the groups of eight that meet in a merge; the lab has to find these groups. */
#if defined(__x86_64__)
#include <immintrin.h>

BENCH_WIDE static uint64_t eights_wide(const sketch_state *state, const uint64_t *a, const uint64_t *b) {
    uint64_t both = 0;
    for (size_t step = 0; step < state->step_count; step++) {
        __m512i one = _mm512_loadu_si512(a + state->step[step][0]);
        const long long *other = (const long long *)b + state->step[step][1];
        unsigned hit[2] = {0};
        for (size_t k = 0; k < LANES; k++) hit[k % 2] |= _mm512_cmpeq_epi64_mask(one, _mm512_set1_epi64(other[k]));
        both += (uint64_t)__builtin_popcount(hit[0] | hit[1]);
    }
    return both;
}
#else
#define eights_wide eights_plain
#endif

static uint64_t eights_plain(const sketch_state *state, const uint64_t *a, const uint64_t *b) {
    uint64_t both = 0;
    for (size_t step = 0; step < state->step_count; step++)
        for (size_t k = 0; k < LANES; k++) both += a[state->step[step][0] + k] == b[state->step[step][1] + k];
    return both;
}

double pair_limit(void *opaque) {
    const sketch_state *state = opaque;
    const uint64_t *a = state->pair[0].data, *b = state->pair[1].data;
    for (size_t i = 0; i < CALLS; i++) bench_found += (bench_is_wide() ? eights_wide : eights_plain)(state, a, b);
    return CALLS;
}
