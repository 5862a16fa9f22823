/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs divided into strata. */
#include "eval/analyses/strata.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* Strata under construction: names by their hash. */
typedef struct builder {
    fp_arena *arena;
    fp_map seen;
    const char **names;
    size_t count;
    uint32_t *of_pair;
    size_t *bounds;
} builder;

static fp_status open_builder(builder *made, size_t pairs, fp_arena *arena, fp_error *error) {
    *made = (builder){.arena = arena,
                      .names = FP_NEED(fp_arena_alloc(arena, FP_STRATA_MOST, sizeof *made->names), error),
                      .of_pair = FP_NEED(fp_arena_alloc(arena, pairs, sizeof *made->of_pair), error)};
    return fp_map_open(&made->seen, FP_STRATA_MOST, arena, error);
}

/* The number of the stratum with that name. */
static fp_status stratum_called(builder *to, fp_string name, uint32_t *number, fp_error *error) {
    uint64_t hash = fp_xxh3(name.data, name.length, 0);
    *number = fp_map_get(&to->seen, hash);
    if (*number != FP_MAP_NONE) return FP_OK;
    if (to->count == FP_STRATA_MOST) return fp_fail(error, FP_ERROR_RANGE, "more than %d strata", FP_STRATA_MOST);
    to->names[to->count] = FP_NEED(fp_string_copy(to->arena, name), error);
    *number = (uint32_t)to->count++;
    fp_map_put(&to->seen, hash, *number);
    return FP_OK;
}

/* ---- Kinds and fields ---- */

static fp_string or_none(fp_string value) { return value.length ? value : fp_string_of("(none)"); }

static fp_status divide_by_kind(const fp_corpus *corpus, builder *to, fp_error *error) {
    for (size_t i = 0; i < corpus->pair_count; i++)
        FP_TRY(stratum_called(to, or_none(corpus->kinds[i]), to->of_pair + i, error));
    return FP_OK;
}

static fp_status divide_by_field(const fp_corpus *corpus, const char *name, builder *to, fp_error *error) {
    const fp_corpus_field *field = fp_corpus_field_find(corpus, name);
    if (!field || !field->any)
        return fp_fail(error, FP_ERROR_UNKNOWN, "no document of %s has a field \"%s\"", corpus->name, name);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        fp_string a = or_none(field->values[field->of[pair.a]]), b = or_none(field->values[field->of[pair.b]]);
        fp_string low = a, high = b;
        if (fp_string_compare(a, b) > 0) low = b, high = a;
        fp_string joined = a;
        if (!fp_string_equal(a, b))
            joined = fp_string_of(FP_NEED(
                fp_format(to->arena, "%.*s / %.*s", (int)low.length, low.data, (int)high.length, high.data), error));
        FP_TRY(stratum_called(to, joined, to->of_pair + i, error));
    }
    return FP_OK;
}

/* ---- Length ---- */

static size_t minimum(size_t a, size_t b) { return a < b ? a : b; }

/* The given buckets, or, without bounds, buckets chosen from length[pair_count] of these pairs. */
static fp_status make_buckets(const size_t *length, const fp_pair *pairs, size_t pair_count, const size_t *bounds,
                              size_t count, builder *to, fp_error *error) {
    size_t chosen[FP_BUCKETS_MOST];
    if (!count) {
        FP_TRY(fp_buckets_choose(length, pairs, pair_count, to->arena, chosen, &count, error));
        bounds = chosen;
    }
    if (count >= FP_STRATA_MOST) return fp_fail(error, FP_ERROR_RANGE, "more than %d strata", FP_STRATA_MOST);
    to->bounds = FP_NEED(fp_arena_raw(to->arena, count, sizeof *to->bounds), error);
    to->count = count + 1;
    for (size_t b = 0; b <= count; b++) {
        size_t low = b ? bounds[b - 1] : 0;
        if (b < count) to->bounds[b] = bounds[b];
        to->names[b] = FP_NEED(
            b < count ? fp_format(to->arena, "%zu-%zu", low, bounds[b] - 1) : fp_format(to->arena, "%zu+", low), error);
    }
    return FP_OK;
}

/* By the characters of the shorter document. */
static fp_status divide_by_length(const fp_corpus *corpus, const size_t *bounds, size_t count, builder *to,
                                  fp_error *error) {
    size_t *length = FP_NEED(fp_arena_raw(to->arena, corpus->pair_count, sizeof *length), error);
    for (size_t i = 0; i < corpus->pair_count; i++)
        length[i] =
            minimum(corpus->documents[corpus->pairs[i].a].characters, corpus->documents[corpus->pairs[i].b].characters);
    FP_TRY(make_buckets(length, corpus->pairs, corpus->pair_count, bounds, count, to, error));
    for (size_t i = 0; i < corpus->pair_count; i++) {
        uint32_t bucket = 0;
        while (bucket + 1 < to->count && length[i] >= to->bounds[bucket]) bucket++;
        to->of_pair[i] = bucket;
    }
    return FP_OK;
}

/* The pairs of groups are not listed: buckets are chosen by the documents that have a duplicate. */
static fp_status divide_groups(const fp_corpus *corpus, const size_t *bounds, size_t count, builder *to,
                               fp_error *error) {
    size_t used = 0, *length = FP_NEED(fp_arena_raw(to->arena, corpus->document_count, sizeof *length), error),
           *members = FP_NEED(fp_arena_alloc(to->arena, corpus->group_count, sizeof *members), error);
    fp_pair *pairs = FP_NEED(fp_arena_raw(to->arena, corpus->document_count, sizeof *pairs), error);
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) members[corpus->group[i]]++;
    for (uint32_t i = 0; i < corpus->document_count; i++) {
        if (corpus->group[i] == UINT32_MAX || members[corpus->group[i]] < 2) continue;
        pairs[used] = (fp_pair){i, i, 1};
        length[used++] = corpus->documents[i].characters;
    }
    return make_buckets(length, pairs, used, bounds, count, to, error);
}

const char *fp_strata_field(const char *by) {
    return by && strcmp(by, "kind") != 0 && strcmp(by, "length") != 0 ? by : NULL;
}

fp_status fp_strata_make(const fp_corpus *corpus, const char *by, const size_t *bounds, size_t bound_count,
                         fp_arena *arena, fp_strata *strata, fp_error *error) {
    builder made;
    bool grouped = corpus->truth == FP_TRUTH_GROUPS && strcmp(by, "length") == 0;
    if (corpus->truth != FP_TRUTH_PAIRS && !grouped)
        return fp_fail(error, FP_ERROR_EMPTY,
                       "%s has no labelled pairs to divide by %s: groups can be divided by length only", corpus->name,
                       by);
    FP_TRY(open_builder(&made, corpus->pair_count, arena, error));
    if (grouped) FP_TRY(divide_groups(corpus, bounds, bound_count, &made, error));
    else if (strcmp(by, "kind") == 0) FP_TRY(divide_by_kind(corpus, &made, error));
    else if (strcmp(by, "length") == 0) FP_TRY(divide_by_length(corpus, bounds, bound_count, &made, error));
    else FP_TRY(divide_by_field(corpus, by, &made, error));
    *strata = (fp_strata){by, made.count, made.names, grouped ? NULL : made.of_pair, made.bounds};
    return FP_OK;
}

fp_status fp_stratum_select(const fp_corpus *corpus, const fp_strata *strata, size_t stratum, fp_arena *arena,
                            size_t **members, size_t *count, fp_error *error) {
    bool holds[2] = {false, false};
    *count = 0;
    *members = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof **members), error);
    for (size_t i = 0; i < corpus->pair_count; i++)
        if (strata->of_pair[i] == stratum) holds[corpus->pairs[i].label] = true;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        bool inside = strata->of_pair[i] == stratum;
        bool joined = !holds[corpus->pairs[i].label] && (holds[0] || holds[1]);
        if (inside || joined) (*members)[(*count)++] = i;
    }
    return FP_OK;
}

/* ---- Quantiles of length, rounded ---- */

/* The pairs of one length. */
typedef struct step {
    size_t length;
    double below; /* share of the weight at shorter lengths */
} step;

typedef struct item {
    size_t length;
    bool positive;
} item;

FP_COMPARES(by_length, item, FP_ORDER(a->length, b->length));

static size_t bucket_count(size_t pairs, size_t positives) {
    size_t rarer = minimum(positives, pairs - positives);
    if (rarer == 0) rarer = pairs;
    size_t count = minimum(pairs / FP_BUCKET_PAIRS, rarer / FP_BUCKET_LABEL);
    return minimum(count, FP_BUCKETS_MOST);
}

/* Distinct lengths, ascending. Each label has half of the weight; a label that does not occur has none. */
static size_t make_steps(const item *items, size_t count, size_t positives, step *steps) {
    double share = positives == 0 || positives == count ? 1 : 0.5, below = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || items[i].length != items[i - 1].length) steps[used++] = (step){items[i].length, below};
        below += share / (double)(items[i].positive ? positives : count - positives);
    }
    return used;
}

/* The smallest length with at least that share below it. */
static size_t quantile(const step *steps, size_t count, double share) {
    for (size_t i = 0; i < count; i++)
        if (steps[i].below >= share) return steps[i].length;
    return steps[count - 1].length;
}

static size_t nearest_multiple(size_t value, size_t of) { return (value + of / 2) / of * of; }

/* The roundest number from `low` to `high`, near `middle`, which is in that range. */
static size_t roundest(size_t low, size_t middle, size_t high) {
    static const size_t FACTOR[] = {5, 2, 1};
    size_t power = 1;
    while (power <= high / 10) power *= 10;
    for (; power; power /= 10) {
        for (int i = 0; i < 3; i++) {
            size_t unit = power * FACTOR[i], found = nearest_multiple(middle, unit);
            if (found > high) found -= unit;
            if (found < low) found += unit;
            if (found >= low && found <= high) return found;
        }
    }
    return middle;
}

static void place_bounds(const step *steps, size_t step_count, size_t buckets, size_t *bounds, size_t *count) {
    size_t before = 0; /* first step at or above the previous bound */
    for (size_t i = 1; i < buckets; i++) {
        double at = (double)i, all = (double)buckets;
        size_t low = quantile(steps, step_count, (at - 0.25) / all), middle = quantile(steps, step_count, at / all),
               high = quantile(steps, step_count, (at + 0.25) / all);
        size_t bound = roundest(low, middle, high), first = before;
        while (first < step_count && steps[first].length < bound) first++;
        if (first == before || first == step_count) continue; /* would leave an empty bucket */
        bounds[(*count)++] = bound;
        before = first;
    }
}

fp_status fp_buckets_choose(const size_t *length, const fp_pair *pairs, size_t pair_count, const fp_arena *like,
                            size_t *bounds, size_t *count, fp_error *error) {
    *count = 0;
    FP_SCRATCH(scratch, like, error);
    item *items = FP_NEED(fp_arena_raw(scratch, pair_count, sizeof *items), error);
    step *steps = FP_NEED(fp_arena_raw(scratch, pair_count, sizeof *steps), error);
    size_t positives = 0;
    for (size_t i = 0; i < pair_count; i++) {
        items[i] = (item){length[i], pairs[i].label != 0};
        positives += items[i].positive;
    }
    qsort(items, pair_count, sizeof *items, by_length);
    if (pair_count == 0) return FP_OK;
    size_t step_count = make_steps(items, pair_count, positives, steps);
    place_bounds(steps, step_count, bucket_count(pair_count, positives), bounds, count);
    return FP_OK;
}
