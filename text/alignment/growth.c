/* SPDX-License-Identifier: GPL-3.0-or-later
 * Growing one run. The left side is the right side of both texts read backwards: places are then counted from the end,
 * and so are the runs. */
#include "text/alignment/growth.h"

/* The most runs of a block that are looked at, in the order in which they were found: more pass through one block in
 * repetitive texts alone, where one is as good as another. */
enum { BLOCK = 64, MOST_TRIED = 1024 };

/* ---- Runs by block ---- */

/* Counts, or, where *which is there, writes them. */
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
    /* Shifted by two and then by one, so that writing leaves each at its own beginning. */
    spread(runs, first + 2, NULL);
    for (size_t i = 2; i < blocks + 2; i++) sum = first[i] += sum;
    out->which = fp_arena_raw(arena, sum, sizeof *out->which);
    if (!out->which) return fp_no_memory(error);
    spread(runs, first + 1, out->which);
    out->first = first;
    return FP_OK;
}

/* ---- One side ---- */

typedef struct side {
    fp_growth *of;
    bool backward;
    size_t at[2];    /* where the chain ends */
    size_t limit[2]; /* no symbol from here on is free */
    size_t score;    /* of the chain so far, at least */
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

/* Behind the last taken symbol before `before`, or 0. */
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

/* A run as the side counts places; the same way back. */
static fp_run turned(const side *in, fp_run run) {
    if (!in->backward) return run;
    return (fp_run){(uint32_t)in->of->text[0]->count - run.a - run.length,
                    (uint32_t)in->of->text[1]->count - run.b - run.length, run.length};
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* What of the run lies behind the chain and is free; empty where nothing does, or the gap is too large. */
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

/* Whether joining `one` gains more than joining `other`; of equal gains the smaller gap, then the smaller place. */
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
    if (to->count == to->room) {
        size_t room = to->room * 2 + 64;
        fp_run *grown = fp_arena_grow(to->arena, to->part, room * sizeof *grown);
        if (!grown) return fp_no_memory(error);
        to->part = grown;
        to->room = room;
    }
    to->part[to->count++] = part;
    return FP_OK;
}

static fp_status step_to(side *in, fp_run run, size_t gain, fp_error *error) {
    in->score += gain;
    in->at[0] = run.a + run.length;
    in->at[1] = run.b + run.length;
    return add_part(in->of, turned(in, run), error);
}

/* To the run behind a gap that gains most, if any does. A gap may not lose more than the chain has, or the chain would
 * be better off without its beginning. */
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

/* To where the score is largest within a window. */
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
