/* SPDX-License-Identifier: GPL-3.0-or-later
 * Keys to terms. */
#include "index/posting_entries.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "index/whole_values.h"

enum { AHEAD = 16 }; /* so many keys ahead the table is asked for its place */

static uint64_t key_at(const fp_vector *vector, size_t i) {
    return *(const uint64_t *)(const void *)((const unsigned char *)vector->key + i * vector->step);
}

/* Distinct keys in a map that grows; value: their number in order of first occurrence. */
typedef struct keys {
    fp_map map;
    fp_arena *arena; /* the map's */
    uint32_t count;
    uint32_t *documents; /* [capacity of the map / 2] how many documents have the key */
} keys;

static fp_status open_keys(keys *made, size_t room, const fp_arena *like, fp_error *error) {
    *made = (keys){.arena = fp_arena_new_like(like)};
    if (!made->arena) return fp_no_memory(error);
    FP_TRY(fp_map_open(&made->map, room, made->arena, error));
    made->documents = fp_arena_raw(made->arena, (made->map.mask + 1) / 2, sizeof *made->documents);
    return made->documents ? FP_OK : fp_no_memory(error);
}

static fp_status grow_keys(keys *old, fp_error *error) {
    keys larger;
    fp_status status = open_keys(&larger, old->map.mask + 1, old->arena, error);
    if (status != FP_OK) {
        fp_arena_free(larger.arena);
        return status;
    }
    for (size_t at = 0; at <= old->map.mask; at++)
        if (old->map.value[at] != FP_MAP_NONE) fp_map_put(&larger.map, old->map.key[at], old->map.value[at]);
    memcpy(larger.documents, old->documents, old->count * sizeof *old->documents);
    larger.count = old->count;
    fp_arena_free(old->arena);
    *old = larger;
    return FP_OK;
}

static fp_status count_keys(keys *all, const fp_vector *vectors, size_t count, fp_error *error) {
    for (size_t d = 0; d < count; d++) {
        for (size_t i = 0; i < vectors[d].count; i++) {
            if (all->count == (all->map.mask + 1) / 2) FP_TRY(grow_keys(all, error));
            if (i + AHEAD < vectors[d].count) fp_map_ask_ahead(&all->map, key_at(vectors + d, i + AHEAD));
            uint64_t key = key_at(vectors + d, i);
            size_t at = fp_map_place(&all->map, key);
            if (all->map.value[at] == FP_MAP_NONE) {
                all->documents[all->count] = 0;
                fp_map_put(&all->map, key, all->count++);
            }
            all->documents[all->map.value[at]]++;
        }
    }
    return FP_OK;
}

/* Of the keys of `among` documents. */
typedef struct term_choice {
    size_t among;
    uint32_t fewest; /* documents of a term */
} term_choice;

static bool is_frequent(uint32_t documents, term_choice by) {
    size_t among = by.among > FP_TERM_FEW ? by.among : FP_TERM_FEW;
    return documents >= by.fewest && documents >= among / FP_TERM_FREQUENT;
}

/* Keys of too few documents join nothing: documents[key] becomes the term's number, or FP_MAP_NONE. Returns how
 * many entries there are of the others. */
static size_t number_terms(keys *all, term_choice by, fp_entry_table *out) {
    size_t kept = 0;
    for (uint32_t k = 0; k < all->count; k++) out->frequent += is_frequent(all->documents[k], by);
    size_t frequent = 0, others = out->frequent;
    for (uint32_t k = 0; k < all->count; k++) {
        uint32_t documents = all->documents[k];
        all->documents[k] = FP_MAP_NONE;
        if (documents < by.fewest) continue;
        all->documents[k] = (uint32_t)(is_frequent(documents, by) ? frequent++ : others++);
        kept += documents;
        out->meetings += (double)documents * (documents - 1) / 2;
    }
    out->term_count = others;
    return kept;
}

/* The term of a key, or FP_MAP_NONE. */
static uint32_t term_of(const keys *all, const fp_vector *vector, size_t i) {
    if (i + AHEAD < vector->count) fp_map_ask_ahead(&all->map, key_at(vector, i + AHEAD));
    uint32_t key = fp_map_get(&all->map, key_at(vector, i));
    return key == FP_MAP_NONE ? FP_MAP_NONE : all->documents[key];
}

/* Entries of vectors[0 … among), which follow from the numbers of documents, and of the others. */
static size_t count_entries(const keys *all, const fp_vector *vectors, term_choice by, size_t entries, size_t count) {
    for (size_t d = by.among; d < count; d++)
        for (size_t i = 0; i < vectors[d].count; i++) entries += term_of(all, vectors + d, i) != FP_MAP_NONE;
    return entries;
}

static void fill_entries(const keys *all, const fp_vector *vectors, fp_entry_table *to, size_t *first) {
    size_t at = 0;
    for (size_t d = 0; d < to->count; d++) {
        first[d] = at;
        for (size_t i = 0; i < vectors[d].count; i++) {
            uint32_t term = term_of(all, vectors + d, i);
            if (term == FP_MAP_NONE) continue;
            to->term[at] = term;
            if (to->value) to->value[at] = fp_vector_value(vectors + d, i);
            if (to->times) to->times[at] = (uint8_t)nearbyint(fp_vector_value(vectors + d, i) * to->norm[d]);
            at++;
        }
    }
    first[to->count] = at;
}

static fp_status open_norms(const fp_vector *vectors, size_t count, fp_arena *arena, fp_entry_table *out,
                            fp_error *error) {
    out->norm = fp_arena_raw(arena, count, sizeof *out->norm);
    if (!out->norm) return fp_no_memory(error);
    for (size_t d = 0; d < count && out->norm; d++) {
        out->norm[d] = fp_whole_norm(vectors + d);
        if (out->norm[d] == 0) out->norm = NULL;
    }
    return FP_OK;
}

static fp_status number_keys(keys *all, const fp_vector *vectors, term_choice by, fp_join join, fp_arena *arena,
                             fp_entry_table *out, fp_error *error) {
    FP_TRY(count_keys(all, vectors, by.among, error));
    size_t kept = count_entries(all, vectors, by, number_terms(all, by, out), out->count),
           *first = fp_arena_raw(arena, out->count + 1, sizeof *first);
    out->term = fp_arena_alloc(arena, kept + FP_TERMS_BEHIND, sizeof *out->term);
    if (join == FP_JOIN_PRODUCT) FP_TRY(open_norms(vectors, out->count, arena, out, error));
    if (out->norm) out->times = fp_arena_raw(arena, kept, sizeof *out->times);
    else if (join != FP_JOIN_COUNT) out->value = fp_arena_raw(arena, kept, sizeof *out->value);
    if (!first || !out->term || (join != FP_JOIN_COUNT && !out->value && !out->times)) return fp_no_memory(error);
    fill_entries(all, vectors, out, first);
    out->first = first;
    if (join == FP_JOIN_COUNT) fp_entries_put_frequent_first(out);
    return FP_OK;
}

fp_status fp_entries_make(const fp_vector *vectors, size_t count, size_t among, fp_join join, fp_arena *arena,
                          fp_entry_table *out, fp_error *error) {
    enum { FIRST = 1 << 16 };
    keys all;
    term_choice by = {among, among < count ? 1 : 2};
    *out = (fp_entry_table){.count = count};
    fp_status status = open_keys(&all, FIRST, arena, error);
    if (status == FP_OK) status = number_keys(&all, vectors, by, join, arena, out, error);
    fp_arena_free(all.arena);
    return status;
}

void fp_entries_put_frequent_first(const fp_entry_table *table) {
    for (size_t d = 0; d < table->count; d++) {
        size_t front = table->first[d];
        for (size_t e = front; e < table->first[d + 1]; e++) {
            uint32_t term = table->term[e];
            if (term >= table->frequent) continue;
            table->term[e] = table->term[front];
            table->term[front] = term;
            if (table->times) {
                uint8_t times = table->times[e];
                table->times[e] = table->times[front];
                table->times[front] = times;
            }
            front++;
        }
    }
}
