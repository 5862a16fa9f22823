/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts of pairs by kind, length and distance, and a sample of pairs. */
#include "eval/evaluation/pair_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/unicode/utf8.h"

/* ---- Which distances ---- */

/* Keeps every n-th point, and every point whose successor has a different integer part. */
static size_t thin(double *points, size_t count) {
    size_t stride = count / FP_DIGEST_POINTS + 1, kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count || ceil(points[i + 1]) != ceil(points[i]);
        if (i % stride == 0 || last) points[kept++] = points[i];
    }
    return kept;
}

static fp_status find_points(const fp_outcome *outcome, size_t arm, fp_arena *arena, fp_digest_arm *to,
                             fp_error *error) {
    const fp_histogram *histogram = &outcome->measurements[arm].histogram;
    double *points = FP_NEED(fp_arena_raw(arena, histogram->count + 1, sizeof *points), error);
    for (size_t i = 0; i < histogram->count; i++) points[i] = histogram->bars[i].distance;
    to->points = points;
    to->point_count = thin(points, histogram->count);
    return FP_OK;
}

/* The first point that is no nearer. */
static size_t point_of(const fp_digest_arm *of, double distance) {
    return FP_FIRST(i, of->point_count - 1, of->points[i] >= distance);
}

/* ---- Counting ---- */

static size_t part_of(const fp_pair_digest *of, size_t pair) {
    size_t kind = of->kinds.of_pair ? of->kinds.of_pair[pair] : 0,
           length = of->lengths.of_pair ? of->lengths.of_pair[pair] : 0;
    return kind * of->lengths.count + length;
}

static fp_status count_arm(const fp_pair_digest *of, size_t arm, fp_arena *arena, fp_digest_arm *to, fp_error *error) {
    const fp_outcome *outcome = of->outcome;
    const fp_corpus *corpus = outcome->corpus;
    FP_TRY(find_points(outcome, arm, arena, to, error));
    size_t parts = of->kinds.count * of->lengths.count;
    uint64_t *counts = FP_NEED(fp_arena_alloc(arena, parts * to->point_count, 2 * sizeof *counts), error);
    const double *distances = outcome->measurements[arm].distances;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        size_t place = part_of(of, i) * to->point_count + point_of(to, distances[i]);
        counts[2 * place + (corpus->pairs[i].label != 0)]++;
    }
    to->counts = counts;
    return FP_OK;
}

void fp_digest_within(const fp_pair_digest *digest, size_t arm, double h, uint64_t counts[2]) {
    const fp_digest_arm *of = digest->arms + arm;
    size_t parts = digest->kinds.count * digest->lengths.count;
    counts[0] = counts[1] = 0;
    for (size_t part = 0; part < parts; part++) {
        const uint64_t *own = of->counts + 2 * part * of->point_count;
        for (size_t i = 0; i < of->point_count && of->points[i] <= h; i++)
            counts[0] += own[2 * i], counts[1] += own[2 * i + 1];
    }
}

/* One part if there are too many, or if nothing divides them. */
static fp_status divide(const fp_corpus *corpus, const char *by, size_t most, fp_arena *arena, fp_strata *strata,
                        fp_error *error) {
    static const char *const WHOLE[] = {""};
    fp_status status = fp_strata_make(corpus, by, NULL, 0, arena, strata, error);
    if (status == FP_ERROR_MEMORY) return status;
    if (status != FP_OK || strata->count > most) *strata = (fp_strata){.by = by, .count = 1, .names = WHOLE};
    return FP_OK;
}

fp_status fp_pair_digest_make(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                              fp_pair_digest *digest, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    *digest = (fp_pair_digest){.outcome = outcome};
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has groups, of too many documents to list all pairs", corpus->name);
    FP_TRY(divide(corpus, "kind", FP_DIGEST_KINDS, arena, &digest->kinds, error));
    FP_TRY(divide(corpus, "length", SIZE_MAX, arena, &digest->lengths, error));
    fp_digest_arm *arms = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *arms), error);
    digest->arms = arms;
    for (size_t arm = 0; arm < outcome->count; arm++) FP_TRY(count_arm(digest, arm, arena, arms + arm, error));
    return fp_pair_sample_draw(digest, share ? share : 1, texts, arena, error);
}

/* ---- The pairs to show: all, or the same number of each arm, label and integer distance, in turn ---- */

/* A pair to be sorted: by its cell, or by its turn, and then at random. */
typedef struct entry {
    uint64_t key, random;
    uint32_t pair;
} entry;

FP_COMPARES(by_key, entry, FP_ORDER(a->key, b->key) ?: FP_ORDER(a->random, b->random) ?: FP_ORDER(a->pair, b->pair));

/* ---- Turns ---- */

/* Label and whole distance. */
static uint64_t cell_of(const fp_outcome *outcome, size_t arm, size_t pair) {
    enum { FARTHEST = 1 << 20 };
    double distance = ceil(outcome->measurements[arm].distances[pair]);
    uint64_t whole = distance < FARTHEST ? (uint64_t)distance : FARTHEST;
    return whole << 1 | (outcome->corpus->pairs[pair].label != 0);
}

/* turn[pair]: how many stand before it in its cell, under the arm where these are fewest. */
static void take_turns(const fp_outcome *outcome, size_t arm, entry *entries, uint32_t *turn) {
    size_t count = outcome->corpus->pair_count;
    for (size_t i = 0; i < count; i++) entries[i] = (entry){cell_of(outcome, arm, i), fp_mix(i, 0), (uint32_t)i};
    qsort(entries, count, sizeof *entries, by_key);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (entries[i].key != entries[first].key) first = i;
        uint32_t own = (uint32_t)(i - first);
        if (own < turn[entries[i].pair]) turn[entries[i].pair] = own;
    }
}

/* ---- Room ---- */

static size_t characters_of(const fp_corpus *corpus, uint32_t document) {
    size_t own = corpus->documents[document].characters;
    return own < FP_DIGEST_TEXT ? own : FP_DIGEST_TEXT;
}

/* Takes a document unless already taken; returns the size of its text. */
static size_t need_of(const fp_corpus *corpus, const bool *taken, uint32_t document) {
    return taken[document] ? 0 : characters_of(corpus, document);
}

static size_t take(const fp_corpus *corpus, const entry *entries, size_t share, bool texts, bool *taken,
                   uint32_t *listed) {
    size_t room = FP_DIGEST_CHARACTERS / share, most = FP_DIGEST_PAIRS / share, count = 0;
    for (size_t i = 0; i < corpus->pair_count && count < most; i++) {
        fp_pair pair = corpus->pairs[entries[i].pair];
        size_t need = texts ? need_of(corpus, taken, pair.a) + need_of(corpus, taken, pair.b) : 0;
        if (need > room) break;
        room -= need;
        taken[pair.a] = taken[pair.b] = true;
        listed[count++] = entries[i].pair;
    }
    return count;
}

/* ---- Texts ---- */

static fp_string cut(fp_string text) {
    size_t at = 0;
    uint32_t code;
    for (size_t i = 0; i < FP_DIGEST_TEXT && at < text.length; i++) at += fp_utf8_decode(text.data + at, &code);
    return (fp_string){text.data, at};
}

static fp_status read_texts(fp_pair_digest *digest, fp_arena *arena, fp_error *error) {
    fp_string *texts = FP_NEED(fp_arena_alloc(arena, digest->document_count + 1, sizeof *texts), error);
    if (digest->document_count && fp_corpus_has_texts(digest->outcome->corpus))
        FP_TRY(
            fp_corpus_fetch(digest->outcome->corpus, digest->documents, digest->document_count, arena, texts, error));
    for (size_t i = 0; i < digest->document_count; i++) texts[i] = cut(texts[i]);
    digest->texts = texts;
    return FP_OK;
}

static fp_status list_documents(fp_pair_digest *digest, const bool *taken, fp_arena *arena, fp_error *error) {
    size_t all = digest->outcome->corpus->document_count;
    uint32_t *documents = FP_NEED(fp_arena_raw(arena, all + 1, sizeof *documents), error);
    for (size_t i = 0; i < all; i++)
        if (taken[i]) documents[digest->document_count++] = (uint32_t)i;
    digest->documents = documents;
    return FP_OK;
}

/* ---- All ---- */

static fp_status draw(fp_pair_digest *digest, size_t share, bool texts, fp_arena *scratch, fp_arena *arena,
                      fp_error *error) {
    const fp_outcome *outcome = digest->outcome;
    size_t count = outcome->corpus->pair_count;
    entry *entries = FP_NEED(fp_arena_raw(scratch, count + 1, sizeof *entries), error);
    uint32_t *turn = FP_NEED(fp_arena_raw(scratch, count + 1, sizeof *turn), error),
             *listed = FP_NEED(fp_arena_raw(arena, FP_DIGEST_PAIRS, sizeof *listed), error);
    bool *taken = FP_NEED(fp_arena_alloc(scratch, outcome->corpus->document_count + 1, sizeof *taken), error);
    memset(turn, 0xff, count * sizeof *turn);
    for (size_t arm = 0; arm < outcome->count; arm++) take_turns(outcome, arm, entries, turn);
    for (size_t i = 0; i < count; i++) entries[i] = (entry){turn[i], fp_mix(i, 0), (uint32_t)i};
    qsort(entries, count, sizeof *entries, by_key);
    digest->listed_count = take(outcome->corpus, entries, share, texts, taken, listed);
    qsort(listed, digest->listed_count, sizeof *listed, fp_ascending_u32);
    digest->listed = listed;
    return list_documents(digest, taken, arena, error);
}

fp_status fp_pair_sample_draw(fp_pair_digest *digest, size_t share, bool texts, fp_arena *arena, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    FP_TRY(draw(digest, share, texts, scratch, arena, error));
    return texts ? read_texts(digest, arena, error) : FP_OK;
}
