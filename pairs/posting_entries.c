/* SPDX-License-Identifier: GPL-3.0-or-later
 * Makes terms of keys, and entries of vectors. */
#include "pairs/posting_entries.h"

#include <math.h>

enum { AHEAD = 16 }; /* keys: the prefetch distance in the table */

static uint64_t key_at(const fp_vector *vector, size_t i) {
    return *(const uint64_t *)(const void *)((const unsigned char *)vector->key + i * vector->step);
}

static double value_at(const fp_vector *vector, size_t i) {
    return *(const double *)(const void *)((const unsigned char *)vector->value + i * vector->step);
}

/* ---- All keys ---- */

/* Distinct keys in a growing map; value: their number in order of first occurrence. */
typedef struct keys {
    fp_map map;
    fp_arena *arena; /* of the map */
    uint32_t count;
    uint32_t *documents; /* [capacity of the map / 2] number of documents that have the key */
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

/* ---- Terms ---- */

static bool is_frequent(uint32_t documents, uint32_t fewest, size_t count) {
    size_t least = (count > FP_TERM_FEW ? count : FP_TERM_FEW) / FP_TERM_FREQUENT;
    return documents >= fewest && documents >= least;
}

/* Keys in fewer than `fewest` documents are not needed: documents[key] becomes the term's number, or FP_MAP_NONE. */
static void number_terms(keys *all, uint32_t fewest, size_t count, fp_posting_terms *out) {
    for (uint32_t k = 0; k < all->count; k++) out->frequent += is_frequent(all->documents[k], fewest, count);
    size_t frequent = 0;
    out->count = out->frequent;
    for (uint32_t k = 0; k < all->count; k++) {
        uint32_t documents = all->documents[k];
        all->documents[k] = FP_MAP_NONE;
        if (documents < fewest) continue;
        all->documents[k] = (uint32_t)(is_frequent(documents, fewest, count) ? frequent++ : out->count++);
        out->entries += documents;
        out->meetings += (double)documents * (documents - 1) / 2;
    }
}

static fp_status map_terms(const keys *all, fp_posting_terms *to, fp_error *error) {
    FP_TRY(fp_map_open(&to->map, to->count, to->arena, error));
    for (size_t at = 0; at <= all->map.mask; at++) {
        uint32_t key = all->map.value[at], term = key == FP_MAP_NONE ? FP_MAP_NONE : all->documents[key];
        if (term != FP_MAP_NONE) fp_map_put(&to->map, all->map.key[at], term);
    }
    return FP_OK;
}

fp_status fp_terms_make(const fp_vector *vectors, size_t count, uint32_t fewest, const fp_arena *like,
                        fp_posting_terms *terms, fp_error *error) {
    enum { FIRST = 1 << 16 };
    keys all;
    *terms = (fp_posting_terms){.arena = fp_arena_new_like(like)};
    if (!terms->arena) return fp_no_memory(error);
    fp_status status = open_keys(&all, FIRST, like, error);
    if (status == FP_OK) status = count_keys(&all, vectors, count, error);
    if (status == FP_OK) number_terms(&all, fewest, count, terms);
    if (status == FP_OK) status = map_terms(&all, terms, error);
    fp_arena_free(all.arena);
    return status;
}

void fp_terms_free(fp_posting_terms *terms) {
    fp_arena_free(terms->arena);
    terms->arena = NULL;
}

/* Lists the keys of a vector that are terms, in ascending order of the keys: term[i] is the term of key from[i].
 * Returns their number. term and from need room for all keys of the vector. */
static size_t terms_of(const fp_posting_terms *terms, const fp_vector *vector, uint32_t *term, uint32_t *from) {
    size_t count = 0;
    for (size_t i = 0; i < vector->count; i++) {
        if (i + AHEAD < vector->count) fp_map_ask_ahead(&terms->map, key_at(vector, i + AHEAD));
        term[count] = fp_map_get(&terms->map, key_at(vector, i));
        from[count] = (uint32_t)i;
        count += term[count] != FP_MAP_NONE;
    }
    return count;
}

/* ----
 * Recovers whole numbers from their quotients by the norm. Tries the norm from the smallest value v: its whole number
 * is 1, 2, …, and the sum of all squares (1/v)², (2/v)², …; then checks every value.
 */

static double smallest(const fp_vector *vector) {
    double least = INFINITY;
    for (size_t i = 0; i < vector->count; i++) least = fmin(least, value_at(vector, i));
    return least;
}

static bool is_norm(const fp_vector *vector, double norm, double squares) {
    double sum = 0;
    for (size_t i = 0; i < vector->count; i++) {
        double value = value_at(vector, i), whole = nearbyint(value * norm);
        if (!(whole >= 1 && whole <= FP_WHOLE_MOST) || whole / norm != value) return false;
        sum += whole * whole;
    }
    return sum == squares;
}

double fp_whole_norm(const fp_vector *vector) {
    enum { LARGEST_SMALLEST = 16 };
    if (vector->count == 0) return 1;
    double least = smallest(vector);
    for (double whole = 1; whole <= LARGEST_SMALLEST; whole++) {
        double squares = nearbyint(whole / least * (whole / least)), norm = sqrt(squares);
        if (!(squares <= FP_WHOLE_SQUARES)) return 0;
        if (is_norm(vector, norm, squares)) return norm;
    }
    return 0;
}

/* ---- Entries ---- */

static size_t longest_of(const fp_vector *vectors, size_t count) {
    size_t most = 0;
    for (size_t d = 0; d < count; d++)
        if (vectors[d].count > most) most = vectors[d].count;
    return most;
}

/* Appends the entries of a vector from `at` on. Returns where the next vector's begin. */
static size_t put_vector(const fp_vector *vector, size_t document, size_t at, const fp_posting_terms *terms,
                         fp_entry_table *to, uint32_t *from) {
    size_t count = terms_of(terms, vector, to->term + at, from);
    for (size_t i = 0; to->value && i < count; i++) to->value[at + i] = value_at(vector, from[i]);
    for (size_t i = 0; to->times && i < count; i++)
        to->times[at + i] = (uint8_t)nearbyint(value_at(vector, from[i]) * to->norm[document]);
    return at + count;
}

static fp_status open_norms(const fp_vector *vectors, size_t count, fp_arena *arena, fp_entry_table *out,
                            fp_error *error) {
    out->norm = FP_NEED(fp_arena_raw(arena, count, sizeof *out->norm), error);
    for (size_t d = 0; d < count && out->norm; d++) {
        out->norm[d] = fp_whole_norm(vectors + d);
        if (out->norm[d] == 0) out->norm = NULL;
    }
    return FP_OK;
}

static fp_status open_table(size_t entries, const fp_posting_terms *terms, fp_join join, fp_arena *arena,
                            fp_entry_table *out, fp_error *error) {
    out->term_count = terms->count;
    out->frequent = terms->frequent;
    out->meetings = terms->meetings;
    out->term = fp_arena_alloc(arena, entries + FP_TERMS_BEHIND, sizeof *out->term);
    if (out->norm) out->times = fp_arena_raw(arena, entries, sizeof *out->times);
    else if (join != FP_JOIN_COUNT) out->value = fp_arena_raw(arena, entries, sizeof *out->value);
    return out->term && (out->value || out->times || join == FP_JOIN_COUNT) ? FP_OK : fp_no_memory(error);
}

fp_status fp_entries_make(const fp_vector *vectors, size_t count, const fp_posting_terms *terms, fp_join join,
                          fp_arena *arena, fp_entry_table *out, fp_error *error) {
    size_t longest = longest_of(vectors, count),
           *first = FP_NEED(fp_arena_alloc(arena, count + 1, sizeof *first), error);
    uint32_t *from = FP_NEED(fp_arena_raw(arena, longest, sizeof *from), error);
    *out = (fp_entry_table){.count = count, .first = first};
    if (join == FP_JOIN_PRODUCT) FP_TRY(open_norms(vectors, count, arena, out, error));
    /* terms_of may write beyond the last entry, up to the length of a vector. */
    FP_TRY(open_table(terms->entries + longest, terms, join, arena, out, error));
    for (size_t d = 0; d < count; d++) first[d + 1] = put_vector(vectors + d, d, first[d], terms, out, from);
    memset(out->term + first[count], 0, FP_TERMS_BEHIND * sizeof *out->term);
    if (join == FP_JOIN_COUNT) fp_entries_put_frequent_first(out);
    return FP_OK;
}

fp_status fp_entries_open_row(size_t longest, const fp_posting_terms *terms, fp_join join, fp_arena *arena,
                              fp_entry_table *out, fp_error *error) {
    *out = (fp_entry_table){.count = 1, .first = FP_NEED(fp_arena_alloc(arena, 2, sizeof *out->first), error)};
    return open_table(longest + 1, terms, join, arena, out, error);
}

void fp_entries_fill_row(const fp_vector *vector, const fp_posting_terms *terms, fp_entry_table *row, uint32_t *from) {
    size_t count = put_vector(vector, 0, 0, terms, row, from);
    row->first[1] = count;
    memset(row->term + count, 0, FP_TERMS_BEHIND * sizeof *row->term);
    if (!row->value) fp_entries_put_frequent_first(row);
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
