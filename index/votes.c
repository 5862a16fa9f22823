/* SPDX-License-Identifier: GPL-3.0-or-later
 * Granules of documents to postings by key. */
#include "index/votes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

typedef struct entry {
    uint64_t key;
    uint32_t document, place;
} entry;

struct fp_votes_builder {
    const fp_arena *like;
    fp_arena *arena;
    entry *entries;
    size_t count, room;
    uint32_t *granules;
    size_t documents, documents_room;
};

fp_status fp_votes_begin(const fp_arena *like, fp_votes_builder **builder, fp_error *error) {
    *builder = FP_NEED(fp_memory_take(like, 1, sizeof **builder), error);
    (*builder)->like = like;
    (*builder)->arena = fp_arena_new_like(like);
    if ((*builder)->arena) return FP_OK;
    fp_votes_discard(*builder);
    *builder = NULL;
    return fp_no_memory(error);
}

void fp_votes_discard(fp_votes_builder *builder) {
    if (!builder) return;
    fp_arena_free(builder->arena);
    fp_memory_release(builder->like, builder);
}

/* ---- Documents ---- */

static int by_key(const void *left, const void *right) {
    const entry *a = left, *b = right;
    if (a->key != b->key) return FP_ORDER(a->key, b->key);
    return a->document != b->document ? FP_ORDER(a->document, b->document) : FP_ORDER(a->place, b->place);
}

static bool make_room(fp_votes_builder *to, size_t more) {
    if (to->count + more > to->room) {
        size_t room = (to->count + more) / 2 * 3 + 1024;
        entry *grown = fp_arena_grow(to->arena, to->entries, room * sizeof *grown);
        if (!grown) return false;
        to->entries = grown;
        to->room = room;
    }
    if (to->documents == to->documents_room) {
        size_t room = to->documents_room / 2 * 3 + 1024;
        uint32_t *grown = fp_arena_grow(to->arena, to->granules, room * sizeof *grown);
        if (!grown) return false;
        to->granules = grown;
        to->documents_room = room;
    }
    return true;
}

fp_status fp_votes_add(fp_votes_builder *builder, fp_granules granules, fp_error *error) {
    if (builder->documents >= UINT32_MAX - 1 || builder->count + granules.count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than 2^32 - 2 documents or granules in one part of an index");
    if (!make_room(builder, granules.count)) return fp_no_memory(error);
    entry *own = builder->entries + builder->count;
    size_t kept = 0;
    for (size_t i = 0; i < granules.count; i++)
        own[i] = (entry){granules.at[i].key, (uint32_t)builder->documents, granules.at[i].from};
    if (granules.count) qsort(own, granules.count, sizeof *own, by_key);
    for (size_t i = 0; i < granules.count; i++)
        if (!kept || own[kept - 1].key != own[i].key) own[kept++] = own[i];
    builder->count += kept;
    builder->granules[builder->documents++] = (uint32_t)kept;
    return FP_OK;
}

/* ---- All of them ---- */

/* Orders the entries by their keys: dealt out by the uppermost bits, some 32 to a bucket, and each bucket sorted. */
static fp_status sort_entries(const fp_votes_builder *of, entry **sorted, fp_error *error) {
    unsigned bits = 1;
    while (bits < 28 && of->count >> bits > 32) bits++;
    size_t buckets = (size_t)1 << bits;
    entry *made = FP_NEED(fp_arena_raw(of->arena, of->count, sizeof *made), error);
    uint32_t *end = FP_NEED(fp_arena_alloc(of->arena, buckets + 1, sizeof *end), error);
    for (size_t i = 0; i < of->count; i++) end[(of->entries[i].key >> (64 - bits)) + 1]++;
    for (size_t i = 1; i <= buckets; i++) end[i] += end[i - 1];
    for (size_t i = 0; i < of->count; i++) made[end[of->entries[i].key >> (64 - bits)]++] = of->entries[i];
    for (size_t i = 0, begin = 0; i < buckets; begin = end[i++])
        if (end[i] > begin + 1) qsort(made + begin, end[i] - begin, sizeof *made, by_key);
    *sorted = made;
    return FP_OK;
}

static fp_status make_index(const fp_votes_builder *of, fp_arena *arena, fp_votes *out, fp_error *error) {
    entry *sorted = NULL;
    FP_TRY(sort_entries(of, &sorted, error));
    uint64_t *key = FP_NEED(fp_arena_raw(arena, of->count, sizeof *key), error);
    uint32_t *document = FP_NEED(fp_arena_raw(arena, of->count, sizeof *document), error);
    uint32_t *place = FP_NEED(fp_arena_raw(arena, of->count, sizeof *place), error);
    uint32_t *granules = FP_NEED(fp_arena_raw(arena, of->documents, sizeof *granules), error);
    for (size_t i = 0; i < of->count; i++) {
        key[i] = sorted[i].key;
        document[i] = sorted[i].document;
        place[i] = sorted[i].place;
    }
    if (of->documents) memcpy(granules, of->granules, of->documents * sizeof *granules);
    *out = (fp_votes){.document_count = of->documents,
                      .posting_count = of->count,
                      .granules = granules,
                      .all = {of->count, key, document, place}};
    return FP_OK;
}

fp_status fp_votes_end(fp_votes_builder *builder, fp_arena *arena, fp_votes *out, fp_error *error) {
    fp_status status = make_index(builder, arena, out, error);
    fp_votes_discard(builder);
    return status;
}

/* ---- A key's postings ---- */

/* The first posting whose key is not below. */
static size_t lower_bound(const fp_vote_list *of, uint64_t key) {
    size_t low = 0, high = of->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (of->key[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low;
}

fp_status fp_votes_find(const fp_votes *votes, uint64_t key, fp_vote_list *found, fp_error *error) {
    fp_vote_list some = votes->all;
    if (votes->some) FP_TRY(votes->some(votes->context, key, &some, error));
    size_t first = lower_bound(&some, key), end = key == UINT64_MAX ? some.count : lower_bound(&some, key + 1);
    *found = (fp_vote_list){end - first, some.key + first, some.document + first, some.place + first};
    return FP_OK;
}
