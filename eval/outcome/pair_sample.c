/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which pairs are shown one by one: all, or of each arm, label and whole distance the same number, in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "eval/outcome/pair_digest.h"
#include "eval/outcome/seeds.h"
#include "text/unicode/utf8.h"

/* A pair to be sorted: by its cell, or by its turn, and then at random. */
typedef struct entry {
    uint64_t key, random;
    uint32_t pair;
} entry;

static int by_key(const void *left, const void *right) {
    const entry *a = left, *b = right;
    int order = FP_ORDER(a->key, b->key);
    if (order == 0) order = FP_ORDER(a->random, b->random);
    return order ? order : FP_ORDER(a->pair, b->pair);
}

/* ---- Turns ---- */

/* Label and whole distance; of several seeds, that of their mean. */
static uint64_t cell_of(const fp_outcome *outcome, size_t arm, size_t pair) {
    enum { FARTHEST = 1 << 20 };
    double sum = 0;
    size_t seeds = fp_seeds_count(outcome, arm);
    for (size_t k = 0; k < seeds; k++) sum += outcome->measurements[fp_seeds_lane(outcome, arm, k)].distances[pair];
    double distance = ceil(sum / (double)seeds);
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

/* Takes a document, unless it has been taken, and says what room its text needs. */
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
    fp_string *texts = fp_arena_alloc(arena, digest->document_count + 1, sizeof *texts);
    if (!texts) return fp_no_memory(error);
    if (digest->document_count && fp_corpus_has_texts(digest->outcome->corpus))
        FP_TRY(
            fp_corpus_fetch(digest->outcome->corpus, digest->documents, digest->document_count, arena, texts, error));
    for (size_t i = 0; i < digest->document_count; i++) texts[i] = cut(texts[i]);
    digest->texts = texts;
    return FP_OK;
}

static fp_status list_documents(fp_pair_digest *digest, const bool *taken, fp_arena *arena, fp_error *error) {
    size_t all = digest->outcome->corpus->document_count;
    uint32_t *documents = fp_arena_raw(arena, all + 1, sizeof *documents);
    if (!documents) return fp_no_memory(error);
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
    entry *entries = fp_arena_raw(scratch, count + 1, sizeof *entries);
    uint32_t *turn = fp_arena_raw(scratch, count + 1, sizeof *turn),
             *listed = fp_arena_raw(arena, FP_DIGEST_PAIRS, sizeof *listed);
    bool *taken = fp_arena_alloc(scratch, outcome->corpus->document_count + 1, sizeof *taken);
    if (!entries || !turn || !listed || !taken) return fp_no_memory(error);
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
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = draw(digest, share, texts, scratch, arena, error);
    fp_arena_free(scratch);
    return status == FP_OK && texts ? read_texts(digest, arena, error) : status;
}
