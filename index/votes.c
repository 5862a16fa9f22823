/* SPDX-License-Identifier: GPL-3.0-or-later
 * Granules of documents to postings by key. */
#include "index/votes.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "pairs/tables/section_file.h"

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
    *builder = fp_memory_take(like, 1, sizeof **builder);
    if (!*builder) return fp_no_memory(error);
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
    entry *made = fp_arena_raw(of->arena, of->count, sizeof *made);
    uint32_t *end = fp_arena_alloc(of->arena, buckets + 1, sizeof *end);
    if (!made || !end) return fp_no_memory(error);
    for (size_t i = 0; i < of->count; i++) end[(of->entries[i].key >> (64 - bits)) + 1]++;
    for (size_t i = 1; i <= buckets; i++) end[i] += end[i - 1];
    for (size_t i = 0; i < of->count; i++) made[end[of->entries[i].key >> (64 - bits)]++] = of->entries[i];
    for (size_t i = 0, begin = 0; i < buckets; begin = end[i++])
        if (end[i] > begin + 1) qsort(made + begin, end[i] - begin, sizeof *made, by_key);
    *sorted = made;
    return FP_OK;
}

/* For each value of the uppermost bits, the first key that is not below it. */
static void fill_directory(const fp_votes *of, uint32_t *directory) {
    size_t key = 0;
    for (size_t upper = 0; upper <= FP_VOTES_DIRECTORY; upper++) {
        while (key < of->key_count && of->key[key] >> (64 - FP_VOTES_DIRECTORY_BITS) < upper) key++;
        directory[upper] = (uint32_t)key;
    }
}

static fp_status make_index(const fp_votes_builder *of, fp_arena *arena, fp_votes *out, fp_error *error) {
    entry *sorted = NULL;
    size_t keys = 0;
    FP_TRY(sort_entries(of, &sorted, error));
    for (size_t i = 0; i < of->count; i++) keys += !i || sorted[i].key != sorted[i - 1].key;
    uint64_t *key = fp_arena_raw(arena, keys, sizeof *key);
    uint32_t *first = fp_arena_raw(arena, keys + 1, sizeof *first);
    uint32_t *document = fp_arena_raw(arena, of->count, sizeof *document);
    uint32_t *place = fp_arena_raw(arena, of->count, sizeof *place);
    uint32_t *granules = fp_arena_raw(arena, of->documents, sizeof *granules);
    uint32_t *directory = fp_arena_raw(arena, FP_VOTES_DIRECTORY + 1, sizeof *directory);
    if (!key || !first || !document || !place || !granules || !directory) return fp_no_memory(error);
    keys = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (!i || sorted[i].key != sorted[i - 1].key) key[keys] = sorted[i].key, first[keys++] = (uint32_t)i;
        document[i] = sorted[i].document;
        place[i] = sorted[i].place;
    }
    first[keys] = (uint32_t)of->count;
    if (of->documents) memcpy(granules, of->granules, of->documents * sizeof *granules);
    *out = (fp_votes){of->documents, keys, of->count, key, first, document, place, granules, directory};
    fill_directory(out, directory);
    return FP_OK;
}

fp_status fp_votes_end(fp_votes_builder *builder, fp_arena *arena, fp_votes *out, fp_error *error) {
    fp_status status = make_index(builder, arena, out, error);
    fp_votes_discard(builder);
    return status;
}

/* ---- An index with votes in a file of sections: each array of fp_votes is one ---- */

typedef struct array {
    const char *name;
    size_t size; /* of a member */
    size_t count;
    const void *data;
} array;

enum { ARRAYS = 6 };

static void list_arrays(const fp_votes *of, array out[ARRAYS]) {
    const array all[ARRAYS] = {{"directory", 4, FP_VOTES_DIRECTORY + 1, of->directory},
                               {"keys", 8, of->key_count, of->key},
                               {"first", 4, of->key_count + 1, of->first},
                               {"documents", 4, of->posting_count, of->document},
                               {"places", 4, of->posting_count, of->place},
                               {"granules", 4, of->document_count, of->granules}};
    memcpy(out, all, sizeof all);
}

fp_status fp_votes_save(const fp_votes *votes, const char *path, fp_error *error) {
    fp_section_writer *writer;
    array all[ARRAYS];
    list_arrays(votes, all);
    FP_TRY(fp_section_writer_open(path, FP_VOTES_KIND, FP_VOTES_VERSION, NULL, &writer, error));
    fp_status status = FP_OK;
    for (size_t i = 0; i < ARRAYS && status == FP_OK; i++) {
        status = fp_section_begin(writer, all[i].name, error);
        if (status == FP_OK) status = fp_section_add(writer, all[i].data, all[i].size * all[i].count, error);
    }
    if (status == FP_OK) return fp_section_writer_close(writer, error);
    fp_section_writer_discard(writer);
    return status;
}

static fp_status read_array(const fp_section_file *file, array *of, fp_error *error) {
    fp_section section;
    if (!fp_section_find(file, of->name, &section)) return fp_section_damaged(file, of->name, "it is not there", error);
    if (section.bytes % of->size) return fp_section_damaged(file, of->name, "it ends within a number", error);
    of->data = section.data;
    of->count = section.bytes / of->size;
    return FP_OK;
}

/* Lengths fit together, and the ends of what leads into other arrays lie inside of them. */
static fp_status check_lengths(const fp_section_file *file, const array all[ARRAYS], fp_error *error) {
    const uint32_t *directory = all[0].data, *first = all[2].data;
    size_t keys = all[1].count, postings = all[3].count;
    if (all[0].count != FP_VOTES_DIRECTORY + 1)
        return fp_section_damaged(file, all[0].name, "it has another length", error);
    if (directory[FP_VOTES_DIRECTORY] != keys)
        return fp_section_damaged(file, all[0].name, "it does not end with the keys", error);
    if (all[2].count != keys + 1 || first[keys] != postings)
        return fp_section_damaged(file, all[2].name, "it does not end with the postings", error);
    if (all[4].count != postings) return fp_section_damaged(file, all[4].name, "it has another length", error);
    return FP_OK;
}

fp_status fp_votes_open(const char *path, const fp_arena *like, fp_section_file **file, fp_votes *out,
                        fp_error *error) {
    array all[ARRAYS];
    *out = (fp_votes){0};
    list_arrays(out, all);
    FP_TRY(fp_section_file_open(path, FP_VOTES_KIND, FP_VOTES_VERSION, like, file, error));
    fp_status status = FP_OK;
    for (size_t i = 0; i < ARRAYS && status == FP_OK; i++) status = read_array(*file, all + i, error);
    if (status == FP_OK) status = check_lengths(*file, all, error);
    if (status != FP_OK) {
        fp_section_file_close(*file);
        *file = NULL;
        return status;
    }
    *out = (fp_votes){all[5].count, all[1].count, all[3].count, all[1].data, all[2].data,
                      all[3].data,  all[4].data,  all[5].data,  all[0].data};
    return FP_OK;
}

/* ---- A key's postings: by its uppermost bits, and then by halves ---- */

/* What is read may be of a damaged file: no place leads outside of the arrays. */
fp_posting_range fp_votes_find(const fp_votes *votes, uint64_t key) {
    static const fp_posting_range NONE;
    size_t upper = (size_t)(key >> (64 - FP_VOTES_DIRECTORY_BITS));
    size_t low = votes->directory[upper], high = votes->directory[upper + 1], end = high;
    if (end > votes->key_count) return NONE;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (votes->key[middle] < key) low = middle + 1;
        else high = middle;
    }
    if (low >= end || votes->key[low] != key) return NONE;
    size_t first = votes->first[low], behind = votes->first[low + 1];
    return behind <= votes->posting_count && first < behind ? (fp_posting_range){first, behind - first} : NONE;
}
