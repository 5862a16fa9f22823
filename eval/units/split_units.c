/* SPDX-License-Identifier: GPL-3.0-or-later
 * A corpus divided by units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/row.h"
#include "eval/units/shape.h"

/* A unit that is dealt. */
typedef struct dealt {
    uint64_t key;
    uint32_t unit, size; /* documents */
    uint32_t stratum;
} dealt;

typedef struct splitting {
    const fp_corpus *corpus;
    const fp_shape_split_options *options;
    fp_components units;
    const uint64_t *keys;
    dealt *dealt;  /* [units.count] */
    uint8_t *part; /* [units.count] */
    fp_arena *arena;
} splitting;

/* ---- Strata ---- */

/* What a document or pair says of its unit: a number for its value. */
typedef struct vote {
    uint32_t unit, value;
} vote;

FP_COMPARES(by_unit_and_value, vote, FP_ORDER(a->unit, b->unit) ?: FP_ORDER(a->value, b->value));

/* names[] are numbered; the name that most votes of a unit have, the smaller one of two, becomes its stratum. */
static void elect(splitting *in, vote *votes, size_t count, const fp_string *names) {
    qsort(votes, count, sizeof *votes, by_unit_and_value);
    for (size_t at = 0; at < count;) {
        uint32_t unit = votes[at].unit, best = 0;
        size_t most = 0;
        while (at < count && votes[at].unit == unit) {
            size_t first = at;
            while (at < count && votes[at].unit == unit && votes[at].value == votes[first].value) at++;
            bool smaller = most && fp_string_compare(names[votes[first].value], names[best]) < 0;
            if (at - first < most || (at - first == most && !smaller)) continue;
            most = at - first;
            best = votes[first].value;
        }
        in->dealt[unit].stratum = best + 1;
    }
}

static fp_status by_field(splitting *in, fp_error *error) {
    const fp_corpus_field *field = in->options->field;
    size_t count = in->corpus->document_count;
    vote *votes = FP_NEED(fp_arena_raw(in->arena, count, sizeof *votes), error);
    for (size_t i = 0; i < count; i++) votes[i] = (vote){in->units.of[i], field->of[i]};
    elect(in, votes, count, field->values);
    return FP_OK;
}

static fp_status by_kind(splitting *in, fp_error *error) {
    const fp_corpus *corpus = in->corpus;
    vote *votes = fp_arena_raw(in->arena, 2 * corpus->pair_count, sizeof *votes);
    fp_string *names = fp_arena_raw(in->arena, corpus->pair_count, sizeof *names);
    fp_numbering seen = {.like = in->arena};
    fp_status status = votes && names ? FP_OK : fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count && status == FP_OK; i++) {
        uint32_t number;
        bool fresh;
        status = fp_numbering_of(&seen, corpus->kinds[i], &number, &fresh, error);
        if (status != FP_OK) break;
        if (fresh) names[number] = corpus->kinds[i];
        votes[2 * i] = (vote){in->units.of[corpus->pairs[i].a], number};
        votes[2 * i + 1] = (vote){in->units.of[corpus->pairs[i].b], number};
    }
    fp_numbering_free(&seen);
    if (status == FP_OK) elect(in, votes, 2 * corpus->pair_count, names);
    return status;
}

static fp_status by_length(splitting *in, fp_error *error) {
    double *sum = FP_NEED(fp_arena_alloc(in->arena, in->units.count, sizeof *sum), error);
    for (size_t i = 0; i < in->corpus->document_count; i++)
        sum[in->units.of[i]] += (double)in->corpus->documents[i].characters;
    for (size_t u = 0; u < in->units.count; u++)
        in->dealt[u].stratum = (uint32_t)(1 + floor(log2(fmax(sum[u] / in->dealt[u].size, 1))));
    return FP_OK;
}

/* ---- Dealing ---- */

FP_COMPARES(by_stratum_and_size, dealt,
            FP_ORDER(a->stratum, b->stratum) ?: FP_ORDER(b->size, a->size) ?: FP_ORDER(a->key, b->key) ?:
            FP_ORDER(a->unit, b->unit));

/* The units of one stratum, whose documents are `total`. */
static void deal_stratum(splitting *in, const dealt *units, size_t count, double total, double shares) {
    const fp_shape_split_options *options = in->options;
    double has[FP_SPLIT_PARTS] = {0};
    for (size_t i = 0; i < count; i++) {
        size_t neediest = 0;
        double most = -INFINITY;
        for (size_t p = 0; p < options->part_count; p++) {
            double lacks = options->shares[p] / shares * total - has[p];
            if (lacks <= most) continue;
            most = lacks;
            neediest = p;
        }
        has[neediest] += units[i].size;
        in->part[units[i].unit] = (uint8_t)neediest;
    }
}

static void deal_strata(splitting *in, double shares) {
    size_t count = in->units.count;
    qsort(in->dealt, count, sizeof *in->dealt, by_stratum_and_size);
    for (size_t first = 0, end; first < count; first = end) {
        double total = 0;
        for (end = first; end < count && in->dealt[end].stratum == in->dealt[first].stratum; end++)
            total += in->dealt[end].size;
        deal_stratum(in, in->dealt + first, end - first, total, shares);
    }
}

/* 53 bits of the key as a number from 0 to below 1. */
static void deal_by_keys(splitting *in, double shares) {
    for (size_t u = 0; u < in->units.count; u++) {
        double number = (double)(in->keys[u] >> 11) * 0x1p-53 * shares;
        size_t p = 0;
        while (p + 1 < in->options->part_count && number >= in->options->shares[p]) number -= in->options->shares[p++];
        in->part[u] = (uint8_t)p;
    }
}

static fp_status deal(splitting *in, fp_error *error) {
    double shares = 0;
    for (size_t p = 0; p < in->options->part_count; p++) shares += in->options->shares[p];
    if (in->options->by == FP_STRATUM_NONE) return deal_by_keys(in, shares), FP_OK;
    if (in->options->by == FP_STRATUM_FIELD) FP_TRY(by_field(in, error));
    if (in->options->by == FP_STRATUM_KIND) FP_TRY(by_kind(in, error));
    if (in->options->by == FP_STRATUM_LENGTH) FP_TRY(by_length(in, error));
    deal_strata(in, shares);
    return FP_OK;
}

fp_status fp_shape_split(const fp_corpus *corpus, const fp_shape_split_options *options, fp_arena *arena,
                         fp_shape *shape, fp_error *error) {
    splitting in = {.corpus = corpus, .options = options, .arena = arena};
    uint64_t *keys;
    uint8_t *part;
    FP_TRY(fp_shape_units(corpus, options->seed, arena, &in.units, &keys, error));
    in.keys = keys;
    in.dealt = FP_NEED(fp_arena_alloc(arena, in.units.count, sizeof *in.dealt), error);
    in.part = FP_NEED(fp_arena_alloc(arena, in.units.count, 1), error);
    for (size_t u = 0; u < in.units.count; u++) in.dealt[u] = (dealt){.key = keys[u], .unit = (uint32_t)u};
    for (size_t i = 0; i < corpus->document_count; i++) in.dealt[in.units.of[i]].size++;
    FP_TRY(deal(&in, error));
    FP_TRY(fp_shape_open(corpus, options->part_count, arena, shape, &part, error));
    for (size_t i = 0; i < corpus->document_count; i++) part[i] = in.part[in.units.of[i]];
    FP_TRY(fp_shape_count(corpus, &in.units, arena, shape, error));
    for (size_t p = 0; p < options->part_count; p++)
        if (!shape->documents[p])
            return fp_fail(error, FP_ERROR_EMPTY,
                           "a part of share %g gets no document: there are %zu documents in %zu units",
                           options->shares[p], corpus->document_count, in.units.count);
    return FP_OK;
}
