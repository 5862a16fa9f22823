/* SPDX-License-Identifier: GPL-3.0-or-later
 * Vectors to entries. */
#include "pairs/posting_entries.h"

#include <math.h>

#include "pairs/lsh_tables.h"

static size_t longest_of(const fp_vector *vectors, size_t count) {
    size_t most = 0;
    for (size_t d = 0; d < count; d++)
        if (vectors[d].count > most) most = vectors[d].count;
    return most;
}

/* Behind the entries before it; returns where the next vector's begin. */
static size_t put_vector(const fp_vector *vector, size_t document, size_t at, const fp_posting_terms *terms,
                         fp_entry_table *to, uint32_t *from) {
    size_t count = fp_terms_of(terms, vector, to->term + at, from);
    for (size_t i = 0; to->value && i < count; i++) to->value[at + i] = fp_vector_value(vector, from[i]);
    for (size_t i = 0; to->times && i < count; i++)
        to->times[at + i] = (uint8_t)nearbyint(fp_vector_value(vector, from[i]) * to->norm[document]);
    return at + count;
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

/* Room for so many entries. */
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
    size_t longest = longest_of(vectors, count), *first = fp_arena_alloc(arena, count + 1, sizeof *first);
    uint32_t *from = fp_arena_raw(arena, longest, sizeof *from);
    *out = (fp_entry_table){.count = count, .first = first};
    if (!first || !from) return fp_no_memory(error);
    if (join == FP_JOIN_PRODUCT) FP_TRY(open_norms(vectors, count, arena, out, error));
    /* fp_terms_of writes behind the last entry what is none. */
    FP_TRY(open_table(terms->entries + longest, terms, join, arena, out, error));
    for (size_t d = 0; d < count; d++) first[d + 1] = put_vector(vectors + d, d, first[d], terms, out, from);
    memset(out->term + first[count], 0, FP_TERMS_BEHIND * sizeof *out->term);
    if (join == FP_JOIN_COUNT) fp_entries_put_frequent_first(out);
    return FP_OK;
}

fp_status fp_entries_open_row(size_t longest, const fp_posting_terms *terms, fp_join join, fp_arena *arena,
                              fp_entry_table *out, fp_error *error) {
    *out = (fp_entry_table){.count = 1, .first = fp_arena_alloc(arena, 2, sizeof *out->first)};
    if (!out->first) return fp_no_memory(error);
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
