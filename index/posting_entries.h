/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_entries.h - what sparse vectors hold, as terms: numbers from 0 for the keys that at least two documents have.
 * A key of one document joins nothing, and is left out. Where documents are joined with some of them alone, so are the
 * keys that none of these has.
 */
#ifndef FP_POSTING_ENTRIES_H
#define FP_POSTING_ENTRIES_H

#include "base/base.h"

enum { FP_TERMS_BEHIND = 24 };
/* A term is frequent that at least one in FP_TERM_FREQUENT documents has, and as many as that of FP_TERM_FEW: then a
 * list of bits over the documents is shorter work than its postings, as measured. */
enum { FP_TERM_FREQUENT = 64, FP_TERM_FEW = 512 };

/* What the documents hold, 4 bytes an entry and its value: term after term in ascending order of the keys; but for
 * FP_JOIN_COUNT, where nothing hangs on the order, first the terms that are frequent. */
typedef struct fp_entry_table {
    size_t count;        /* documents */
    const size_t *first; /* [count + 1] into term and value */
    uint32_t *term;      /* FP_TERMS_BEHIND more than there are, 0: whoever looks ahead need not ask where they end */
    /* All NULL for FP_JOIN_COUNT. Else values, or where all vectors are whole numbers over their norm these. */
    double *value;
    uint8_t *times;
    double *norm; /* [count] */
    size_t term_count;
    size_t frequent; /* the first so many terms are the frequent ones */
    double meetings; /* pairs of equal keys: how often a sum is added to */
} fp_entry_table;

/* The table of vectors[0 … count), fewer than 2³² − 1, in `arena`. Where `among` < count, the terms are the keys of
 * vectors[0 … among), and `meetings` and `frequent` are of these. FP_ERROR_MEMORY. */
fp_status fp_entries_make(const fp_vector *vectors, size_t count, size_t among, fp_join join, fp_arena *arena,
                          fp_entry_table *out, fp_error *error);

/* Moves the frequent terms of every document to the front, where whole numbers are counted. */
void fp_entries_put_frequent_first(const fp_entry_table *table);

/* The value of an entry of document `document`; 1 where values are not read. */
static inline double fp_entry_value(const fp_entry_table *table, size_t document, size_t entry) {
    if (table->times) return table->times[entry] / table->norm[document];
    return table->value ? table->value[entry] : 1;
}

static inline double fp_vector_value(const fp_vector *vector, size_t i) {
    return *(const double *)(const void *)((const unsigned char *)vector->value + i * vector->step);
}

#endif
