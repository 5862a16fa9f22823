/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is near for certain, what bands find, and a draw of the rest. */
#include "eval/sampling/sampled_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/bytes.h"
#include "eval/sampling/sampled_pass.h"
#include "eval/sampling/neighbours.h"
#include "eval/experiment/groups.h"

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

/* ---- Numbers of pairs ---- */

/* Pairs as numbers, the smaller document first. */
typedef struct pair_list {
    size_t count;
    uint64_t *number;
} pair_list;

typedef struct maker {
    const fp_corpus *corpus;
    const fp_measurement *measurements;
    size_t arm_count;
    const fp_progress *progress;
    fp_arena *arena, *scratch;
    fp_drawn_pairs *drawn;
    fp_key_bands *bands; /* [drawn->band_count] */
    uint32_t *unit_of;   /* [document_count] */
    pair_list certain, found, drawn_ones;
    size_t *begin;          /* [document_count + 1] into certain */
    fp_pair_origin *origin; /* [drawn->count] */
    fp_error *error;
} maker;

static uint64_t number_of(size_t a, size_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

/* Ascending, each once. */
static void sort_numbers(pair_list *list) {
    size_t kept = 0;
    if (list->count) qsort(list->number, list->count, sizeof *list->number, fp_ascending_u64);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->number[i] != list->number[kept - 1]) list->number[kept++] = list->number[i];
    list->count = kept;
}

static fp_status gather(const maker *to, const fp_near_pairs *each, bool bands, pair_list *list) {
    size_t count = 0, at = 0;
    for (size_t a = 0; a < to->arm_count; a++) count += each[a].count;
    list->number = fp_arena_raw(to->scratch, count, sizeof *list->number);
    if (!list->number) return fp_no_memory(to->error);
    for (size_t a = 0; a < to->arm_count; a++) {
        bool banded = !to->measurements[a].whole && fp_key_bands_can(to->measurements + a);
        for (size_t i = 0; banded == bands && i < each[a].count; i++)
            list->number[at++] = number_of(each[a].pairs[i].a, each[a].pairs[i].b);
    }
    list->count = at;
    sort_numbers(list);
    return FP_OK;
}

/* ---- Units ---- */

static fp_status find_units(maker *to) {
    fp_unit_list *units = &to->drawn->units;
    FP_TRY(fp_unit_list_make(to->corpus, false, 0, to->arena, units, to->error));
    to->unit_of = fp_unit_of_documents(units, to->scratch);
    if (!to->unit_of) return fp_no_memory(to->error);
    return fp_drawn_negatives(to->corpus, &to->drawn->negatives, to->error);
}

/* ---- Near pairs ---- */

static fp_status find_under(maker *to, size_t arm, size_t most, fp_near_pairs *near) {
    const fp_measurement *of = to->measurements + arm;
    uint64_t seed = fp_mix(to->drawn->seed, arm);
    if (of->whole) {
        if (of->near) *near = *of->near;
        return FP_OK;
    }
    if (!fp_key_bands_can(of))
        return fp_neighbours_find(to->corpus, of, most, seed, to->progress, to->scratch, near, to->error);
    return fp_key_bands_find(to->corpus, of, most, seed, to->progress, to->scratch, to->bands + to->drawn->band_count++,
                             near, to->error);
}

static fp_status find_near(maker *to, uint64_t wanted) {
    fp_near_pairs *each = fp_arena_alloc(to->scratch, to->arm_count, sizeof *each);
    to->drawn->bands = to->bands = fp_arena_alloc(to->arena, to->arm_count, sizeof *to->bands);
    if (!each || !to->bands) return fp_no_memory(to->error);
    for (size_t a = 0; a < to->arm_count; a++) FP_TRY(find_under(to, a, (size_t)(wanted / to->arm_count), each + a));
    FP_TRY(gather(to, each, false, &to->certain));
    return gather(to, each, true, &to->found);
}

static fp_status index_certain(maker *to) {
    size_t documents = to->corpus->document_count, at = 0;
    to->begin = fp_arena_raw(to->scratch, documents + 1, sizeof *to->begin);
    if (!to->begin) return fp_no_memory(to->error);
    for (size_t d = 0; d <= documents; d++) {
        while (at < to->certain.count && to->certain.number[at] >> 32 < d) at++;
        to->begin[d] = at;
    }
    return FP_OK;
}

static bool is_certain(const maker *of, uint64_t number) {
    size_t low = of->begin[number >> 32], high = of->begin[(number >> 32) + 1], end = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->certain.number[middle] < number) low = middle + 1;
        else high = middle;
    }
    return low < end && of->certain.number[low] == number;
}

/* ---- The draw ---- */

/* All pairs of documents in an order at random, positives and certain pairs passed over. */
static size_t draw_rest(const maker *of, uint64_t *to) {
    size_t documents = of->corpus->document_count, count = 0;
    uint64_t pairs = fp_pairs_of(documents);
    for (uint64_t place = 0; count < of->drawn->drawn_count; place++) {
        fp_numbered_pair pair = fp_pair_at(documents, fp_number_permuted(place, pairs, of->drawn->seed));
        uint64_t number = number_of(pair.first, pair.second);
        if (of->unit_of[pair.first] != of->unit_of[pair.second] && !is_certain(of, number)) to[count++] = number;
    }
    return count;
}

/* Found and drawn pairs, in of->found. */
static fp_status draw(maker *of, uint64_t wanted) {
    fp_drawn_pairs *drawn = of->drawn;
    uint64_t rest = drawn->negatives - of->certain.count;
    pair_list all = {0};
    drawn->drawn_count = (size_t)(wanted < rest ? wanted : rest);
    drawn->chance = rest ? (double)drawn->drawn_count / (double)rest : 1;
    all.number = fp_arena_raw(of->scratch, of->found.count + drawn->drawn_count, sizeof *all.number);
    if (!all.number) return fp_no_memory(of->error);
    for (size_t i = 0; i < of->found.count; i++)
        if (!is_certain(of, of->found.number[i])) all.number[all.count++] = of->found.number[i];
    drawn->near_count = of->certain.count + all.count;
    of->drawn_ones.number = fp_arena_raw(of->scratch, drawn->drawn_count, sizeof *all.number);
    if (!of->drawn_ones.number) return fp_no_memory(of->error);
    of->drawn_ones.count = draw_rest(of, of->drawn_ones.number);
    sort_numbers(&of->drawn_ones);
    memcpy(all.number + all.count, of->drawn_ones.number, of->drawn_ones.count * sizeof *all.number);
    all.count += of->drawn_ones.count;
    sort_numbers(&all);
    of->found = all;
    return FP_OK;
}

/* ---- The order ---- */

/* A pair before it has its place. */
typedef struct entry {
    uint32_t other; /* the unit of b */
    uint32_t a, b;
    fp_pair_origin origin;
} entry;

static entry entry_of(const maker *of, uint64_t number, fp_pair_origin origin) {
    uint32_t a = (uint32_t)(number >> 32), b = (uint32_t)number;
    bool turned = of->unit_of[b] < of->unit_of[a];
    return turned ? (entry){of->unit_of[a], b, a, origin} : (entry){of->unit_of[b], a, b, origin};
}

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

static fp_status keep(maker *of) {
    size_t count = of->certain.count + of->found.count;
    entry *entries = fp_arena_raw(of->scratch, count, 2 * sizeof *entries);
    fp_drawn_pair *pairs = fp_arena_raw(of->arena, count, sizeof *pairs);
    fp_pair_origin *origin = fp_arena_raw(of->scratch, count, sizeof *origin);
    if (!entries || !pairs || !origin) return fp_no_memory(of->error);
    entry *sorted = entries + count;
    for (size_t i = 0; i < of->certain.count; i++) entries[i] = entry_of(of, of->certain.number[i], FP_PAIR_CERTAIN);
    for (size_t i = 0, next = 0; i < of->found.count; i++) {
        uint64_t number = of->found.number[i];
        bool drawn = next < of->drawn_ones.count && of->drawn_ones.number[next] == number;
        entries[of->certain.count + i] = entry_of(of, number, drawn ? FP_PAIR_DRAWN : FP_PAIR_FOUND);
        next += drawn;
    }
    FP_TRY(sort_entries(of, entries, count, sorted));
    for (size_t i = 0; i < count; i++) {
        pairs[i] = (fp_drawn_pair){sorted[i].a, sorted[i].b};
        origin[i] = sorted[i].origin;
    }
    of->drawn->pairs = pairs;
    of->drawn->count = count;
    of->origin = origin;
    return FP_OK;
}

/* ---- All ---- */

static fp_status make(maker *to, uint64_t wanted) {
    FP_TRY(find_units(to));
    FP_TRY(find_near(to, wanted));
    FP_TRY(index_certain(to));
    FP_TRY(draw(to, wanted));
    FP_TRY(keep(to));
    FP_TRY(fp_drawn_weigh(to->drawn, to->origin, to->progress, to->arena, to->error));
    for (size_t i = 0; i < to->drawn->band_count; i++) to->bands[i].marks = NULL; /* go with the scratch */
    return FP_OK;
}

fp_status fp_drawn_pairs_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                              uint64_t wanted, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                              fp_drawn_pairs *drawn, fp_error *error) {
    *drawn = (fp_drawn_pairs){.seed = seed};
    if (wanted > SIZE_MAX / 2 / sizeof(entry)) return fp_no_memory(error);
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    maker to = {.corpus = corpus,
                .measurements = measurements,
                .arm_count = arm_count,
                .progress = progress,
                .arena = arena,
                .scratch = scratch,
                .drawn = drawn,
                .error = error};
    fp_status status = make(&to, wanted);
    fp_arena_free(scratch);
    return status;
}

/* ---- Numbers of pairs, and their order at random ---- */

fp_numbered_pair fp_pair_at(size_t count, uint64_t number) {
    size_t low = 0, high = count - 1; /* the last row that begins at or before `number` */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        uint64_t begin = (uint64_t)middle * (2 * count - middle - 1) / 2;
        if (begin <= number) low = middle;
        else high = middle;
    }
    uint64_t begin = (uint64_t)low * (2 * count - low - 1) / 2;
    return (fp_numbered_pair){low, low + 1 + (size_t)(number - begin)};
}

/* Four rounds of a Feistel network over the next even number of bits, walked until the value is in range (Black,
 * Rogaway, CT-RSA 2002). */
uint64_t fp_number_permuted(uint64_t value, uint64_t total, uint64_t seed) {
    unsigned half = 1;
    while (half < 32 && total > (uint64_t)1 << 2 * half) half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = value >> half, right = value & mask;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t kept = right;
            right = left ^ (fp_mix(fp_mix(seed, round), right) & mask);
            left = kept;
        }
        value = left << half | right;
    } while (value >= total);
    return value;
}

/* ---- What it costs to count all pairs ---- */

enum { WORD_BITS = 64, SLOTS_OF_A_WORD = 4 };

static uint64_t words_of(const fp_layout *layout) {
    if (layout->bits) return (layout->bits + WORD_BITS - 1) / WORD_BITS;
    return 1 + layout->slots / SLOTS_OF_A_WORD;
}

bool fp_arm_counts_whole(const fp_layout *layout, uint64_t documents, uint64_t most_words) {
    return (layout->bits || layout->slots) && fp_pairs_of(documents) <= most_words / words_of(layout);
}
