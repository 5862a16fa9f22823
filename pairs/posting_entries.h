/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_entries.h - sparse vectors as terms, and the entries of the vectors by term.
 */
#ifndef FP_POSTING_ENTRIES_H
#define FP_POSTING_ENTRIES_H

#include "algorithms/kernels/distance_kernels.h"
#include "base/map.h"

/* ---- Terms: numbers from 0 for the keys of sparse vectors, frequent ones first, then in order of
 * first occurrence. ---- */

/* A term is frequent if at least 1/FP_TERM_FREQUENT of the documents have it, or of FP_TERM_FEW if there are fewer
 * documents. Then a bitmap over the documents is faster than a posting list, as measured. */
enum { FP_TERM_FREQUENT = 64, FP_TERM_FEW = 512 };

typedef struct fp_posting_terms {
    fp_arena *arena; /* of the map */
    fp_map map;      /* key to term */
    size_t count, frequent;
    size_t entries;  /* in all vectors together */
    double meetings; /* pairs of equal keys in different vectors */
} fp_posting_terms;

/* Makes terms of the keys that occur in at least `fewest` of vectors[0 … count), count < 2³² − 1. While it counts, it
 * keeps a table of all keys: 24 to 48 bytes a key, 1.5 times that while the table grows. Release with fp_terms_free,
 * also on failure. Uses the allocator of `like`. FP_ERROR_MEMORY, FP_ERROR_RANGE: 2³¹ keys. */
fp_status fp_terms_make(const fp_vector *vectors, size_t count, uint32_t fewest, const fp_arena *like,
                        fp_posting_terms *terms, fp_error *error);
void fp_terms_free(fp_posting_terms *terms);

/* ---- Sparse vectors that are whole numbers divided by their norm, such as term frequencies. Sums of products are then
 * sums of whole numbers, divided by both norms. ---- */

/* A number is at most FP_WHOLE_MOST, and the sum of the squares at most FP_WHOLE_SQUARES, which also bounds a sum of
 * products (Cauchy-Schwarz). */
enum { FP_WHOLE_MOST = UINT8_MAX, FP_WHOLE_SQUARES = UINT16_MAX };

/* The norm n such that every value is a whole number divided by n, to the last bit; 1 for an empty vector, 0 if there
 * is no such norm. */
double fp_whole_norm(const fp_vector *vector);

/* ---- Entries ---- */

enum { FP_TERMS_BEHIND = 24 };

/* The entries of the documents, in ascending order of the keys. For FP_JOIN_COUNT, where the order has no effect, the
 * frequent terms come first. 4 bytes an entry, and 1 for its number or 8 for its value. */
typedef struct fp_entry_table {
    size_t count;   /* documents */
    size_t *first;  /* [count + 1] into term and value */
    uint32_t *term; /* followed by FP_TERMS_BEHIND zeros, so that a prefetch needs no bounds check */
    /* All NULL for FP_JOIN_COUNT. Else values, or numbers and norms if fp_whole_norm finds all norms. */
    double *value;
    uint8_t *times;
    double *norm; /* [count] */
    size_t term_count;
    size_t frequent; /* number of frequent terms, which are the first ones */
    double meetings; /* pairs of equal keys: the number of additions to sums */
} fp_entry_table;

/* Makes the table of vectors[0 … count), from which the terms were made, in `arena`. FP_ERROR_MEMORY. */
fp_status fp_entries_make(const fp_vector *vectors, size_t count, const fp_posting_terms *terms, fp_join join,
                          fp_arena *arena, fp_entry_table *out, fp_error *error);

/* Allocates, in `arena`, a table for one vector at a time, of up to `longest` keys. FP_ERROR_MEMORY. */
fp_status fp_entries_open_row(size_t longest, const fp_posting_terms *terms, fp_join join, fp_arena *arena,
                              fp_entry_table *out, fp_error *error);
/* Fills it. `from`[longest] is scratch space. */
void fp_entries_fill_row(const fp_vector *vector, const fp_posting_terms *terms, fp_entry_table *row, uint32_t *from);

/* Moves the frequent terms of every document to the front, for tiles of counts. */
void fp_entries_put_frequent_first(const fp_entry_table *table);

#endif
