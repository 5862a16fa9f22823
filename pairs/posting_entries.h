/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_entries.h - what sparse vectors hold of terms.
 */
#ifndef FP_POSTING_ENTRIES_H
#define FP_POSTING_ENTRIES_H

#include "pairs/posting_terms.h"

enum { FP_TERMS_BEHIND = 24 };

/* What the documents hold: term after term in ascending order of the keys; but for FP_JOIN_COUNT, where nothing hangs
 * on the order, first the terms that are frequent. 4 bytes an entry; and 1 for its number, or 8 for its value. */
typedef struct fp_entry_table {
    size_t count;   /* documents */
    size_t *first;  /* [count + 1] into term and value */
    uint32_t *term; /* FP_TERMS_BEHIND more than there are, 0: whoever looks ahead need not ask where they end */
    /* All NULL for FP_JOIN_COUNT. Else values, or where all vectors are whole numbers over their norm these. */
    double *value;
    uint8_t *times;
    double *norm; /* [count] */
    size_t term_count;
    size_t frequent; /* the first so many terms are the frequent ones */
    double meetings; /* pairs of equal keys: how often a sum is added to */
} fp_entry_table;

/* The table of vectors[0 … count), which the terms are of, in `arena`. FP_ERROR_MEMORY. */
fp_status fp_entries_make(const fp_vector *vectors, size_t count, const fp_posting_terms *terms, fp_join join,
                          fp_arena *arena, fp_entry_table *out, fp_error *error);

/* A table for one vector at a time, that has up to `longest` keys: room for it, in `arena`. */
fp_status fp_entries_open_row(size_t longest, const fp_posting_terms *terms, fp_join join, fp_arena *arena,
                              fp_entry_table *out, fp_error *error);
/* Fills it. `from`[longest] is room. */
void fp_entries_fill_row(const fp_vector *vector, const fp_posting_terms *terms, fp_entry_table *row, uint32_t *from);

/* Moves the frequent terms of every document to the front, where whole numbers are counted. */
void fp_entries_put_frequent_first(const fp_entry_table *table);

/* The value of an entry of document `document`; 1 where values are not read. */
static inline double fp_entry_value(const fp_entry_table *table, size_t document, size_t entry) {
    if (table->times) return table->times[entry] / table->norm[document];
    return table->value ? table->value[entry] : 1;
}

#endif
