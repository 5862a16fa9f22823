/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units of resampling, and resamples of them. */
#include "eval/units/resample.h"

#include <stdlib.h>
#include <string.h>

#include "base/disjoint_sets.h"

/* ---- The graph ---- */

typedef struct graph {
    const fp_pair *pairs;
    size_t pair_count, document_count;
    const uint32_t *node; /* [document_count] */
    size_t node_count;
    uint32_t *part;      /* [pair_count] root node of the part that holds the pair */
    size_t largest_part; /* pairs */
} graph;

static void count_documents(const graph *of, const uint32_t *degree, fp_resample *to) {
    for (size_t i = 0; i < of->document_count; i++) {
        to->document_count += degree[i] > 0;
        to->shared_documents += degree[i] > 1;
        if (degree[i] > to->busiest) to->busiest = degree[i];
    }
}

static fp_status find_parts(graph *of, fp_arena *scratch, fp_resample *to, fp_error *error) {
    fp_disjoint_sets forest;
    FP_TRY(fp_disjoint_sets_make(of->node_count, scratch, &forest, error));
    uint32_t *pairs_of = FP_NEED(fp_arena_alloc(scratch, of->node_count, sizeof *pairs_of), error);
    for (size_t i = 0; i < of->pair_count; i++)
        fp_disjoint_sets_join(&forest, of->node[of->pairs[i].a], of->node[of->pairs[i].b]);
    for (size_t i = 0; i < of->pair_count; i++) {
        of->part[i] = fp_disjoint_sets_find(&forest, of->node[of->pairs[i].a]);
        pairs_of[of->part[i]]++;
    }
    double squares = 0;
    for (size_t i = 0; i < of->node_count; i++) {
        if (pairs_of[i] == 0) continue;
        to->part_count++;
        if (pairs_of[i] > of->largest_part) of->largest_part = pairs_of[i];
        squares += (double)pairs_of[i] * (double)pairs_of[i];
    }
    to->effective_parts = (double)of->pair_count * (double)of->pair_count / squares;
    return FP_OK;
}

static fp_status look(const fp_pair *pairs, size_t count, const fp_components *nodes, fp_arena *scratch, graph *to,
                      fp_resample *resample, fp_error *error) {
    *to = (graph){.pairs = pairs,
                  .pair_count = count,
                  .document_count = nodes->document_count,
                  .node = nodes->of,
                  .node_count = nodes->count,
                  .part = FP_NEED(fp_arena_raw(scratch, count, sizeof *to->part), error)};
    uint32_t *degree = FP_NEED(fp_arena_alloc(scratch, to->document_count, sizeof *degree), error);
    for (size_t i = 0; i < count; i++) {
        degree[pairs[i].a]++;
        degree[pairs[i].b] += pairs[i].a != pairs[i].b;
        resample->alone &= pairs[i].a == pairs[i].b;
    }
    count_documents(to, degree, resample);
    return find_parts(to, scratch, resample, error);
}

/* ---- Units ---- */

static fp_sampling_unit choose(const graph *of, const fp_resample *resample) {
    if (of->largest_part == 1) return FP_SAMPLING_PAIR;
    if (resample->effective_parts >= FP_RESAMPLE_PARTS) return FP_SAMPLING_PART;
    return resample->nodes.kind;
}

/* Numbers the units in order of first occurrence. `seen`: one entry for each possible value, all UINT32_MAX. */
static uint32_t number(uint32_t value, uint32_t *seen, size_t *count) {
    if (seen[value] == UINT32_MAX) seen[value] = (uint32_t)(*count)++;
    return seen[value];
}

static fp_status make_units(const graph *of, fp_arena *arena, fp_arena *scratch, fp_resample *to, fp_error *error) {
    size_t values = of->node_count > of->pair_count ? of->node_count : of->pair_count;
    uint32_t *first = FP_NEED(fp_arena_raw(arena, of->pair_count, sizeof *first), error),
             *second = FP_NEED(fp_arena_raw(arena, of->pair_count, sizeof *second), error);
    uint32_t *seen = FP_NEED(fp_arena_raw(scratch, values, sizeof *seen), error);
    memset(seen, 0xff, values * sizeof *seen);
    bool nodes = to->unit == to->nodes.kind;
    for (size_t i = 0; i < of->pair_count; i++) {
        uint32_t a = to->unit == FP_SAMPLING_PAIR ? (uint32_t)i : of->part[i], b = a;
        if (nodes) {
            a = of->node[of->pairs[i].a];
            b = of->node[of->pairs[i].b];
        }
        first[i] = number(a, seen, &to->unit_count);
        second[i] = number(b, seen, &to->unit_count);
        to->crossing |= first[i] != second[i];
    }
    to->first = first;
    to->second = second;
    return FP_OK;
}

typedef struct couple {
    uint32_t low, high, pair;
} couple;

FP_COMPARES(by_units, couple, FP_ORDER(a->low, b->low) ?: FP_ORDER(a->high, b->high) ?: FP_ORDER(a->pair, b->pair));

/* Pairs between the same two units form one dyad. */
static fp_status make_dyads(fp_arena *arena, fp_arena *scratch, fp_resample *to, fp_error *error) {
    couple *couples = FP_NEED(fp_arena_raw(scratch, to->pair_count, sizeof *couples), error);
    uint32_t *dyad = FP_NEED(fp_arena_raw(arena, to->pair_count, sizeof *dyad), error),
             *member = FP_NEED(fp_arena_raw(arena, to->pair_count, sizeof *member), error);
    for (size_t i = 0; i < to->pair_count; i++) {
        uint32_t a = to->first[i], b = to->second[i];
        couples[i] = (couple){a < b ? a : b, a < b ? b : a, (uint32_t)i};
    }
    qsort(couples, to->pair_count, sizeof *couples, by_units);
    for (size_t i = 0; i < to->pair_count; i++) {
        bool fresh = i == 0 || couples[i].low != couples[i - 1].low || couples[i].high != couples[i - 1].high;
        if (fresh) member[to->dyad_count++] = couples[i].pair;
        dyad[couples[i].pair] = (uint32_t)(to->dyad_count - 1);
    }
    to->dyad = dyad;
    to->dyad_pair = member;
    return FP_OK;
}

static fp_status make_within(const fp_pair *pairs, fp_sampling_unit unit, fp_arena *arena, fp_arena *scratch,
                             fp_resample *to, fp_error *error) {
    graph seen;
    FP_TRY(look(pairs, to->pair_count, &to->nodes.units, scratch, &seen, to, error));
    bool fixed = unit == FP_SAMPLING_PAIR || unit == FP_SAMPLING_PART;
    to->unit = fixed ? unit : unit == FP_SAMPLING_AUTO ? choose(&seen, to) : to->nodes.kind;
    FP_TRY(make_units(&seen, arena, scratch, to, error));
    return make_dyads(arena, scratch, to, error);
}

static fp_status check(size_t count, fp_error *error) {
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there are no pairs to resample");
    if (count > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu pairs are more than can be resampled", count);
    return FP_OK;
}

fp_status fp_resample_make(const fp_pair *pairs, size_t count, const uint32_t *group, size_t document_count,
                           fp_sampling_unit unit, fp_arena *arena, fp_resample *resample, fp_error *error) {
    *resample = (fp_resample){.pair_count = count, .alone = true};
    FP_TRY(check(count, error));
    FP_SCRATCH(scratch, arena, error);
    const fp_labelled_documents all = {document_count, group, count, pairs};
    FP_TRY((unit == FP_SAMPLING_DOCUMENT ? fp_sampling_units_apart : fp_sampling_units_make)(&all, arena, scratch,
                                                                                             &resample->nodes, error));
    return make_within(pairs, unit, arena, scratch, resample, error);
}

fp_status fp_resample_part(const fp_sampling_units *nodes, const fp_pair *pairs, size_t count, fp_arena *arena,
                           fp_resample *resample, fp_error *error) {
    *resample = (fp_resample){.pair_count = count, .alone = true, .nodes = *nodes};
    FP_TRY(check(count, error));
    FP_SCRATCH(scratch, arena, error);
    return make_within(pairs, FP_SAMPLING_AUTO, arena, scratch, resample, error);
}

/* ---- Draws ---- */

fp_status fp_resample_draw(const fp_resample *resample, uint64_t seed, uint64_t replicate, fp_arena *scratch,
                           uint32_t *multiplicity, fp_error *error) {
    gsl_rng generator;
    FP_TRY(fp_generator_open(seed, replicate, scratch, &generator, error));
    size_t count = resample->unit_count;
    memset(multiplicity, 0, count * sizeof *multiplicity);
    for (size_t i = 0; i < count; i++) multiplicity[gsl_rng_uniform_int(&generator, count)]++;
    return FP_OK;
}

void fp_resample_sum(const fp_resample *resample, const double *value, double *sum) {
    for (size_t u = 0; u < resample->unit_count; u++) sum[u] = 0;
    for (size_t i = 0; i < resample->pair_count; i++) {
        uint32_t first = resample->first[i], second = resample->second[i];
        sum[first] += value[i];
        if (first != second) sum[second] += value[i];
    }
}

double fp_effective_count(const double *size, size_t count) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += size[i];
        squares += size[i] * size[i];
    }
    return squares > 0 ? sum * sum / squares : 0;
}

void fp_resample_weigh(const fp_resample *resample, const uint32_t *multiplicity, uint32_t *weight) {
    const uint32_t *first = resample->first, *second = resample->second;
    if (!resample->crossing) {
        for (size_t i = 0; i < resample->pair_count; i++) weight[i] = multiplicity[first[i]];
        return;
    }
    for (size_t i = 0; i < resample->pair_count; i++)
        weight[i] = multiplicity[first[i]] * (first[i] == second[i] ? 1 : multiplicity[second[i]]);
}

/* ---- Descriptions for reports ---- */

/* What connects documents. In a view by document (levels.h) groups include connection by duplicates. */
static const char *connector(const fp_resample *resample) {
    const fp_sampling_units *of = &resample->nodes;
    if (resample->alone) return "Groups or duplicates";
    if (of->kind == FP_SAMPLING_GROUP) return "Groups";
    return of->grouped ? "Groups and duplicates" : "Duplicates";
}

static const char *describe_nodes(const fp_resample *resample, fp_arena *arena) {
    const fp_sampling_units *of = &resample->nodes;
    if (of->several == 0) return fp_format(arena, "The %zu documents are the units.", of->documents);
    const char *plural = of->several == 1 ? "" : "s";
    size_t others = of->documents - of->connected;
    if (others == 0)
        return fp_format(arena, "%s connect all %zu documents, into %zu unit%s.", connector(resample), of->documents,
                         of->several, plural);
    return fp_format(arena,
                     "%s connect %zu of the %zu documents, into %zu unit%s; every other document is a unit "
                     "of its own, %zu in all.",
                     connector(resample), of->connected, of->documents, of->several, plural, of->several + others);
}

/* A component that is too large to be a unit; "" if none is. */
static const char *describe_refused(const fp_resample *resample, fp_arena *arena) {
    const fp_sampling_units *of = &resample->nodes;
    bool nodes = resample->unit == of->kind;
    if (of->refused == 0 || (!nodes && of->refused < of->documents)) return "";
    return fp_format(
        arena,
        " But groups or duplicates connect %zu of the %zu documents into one unit, so that their spread is unknown: "
        "it is taken apart, and the intervals may be too narrow.",
        of->refused, of->documents);
}

/* Why pairs are not independent. */
static const char *describe_shared(const fp_resample *resample, fp_arena *arena) {
    if (resample->alone) return fp_format(arena, "The %zu documents are not independent.", resample->pair_count);
    if (resample->shared_documents == 0)
        return fp_format(arena, "The %zu pairs share no document, but groups or duplicates connect them.",
                         resample->pair_count);
    return fp_format(arena,
                     "The %zu pairs are not independent: %zu of their %zu documents are in several pairs, one of "
                     "them in %zu.",
                     resample->pair_count, resample->shared_documents, resample->document_count, resample->busiest);
}

static const char *describe_independent(const fp_resample *resample, fp_arena *arena) {
    if (resample->alone)
        return fp_format(arena, "No two of the %zu documents are connected by groups or duplicates: each is a unit.",
                         resample->pair_count);
    return fp_format(arena, "No two of the %zu pairs share %s: they are independent, and each is a unit.",
                     resample->pair_count, resample->nodes.grouped ? "documents or groups" : "documents");
}

static const char *describe_units(const fp_resample *resample, fp_arena *arena) {
    if (resample->unit == FP_SAMPLING_PAIR)
        return "They are treated as independent units, and the intervals are too narrow.";
    if (resample->unit == FP_SAMPLING_PART && !resample->alone)
        return fp_format(arena, "They fall into %zu connected parts, which are the units.", resample->unit_count);
    const char *nodes = describe_nodes(resample, arena);
    if (!nodes) return NULL;
    return fp_format(arena, "%s%s", nodes,
                     resample->crossing ? " The dyadic-robust variance accounts for pairs across two units." : "");
}

const char *fp_resample_describe(const fp_resample *resample, fp_arena *arena) {
    const char *refused = describe_refused(resample, arena);
    if (!refused) return NULL;
    if (resample->part_count == resample->pair_count && resample->unit == FP_SAMPLING_PAIR) {
        const char *independent = describe_independent(resample, arena);
        return independent ? fp_format(arena, "%s%s", independent, refused) : NULL;
    }
    const char *shared = describe_shared(resample, arena), *units = describe_units(resample, arena);
    return shared && units ? fp_format(arena, "%s %s%s", shared, units, refused) : NULL;
}

/* ---- A generator of GSL whose state lives in an arena ---- */

fp_status fp_generator_open(uint64_t seed, uint64_t stream, fp_arena *arena, gsl_rng *generator, fp_error *error) {
    *generator =
        (gsl_rng){.type = gsl_rng_mt19937, .state = FP_NEED(fp_arena_alloc(arena, 1, gsl_rng_mt19937->size), error)};
    gsl_rng_set(generator, (uint32_t)fp_mix(seed, stream));
    return FP_OK;
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
