/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages from raw text on. Limits are given what the lab has to compute: the characters of each text as numbers, and
 * its distinct 3-grams. */
#include <stdlib.h>
#include <string.h>

#include "bench/stages/stage.h"
#include "text/segmentation/segment.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

enum { CODES = 1 << 16, PATHS = 1 << 20, PLANES = 8, LANES = 8, GROUP = 16, MOST_SLOTS = 128, BLOCK = 64 };

typedef struct text_state {
    const fp_string *text;
    size_t count;
    double bytes;
    fp_arena *scratch;
    fp_arm *arm;
    const fp_segmenter *segmenter;
    const void *cutting;
    /* For the limits: */
    char *copy; /* as long as the longest text */
    uint16_t *folded, *to;
    uint16_t **code; /* [count] the characters of each text, truncated to 16 bits */
    size_t *length;  /* [count] their numbers */
    uint64_t *gram;  /* as long as the longest text plus one group */
    uint64_t **distinct;
    size_t *distinct_count;
    const uint64_t *path; /* [PATHS] a table for the steps of words */
    size_t slots;
    uint64_t factor[MOST_SLOTS];
} text_state;

static int by_value(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return FP_ORDER(*a, *b);
}

/* A product of 64 bits per 3-gram. */
BENCH_BODY uint64_t hash_grams_body(const text_state *state, size_t i) {
    const uint16_t *code = state->code[i];
    size_t grams = state->length[i] < 2 ? 0 : state->length[i] - 2;
    for (size_t g = 0; g < grams; g++)
        state->gram[g] = (code[g] | (uint64_t)code[g + 1] << 16 | (uint64_t)code[g + 2] << 32) * 0x9e3779b97f4a7c15;
    return grams;
}
BENCH_LOOP(hash_grams, text_state)

static void prepare_text(text_state *state, size_t i, fp_arena *arena) {
    fp_string text = state->text[i];
    state->code[i] = bench_room(arena, text.length, sizeof **state->code);
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        state->code[i][state->length[i]++] = (uint16_t)code;
    }
    size_t grams = hash_grams(state, i), count = 0;
    uint64_t *own = state->distinct[i] = bench_room(arena, grams, sizeof *own);
    memcpy(own, state->gram, grams * sizeof *own);
    qsort(own, grams, sizeof *own, by_value);
    for (size_t g = 0; g < grams; g++)
        if (g == 0 || own[g] != own[count - 1]) own[count++] = own[g];
    state->distinct_count[i] = count;
}

static text_state *open_text(fp_arena *arena, const char *arm, size_t slots) {
    text_state *state = bench_room(arena, 1, sizeof *state);
    size_t longest = 0;
    state->text = bench_texts(arena, &state->count, &state->bytes);
    for (size_t i = 0; i < state->count; i++)
        if (state->text[i].length > longest) longest = state->text[i].length;
    state->copy = bench_room(arena, longest, 1);
    state->to = bench_room(arena, longest, sizeof *state->to);
    state->gram = bench_room(arena, longest + GROUP * LANES, sizeof *state->gram);
    state->folded = bench_room(arena, CODES, sizeof *state->folded);
    for (size_t code = 0; code < CODES; code++) state->folded[code] = (uint16_t)code;
    state->code = bench_room(arena, state->count, sizeof *state->code);
    state->length = bench_room(arena, state->count, sizeof *state->length);
    state->distinct = bench_room(arena, state->count, sizeof *state->distinct);
    state->distinct_count = bench_room(arena, state->count, sizeof *state->distinct_count);
    for (size_t i = 0; i < state->count; i++) prepare_text(state, i, arena);
    for (size_t s = 0; s < MOST_SLOTS; s++) state->factor[s] = fp_mix(s, 3) | 1;
    state->slots = slots;
    state->scratch = fp_arena_new();
    state->arm = bench_arm(arm, arena);
    return state;
}

/* ---- Normalisation and folding ---- */

void *open_normalise(fp_arena *arena) { return open_text(arena, "simhash", 0); }

double normalise(void *opaque) {
    text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_string normal;
        fp_error error;
        bench_must(fp_normalise(state->text[i], FP_HAN_SIMPLIFIED, state->scratch, &normal, &error), &error);
        bench_found += normal.length;
        fp_arena_reset(state->scratch);
    }
    return state->bytes;
}

/* Copies the text and looks up each of its characters. */
BENCH_BODY uint64_t copy_body(const text_state *state, size_t i) {
    const uint16_t *code = state->code[i];
    memcpy(state->copy, state->text[i].data, state->text[i].length);
    for (size_t at = 0; at < state->length[i]; at++) state->to[at] = state->folded[code[at]];
    return state->to[0] + (uint64_t)state->copy[0];
}
BENCH_LOOP(copy, text_state)

double copy_limit(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) bench_found += copy(state, i);
    return state->bytes;
}

/* ---- Segmentation ---- */

void *open_segment(fp_arena *arena) {
    text_state *state = open_text(arena, "simhash", 0);
    fp_segment_options options = {.hmm = true, .userdict = "none"};
    fp_error error = {0};
    uint64_t *path = bench_room(arena, PATHS, sizeof *path);
    for (size_t i = 0; i < PATHS; i++) path[i] = fp_mix(i, 1);
    state->path = path;
    state->segmenter = fp_segmenter_at(0);
    bench_must(state->segmenter->open(&options, arena, &state->cutting, &error), &error);
    return state;
}

double segment(void *opaque) {
    text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_tokens tokens;
        fp_error error;
        bench_must(state->segmenter->cut(state->cutting, state->text[i], state->scratch, &tokens, &error), &error);
        bench_found += tokens.count;
        fp_arena_reset(state->scratch);
    }
    return state->bytes;
}

/* From each character two steps through a table of 8 MB; the first gives the place of the second. Words of two
 * characters are three quarters of all. */
double segment_limit(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        const uint16_t *code = state->code[i];
        uint64_t words = 0;
        for (size_t at = 0; at + 1 < state->length[i]; at++) {
            uint64_t unit = state->path[code[at] * UINT64_C(2654435761) % PATHS];
            words += (state->path[(unit + code[at + 1]) % PATHS] & 15) == 0;
        }
        bench_found += words;
    }
    return state->bytes;
}

/* ---- Fingerprints of chars:3 ---- */

void *open_simhash(fp_arena *arena) { return open_text(arena, "simhash:features=chars:3,weight=tf", 0); }
void *open_minhash_64(fp_arena *arena) { return open_text(arena, "minhash:features=chars:3", 64); }
void *open_minhash_128(fp_arena *arena) { return open_text(arena, "minhash:slots=128,features=chars:3", 128); }

double sketch_texts(void *opaque) {
    text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_sketch made;
        fp_error error;
        bench_must(fp_arm_sketch(state->arm, state->text[i], state->scratch, &made, &error), &error);
        bench_found += made.size;
        fp_arena_reset(state->scratch);
    }
    return state->bytes;
}

/* Counts bits in planes, eight hashes at a time: a full adder takes two words of one weight and makes one of twice the
 * weight. */
BENCH_BODY void add(uint64_t *low, const uint64_t *a, const uint64_t *b, uint64_t *carry) {
    for (size_t lane = 0; lane < LANES; lane++) {
        uint64_t both = low[lane] ^ a[lane];
        carry[lane] = (low[lane] & a[lane]) | (both & b[lane]);
        low[lane] = both ^ b[lane];
    }
}

BENCH_BODY uint64_t signs_body(const text_state *state, size_t i) {
    uint64_t plane[PLANES][LANES] = {{0}}, sum = 0;
    for (size_t g = 0; g + 2 < state->length[i]; g += GROUP * LANES) {
        const uint64_t *hash = state->gram + g;
        uint64_t two[GROUP / 2][LANES], four[GROUP / 4][LANES], eight[2][LANES], carry[LANES];
        for (size_t k = 0; k < GROUP / 2; k++) add(plane[0], hash + 2 * k * LANES, hash + (2 * k + 1) * LANES, two[k]);
        for (size_t k = 0; k < GROUP / 4; k++) add(plane[1], two[2 * k], two[2 * k + 1], four[k]);
        for (size_t k = 0; k < 2; k++) add(plane[2], four[2 * k], four[2 * k + 1], eight[k]);
        add(plane[3], eight[0], eight[1], carry);
        for (size_t p = 4; p < PLANES; p++) {
            for (size_t lane = 0; lane < LANES; lane++) {
                uint64_t next = plane[p][lane] & carry[lane];
                plane[p][lane] ^= carry[lane];
                carry[lane] = next;
            }
        }
    }
    for (size_t p = 0; p < PLANES; p++)
        for (size_t lane = 0; lane < LANES; lane++) sum += plane[p][lane];
    return sum;
}
BENCH_LOOP(signs, text_state)

double simhash_limit(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) bench_found += copy(state, i) + hash_grams(state, i) + signs(state, i);
    return state->bytes;
}

/* A block of slots stays in registers while all 3-grams are processed. */
BENCH_BODY uint64_t minima_body(const text_state *state, size_t i) {
    uint64_t sum = 0;
    for (size_t first = 0; first < state->slots; first += BLOCK) {
        uint64_t least[BLOCK], factor[BLOCK];
        memset(least, 0xff, sizeof least);
        memcpy(factor, state->factor + first, sizeof factor);
        for (size_t g = 0; g < state->distinct_count[i]; g++) {
            for (size_t s = 0; s < BLOCK; s++) {
                uint64_t value = state->distinct[i][g] * factor[s];
                least[s] = value < least[s] ? value : least[s];
            }
        }
        for (size_t s = 0; s < BLOCK; s++) sum += least[s];
    }
    return sum;
}
BENCH_LOOP(minima, text_state)

double minhash_limit(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) bench_found += copy(state, i) + hash_grams(state, i) + minima(state, i);
    return state->bytes;
}
