/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_terms.h - terms: numbers from 0 for keys of sparse vectors, the frequent ones first, then as they are met.
 */
#ifndef FP_POSTING_TERMS_H
#define FP_POSTING_TERMS_H

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

#endif
