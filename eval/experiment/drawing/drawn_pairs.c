/* SPDX-License-Identifier: GPL-3.0-or-later
 * The strata: near pairs of all arms, and a draw of the rest. */
#include "eval/experiment/drawing/drawn_pairs.h"

#include <stdlib.h>

#include "base/order.h"
#include "eval/experiment/drawing/neighbours.h"
#include "eval/experiment/drawing/pair_numbers.h"

/* ---- How many there are ---- */

fp_status fp_drawn_negatives(const fp_corpus *corpus, uint64_t *negatives, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(corpus->memory);
    fp_groups groups;
    fp_status status = scratch ? fp_groups_make(corpus, scratch, &groups, error) : fp_no_memory(error);
    *negatives = fp_pairs_of(corpus->document_count);
    for (size_t g = 0; status == FP_OK && g < groups.count; g++)
        *negatives -= fp_pairs_of(groups.begin[g + 1] - groups.begin[g]);
    fp_arena_free(scratch);
    return status;
}

typedef struct maker {
    const fp_corpus *corpus;
    const fp_measurement *measurements;
    size_t arm_count;
    fp_arena *arena, *scratch;
    fp_drawn_pairs *drawn;
    uint32_t *unit_of; /* [document_count] */
    size_t *begin;     /* [document_count + 1] into near */
    size_t near_count;
    uint64_t *near; /* [near_count] pairs as numbers, the smaller document first; ascending, each once */
    fp_error *error;
} maker;

static uint64_t number_of(size_t a, size_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

/* ---- Units ---- */

static fp_status find_units(maker *to) {
    fp_unit_list *units = &to->drawn->units;
    FP_TRY(fp_unit_list_make(to->corpus, false, 0, to->arena, units, to->error));
    to->unit_of = fp_unit_of_documents(units, to->scratch);
    if (!to->unit_of) return fp_no_memory(to->error);
    return fp_drawn_negatives(to->corpus, &to->drawn->negatives, to->error);
}

/* ---- Near pairs ---- */

static fp_status find_near(maker *to, uint64_t wanted, const fp_progress *progress) {
    fp_near_pairs *each = fp_arena_alloc(to->scratch, to->arm_count, sizeof *each);
    size_t count = 0, at = 0;
    if (!each) return fp_no_memory(to->error);
    for (size_t a = 0; a < to->arm_count; a++) {
        const fp_measurement *of = to->measurements + a;
        if (of->whole && of->near) each[a] = *of->near;
        else if (!of->whole)
            FP_TRY(fp_neighbours_find(to->corpus, of, (size_t)(wanted / to->arm_count), fp_mix(to->drawn->seed, a),
                                      progress, to->scratch, each + a, to->error));
        count += each[a].count;
    }
    to->near = fp_arena_raw(to->scratch, count, sizeof *to->near);
    if (!to->near) return fp_no_memory(to->error);
    for (size_t a = 0; a < to->arm_count; a++)
        for (size_t i = 0; i < each[a].count; i++) to->near[at++] = number_of(each[a].pairs[i].a, each[a].pairs[i].b);
    if (count) qsort(to->near, count, sizeof *to->near, fp_ascending_u64);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || to->near[i] != to->near[to->near_count - 1]) to->near[to->near_count++] = to->near[i];
    return FP_OK;
}

static fp_status index_near(maker *to) {
    size_t documents = to->corpus->document_count, at = 0;
    to->begin = fp_arena_raw(to->scratch, documents + 1, sizeof *to->begin);
    if (!to->begin) return fp_no_memory(to->error);
    for (size_t d = 0; d <= documents; d++) {
        while (at < to->near_count && to->near[at] >> 32 < d) at++;
        to->begin[d] = at;
    }
    return FP_OK;
}

static bool is_near(const maker *of, size_t a, size_t b) {
    uint64_t number = number_of(a, b);
    size_t low = of->begin[number >> 32], high = of->begin[(number >> 32) + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->near[middle] < number) low = middle + 1;
        else high = middle;
    }
    return low < of->begin[(number >> 32) + 1] && of->near[low] == number;
}

/* ---- The draw ---- */

/* A pair before it has its place. */
typedef struct entry {
    uint32_t other; /* the unit of b */
    uint32_t a, b;
    bool drawn;
} entry;

static entry entry_of(const maker *of, size_t a, size_t b, bool drawn) {
    bool turned = of->unit_of[b] < of->unit_of[a];
    return turned ? (entry){of->unit_of[a], (uint32_t)b, (uint32_t)a, drawn}
                  : (entry){of->unit_of[b], (uint32_t)a, (uint32_t)b, drawn};
}

/* All pairs of documents in an order at random, positives and near pairs passed over. */
static void draw_rest(const maker *of, entry *to) {
    size_t documents = of->corpus->document_count;
    uint64_t pairs = fp_pairs_of(documents);
    for (uint64_t number = 0, end = of->drawn->drawn_count; end > 0; number++) {
        fp_numbered_pair pair = fp_pair_at(documents, fp_number_permuted(number, pairs, of->drawn->seed));
        if (of->unit_of[pair.first] == of->unit_of[pair.second] || is_near(of, pair.first, pair.second)) continue;
        *to++ = entry_of(of, pair.first, pair.second, true);
        end--;
    }
}

/* ---- The order ---- */

static int by_dyad(const void *left, const void *right) {
    const entry *x = left, *y = right;
    if (x->other != y->other) return FP_ORDER(x->other, y->other);
    return x->a != y->a ? FP_ORDER(x->a, y->a) : FP_ORDER(x->b, y->b);
}

/* By the unit of a at once, and then within each. */
static fp_status sort_entries(const maker *of, const entry *entries, size_t count, entry *sorted) {
    size_t units = of->drawn->units.count, *begin = fp_arena_alloc(of->scratch, units + 2, sizeof *begin);
    if (!begin) return fp_no_memory(of->error);
    for (size_t i = 0; i < count; i++) begin[of->unit_of[entries[i].a] + 2]++;
    for (size_t u = 2; u <= units + 1; u++) begin[u] += begin[u - 1];
    /* begin[u + 1] is where unit u goes on, and in the end where it ends. */
    for (size_t i = 0; i < count; i++) sorted[begin[of->unit_of[entries[i].a] + 1]++] = entries[i];
    for (size_t u = 0; u < units; u++)
        if (begin[u + 1] - begin[u] > 1) qsort(sorted + begin[u], begin[u + 1] - begin[u], sizeof *sorted, by_dyad);
    return FP_OK;
}

static fp_status keep(const maker *of, const entry *sorted, size_t count) {
    fp_drawn_pair *pairs = fp_arena_raw(of->arena, count, sizeof *pairs);
    bool *drawn = fp_arena_raw(of->arena, count, sizeof *drawn);
    if (!pairs || !drawn) return fp_no_memory(of->error);
    for (size_t i = 0; i < count; i++) {
        pairs[i] = (fp_drawn_pair){sorted[i].a, sorted[i].b};
        drawn[i] = sorted[i].drawn;
    }
    of->drawn->pairs = pairs;
    of->drawn->drawn = drawn;
    return FP_OK;
}

static fp_status draw(const maker *of, uint64_t wanted) {
    fp_drawn_pairs *drawn = of->drawn;
    drawn->near_count = of->near_count;
    drawn->rest = drawn->negatives - of->near_count;
    drawn->drawn_count = (size_t)(wanted < drawn->rest ? wanted : drawn->rest);
    drawn->weight = drawn->drawn_count ? (double)drawn->rest / (double)drawn->drawn_count : 1;
    size_t count = drawn->near_count + drawn->drawn_count;
    entry *entries = fp_arena_raw(of->scratch, count, 2 * sizeof *entries);
    if (!entries) return fp_no_memory(of->error);
    for (size_t i = 0; i < of->near_count; i++)
        entries[i] = entry_of(of, of->near[i] >> 32, of->near[i] & UINT32_MAX, false);
    draw_rest(of, entries + of->near_count);
    FP_TRY(sort_entries(of, entries, count, entries + count));
    return keep(of, entries + count, count);
}

/* ---- All ---- */

static fp_status make(maker *to, uint64_t wanted, const fp_progress *progress) {
    FP_TRY(find_units(to));
    FP_TRY(find_near(to, wanted, progress));
    FP_TRY(index_near(to));
    return draw(to, wanted);
}

fp_status fp_drawn_pairs_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                              uint64_t wanted, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                              fp_drawn_pairs *drawn, fp_error *error) {
    *drawn = (fp_drawn_pairs){.seed = seed};
    if (wanted > SIZE_MAX / 2 / sizeof(entry)) return fp_no_memory(error);
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    maker to = {corpus, measurements, arm_count, arena, scratch, drawn, NULL, NULL, 0, NULL, error};
    fp_status status = make(&to, wanted, progress);
    fp_arena_free(scratch);
    return status;
}
