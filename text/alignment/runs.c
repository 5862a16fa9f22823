/* SPDX-License-Identifier: GPL-3.0-or-later
 * Seeds and the runs they grow into. */
#include "text/alignment/runs.h"

#include <string.h>

/* ---- Seeds ---- */

/* The end of the seed that begins at `at`, when that of at − 1, or 0, is `end`; SIZE_MAX: the text ends before. Equal
 * stretches have equal seeds, since weights follow from symbols. */
static size_t seed_end(const fp_symbols *of, size_t at, size_t end, uint32_t weight) {
    if (end < at) end = at;
    while (end < of->count && of->weight[end] - of->weight[at] < weight) end++;
    return of->weight[end] - of->weight[at] < weight ? SIZE_MAX : end;
}

static uint32_t bucket_of(const fp_symbols *of, size_t at, size_t end, uint32_t mask) {
    return (uint32_t)fp_xxh3(of->code + at, (end - at) * sizeof *of->code, 0) & mask;
}

fp_status fp_seeds_make(const fp_symbols *a, uint32_t weight, fp_arena *arena, fp_seeds *out, fp_error *error) {
    uint32_t mask = 15;
    while (mask < a->count) mask = mask * 2 + 1;
    uint32_t *head = fp_arena_raw(arena, (size_t)mask + 1, sizeof *head);
    uint32_t *next = fp_arena_raw(arena, a->count, sizeof *next);
    uint32_t *last = fp_arena_raw(arena, (size_t)mask + 1, sizeof *last);
    if (!head || !next || !last) return fp_no_memory(error);
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
    *out = (fp_seeds){weight, mask, head, next};
    return FP_OK;
}

/* ---- Runs ---- */

typedef struct search {
    const fp_symbols *a, *b;
    uint32_t *reached; /* [a->count + b->count] by diagonal: behind the last symbol of b in a run on it */
    size_t work;       /* symbols that may still be compared */
    fp_runs *runs;
    size_t room;
    fp_arena *arena;
} search;

/* How many symbols from both places on are equal, of at most `most`. */
static size_t equal_forward(const uint32_t *a, const uint32_t *b, size_t most) {
    size_t length = 0;
    while (most - length >= 8 && memcmp(a + length, b + length, 8 * sizeof *a) == 0) length += 8;
    while (length < most && a[length] == b[length]) length++;
    return length;
}

/* And before them. */
static size_t equal_backward(const uint32_t *a, const uint32_t *b, size_t most) {
    size_t length = 0;
    while (length < most && *(a - 1 - length) == *(b - 1 - length)) length++;
    return length;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static fp_status add_run(search *in, fp_run run, fp_error *error) {
    fp_runs *to = in->runs;
    if (to->count == in->room) {
        size_t room = in->room * 2 + 64;
        fp_run *grown = fp_arena_grow(in->arena, to->run, room * sizeof *grown);
        if (!grown) return fp_no_memory(error);
        to->run = grown;
        in->room = room;
    }
    to->run[to->count++] = run;
    return FP_OK;
}

/* The run through the seed at i of a and j … end − 1 of b, unless its diagonal is known beyond j. *behind: its end in
 * b, where there is one. */
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

fp_status fp_runs_find(const fp_symbols *a, const fp_seeds *seeds, const fp_symbols *b, fp_arena *arena, fp_runs *out,
                       fp_error *error) {
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
