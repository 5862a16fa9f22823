/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs divided into strata. */
#include "eval/outcome/strata.h"

#include <string.h>

#include "base/map.h"
#include "eval/outcome/buckets.h"

/* What is being built: names by their hash. */
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
                      .names = fp_arena_alloc(arena, FP_STRATA_MOST, sizeof *made->names),
                      .of_pair = fp_arena_alloc(arena, pairs, sizeof *made->of_pair)};
    if (!made->names || !made->of_pair) return fp_no_memory(error);
    return fp_map_open(&made->seen, FP_STRATA_MOST, arena, error);
}

/* The number of the stratum of that name. */
static fp_status stratum_called(builder *to, fp_string name, uint32_t *number, fp_error *error) {
    size_t place = fp_map_place(&to->seen, fp_xxh3(name.data, name.length, 0));
    if (to->seen.value[place] == FP_MAP_NONE) {
        if (to->count == FP_STRATA_MOST) return fp_fail(error, FP_ERROR_RANGE, "more than %d strata", FP_STRATA_MOST);
        to->names[to->count] = fp_string_copy(to->arena, name);
        if (!to->names[to->count]) return fp_no_memory(error);
        fp_map_put(&to->seen, fp_xxh3(name.data, name.length, 0), (uint32_t)to->count++);
    }
    *number = fp_map_get(&to->seen, fp_xxh3(name.data, name.length, 0));
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
        const char *joined = fp_string_equal(a, b) ? fp_string_copy(to->arena, a)
                                                   : fp_format(to->arena, "%.*s / %.*s", (int)low.length, low.data,
                                                               (int)high.length, high.data);
        if (!joined) return fp_no_memory(error);
        FP_TRY(stratum_called(to, fp_string_of(joined), to->of_pair + i, error));
    }
    return FP_OK;
}

/* ---- Length ---- */

static fp_status name_buckets(const size_t *bounds, size_t count, builder *to, fp_error *error) {
    if (count >= FP_STRATA_MOST) return fp_fail(error, FP_ERROR_RANGE, "more than %d strata", FP_STRATA_MOST);
    size_t *kept = fp_arena_raw(to->arena, count, sizeof *kept);
    if (!kept) return fp_no_memory(error);
    for (size_t b = 0; b < count; b++) kept[b] = bounds[b];
    to->bounds = kept;
    for (size_t b = 0; b <= count; b++) {
        size_t low = b ? bounds[b - 1] : 0;
        to->names[b] =
            b < count ? fp_format(to->arena, "%zu-%zu", low, bounds[b] - 1) : fp_format(to->arena, "%zu+", low);
        if (!to->names[b]) return fp_no_memory(error);
    }
    to->count = count + 1;
    return FP_OK;
}

/* Characters of the shorter document of every pair. */
static fp_status measure_pairs(const fp_corpus *corpus, fp_arena *arena, size_t **shorter, fp_error *error) {
    *shorter = fp_arena_raw(arena, corpus->pair_count, sizeof **shorter);
    if (!*shorter) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        size_t a = corpus->documents[corpus->pairs[i].a].characters,
               b = corpus->documents[corpus->pairs[i].b].characters;
        (*shorter)[i] = a < b ? a : b;
    }
    return FP_OK;
}

static fp_status divide_by_length(const fp_corpus *corpus, const size_t *bounds, size_t count, builder *to,
                                  fp_error *error) {
    size_t *length, chosen[FP_BUCKETS_MOST];
    FP_TRY(measure_pairs(corpus, to->arena, &length, error));
    if (!count) {
        FP_TRY(fp_buckets_choose(length, corpus->pairs, corpus->pair_count, to->arena, chosen, &count, error));
        bounds = chosen;
    }
    FP_TRY(name_buckets(bounds, count, to, error));
    for (size_t i = 0; i < corpus->pair_count; i++) {
        uint32_t bucket = 0;
        while (bucket < count && length[i] >= bounds[bucket]) bucket++;
        to->of_pair[i] = bucket;
    }
    return FP_OK;
}

/* Of groups there is no list of pairs: buckets are chosen by the documents that have a duplicate. */
static fp_status divide_groups(const fp_corpus *corpus, const size_t *bounds, size_t count, builder *to,
                               fp_error *error) {
    size_t chosen[FP_BUCKETS_MOST], used = 0, *length = fp_arena_raw(to->arena, corpus->document_count, sizeof *length);
    size_t *members = fp_arena_alloc(to->arena, corpus->group_count, sizeof *members);
    fp_pair *pairs = fp_arena_raw(to->arena, corpus->document_count, sizeof *pairs);
    if (!length || !members || !pairs) return fp_no_memory(error);
    if (count) return name_buckets(bounds, count, to, error);
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) members[corpus->group[i]]++;
    for (uint32_t i = 0; i < corpus->document_count; i++) {
        if (corpus->group[i] == UINT32_MAX || members[corpus->group[i]] < 2) continue;
        pairs[used] = (fp_pair){i, i, 1};
        length[used++] = corpus->documents[i].characters;
    }
    FP_TRY(fp_buckets_choose(length, pairs, used, to->arena, chosen, &count, error));
    return name_buckets(chosen, count, to, error);
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
    *members = fp_arena_raw(arena, corpus->pair_count, sizeof **members);
    if (!*members) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count; i++)
        if (strata->of_pair[i] == stratum) holds[corpus->pairs[i].label] = true;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        bool inside = strata->of_pair[i] == stratum;
        bool joined = !holds[corpus->pairs[i].label] && (holds[0] || holds[1]);
        if (inside || joined) (*members)[(*count)++] = i;
    }
    return FP_OK;
}
