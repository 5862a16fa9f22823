/* SPDX-License-Identifier: GPL-3.0-or-later
 * A corpus divided by units, and samples of one. */
#include "eval/units/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/importing/corpus_writer.h"
#include "corpora/row.h"

/* For one document: XXH3-64 of its id, mixed with the seed. */
static uint64_t key_of_id(fp_string id, uint64_t seed) { return fp_mix(fp_xxh3(id.data, id.length, 0), seed); }

fp_status fp_shape_units(const fp_corpus *corpus, uint64_t seed, fp_arena *arena, fp_components *units, uint64_t **keys,
                         fp_error *error) {
    const fp_labelled_documents from = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    FP_TRY(fp_components_make(&from, arena, arena, units, error));
    uint64_t *made = *keys = FP_NEED(fp_arena_raw(arena, units->count, sizeof *made), error);
    uint32_t *smallest = FP_NEED(fp_arena_raw(arena, units->count, sizeof *smallest), error);
    memset(smallest, 0xff, units->count * sizeof *smallest);
    for (size_t i = 0; i < corpus->document_count; i++) {
        uint32_t *least = &smallest[units->of[i]];
        if (*least == UINT32_MAX || fp_string_compare(corpus->documents[i].id, corpus->documents[*least].id) < 0)
            *least = (uint32_t)i;
    }
    for (size_t u = 0; u < units->count; u++) made[u] = key_of_id(corpus->documents[smallest[u]].id, seed);
    return FP_OK;
}

/* A shape of `parts` parts, with nothing in them, in `arena`. */
static fp_status open_shape(const fp_corpus *corpus, size_t parts, fp_arena *arena, fp_shape *shape, uint8_t **part,
                            fp_error *error) {
    *part = FP_NEED(fp_arena_raw(arena, corpus->document_count, 1), error);
    *shape = (fp_shape){.part_count = parts,
                        .part = *part,
                        .documents = FP_NEED(fp_arena_alloc(arena, parts, sizeof *shape->documents), error),
                        .units = FP_NEED(fp_arena_alloc(arena, parts, sizeof *shape->units), error)};
    memset(*part, FP_SHAPE_NONE, corpus->document_count);
    return FP_OK;
}

/* Counts documents, units and crossing pairs, once `part` is filled. */
static fp_status count_shape(const fp_corpus *corpus, const fp_components *units, fp_arena *arena, fp_shape *shape,
                             fp_error *error) {
    bool *seen = FP_NEED(fp_arena_alloc(arena, units->count * shape->part_count, sizeof *seen), error);
    shape->unit_count = units->count;
    for (size_t i = 0; i < corpus->document_count; i++) {
        uint8_t part = shape->part[i];
        if (part == FP_SHAPE_NONE) continue;
        bool *here = &seen[units->of[i] * shape->part_count + part];
        shape->documents[part]++;
        shape->units[part] += !*here;
        *here = true;
    }
    for (size_t i = 0; i < corpus->pair_count; i++) {
        uint8_t a = shape->part[corpus->pairs[i].a], b = shape->part[corpus->pairs[i].b];
        shape->crossing += a != b && a != FP_SHAPE_NONE && b != FP_SHAPE_NONE;
    }
    return FP_OK;
}

/* ---- A corpus divided by units ---- */

/* A unit to assign. */
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

/* The stratum that a document or pair votes for: a number for its value. */
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
    vote *votes = FP_NEED(fp_arena_raw(in->arena, 2 * corpus->pair_count, sizeof *votes), error);
    fp_string *names = FP_NEED(fp_arena_raw(in->arena, corpus->pair_count, sizeof *names), error);
    fp_numbering seen FP_CLOSED_BY(fp_numbering_free) = {.like = in->arena};
    for (size_t i = 0; i < corpus->pair_count; i++) {
        uint32_t number;
        bool fresh;
        FP_TRY(fp_numbering_of(&seen, corpus->kinds[i], &number, &fresh, error));
        if (fresh) names[number] = corpus->kinds[i];
        votes[2 * i] = (vote){in->units.of[corpus->pairs[i].a], number};
        votes[2 * i + 1] = (vote){in->units.of[corpus->pairs[i].b], number};
    }
    elect(in, votes, 2 * corpus->pair_count, names);
    return FP_OK;
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
    FP_TRY(open_shape(corpus, options->part_count, arena, shape, &part, error));
    for (size_t i = 0; i < corpus->document_count; i++) part[i] = in.part[in.units.of[i]];
    FP_TRY(count_shape(corpus, &in.units, arena, shape, error));
    for (size_t p = 0; p < options->part_count; p++)
        if (!shape->documents[p])
            return fp_fail(error, FP_ERROR_EMPTY,
                           "a part of share %g gets no document: there are %zu documents in %zu units",
                           options->shares[p], corpus->document_count, in.units.count);
    return FP_OK;
}

/* ---- A part of a corpus, written as a corpus ---- */

typedef struct writing {
    const fp_shape *shape;
    size_t part;
    fp_corpus_writer *writer;
} writing;

static fp_status write_line(void *context, size_t document, fp_string line, fp_error *error) {
    const writing *to = context;
    if (to->shape->part[document] != to->part) return FP_OK;
    return fp_corpus_writer_line(to->writer, line, error);
}

static fp_status write_pairs(const fp_corpus *corpus, const writing *to, size_t pairs[2], fp_error *error) {
    const fp_shape *shape = to->shape;
    pairs[0] = pairs[1] = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        if (shape->part[pair.a] != to->part || shape->part[pair.b] != to->part) continue;
        if (shape->pairs && !shape->pairs[i]) continue;
        pairs[pair.label]++;
        FP_TRY(fp_corpus_writer_pair(to->writer, corpus->documents[pair.a].id, corpus->documents[pair.b].id, pair.label,
                                     corpus->kinds[i], error));
    }
    return FP_OK;
}

static fp_status finish(const fp_corpus *corpus, const writing *to, const char *called, fp_arena *arena,
                        fp_error *error) {
    fp_manifest_check of;
    FP_TRY(fp_manifest_compare(corpus, arena, &of, error));
    fp_corpus_described described = {.name = FP_NEED(fp_format(arena, "%s, %s", corpus->name, called), error),
                                     .source = FP_NEED(fp_format(arena, "%s of %s (sha256 %s), by fplab %s", called,
                                                                 corpus->name, corpus->documents_sha256, fp_version()),
                                                       error)};
    described.language = of.language;
    described.licence = of.licence;
    return fp_corpus_writer_finish(to->writer, &described, error);
}

fp_status fp_shape_write(const fp_corpus *corpus, const fp_shape *shape, size_t part, const char *called,
                         const char *directory, fp_arena *arena, size_t pairs[2], fp_error *error) {
    writing to = {.shape = shape, .part = part};
    FP_TRY(fp_corpus_writer_open(directory, arena, &to.writer, error));
    fp_status status = fp_corpus_each_line(corpus, write_line, &to, error);
    if (status == FP_OK) status = write_pairs(corpus, &to, pairs, error);
    if (status == FP_OK) status = finish(corpus, &to, called, arena, error);
    fp_corpus_writer_discard(to.writer);
    return status;
}

/* ---- Some documents, units or pairs of a corpus ---- */

/* The places of the smallest `most` keys are marked. */
static void mark_smallest(fp_placed_key *keyed, size_t count, size_t most, bool *chosen) {
    qsort(keyed, count, sizeof *keyed, fp_by_placed_key);
    for (size_t i = 0; i < count && i < most; i++) chosen[keyed[i].place] = true;
}

static size_t count_of(const fp_corpus *corpus, const fp_components *units, fp_sampled what) {
    if (what == FP_SAMPLED_DOCUMENTS) return corpus->document_count;
    return what == FP_SAMPLED_UNITS ? units->count : corpus->pair_count;
}

static uint64_t key_of(const fp_corpus *corpus, const uint64_t *units, fp_sampled what, size_t place, uint64_t seed) {
    const fp_corpus_document *documents = corpus->documents;
    if (what == FP_SAMPLED_DOCUMENTS) return key_of_id(documents[place].id, seed);
    if (what == FP_SAMPLED_UNITS) return units[place];
    uint64_t one = key_of_id(documents[corpus->pairs[place].a].id, seed),
             other = key_of_id(documents[corpus->pairs[place].b].id, seed);
    return fp_mix(one < other ? one : other, one < other ? other : one); /* in either order */
}

static void place_documents(const fp_corpus *corpus, const fp_components *units, fp_sampled what, const bool *chosen,
                            uint8_t *part) {
    if (what == FP_SAMPLED_PAIRS) {
        for (size_t i = 0; i < corpus->pair_count; i++)
            if (chosen[i]) part[corpus->pairs[i].a] = part[corpus->pairs[i].b] = 0;
        return;
    }
    for (size_t i = 0; i < corpus->document_count; i++)
        if (chosen[what == FP_SAMPLED_UNITS ? units->of[i] : i]) part[i] = 0;
}

fp_status fp_shape_sample(const fp_corpus *corpus, fp_sampled what, size_t count, uint64_t seed, fp_arena *arena,
                          fp_shape *shape, fp_error *error) {
    fp_components units;
    uint64_t *keys;
    uint8_t *part;
    FP_TRY(fp_shape_units(corpus, seed, arena, &units, &keys, error));
    size_t all = count_of(corpus, &units, what);
    fp_placed_key *keyed = FP_NEED(fp_arena_raw(arena, all, sizeof *keyed), error);
    bool *chosen = FP_NEED(fp_arena_alloc(arena, all, sizeof *chosen), error);
    for (size_t i = 0; i < all; i++) keyed[i] = (fp_placed_key){key_of(corpus, keys, what, i, seed), (uint32_t)i};
    mark_smallest(keyed, all, count, chosen);
    FP_TRY(open_shape(corpus, 1, arena, shape, &part, error));
    if (what == FP_SAMPLED_PAIRS) shape->pairs = chosen;
    place_documents(corpus, &units, what, chosen, part);
    return count_shape(corpus, &units, arena, shape, error);
}

/* ---- Pairs to look at ---- */

static size_t characters_of(const fp_corpus *corpus, fp_pair pair, bool *counted) {
    size_t sum = 0;
    if (!counted[pair.a]) sum += corpus->documents[pair.a].characters;
    if (!counted[pair.b]) sum += corpus->documents[pair.b].characters;
    counted[pair.a] = counted[pair.b] = true;
    return sum;
}

fp_status fp_pairs_draw(const fp_corpus *corpus, size_t each, size_t characters, uint64_t seed, fp_arena *arena,
                        uint32_t **kept, size_t *count, fp_error *error) {
    fp_placed_key *keyed = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof *keyed), error);
    bool *counted = FP_NEED(fp_arena_alloc(arena, corpus->document_count, sizeof *counted), error);
    size_t of[2] = {0}, sum = 0;
    *kept = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof **kept), error);
    *count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++)
        keyed[i] = (fp_placed_key){key_of(corpus, NULL, FP_SAMPLED_PAIRS, i, seed), (uint32_t)i};
    qsort(keyed, corpus->pair_count, sizeof *keyed, fp_by_placed_key);
    for (size_t i = 0; i < corpus->pair_count && sum < characters; i++) {
        fp_pair pair = corpus->pairs[keyed[i].place];
        if (of[pair.label] == each) continue;
        of[pair.label]++;
        sum += characters_of(corpus, pair, counted);
        (*kept)[(*count)++] = keyed[i].place;
    }
    qsort(*kept, *count, sizeof **kept, fp_ascending_u32);
    return FP_OK;
}

fp_status fp_pairs_part(const fp_corpus *corpus, const uint32_t *pairs, size_t count, fp_arena *arena, fp_corpus *part,
                        fp_error *error) {
    uint32_t *place = FP_NEED(fp_arena_alloc(arena, corpus->document_count, sizeof *place), error);
    uint32_t *documents = FP_NEED(fp_arena_raw(arena, 2 * count, sizeof *documents), error);
    fp_pair *own = FP_NEED(fp_arena_raw(arena, count, sizeof *own), error);
    fp_string *kinds = FP_NEED(fp_arena_raw(arena, count, sizeof *kinds), error);
    size_t taken = 0;
    for (size_t i = 0; i < count; i++) place[corpus->pairs[pairs[i]].a] = place[corpus->pairs[pairs[i]].b] = 1;
    for (size_t i = 0; i < corpus->document_count; i++) {
        if (!place[i]) continue;
        place[i] = (uint32_t)taken;
        documents[taken++] = (uint32_t)i;
    }
    FP_TRY(fp_corpus_part(corpus, documents, taken, arena, part, error));
    for (size_t i = 0; i < count; i++) {
        fp_pair pair = corpus->pairs[pairs[i]];
        own[i] = (fp_pair){place[pair.a], place[pair.b], pair.label};
        kinds[i] = corpus->kinds ? corpus->kinds[pairs[i]] : (fp_string){"", 0};
    }
    part->truth = FP_TRUTH_PAIRS;
    part->pairs = own;
    part->kinds = kinds;
    part->pair_count = count;
    return FP_OK;
}
