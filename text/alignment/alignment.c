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

/* ---- Growing one run. The left side is the right side of both texts read backwards: places and runs are then counted
 * from the end ---- */

/* At most MOST_TRIED runs of a block are examined, in the order of discovery: only in repetitive texts do more pass
 * through a block, and those are interchangeable. */
enum { BLOCK = 64, MOST_TRIED = 1024 };

/* ---- Runs by block ---- */

/* Counts the runs of each block, or writes them if `which` is not NULL. */
static void spread(const fp_runs *runs, size_t *first, uint32_t *which) {
    for (size_t i = 0; i < runs->count; i++) {
        fp_run run = runs->run[i];
        for (size_t block = run.b / BLOCK; block <= (run.b + run.length - 1) / BLOCK; block++) {
            if (which) which[first[block]] = (uint32_t)i;
            first[block]++;
        }
    }
}

fp_status fp_growth_open(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, fp_arena *arena, fp_growth *out,
                         fp_error *error) {
    size_t blocks = b->count / BLOCK + 1, sum = 0;
    *out = (fp_growth){.text = {a, b}, .runs = runs, .work = a->count + b->count, .arena = arena};
    for (int t = 0; t < 2; t++) out->taken[t] = fp_arena_alloc(arena, out->text[t]->count / 64 + 2, sizeof(uint64_t));
    size_t *first = fp_arena_alloc(arena, blocks + 2, sizeof *first);
    if (!out->taken[0] || !out->taken[1] || !first) return fp_no_memory(error);
    /* Shifted by two, then by one, so that after writing each entry is the beginning of its own block. */
    spread(runs, first + 2, NULL);
    for (size_t i = 2; i < blocks + 2; i++) sum = first[i] += sum;
    out->which = FP_NEED(fp_arena_raw(arena, sum, sizeof *out->which), error);
    spread(runs, first + 1, out->which);
    out->first = first;
    return FP_OK;
}

/* ---- One side ---- */

typedef struct side {
    fp_growth *of;
    bool backward;
    size_t at[2];    /* the end of the chain */
    size_t limit[2]; /* symbols from here on are not free */
    size_t score;    /* lower bound of the chain's score so far */
} side;

/* The first taken symbol from `from` on, or the end. */
static size_t next_taken(const uint64_t *taken, size_t from, size_t count) {
    while (from < count) {
        uint64_t bits = fp_bits_from(taken, from);
        if (bits) return from + (size_t)__builtin_ctzll(bits);
        from += 64;
    }
    return count;
}

/* The position after the last taken symbol before `before`, or 0. */
static size_t behind_taken(const uint64_t *taken, size_t before) {
    while (before) {
        size_t from = before > 64 ? before - 64 : 0;
        uint64_t bits = fp_bits_from(taken, from);
        if (before - from < 64) bits &= ((uint64_t)1 << (before - from)) - 1;
        if (bits) return from + 64 - (size_t)__builtin_clzll(bits);
        before = from;
    }
    return 0;
}

static side side_from(fp_growth *of, bool backward, fp_run anchor, size_t score) {
    size_t begin[2] = {anchor.a, anchor.b};
    side made = {.of = of, .backward = backward, .score = score};
    for (int t = 0; t < 2; t++) {
        size_t count = of->text[t]->count, end = begin[t] + anchor.length;
        made.at[t] = backward ? count - begin[t] : end;
        made.limit[t] = backward ? count - behind_taken(of->taken[t], begin[t]) : next_taken(of->taken[t], end, count);
    }
    return made;
}

/* Converts a run to the side's places, or back. */
static fp_run turned(const side *in, fp_run run) {
    if (!in->backward) return run;
    return (fp_run){(uint32_t)in->of->text[0]->count - run.a - run.length,
                    (uint32_t)in->of->text[1]->count - run.b - run.length, run.length};
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* The free part of the run after the chain; empty if there is none, or the gap is too large. */
static fp_run rest_of(const side *in, fp_run run) {
    static const fp_run NONE;
    size_t skip = larger(in->at[0] > run.a ? in->at[0] - run.a : 0, in->at[1] > run.b ? in->at[1] - run.b : 0);
    if (skip >= run.length) return NONE;
    size_t a = run.a + skip, b = run.b + skip;
    if (a - in->at[0] > FP_LCS_WINDOW || b - in->at[1] > FP_LCS_WINDOW || a >= in->limit[0] || b >= in->limit[1])
        return NONE;
    size_t length = smaller(run.length - skip, smaller(in->limit[0] - a, in->limit[1] - b));
    return (fp_run){(uint32_t)a, (uint32_t)b, (uint32_t)length};
}

static size_t gap_of(const side *in, fp_run run) { return run.a - in->at[0] + run.b - in->at[1]; }

/* Whether joining `one` gains more than joining `other`; ties by smaller gap, then smaller place. */
static bool is_better(const side *in, fp_run one, fp_run other) {
    size_t gain = one.length + gap_of(in, other), other_gain = other.length + gap_of(in, one);
    if (gain != other_gain) return gain > other_gain;
    return one.length != other.length ? one.length < other.length : one.a < other.a;
}

static void try_block(const side *in, size_t block, fp_run *best) {
    const fp_growth *of = in->of;
    size_t end = smaller(of->first[block + 1], of->first[block] + MOST_TRIED);
    for (size_t k = of->first[block]; k < end; k++) {
        fp_run run = rest_of(in, turned(in, of->runs->run[of->which[k]]));
        size_t gap = run.length ? gap_of(in, run) : 0;
        if (run.length <= gap || in->score < gap) continue;
        if (!best->length || is_better(in, run, *best)) *best = run;
    }
}

static fp_status add_part(fp_growth *to, fp_run part, fp_error *error) {
    FP_TRY(FP_ROOM(to->arena, to->part, to->count, to->room, error));
    to->part[to->count++] = part;
    return FP_OK;
}

static fp_status step_to(side *in, fp_run run, size_t gain, fp_error *error) {
    in->score += gain;
    in->at[0] = run.a + run.length;
    in->at[1] = run.b + run.length;
    return add_part(in->of, turned(in, run), error);
}

/* Joins the run after a gap that gains most, if any gains. A gap must not lose more than the score of the chain, or the
 * chain would be better without its beginning. */
static fp_status join(side *in, bool *grown, fp_error *error) {
    const fp_symbols *b = in->of->text[1];
    fp_run best = {0};
    if (in->at[1] >= b->count) return FP_OK;
    size_t block = (in->backward ? b->count - 1 - in->at[1] : in->at[1]) / BLOCK;
    try_block(in, block, &best);
    if (in->backward ? block : (block + 1) * BLOCK < b->count)
        try_block(in, in->backward ? block - 1 : block + 1, &best);
    if (!best.length) return FP_OK;
    *grown = true;
    return step_to(in, best, best.length - gap_of(in, best), error);
}

/* Extends to the largest score within a window. */
static fp_status extend(side *in, bool *grown, fp_error *error) {
    fp_lcs table;
    size_t i, j, count[2];
    const uint32_t *from[2];
    for (int t = 0; t < 2; t++) {
        count[t] = smaller(in->limit[t] - in->at[t], FP_LCS_WINDOW);
        if (!count[t]) return FP_OK;
        const fp_symbols *text = in->of->text[t];
        from[t] = text->code + (in->backward ? text->count - 1 - in->at[t] : in->at[t]);
    }
    fp_lcs_fill(from[0], count[0], from[1], count[1], in->backward ? -1 : 1, &table);
    size_t gain = fp_lcs_best(&table, &i, &j);
    if (!gain) return FP_OK;
    *grown = true;
    return step_to(in, (fp_run){(uint32_t)(in->at[0] + i), (uint32_t)(in->at[1] + j), 0}, gain, error);
}

static fp_status grow(side *in, fp_error *error) {
    for (bool grown = true; grown && in->of->work; in->of->work--) {
        grown = false;
        FP_TRY(join(in, &grown, error));
        if (!grown) FP_TRY(extend(in, &grown, error));
    }
    return FP_OK;
}

/* ---- Both sides ---- */

fp_status fp_growth_make(fp_growth *growth, fp_run anchor, fp_error *error) {
    growth->count = 0;
    side left = side_from(growth, true, anchor, anchor.length);
    FP_TRY(grow(&left, error));
    for (size_t i = 0, j = growth->count; i + 1 < j; i++) {
        fp_run part = growth->part[i];
        growth->part[i] = growth->part[--j];
        growth->part[j] = part;
    }
    FP_TRY(add_part(growth, anchor, error));
    side right = side_from(growth, false, anchor, left.score);
    return grow(&right, error);
}

/* ---- The whole alignment ---- */

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

static fp_status tell_passage(const fp_symbols *a, const fp_symbols *b, fp_chain chain, fp_arena *arena,
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
        FP_TRY(tell_passage(&a->symbols, &other, chains.chain[i], arena, passages + i, error));
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
