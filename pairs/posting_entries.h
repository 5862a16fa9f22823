/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_entries.h - terms, numbers from 0 for keys of sparse vectors, the frequent ones first, then as they are met;
 * and what the vectors hold of them.
 */
#ifndef FP_POSTING_ENTRIES_H
#define FP_POSTING_ENTRIES_H

#include "base/base.h"
#include "base/map.h"

/* A term is frequent that at least one in FP_TERM_FREQUENT documents has, and as many as that of FP_TERM_FEW: then a
 * list of bits over the documents is shorter work than its postings, as measured. */
enum { FP_TERM_FREQUENT = 64, FP_TERM_FEW = 512 };

typedef struct fp_posting_terms {
    fp_arena *arena; /* the map's own */
    fp_map map;      /* key to term */
    size_t count, frequent;
    size_t entries;  /* in all vectors together */
    double meetings; /* pairs of equal keys in different vectors */
} fp_posting_terms;

/* The keys that at least `fewest` of vectors[0 … count) have, count < 2³² − 1. While they are counted, a table of all
 * keys is there, 24 to 48 bytes a key, half as much again while it grows. Released by fp_terms_free, also on failure;
 * memory is from where `like` has its own. FP_ERROR_MEMORY, FP_ERROR_RANGE for 2³¹ keys. */
fp_status fp_terms_make(const fp_vector *vectors, size_t count, uint32_t fewest, const fp_arena *like,
                        fp_posting_terms *terms, fp_error *error);
void fp_terms_free(fp_posting_terms *terms);

/* The entries of a vector that are terms, in ascending order of the keys: term[i] is that of key from[i]. Returns how
 * many there are; term and from have room for all keys. */
size_t fp_terms_of(const fp_posting_terms *terms, const fp_vector *vector, uint32_t *term, uint32_t *from);

static inline double fp_vector_value(const fp_vector *vector, size_t i) {
    return *(const double *)(const void *)((const unsigned char *)vector->value + i * vector->step);
}

/* ---- Sparse vectors that are whole numbers over their norm, as term frequencies make them: sums of products are then
 * sums of whole numbers, over both norms. ---- */

/* A number is at most FP_WHOLE_MOST, and the sum of the squares at most FP_WHOLE_SQUARES, so that a sum of products is
 * (Cauchy-Schwarz). */
enum { FP_WHOLE_MOST = UINT8_MAX, FP_WHOLE_SQUARES = UINT16_MAX };

/* The norm of whole numbers of which every value is one, divided by it, to the last bit; 1 for an empty vector, 0 when
 * there are no such numbers. */
double fp_whole_norm(const fp_vector *vector);

/* ---- Entries ---- */

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
