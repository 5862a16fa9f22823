/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stages from raw text on. */
#include <string.h>

#include "bench/stages/stage.h"
#include "text/segmentation/segment.h"
#include "text/unicode/normalise.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CODES = 1 << 16, PATHS = 1 << 20, PLANES = 16, MOST_SLOTS = 128 };

typedef struct text_state {
    const fp_string *text;
    size_t count;
    double bytes;
    fp_arena *scratch;
    fp_arm *arm;
    const fp_segmenter *segmenter;
    const void *cutting;
    char *room;           /* as long as the longest text, and some */
    uint16_t *folded;     /* [CODES] what a character becomes */
    const uint64_t *path; /* [PATHS] a table that words are followed through */
    size_t slots;
    uint32_t factor[MOST_SLOTS], addend[MOST_SLOTS];
} text_state;

static text_state *open_text(fp_arena *arena, const char *arm) {
    text_state *state = fp_bench_room(arena, 1, sizeof *state);
    size_t longest = 0;
    state->text = fp_bench_texts(arena, &state->count, &state->bytes);
    for (size_t i = 0; i < state->count; i++)
        if (state->text[i].length > longest) longest = state->text[i].length;
    state->room = fp_bench_room(arena, longest + 64, 1);
    state->folded = fp_bench_room(arena, CODES, sizeof *state->folded);
    for (size_t code = 0; code < CODES; code++) state->folded[code] = (uint16_t)code;
    state->scratch = fp_arena_new();
    state->arm = fp_bench_arm(arm, arena);
    for (size_t s = 0; s < MOST_SLOTS; s++) {
        state->factor[s] = (uint32_t)fp_mix(s, 3) | 1;
        state->addend[s] = (uint32_t)fp_mix(s, 4);
    }
    return state;
}

/* ---- Normalisation and folding ---- */

static void *open_normalise(fp_arena *arena) { return open_text(arena, "simhash"); }

static double normalise(void *opaque) {
    text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_string normal;
        fp_error error;
        fp_bench_must(fp_normalise(state->text[i], FP_HAN_SIMPLIFIED, state->scratch, &normal, &error), &error);
        fp_bench_kept += normal.length;
        fp_arena_reset(state->scratch);
    }
    return state->bytes;
}

/* Characters of three bytes by way of the table, others as they are; returns where the text ends. */
static size_t fold_bare(const text_state *state, fp_string text) {
    const unsigned char *from = (const unsigned char *)text.data;
    char *to = state->room;
    for (size_t i = 0; i < text.length;) {
        if (from[i] < 0xe0 || i + 3 > text.length) {
            *to++ = (char)from[i++];
            continue;
        }
        unsigned code = (unsigned)(from[i] & 15) << 12 | (unsigned)(from[i + 1] & 63) << 6 | (from[i + 2] & 63U);
        code = state->folded[code];
        to[0] = (char)(0xe0 | code >> 12), to[1] = (char)(0x80 | (code >> 6 & 63)), to[2] = (char)(0x80 | (code & 63));
        to += 3, i += 3;
    }
    return (size_t)(to - state->room);
}

static double normalise_bare(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) fp_bench_kept += fold_bare(state, state->text[i]);
    return state->bytes;
}

/* ---- Segmentation ---- */

static void *open_segment(fp_arena *arena) {
    text_state *state = open_text(arena, "simhash");
    fp_segment_options options = {.hmm = true, .userdict = "none"};
    fp_error error = {0};
    uint64_t *path = fp_bench_room(arena, PATHS, sizeof *path);
    for (size_t i = 0; i < PATHS; i++) path[i] = fp_mix(i, 1);
    state->path = path;
    state->segmenter = fp_segmenter_at(0);
    fp_bench_must(state->segmenter->open(&options, arena, &state->cutting, &error), &error);
    return state;
}

static double segment(void *opaque) {
    text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_tokens tokens;
        fp_error error;
        fp_bench_must(state->segmenter->cut(state->cutting, state->text[i], state->scratch, &tokens, &error), &error);
        fp_bench_kept += tokens.count;
        fp_arena_reset(state->scratch);
    }
    return state->bytes;
}

/* From each character two steps through a table of 8 MB, the second where the first says: words of two characters are
 * three quarters of all. */
static double segment_bare(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_string text = state->text[i];
        uint64_t words = 0;
        for (size_t at = 0; at + 6 <= text.length; at += 3) {
            uint32_t here, next;
            memcpy(&here, text.data + at, 4), memcpy(&next, text.data + at + 2, 4);
            uint64_t unit = state->path[(here & 0xffffff) * UINT64_C(2654435761) % PATHS];
            words += (state->path[(unit + (next >> 8)) % PATHS] & 15) == 0;
        }
        fp_bench_kept += words;
    }
    return state->bytes;
}

/* ---- Fingerprints of chars:3 ---- */

static void *open_simhash(fp_arena *arena) { return open_text(arena, "simhash:features=chars:3,weight=tf"); }
static void *open_minhash_64(fp_arena *arena) {
    text_state *state = open_text(arena, "minhash:features=chars:3");
    state->slots = 64;
    return state;
}
static void *open_minhash_128(fp_arena *arena) {
    text_state *state = open_text(arena, "minhash:slots=128,features=chars:3");
    state->slots = 128;
    return state;
}

static double sketch(void *opaque) {
    text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        fp_sketch made;
        fp_error error;
        fp_bench_must(fp_arm_sketch(state->arm, state->text[i], state->scratch, &made, &error), &error);
        fp_bench_kept += made.size;
        fp_arena_reset(state->scratch);
    }
    return state->bytes;
}

/* Bits counted in planes: a full adder takes two words of a weight and makes one of twice the weight. */
FP_BENCH_BODY uint64_t add(uint64_t *low, uint64_t a, uint64_t b) {
    uint64_t both = *low ^ a, carry = (*low & a) | (both & b);
    *low = both ^ b;
    return carry;
}

static void count_bits(const uint64_t hash[16], uint64_t plane[PLANES]) {
    uint64_t two[8], four[4], eight[2];
    for (size_t i = 0; i < 8; i++) two[i] = add(plane, hash[2 * i], hash[2 * i + 1]);
    for (size_t i = 0; i < 4; i++) four[i] = add(plane + 1, two[2 * i], two[2 * i + 1]);
    for (size_t i = 0; i < 2; i++) eight[i] = add(plane + 2, four[2 * i], four[2 * i + 1]);
    uint64_t carry = add(plane + 3, eight[0], eight[1]);
    for (size_t p = 4; p < PLANES && carry; p++) {
        uint64_t next = plane[p] & carry;
        plane[p] ^= carry;
        carry = next;
    }
}

static double simhash_bare(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        size_t length = fold_bare(state, state->text[i]);
        uint64_t plane[PLANES] = {0}, hash[16];
        for (size_t at = 0; at + 9 + 3 * 16 <= length; at += 3 * 16) {
            for (size_t k = 0; k < 16; k++) hash[k] = XXH3_64bits(state->room + at + 3 * k, 9);
            count_bits(hash, plane);
        }
        for (size_t p = 0; p < PLANES; p++) fp_bench_kept += plane[p];
    }
    return state->bytes;
}

FP_BENCH_BODY uint64_t minima_body(const text_state *state, size_t length) {
    uint32_t least[MOST_SLOTS];
    size_t slots = state->slots;
    memset(least, 0xff, sizeof least);
    for (size_t at = 0; at + 9 <= length; at += 3) {
        uint32_t hash = (uint32_t)XXH3_64bits(state->room + at, 9);
        for (size_t s = 0; s < slots; s++) {
            uint32_t value = hash * state->factor[s] + state->addend[s];
            least[s] = value < least[s] ? value : least[s];
        }
    }
    uint64_t sum = 0;
    for (size_t s = 0; s < slots; s++) sum += least[s];
    return sum;
}
FP_BENCH_WIDE static uint64_t minima_wide(const text_state *state, size_t length) { return minima_body(state, length); }
static uint64_t minima_plain(const text_state *state, size_t length) { return minima_body(state, length); }

static double minhash_bare(void *opaque) {
    const text_state *state = opaque;
    for (size_t i = 0; i < state->count; i++) {
        size_t length = fold_bare(state, state->text[i]);
        fp_bench_kept += fp_bench_is_wide() ? minima_wide(state, length) : minima_plain(state, length);
    }
    return state->bytes;
}

const fp_bench_stage fp_bench_text[] = {
    {"normalise and fold", "byte", open_normalise, normalise, normalise_bare, "a table look-up a character"},
    {"segmentation, jieba", "byte", open_segment, segment, segment_bare, "two table look-ups a character"},
    {"simhash, chars:3, tf", "byte", open_simhash, sketch, simhash_bare, "the fold's, XXH3 and full adders a 3-gram"},
    {"minhash 64, chars:3", "byte", open_minhash_64, sketch, minhash_bare,
     "the fold's, XXH3 and 64 products of 32 bits a 3-gram"},
    {"minhash 128, chars:3", "byte", open_minhash_128, sketch, minhash_bare,
     "the fold's, XXH3 and 128 products of 32 bits a 3-gram"},
    {0},
};
