/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses passages greedily: repeatedly the longest run whose symbols are free. */
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

/* ---- Free symbols ---- */

typedef struct choice {
    fp_growth growth;
    heap heap;
    uint32_t seed_weight, least;
    fp_run *aligned; /* of the current chain */
    size_t aligned_count, aligned_room;
    fp_chains *out;
    size_t out_room;
    fp_arena *arena;
} choice;

/* The end of the stretch of free (or taken) symbols of the run that begins at `at`. */
static uint32_t stretch_end(const choice *in, fp_run run, uint32_t at, bool is_free) {
    while (at < run.length) {
        uint64_t taken = fp_bits_from(in->growth.taken[0], run.a + at) | fp_bits_from(in->growth.taken[1], run.b + at);
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
    const uint32_t *weight = in->growth.text[0]->weight;
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
    fp_lcs_fill(in->growth.text[0]->code + a, behind.a - a, in->growth.text[1]->code + b, behind.b - b, 1, &table);
    size_t count = fp_lcs_pairs(&table, a_at, b_at);
    for (size_t k = 0; k < count; k++) FP_TRY(add_aligned(in, a + a_at[k], b + b_at[k], 1, error));
    return FP_OK;
}

static fp_status align_parts(choice *in, fp_error *error) {
    const fp_growth *growth = &in->growth;
    in->aligned_count = 0;
    for (size_t i = 0; i < growth->count; i++) {
        fp_run part = growth->part[i];
        if (i) FP_TRY(align_gap(in, growth->part[i - 1], part, error));
        FP_TRY(add_aligned(in, part.a, part.b, part.length, error));
    }
    return FP_OK;
}

/* Keeps the aligned passage if its weight suffices, and takes its symbols. */
static fp_status keep(choice *in, fp_error *error) {
    const uint32_t *weights = in->growth.text[0]->weight;
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
    take(in->growth.taken[0], first.a, last.a + last.length);
    take(in->growth.taken[1], first.b, last.b + last.length);
    in->out->chain[in->out->count++] = made;
    return FP_OK;
}

/* ---- All passages ---- */

/* Limits the work on hostile texts, where runs are split repeatedly: words of bits examined for each symbol. */
enum { WORK = 64 };

static fp_status choose(choice *in, fp_error *error) {
    size_t work = WORK * (in->growth.text[0]->count + in->growth.text[1]->count);
    while (in->heap.count && in->growth.work) {
        fp_run run = pop(&in->heap);
        size_t words = run.length / 64 + 1;
        if (work < words) break;
        work -= words;
        if (stretch_end(in, run, 0, true) < run.length) {
            FP_TRY(put_back_free(in, run, error));
            continue;
        }
        FP_TRY(fp_growth_make(&in->growth, run, error));
        FP_TRY(align_parts(in, error));
        FP_TRY(keep(in, error));
    }
    return FP_OK;
}

fp_status fp_passages_choose(const fp_symbols *a, const fp_symbols *b, const fp_runs *runs, uint32_t seed_weight,
                             uint32_t least, fp_arena *arena, fp_chains *out, fp_error *error) {
    *out = (fp_chains){0};
    choice in = {.seed_weight = seed_weight, .least = least, .out = out, .arena = arena};
    if (!runs->count) return FP_OK;
    FP_TRY(fp_growth_open(a, b, runs, arena, &in.growth, error));
    in.heap = (heap){fp_arena_grow(arena, NULL, runs->count * sizeof *runs->run), runs->count, runs->count, arena};
    if (!in.heap.run) return fp_no_memory(error);
    memcpy(in.heap.run, runs->run, runs->count * sizeof *runs->run);
    qsort(in.heap.run, runs->count, sizeof *in.heap.run, longest_first); /* a sorted array is a heap */
    return choose(&in, error);
}
