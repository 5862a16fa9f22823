/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses passages greedily: repeatedly the longest run whose symbols are free, grown to both sides: over gaps to
 * further runs, and beyond the last of them. Gaps have at most FP_LCS_WINDOW symbols of either text. */
#include "text/alignment/alignment.h"

#include <stdlib.h>
#include <string.h>

/* ---- A binary heap of runs, the longest first ---- */

typedef struct heap {
    fp_run *run;
    size_t count, room;
    fp_arena *arena;
} heap;

FP_COMPARES(longest_first, fp_run, FP_ORDER(b->length, a->length) ?: FP_ORDER(a->a, b->a) ?: FP_ORDER(a->b, b->b));

static void sift_down(heap *of, fp_run run) {
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < of->count; at = child) {
        if (child + 1 < of->count && longest_first(of->run + child + 1, of->run + child) < 0) child++;
        if (longest_first(&run, of->run + child) <= 0) break;
        of->run[at] = of->run[child];
    }
    of->run[at] = run;
}

static fp_run pop(heap *of) {
    fp_run top = of->run[0], last = of->run[--of->count];
    if (of->count) sift_down(of, last);
    return top;
}

static fp_status push(heap *of, fp_run run, fp_error *error) {
    FP_TRY(FP_ROOM(of->arena, of->run, of->count, of->room, error));
    size_t at = of->count++;
    for (; at && longest_first(&run, of->run + (at - 1) / 2) < 0; at = (at - 1) / 2)
        of->run[at] = of->run[(at - 1) / 2];
    of->run[at] = run;
    return FP_OK;
}

/* ---- The choice ---- */

typedef struct choice {
    const fp_symbols *text[2]; /* a, b */
    const fp_runs *runs;
    uint32_t seed_weight, least;
    heap heap;
    uint64_t *taken[2]; /* bit set of the symbols that are already in a passage, 64 bits longer than the text */
    size_t *first;      /* [blocks + 1] by block of 64 symbols of b: indices into `which` */
    uint32_t *which;    /* the runs that touch the block */
    size_t work;        /* windows that may still be examined */
    /* The current chain: parts, ascending, with gaps between them. An empty part marks the end of a gap. */
    fp_run *part;
    size_t part_count, part_room;
    fp_run *aligned; /* the runs of the chain */
    size_t aligned_count, aligned_room;
    fp_chains *out;
    size_t out_room;
    fp_arena *arena;
} choice;

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* 64 bits of a bit set that is 64 bits longer than any `at` used. */
static uint64_t bits_from(const uint64_t *bits, size_t at) {
    return at % 64 ? bits[at / 64] >> at % 64 | bits[at / 64 + 1] << (64 - at % 64) : bits[at / 64];
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

/* Indexes the runs by the blocks of b that they touch; all symbols are free. */
static fp_status index_runs(choice *in, fp_error *error) {
    size_t blocks = in->text[1]->count / BLOCK + 1, sum = 0;
    in->work = in->text[0]->count + in->text[1]->count;
    for (int t = 0; t < 2; t++)
        in->taken[t] = FP_NEED(fp_arena_alloc(in->arena, in->text[t]->count / 64 + 2, sizeof(uint64_t)), error);
    size_t *first = in->first = FP_NEED(fp_arena_alloc(in->arena, blocks + 2, sizeof *first), error);
    /* Shifted by two, then by one, so that after writing each entry is the beginning of its own block. */
    spread(in->runs, first + 2, NULL);
    for (size_t i = 2; i < blocks + 2; i++) sum = first[i] += sum;
    in->which = FP_NEED(fp_arena_raw(in->arena, sum, sizeof *in->which), error);
    spread(in->runs, first + 1, in->which);
    return FP_OK;
}

/* ---- One side ---- */

typedef struct side {
    choice *of;
    bool backward;
    size_t at[2];    /* the end of the chain */
    size_t limit[2]; /* symbols from here on are not free */
    size_t score;    /* lower bound of the chain's score so far */
} side;

/* The first taken symbol from `from` on, or the end. */
static size_t next_taken(const uint64_t *taken, size_t from, size_t count) {
    while (from < count) {
        uint64_t bits = bits_from(taken, from);
        if (bits) return from + (size_t)__builtin_ctzll(bits);
        from += 64;
    }
    return count;
}

/* The position after the last taken symbol before `before`, or 0. */
static size_t behind_taken(const uint64_t *taken, size_t before) {
    while (before) {
        size_t from = before > 64 ? before - 64 : 0;
        uint64_t bits = bits_from(taken, from);
        if (before - from < 64) bits &= ((uint64_t)1 << (before - from)) - 1;
        if (bits) return from + 64 - (size_t)__builtin_clzll(bits);
        before = from;
    }
    return 0;
}

static side side_from(choice *of, bool backward, fp_run anchor, size_t score) {
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
    const choice *of = in->of;
    size_t end = smaller(of->first[block + 1], of->first[block] + MOST_TRIED);
    for (size_t k = of->first[block]; k < end; k++) {
        fp_run run = rest_of(in, turned(in, of->runs->run[of->which[k]]));
        size_t gap = run.length ? gap_of(in, run) : 0;
        if (run.length <= gap || in->score < gap) continue;
        if (!best->length || is_better(in, run, *best)) *best = run;
    }
}

static fp_status add_part(choice *to, fp_run part, fp_error *error) {
    FP_TRY(FP_ROOM(to->arena, to->part, to->part_count, to->part_room, error));
    to->part[to->part_count++] = part;
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

/* Grows `anchor`, whose symbols must be free, into the parts of a chain. */
static fp_status grow_anchor(choice *in, fp_run anchor, fp_error *error) {
    in->part_count = 0;
    side left = side_from(in, true, anchor, anchor.length);
    FP_TRY(grow(&left, error));
    for (size_t i = 0, j = in->part_count; i + 1 < j; i++) {
        fp_run part = in->part[i];
        in->part[i] = in->part[--j];
        in->part[j] = part;
    }
    FP_TRY(add_part(in, anchor, error));
    side right = side_from(in, false, anchor, left.score);
    return grow(&right, error);
}

/* ---- Free symbols ---- */

/* The end of the stretch of free (or taken) symbols of the run that begins at `at`. */
static uint32_t stretch_end(const choice *in, fp_run run, uint32_t at, bool is_free) {
    while (at < run.length) {
        uint64_t taken = bits_from(in->taken[0], run.a + at) | bits_from(in->taken[1], run.b + at);
        if (!is_free) taken = ~taken;
        if (taken) {
            uint32_t end = at + (uint32_t)__builtin_ctzll(taken);
            return end < run.length ? end : run.length;
        }
        at = run.length - at > 64 ? at + 64 : run.length;
    }
    return at;
}

/* Puts back the free parts of a partly taken run if they are as long as a seed. */
static fp_status put_back_free(choice *in, fp_run run, fp_error *error) {
    const uint32_t *weight = in->text[0]->weight;
    for (uint32_t at = 0, end; at < run.length; at = stretch_end(in, run, end, false)) {
        end = stretch_end(in, run, at, true);
        fp_run part = {run.a + at, run.b + at, end - at};
        if (weight[part.a + part.length] - weight[part.a] >= in->seed_weight) FP_TRY(push(&in->heap, part, error));
    }
    return FP_OK;
}

static void take(uint64_t *taken, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) taken[i / 64] |= (uint64_t)1 << i % 64;
}

/* ---- One passage ---- */

static fp_status add_aligned(choice *to, uint32_t a, uint32_t b, uint32_t length, fp_error *error) {
    fp_run *last = to->aligned_count ? to->aligned + to->aligned_count - 1 : NULL;
    if (!length) return FP_OK;
    if (last && last->a + last->length == a && last->b + last->length == b) {
        last->length += length;
        return FP_OK;
    }
    FP_TRY(FP_ROOM(to->arena, to->aligned, to->aligned_count, to->aligned_room, error));
    to->aligned[to->aligned_count++] = (fp_run){a, b, length};
    return FP_OK;
}

static fp_status align_gap(choice *in, fp_run before, fp_run behind, fp_error *error) {
    uint32_t a = before.a + before.length, b = before.b + before.length;
    uint8_t a_at[FP_LCS_WINDOW], b_at[FP_LCS_WINDOW];
    fp_lcs table;
    if (behind.a == a || behind.b == b) return FP_OK;
    fp_lcs_fill(in->text[0]->code + a, behind.a - a, in->text[1]->code + b, behind.b - b, 1, &table);
    size_t count = fp_lcs_pairs(&table, a_at, b_at);
    for (size_t k = 0; k < count; k++) FP_TRY(add_aligned(in, a + a_at[k], b + b_at[k], 1, error));
    return FP_OK;
}

static fp_status align_parts(choice *in, fp_error *error) {
    in->aligned_count = 0;
    for (size_t i = 0; i < in->part_count; i++) {
        fp_run part = in->part[i];
        if (i) FP_TRY(align_gap(in, in->part[i - 1], part, error));
        FP_TRY(add_aligned(in, part.a, part.b, part.length, error));
    }
    return FP_OK;
}

/* Keeps the aligned passage if its weight suffices, and takes its symbols. */
static fp_status keep(choice *in, fp_error *error) {
    const uint32_t *weights = in->text[0]->weight;
    uint32_t weight = 0;
    fp_chain made = {.count = in->aligned_count};
    for (size_t i = 0; i < made.count; i++) {
        fp_run run = in->aligned[i];
        weight += weights[run.a + run.length] - weights[run.a];
        made.same += run.length;
    }
    if (weight < in->least) return FP_OK;
    made.run = fp_arena_raw(in->arena, made.count, sizeof *made.run);
    FP_TRY(FP_ROOM(in->arena, in->out->chain, in->out->count, in->out_room, error));
    if (!made.run) return fp_no_memory(error);
    memcpy(made.run, in->aligned, made.count * sizeof *made.run);
    fp_run first = made.run[0], last = made.run[made.count - 1];
    take(in->taken[0], first.a, last.a + last.length);
    take(in->taken[1], first.b, last.b + last.length);
    in->out->chain[in->out->count++] = made;
    return FP_OK;
}

/* ---- All passages ---- */

/* Limits the work on hostile texts, where runs are split repeatedly: words of bits examined for each symbol. */
enum { WORK = 64 };

static fp_status choose(choice *in, fp_error *error) {
    size_t work = WORK * (in->text[0]->count + in->text[1]->count);
    while (in->heap.count && in->work) {
        fp_run run = pop(&in->heap);
        size_t words = run.length / 64 + 1;
        if (work < words) break;
        work -= words;
        if (stretch_end(in, run, 0, true) < run.length) {
            FP_TRY(put_back_free(in, run, error));
            continue;
        }
        FP_TRY(grow_anchor(in, run, error));
        FP_TRY(align_parts(in, error));
        FP_TRY(keep(in, error));
    }
    return FP_OK;
}

fp_status fp_passages_choose(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, uint32_t seed_weight,
                             uint32_t least, fp_arena *arena, fp_chains *out, fp_error *error) {
    *out = (fp_chains){0};
    choice in = {.text = {a, b}, .runs = runs, .seed_weight = seed_weight, .least = least, .out = out, .arena = arena};
    if (!runs->count) return FP_OK;
    FP_TRY(index_runs(&in, error));
    in.heap = (heap){fp_arena_grow(arena, NULL, runs->count * sizeof *runs->run), runs->count, runs->count, arena};
    if (!in.heap.run) return fp_no_memory(error);
    memcpy(in.heap.run, runs->run, runs->count * sizeof *runs->run);
    qsort(in.heap.run, runs->count, sizeof *in.heap.run, longest_first); /* a sorted array is a heap */
    return choose(&in, error);
}
