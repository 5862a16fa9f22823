/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs divided into strata. */
#include "eval/strata.h"

#include <string.h>

#include "base/map.h"
#include "text/utf8.h"

/* What is being built: names by their hash. */
typedef struct builder {
    fp_arena *arena;
    fp_map seen;
    const char **names;
    size_t count;
    uint32_t *of_pair;
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
    if (name.length == 0) name = fp_string_of("(none)");
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

static fp_status divide_by_kind(const fp_corpus *corpus, builder *to, fp_error *error) {
    for (size_t i = 0; i < corpus->pair_count; i++) FP_TRY(stratum_called(to, corpus->kinds[i], to->of_pair + i, error));
    return FP_OK;
}

/* The value of a field for every document. */
static fp_status read_field(const fp_corpus *corpus, const char *field, fp_arena *arena, fp_string **values, fp_error *error) {
    bool any = false;
    *values = fp_arena_alloc(arena, corpus->document_count, sizeof **values);
    if (!*values) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->document_count; i++) {
        FP_TRY(fp_corpus_field(corpus->documents + i, field, arena, *values + i, error));
        any = any || (*values)[i].length > 0;
    }
    return any ? FP_OK : fp_fail(error, FP_ERROR_UNKNOWN, "no document of %s has a field \"%s\"", corpus->name, field);
}

static fp_status divide_by_field(const fp_corpus *corpus, const char *field, builder *to, fp_error *error) {
    fp_string *values;
    FP_TRY(read_field(corpus, field, to->arena, &values, error));
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_string a = values[corpus->pairs[i].a], b = values[corpus->pairs[i].b], low = a, high = b;
        if (fp_string_compare(a, b) > 0) low = b, high = a;
        const char *name = fp_string_equal(a, b) ? fp_string_copy(to->arena, a)
                                                 : fp_format(to->arena, "%.*s / %.*s", (int)low.length, low.data, (int)high.length, high.data);
        if (!name) return fp_no_memory(error);
        FP_TRY(stratum_called(to, fp_string_of(name), to->of_pair + i, error));
    }
    return FP_OK;
}

/* ---- Length ---- */

static fp_status name_buckets(const size_t *bounds, size_t count, builder *to, fp_error *error) {
    for (size_t b = 0; b <= count; b++) {
        size_t low = b ? bounds[b - 1] : 0;
        to->names[b] = b < count ? fp_format(to->arena, "%zu-%zu", low, bounds[b] - 1) : fp_format(to->arena, "%zu+", low);
        if (!to->names[b]) return fp_no_memory(error);
    }
    to->count = count + 1;
    return FP_OK;
}

static fp_status divide_by_length(const fp_corpus *corpus, const size_t *bounds, size_t count, builder *to, fp_error *error) {
    size_t *length = fp_arena_alloc(to->arena, corpus->document_count, sizeof *length);
    if (!length) return fp_no_memory(error);
    if (count >= FP_STRATA_MOST) return fp_fail(error, FP_ERROR_RANGE, "more than %d strata", FP_STRATA_MOST);
    FP_TRY(name_buckets(bounds, count, to, error));
    for (size_t i = 0; i < corpus->document_count; i++) length[i] = fp_utf8_count(corpus->documents[i].text);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        size_t a = length[corpus->pairs[i].a], b = length[corpus->pairs[i].b], shorter = a < b ? a : b;
        uint32_t bucket = 0;
        while (bucket < count && shorter >= bounds[bucket]) bucket++;
        to->of_pair[i] = bucket;
    }
    return FP_OK;
}

fp_status fp_strata_make(const fp_corpus *corpus, const char *by, const size_t *bounds, size_t bound_count, fp_arena *arena, fp_strata *strata,
                         fp_error *error) {
    static const size_t USUAL[] = {50, 100, 200, 400, 800, 1600};
    builder made;
    if (corpus->truth != FP_TRUTH_PAIRS) return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to divide", corpus->name);
    FP_TRY(open_builder(&made, corpus->pair_count, arena, error));
    if (!bound_count) bounds = USUAL, bound_count = sizeof USUAL / sizeof *USUAL;
    if (strcmp(by, "kind") == 0) FP_TRY(divide_by_kind(corpus, &made, error));
    else if (strcmp(by, "length") == 0) FP_TRY(divide_by_length(corpus, bounds, bound_count, &made, error));
    else FP_TRY(divide_by_field(corpus, by, &made, error));
    *strata = (fp_strata){by, made.count, made.names, made.of_pair};
    return FP_OK;
}

fp_status fp_stratum_histogram(const fp_corpus *corpus, const fp_strata *strata, size_t stratum, const double *distances, fp_histogram *histogram,
                               fp_error *error) {
    bool holds[2] = {false, false};
    for (size_t i = 0; i < corpus->pair_count; i++)
        if (strata->of_pair[i] == stratum) holds[corpus->pairs[i].label] = true;
    *histogram = (fp_histogram){0};
    for (size_t i = 0; i < corpus->pair_count; i++) {
        bool inside = strata->of_pair[i] == stratum;
        bool joined = !holds[corpus->pairs[i].label] && (holds[0] || holds[1]);
        if (inside || joined) FP_TRY(fp_histogram_add(histogram, distances[i], corpus->pairs[i].label, error));
    }
    fp_histogram_finish(histogram);
    return FP_OK;
}
