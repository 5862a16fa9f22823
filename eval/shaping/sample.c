/* SPDX-License-Identifier: GPL-3.0-or-later
 * Some documents, units or pairs of a corpus. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "eval/shaping/shape_keys.h"

/* The places of the smallest `most` keys are marked. */
static void mark_smallest(fp_shape_keyed *keyed, size_t count, size_t most, bool *chosen) {
    qsort(keyed, count, sizeof *keyed, fp_shape_by_key);
    for (size_t i = 0; i < count && i < most; i++) chosen[keyed[i].place] = true;
}

static size_t count_of(const fp_corpus *corpus, const fp_components *units, fp_sampled what) {
    if (what == FP_SAMPLED_DOCUMENTS) return corpus->document_count;
    return what == FP_SAMPLED_UNITS ? units->count : corpus->pair_count;
}

static uint64_t key_of(const fp_corpus *corpus, const uint64_t *units, fp_sampled what, size_t place, uint64_t seed) {
    const fp_corpus_document *documents = corpus->documents;
    if (what == FP_SAMPLED_DOCUMENTS) return fp_shape_key(documents[place].id, seed);
    if (what == FP_SAMPLED_UNITS) return units[place];
    return fp_shape_pair_key(documents[corpus->pairs[place].a].id, documents[corpus->pairs[place].b].id, seed);
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
    fp_shape_keyed *keyed = fp_arena_raw(arena, all, sizeof *keyed);
    bool *chosen = fp_arena_alloc(arena, all, sizeof *chosen);
    if (!keyed || !chosen) return fp_no_memory(error);
    for (size_t i = 0; i < all; i++) keyed[i] = (fp_shape_keyed){key_of(corpus, keys, what, i, seed), (uint32_t)i};
    mark_smallest(keyed, all, count, chosen);
    FP_TRY(fp_shape_open(corpus, 1, arena, shape, &part, error));
    if (what == FP_SAMPLED_PAIRS) shape->pairs = chosen;
    place_documents(corpus, &units, what, chosen, part);
    return fp_shape_count(corpus, &units, arena, shape, error);
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
    fp_shape_keyed *keyed = fp_arena_raw(arena, corpus->pair_count, sizeof *keyed);
    bool *counted = fp_arena_alloc(arena, corpus->document_count, sizeof *counted);
    size_t of[2] = {0}, sum = 0;
    *kept = fp_arena_raw(arena, corpus->pair_count, sizeof **kept);
    *count = 0;
    if (!keyed || !counted || !*kept) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count; i++)
        keyed[i] = (fp_shape_keyed){key_of(corpus, NULL, FP_SAMPLED_PAIRS, i, seed), (uint32_t)i};
    qsort(keyed, corpus->pair_count, sizeof *keyed, fp_shape_by_key);
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
    uint32_t *place = fp_arena_alloc(arena, corpus->document_count, sizeof *place);
    uint32_t *documents = fp_arena_raw(arena, 2 * count, sizeof *documents);
    fp_pair *own = fp_arena_raw(arena, count, sizeof *own);
    fp_string *kinds = fp_arena_raw(arena, count, sizeof *kinds);
    size_t taken = 0;
    if (!place || !documents || !own || !kinds) return fp_no_memory(error);
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
