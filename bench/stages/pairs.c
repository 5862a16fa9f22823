/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs: fingerprints fp_mix(i, 1); signatures, in which documents 4i … 4i + 3 share many slots; and sets of terms,
 * few of them frequent: rank ⌊20,000 · u³⌋ with u uniform, from fp_mix. */
#include <math.h>
#include <string.h>

#include "bench/stages/stage.h"
#include "eval/experiment/experiment.h"
#include "pairs/block_pairs.h"

enum {
    FINGERPRINTS = 16000,
    SIGNATURES = 8192,
    SETS = 4000,
    SLOTS = 64,
    DRAWN = 330,
    TERMS = 20000,
    WITHIN = 10,
    ASKED = 1000
};

static const fp_progress ONE_THREAD = {.threads = 1};

typedef struct pair_state {
    fp_arm *arm;
    fp_arena *arena; /* for sketches */
    fp_corpus corpus;
    fp_sketches sketches;
    const uint64_t *word; /* of fingerprints, transposed: word w of the i-th at [w · FINGERPRINTS + i] */
    size_t words, bits;
    const uint16_t *number; /* of slots: slot s of the i-th at [s · SIGNATURES + i] */
    const uint32_t *begin;  /* of postings: [TERMS + 1]; the documents of a term in ascending order */
    const uint16_t *document;
    const uint32_t *own, *term; /* the terms of document i are term[own[i] … own[i + 1]) */
    const uint32_t *behind;     /* for each of term[]: where the documents after i begin in document[] */
    const float *weight;        /* of each of term[] */
} pair_state;

static pair_state *open_pairs(const char *arm, size_t count, fp_arena *arena) {
    pair_state *state = bench_room(arena, 1, sizeof *state);
    uint32_t *group = bench_room(arena, count, sizeof *group);
    for (uint32_t i = 0; i < count; i++) group[i] = i / 4;
    state->arm = bench_arm(arm, arena);
    state->arena = arena;
    state->corpus = (fp_corpus){
        .name = "made", .truth = FP_TRUTH_GROUPS, .document_count = count, .group_count = count / 4, .group = group};
    return state;
}

static double pairs_of(const pair_state *state) {
    return (double)state->sketches.count * (double)(state->sketches.count - 1) / 2;
}

double count_distances(void *opaque) {
    const pair_state *state = opaque;
    fp_arena *arena = fp_arena_new();
    fp_error error;
    fp_measurement measurement = {.arm = state->arm, .sketches = state->sketches};
    fp_stage stage = {.corpus = &state->corpus, .progress = &ONE_THREAD};
    bench_must(fp_stage_distances(&stage, &measurement, arena, &error), &error);
    fp_measurement_free(&measurement);
    fp_arena_free(arena);
    return pairs_of(state);
}

/* ---- Bits ---- */

static void *open_bits(const char *arm, size_t words, fp_arena *arena) {
    pair_state *state = open_pairs(arm, FINGERPRINTS, arena);
    uint64_t *data = bench_room(arena, FINGERPRINTS * words, sizeof *data),
             *turned = bench_room(arena, FINGERPRINTS * words, sizeof *turned);
    for (size_t i = 0; i < FINGERPRINTS * words; i++)
        data[i] = turned[i % words * FINGERPRINTS + i / words] = fp_mix(i, 1);
    state->word = turned;
    state->words = words;
    state->bits = words * 64;
    state->sketches = (fp_sketches){.count = FINGERPRINTS, .stride = words * 8, .data = (const unsigned char *)data};
    return state;
}
void *open_bits_64(fp_arena *arena) { return open_bits("simhash", 1, arena); }
void *open_bits_128(fp_arena *arena) { return open_bits("simhash:bits=128", 2, arena); }

/* Eight rows at a time: their distances to all later fingerprints; only the least is kept. */
#if defined(__x86_64__)
#include <immintrin.h>

BENCH_WIDE BENCH_BODY uint64_t distances_wide(const uint64_t *word, size_t words) {
    enum { ROWS = 8, LANES = 8 };
    __m512i least[ROWS], all = _mm512_set1_epi64(UINT32_MAX);
    for (size_t r = 0; r < ROWS; r++) least[r] = all;
    for (size_t q = 0; q < FINGERPRINTS; q += ROWS) {
        __m512i row[ROWS][2];
        for (size_t r = 0; r < ROWS; r++)
            for (size_t w = 0; w < words; w++) row[r][w] = _mm512_set1_epi64((long long)word[w * FINGERPRINTS + q + r]);
        for (size_t i = q; i < FINGERPRINTS; i += LANES) {
            __m512i first = _mm512_loadu_si512(word + i),
                    second = words > 1 ? _mm512_loadu_si512(word + FINGERPRINTS + i) : first;
            for (size_t r = 0; r < ROWS; r++) {
                __m512i bits = _mm512_popcnt_epi64(_mm512_xor_si512(row[r][0], first));
                if (words > 1) bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(_mm512_xor_si512(row[r][1], second)));
                least[r] = _mm512_min_epu32(least[r], bits);
            }
        }
    }
    for (size_t r = 0; r < ROWS; r++) all = _mm512_min_epu64(all, least[r]);
    return (uint64_t)_mm512_reduce_min_epu64(all);
}
BENCH_WIDE static uint64_t bits_wide(const pair_state *state) {
    return state->words == 1 ? distances_wide(state->word, 1) : distances_wide(state->word, 2);
}
#else
#define bits_wide bits_plain
#endif

static uint64_t bits_plain(const pair_state *state) {
    uint64_t least = UINT64_MAX;
    for (size_t q = 0; q < FINGERPRINTS; q++) {
        for (size_t i = q + 1; i < FINGERPRINTS; i++) {
            uint64_t bits = 0;
            for (size_t w = 0; w < state->words; w++)
                bits += (uint64_t)__builtin_popcountll(state->word[w * FINGERPRINTS + q] ^
                                                       state->word[w * FINGERPRINTS + i]);
            least = bits < least ? bits : least;
        }
    }
    return least;
}

double bits_limit(void *opaque) {
    const pair_state *state = opaque;
    bench_found += (bench_is_wide() ? bits_wide : bits_plain)(state);
    return pairs_of(state);
}

/* Queries with weights against fingerprints without. */
typedef struct real_state {
    pair_state *bits;
    fp_arm *arm;
    fp_sketches queries;
    double distance[FINGERPRINTS];
    float weight[ASKED][64];
} real_state;

void *open_query(fp_arena *arena) {
    real_state *state = bench_room(arena, 1, sizeof *state);
    state->bits = open_bits_64(arena);
    state->arm = bench_arm("simhash:query=real", arena);
    size_t bytes = fp_arm_layout(state->arm)->bytes;
    unsigned char *data = bench_room(arena, ASKED, bytes);
    for (size_t q = 0; q < ASKED; q++) {
        uint32_t *weight = (uint32_t *)(void *)(data + q * bytes + 8);
        memcpy(data + q * bytes, state->bits->word + q, 8);
        for (size_t bit = 0; bit < 64; bit++) {
            weight[bit] = (uint32_t)(fp_mix(q, bit + 10) % (1 << 24));
            state->weight[q][bit] = (float)weight[bit];
        }
    }
    state->queries = (fp_sketches){.count = ASKED, .stride = bytes, .data = data};
    return state;
}

double ask_real(void *opaque) {
    real_state *state = opaque;
    for (size_t q = 0; q < ASKED; q++) {
        fp_arm_query_distances(state->arm, fp_sketches_at(&state->queries, q), &state->bits->sketches, 0, FINGERPRINTS,
                               WITHIN, state->distance);
        bench_found += state->distance[q] == 0;
    }
    return (double)ASKED * FINGERPRINTS;
}

/* Tables of sums of weights, for fields of `width` bits each. */
static void make_tables(const float *weight, size_t width, float *table) {
    for (size_t bit = 0; bit < 64; bit += width)
        for (size_t value = 0; value < (size_t)1 << width; value++, table++)
            *table = value ? table[-(ptrdiff_t)(value & -value)] + weight[bit + (size_t)__builtin_ctzll(value)] : 0;
}

#if defined(__x86_64__)
/* One register holds the sixteen sums of four bits. */
BENCH_WIDE static uint64_t weighed_wide(const real_state *state, size_t q) {
    float table[16 * 16];
    __m512 sums[16], least = _mm512_set1_ps(INFINITY);
    make_tables(state->weight[q], 4, table);
    for (size_t field = 0; field < 16; field++) sums[field] = _mm512_loadu_ps(table + field * 16);
    const __m512i own = _mm512_set1_epi64((long long)state->bits->word[q]);
    for (size_t i = 0; i < FINGERPRINTS; i += 16) {
        __m512i half[2] = {_mm512_xor_si512(own, _mm512_loadu_si512(state->bits->word + i)),
                           _mm512_xor_si512(own, _mm512_loadu_si512(state->bits->word + i + 8))};
        __m512 sum = _mm512_setzero_ps();
        for (size_t field = 0; field < 16; field++) {
            sum = _mm512_add_ps(sum, _mm512_permutexvar_ps(half[field / 8], sums[field]));
            half[field / 8] = _mm512_srli_epi32(half[field / 8], 4);
        }
        least = _mm512_min_ps(least, sum);
    }
    return _mm512_reduce_min_ps(least) > 0;
}
#else
#define weighed_wide weighed_plain
#endif

static uint64_t weighed_plain(const real_state *state, size_t q) {
    float table[8 * 256], least = INFINITY;
    make_tables(state->weight[q], 8, table);
    for (size_t i = 0; i < FINGERPRINTS; i++) {
        uint64_t differs = state->bits->word[i] ^ state->bits->word[q];
        float sum = 0;
        for (size_t byte = 0; byte < 8; byte++) sum += table[byte * 256 + (differs >> 8 * byte & 255)];
        least = sum < least ? sum : least;
    }
    return least > 0;
}

double query_limit(void *opaque) {
    for (size_t q = 0; q < ASKED; q++) bench_found += (bench_is_wide() ? weighed_wide : weighed_plain)(opaque, q);
    return (double)ASKED * FINGERPRINTS;
}

static fp_status count_found(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    (void)pairs, (void)error;
    *(uint64_t *)context += count;
    return FP_OK;
}

double list_near(void *opaque) {
    const pair_state *state = opaque;
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    fp_block_design design;
    fp_block_source source = {(const uint64_t *)(const void *)state->sketches.data, NULL, FINGERPRINTS};
    fp_error error;
    uint64_t found = 0;
    bench_must(fp_arenas_open(&arenas, &ONE_THREAD, arena, &error), &error);
    bench_must(fp_block_design_parse("scan", (unsigned)state->bits, WITHIN, &design, &error), &error);
    bench_must(fp_block_pairs(&design, &source, count_found, &found, &arenas, &ONE_THREAD, &error), &error);
    bench_found += found;
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return pairs_of(state);
}

/* ---- Slots ---- */

void *open_slots(fp_arena *arena) {
    pair_state *state = open_pairs("minhash", SIGNATURES, arena);
    uint32_t *slot = bench_room(arena, SIGNATURES * SLOTS, sizeof *slot);
    uint16_t *number = bench_room(arena, SIGNATURES * SLOTS, sizeof *number);
    for (uint32_t i = 0; i < SIGNATURES; i++) {
        for (uint32_t s = 0; s < SLOTS; s++) {
            slot[i * SLOTS + s] = (uint32_t)(fp_mix(i, s) % 10 == 0 ? fp_mix(i, s) % 97 : fp_mix(i / (1 + s % 4), s));
            number[s * SIGNATURES + i] = (uint16_t)slot[i * SLOTS + s];
        }
    }
    state->number = number;
    state->sketches =
        (fp_sketches){.count = SIGNATURES, .stride = SLOTS * sizeof *slot, .data = (const unsigned char *)slot};
    return state;
}

/* Four rows at a time against 64 contiguous signatures: a comparison and a sum per slot. */
BENCH_BODY uint64_t slots_body(const pair_state *state, size_t i) {
    (void)i;
    enum { ROWS = 4, COLUMNS = 64 };
    uint16_t most[COLUMNS] = {0};
    for (size_t tile = 0; tile < SIGNATURES; tile += COLUMNS) {
        for (size_t q = 0; q < tile + COLUMNS; q += ROWS) {
            uint16_t equal[ROWS][COLUMNS] = {0};
            for (size_t s = 0; s < SLOTS; s++)
                for (size_t r = 0; r < ROWS; r++)
                    for (size_t j = 0; j < COLUMNS; j++)
                        equal[r][j] = (uint16_t)(equal[r][j] + (state->number[s * SIGNATURES + q + r] ==
                                                                state->number[s * SIGNATURES + tile + j]));
            for (size_t r = 0; r < ROWS; r++)
                for (size_t j = 0; j < COLUMNS; j++) most[j] = equal[r][j] > most[j] ? equal[r][j] : most[j];
        }
    }
    return most[0];
}
BENCH_LOOP(slots, pair_state)

double slots_limit(void *opaque) {
    const pair_state *state = opaque;
    bench_found += slots(state, 0);
    return pairs_of(state);
}

/* ---- Sets ---- */

/* Samples the distinct terms of a document, with counts in `drawn`: [TERMS] zeros, which the caller clears again. */
static size_t draw_terms(size_t document, uint16_t *drawn, uint32_t *term) {
    size_t count = 0;
    for (size_t k = 0; k < DRAWN; k++) {
        double u = (double)(fp_mix(document * DRAWN + k, 9) >> 11) * 0x1p-53;
        uint32_t rank = (uint32_t)(u * u * u * TERMS);
        if (!drawn[rank]++) term[count++] = rank;
    }
    return count;
}

static void *open_sets(const char *arm, fp_arena *arena) {
    pair_state *state = open_pairs(arm, SETS, arena);
    uint32_t *own = bench_room(arena, SETS + 1, sizeof *own), *term = bench_room(arena, SETS * DRAWN, sizeof *term),
             *begin = bench_room(arena, TERMS + 2, sizeof *begin),
             *behind = bench_room(arena, SETS * DRAWN, sizeof *behind);
    uint16_t *document = bench_room(arena, SETS * DRAWN, sizeof *document);
    float *weight = bench_room(arena, SETS * DRAWN, sizeof *weight);
    uint16_t *drawn = bench_room(arena, TERMS, sizeof *drawn);
    size_t *offset = bench_room(arena, SETS + 1, sizeof *offset), *size = bench_room(arena, SETS, sizeof *size);
    unsigned char *data = bench_room(arena, SETS * DRAWN * 2, sizeof(uint64_t));
    fp_arena *scratch = fp_arena_new();
    for (size_t i = 0; i < SETS; i++) {
        uint64_t hash[DRAWN];
        double frequency[DRAWN];
        size_t count = draw_terms(i, drawn, term + own[i]);
        own[i + 1] = own[i] + (uint32_t)count;
        for (size_t k = 0; k < count; k++) {
            uint32_t rank = term[own[i] + k];
            hash[k] = fp_mix(rank, 7), frequency[k] = drawn[rank];
            weight[own[i] + k] = drawn[rank];
            drawn[rank] = 0;
            begin[rank + 2]++;
        }
        fp_document made = {.features = {count, hash, frequency, NULL, count, hash}};
        fp_sketch sketch;
        fp_error error;
        fp_arena_reset(scratch);
        bench_must(state->arm->instance.algorithm->sketch(&state->arm->instance, &made, scratch, &sketch, &error),
                   &error);
        memcpy(data + offset[i], sketch.data, sketch.size);
        size[i] = sketch.size;
        offset[i + 1] = offset[i] + (sketch.size + 7) / 8 * 8;
    }
    fp_arena_free(scratch);
    for (size_t t = 0; t <= TERMS; t++) begin[t + 1] += begin[t];
    for (uint16_t i = 0; i < SETS; i++) {
        for (uint32_t k = own[i]; k < own[i + 1]; k++) {
            document[begin[term[k] + 1]++] = i;
            behind[k] = begin[term[k] + 1];
        }
    }
    state->begin = begin, state->document = document, state->own = own, state->term = term;
    state->behind = behind, state->weight = weight;
    state->sketches = (fp_sketches){.count = SETS, .data = data, .offset = offset, .size = size};
    return state;
}
void *open_jaccard(fp_arena *arena) { return open_sets("jaccard", arena); }
void *open_cosine(fp_arena *arena) { return open_sets("cosine:weight=tf", arena); }

/* One increment for every term that two documents share, and no work for a pair that shares none. */
double counts_limit(void *opaque) {
    const pair_state *state = opaque;
    uint16_t sum[SETS] = {0};
    for (uint32_t i = 0; i < SETS; i++) {
        for (uint32_t k = state->own[i]; k < state->own[i + 1]; k++) {
            uint32_t end = state->begin[state->term[k] + 1];
            for (uint32_t at = state->behind[k]; at < end; at++) sum[state->document[at]]++;
        }
        bench_found += sum[SETS - 1];
    }
    return pairs_of(state);
}

double sums_limit(void *opaque) {
    const pair_state *state = opaque;
    float sum[SETS] = {0};
    for (uint32_t i = 0; i < SETS; i++) {
        for (uint32_t k = state->own[i]; k < state->own[i + 1]; k++) {
            uint32_t end = state->begin[state->term[k] + 1];
            for (uint32_t at = state->behind[k]; at < end; at++) sum[state->document[at]] += state->weight[k];
        }
        bench_found += (uint64_t)sum[SETS - 1];
    }
    return pairs_of(state);
}
