/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds the common passages of two texts, with their places in the texts. */
#include "text/alignment/alignment.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>

#include "text/unicode/han.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

/* Index of the seeds of a text: chains of equal hash buckets, ascending by place. */
typedef struct seed_places {
    uint32_t weight;      /* of a seed: FP_SEED_WEIGHT, or that of the shortest passage if smaller */
    uint32_t mask;        /* buckets − 1 */
    const uint32_t *head; /* [mask + 1] first place, UINT32_MAX: none */
    const uint32_t *next; /* [count] */
} seed_places;

struct fp_alignment_text {
    fp_symbols symbols;
    seed_places seeds;
    uint32_t least; /* weight of the shortest passage */
};

/* ---- Compared characters of a text ---- */

/* The folded code point, or 0 if it is skipped. */
static uint32_t symbol_of(uint32_t code) {
    uint32_t folded = fp_normalise_code(code);
    if (folded < 0x80) return folded > ' ' ? folded : 0;
    if (folded - 0x4e00 >= 0xa000 - 0x4e00 && u_isUWhiteSpace((UChar32)folded)) return 0;
    return fp_han_fold_code(folded);
}

/* A letter of a script whose letters are as wide as Han characters and carry about as much information. */
static bool is_wide_letter(uint32_t code) {
    if (code < 0x1100) return false;
    if (code - 0x4e00 < 0xa000 - 0x4e00) return true;
    return u_isUAlphabetic((UChar32)code) && u_getIntPropertyValue((UChar32)code, UCHAR_EAST_ASIAN_WIDTH) == U_EA_WIDE;
}

static fp_status read_symbols(fp_string text, fp_arena *arena, fp_symbols *out, fp_error *error) {
    if (text.length >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text of 4 GiB or more");
    size_t most = fp_utf8_count(text), count = 0;
    uint32_t *code = FP_NEED(fp_arena_raw(arena, most, sizeof *code), error),
             *place = FP_NEED(fp_arena_raw(arena, most, sizeof *place), error);
    uint32_t *byte = FP_NEED(fp_arena_raw(arena, most, sizeof *byte), error),
             *weight = FP_NEED(fp_arena_raw(arena, most + 1, sizeof *weight), error);
    weight[0] = 0;
    uint32_t number = 0, read;
    for (size_t at = 0, size; at < text.length; at += size, number++) {
        size = fp_utf8_decode(text.data + at, &read);
        uint32_t symbol = symbol_of(read);
        if (!symbol) continue;
        code[count] = symbol;
        place[count] = number;
        byte[count] = (uint32_t)at;
        weight[count + 1] = weight[count] + (is_wide_letter(symbol) ? 2 : 1);
        count++;
    }
    *out = (fp_symbols){text, count, code, place, byte, weight};
    return FP_OK;
}

static size_t byte_end(const fp_symbols *symbols, size_t at) {
    size_t byte = symbols->byte[at];
    return byte + fp_utf8_size(symbols->text.data[byte]);
}

/* ---- Seeds ---- */

/* The end of the seed that begins at `at`, given the `end` of the seed at at − 1, or 0; SIZE_MAX: the text ends before
 * it. Equal stretches have equal seeds, since weights depend only on symbols. */
static size_t seed_end(const fp_symbols *of, size_t at, size_t end, uint32_t weight) {
    if (end < at) end = at;
    while (end < of->count && of->weight[end] - of->weight[at] < weight) end++;
    return of->weight[end] - of->weight[at] < weight ? SIZE_MAX : end;
}

static uint32_t bucket_of(const fp_symbols *of, size_t at, size_t end, uint32_t mask) {
    return (uint32_t)fp_xxh3(of->code + at, (end - at) * sizeof *of->code, 0) & mask;
}

static fp_status make_seeds(const fp_symbols *a, uint32_t weight, fp_arena *arena, seed_places *out, fp_error *error) {
    uint32_t mask = 15;
    while (mask < a->count) mask = mask * 2 + 1;
    uint32_t *head = FP_NEED(fp_arena_raw(arena, (size_t)mask + 1, sizeof *head), error);
    uint32_t *next = FP_NEED(fp_arena_raw(arena, a->count, sizeof *next), error);
    uint32_t *last = FP_NEED(fp_arena_raw(arena, (size_t)mask + 1, sizeof *last), error);
    memset(head, 0xff, ((size_t)mask + 1) * sizeof *head);
    for (size_t at = 0, end = 0; at < a->count; at++) {
        end = seed_end(a, at, end, weight);
        if (end == SIZE_MAX) break;
        uint32_t bucket = bucket_of(a, at, end, mask);
        next[at] = UINT32_MAX;
        if (head[bucket] == UINT32_MAX) head[bucket] = (uint32_t)at;
        else next[last[bucket]] = (uint32_t)at;
        last[bucket] = (uint32_t)at;
    }
    *out = (seed_places){weight, mask, head, next};
    return FP_OK;
}

/* ---- Runs ---- */

typedef struct search {
    const fp_symbols *a, *b;
    uint32_t *reached; /* [a->count + b->count] by diagonal: end in b of the last run on it */
    size_t work;       /* symbols that may still be compared */
    fp_runs *runs;
    size_t room;
    fp_arena *arena;
} search;

/* The number of equal symbols from both places on, at most `most`. */
static size_t equal_forward(const uint32_t *a, const uint32_t *b, size_t most) {
    size_t length = 0;
    while (most - length >= 8 && memcmp(a + length, b + length, 8 * sizeof *a) == 0) length += 8;
    while (length < most && a[length] == b[length]) length++;
    return length;
}

/* The same, backwards from both places. */
static size_t equal_backward(const uint32_t *a, const uint32_t *b, size_t most) {
    size_t length = 0;
    while (length < most && *(a - 1 - length) == *(b - 1 - length)) length++;
    return length;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static fp_status add_run(search *in, fp_run run, fp_error *error) {
    fp_runs *to = in->runs;
    FP_TRY(FP_ROOM(in->arena, to->run, to->count, in->room, error));
    to->run[to->count++] = run;
    return FP_OK;
}

/* Adds the run through the seed at i of a and j … end − 1 of b, unless a run on its diagonal already reaches beyond j.
 * *behind: the furthest end in b. */
static fp_status try_seed(search *in, size_t i, size_t j, size_t end, size_t *behind, fp_error *error) {
    const uint32_t *a = in->a->code, *b = in->b->code;
    uint32_t *reached = in->reached + (i + in->b->count - 1 - j);
    if (*reached > j) return FP_OK;
    size_t forward = equal_forward(a + i, b + j, smaller(smaller(in->a->count - i, in->b->count - j), in->work));
    in->work -= forward;
    if (forward < end - j) return FP_OK;
    size_t backward = equal_backward(a + i, b + j, smaller(smaller(i, j - *reached), in->work));
    in->work -= backward;
    *reached = (uint32_t)(j + forward);
    if (j + forward > *behind) *behind = j + forward;
    return add_run(in, (fp_run){(uint32_t)(i - backward), (uint32_t)(j - backward), (uint32_t)(forward + backward)},
                   error);
}

static fp_status find_runs(const fp_symbols *a, const seed_places *seeds, const fp_symbols *b, fp_arena *arena,
                           fp_runs *out, fp_error *error) {
    size_t both = a->count + b->count;
    *out = (fp_runs){0};
    search in = {a, b, fp_arena_alloc(arena, both, sizeof(uint32_t)), FP_RUN_WORK * both, out, 0, arena};
    if (!in.reached) return fp_no_memory(error);
    for (size_t j = 0, end = 0, behind = 0; j < b->count && in.work && out->count < FP_RUN_MOST * both; j++) {
        end = seed_end(b, j, end, seeds->weight);
        if (end == SIZE_MAX) break;
        uint32_t i = seeds->head[bucket_of(b, j, end, seeds->mask)];
        for (int tries = 0; i != UINT32_MAX && tries < FP_SEED_TRIES; tries++, i = seeds->next[i])
            FP_TRY(try_seed(&in, i, j, end, &behind, error));
        if (behind >= j + FP_RUN_LONG) j = behind - 1;
    }
    return FP_OK;
}

/* ---- Alignment of two texts ---- */

fp_status fp_alignment_open(fp_string text, size_t least, fp_arena *arena, const fp_alignment_text **opened,
                            fp_error *error) {
    if (!least) least = FP_ALIGNMENT_LEAST;
    if (least < FP_ALIGNMENT_LEAST_LEAST || least > FP_ALIGNMENT_LEAST_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "the shortest passage takes %d to %d characters, not %zu",
                       FP_ALIGNMENT_LEAST_LEAST, FP_ALIGNMENT_LEAST_MOST, least);
    fp_alignment_text *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->least = 2 * (uint32_t)least;
    FP_TRY(read_symbols(text, arena, &made->symbols, error));
    uint32_t weight = made->least < FP_SEED_WEIGHT ? made->least : FP_SEED_WEIGHT;
    FP_TRY(make_seeds(&made->symbols, weight, arena, &made->seeds, error));
    *opened = made;
    return FP_OK;
}

static void place_of(const fp_symbols *text, int which, size_t first, size_t behind, fp_passage *out) {
    out->from[which] = text->place[first];
    out->to[which] = (size_t)text->place[behind - 1] + 1;
    out->begin[which] = text->byte[first];
    out->end[which] = byte_end(text, behind - 1);
    out->characters[which] = behind - first;
}

static fp_status describe_passage(const fp_symbols *a, const fp_symbols *b, fp_chain chain, fp_arena *arena,
                                  fp_passage *out, fp_error *error) {
    fp_run first = chain.run[0], last = chain.run[chain.count - 1];
    fp_common_run *runs = FP_NEED(fp_arena_raw(arena, chain.count, sizeof *runs), error);
    for (size_t i = 0; i < chain.count; i++) {
        fp_run run = chain.run[i];
        runs[i] = (fp_common_run){{a->byte[run.a], b->byte[run.b]},
                                  {byte_end(a, run.a + run.length - 1), byte_end(b, run.b + run.length - 1)}};
    }
    *out = (fp_passage){.same = chain.same, .run_count = chain.count, .runs = runs};
    place_of(a, 0, first.a, last.a + last.length, out);
    place_of(b, 1, first.b, last.b + last.length, out);
    return FP_OK;
}

FP_COMPARES(most_first, fp_passage, FP_ORDER(b->same, a->same) ?: FP_ORDER(a->from[0], b->from[0]));

fp_status fp_align_with(const fp_alignment_text *a, fp_string b, fp_arena *arena, fp_alignment *out, fp_error *error) {
    fp_symbols other;
    fp_runs runs;
    fp_chains chains;
    FP_TRY(read_symbols(b, arena, &other, error));
    FP_TRY(find_runs(&a->symbols, &a->seeds, &other, arena, &runs, error));
    FP_TRY(fp_passages_choose(&a->symbols, &other, &runs, a->seeds.weight, a->least, arena, &chains, error));
    fp_passage *passages = FP_NEED(fp_arena_raw(arena, chains.count, sizeof *passages), error);
    *out = (fp_alignment){.count = chains.count, .passages = passages, .characters = {a->symbols.count, other.count}};
    for (size_t i = 0; i < chains.count; i++) {
        FP_TRY(describe_passage(&a->symbols, &other, chains.chain[i], arena, passages + i, error));
        out->same += passages[i].same;
    }
    if (chains.count > 1) qsort(passages, chains.count, sizeof *passages, most_first);
    for (int t = 0; t < 2; t++) out->share[t] = out->characters[t] ? (double)out->same / (double)out->characters[t] : 0;
    return FP_OK;
}

fp_status fp_align(fp_string a, fp_string b, size_t least, fp_arena *arena, fp_alignment *out, fp_error *error) {
    const fp_alignment_text *opened = NULL;
    const fp_string texts[2] = {a, b};
    for (int t = 0; t < 2; t++) {
        size_t bad = fp_utf8_check(texts[t]);
        if (bad == texts[t].length) continue;
        fp_fail(error, FP_ERROR_ENCODING, "text %c: byte %zu is not UTF-8", "AB"[t], bad);
        return fp_at(error, FP_ERROR_ENCODING, NULL, SIZE_MAX, bad);
    }
    FP_TRY(fp_alignment_open(a, least, arena, &opened, error));
    return fp_align_with(opened, b, arena, out, error);
}
