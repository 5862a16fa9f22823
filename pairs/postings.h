/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * postings.h - all pairs of sparse vectors that share a key, with the sum of their joined values: an inverted index
 * (Zobel, Moffat, Inverted files for text search engines, ACM Computing Surveys 38(2), 2006, section 3), built for one
 * range of documents after the other so that a row of sums stays in the first-level cache. Time grows with the number
 * of pairs of equal keys; pairs without a common key cost nothing. Memory grows with the vectors, not with the pairs.
 */
#ifndef FP_POSTINGS_H
#define FP_POSTINGS_H

#include "base/parallel.h"

/* Pairs of one document with later ones. */
typedef struct fp_joined_pairs {
    size_t row;
    size_t count;
    const uint32_t *other; /* [count] > row, in no particular order */
    double *sum;           /* [count] ≠ 0, added in ascending order of the keys; may be overwritten */
    double off;            /* maximum relative error of a sum, against the sum added in that order; 0: exact */
} fp_joined_pairs;

/* Called by several threads at once, each with its own arena of the arenas. The callback may allocate from it but must
 * not reset it. */
typedef fp_status (*fp_take_joined_pairs)(void *context, const fp_joined_pairs *pairs, fp_arena *arena,
                                          fp_error *error);

/* The vectors to join, and the callback. */
typedef struct fp_postings {
    const fp_vector *vectors; /* [count] */
    size_t count;
    fp_join join;
    fp_take_joined_pairs take;
    void *context;
    const char *stage; /* of progress */
    /* Whether the relative error of sums may be up to FP_POSTINGS_OFF, which is several times as fast if values are
     * whole numbers over their norm. Called before every tile, never while pairs are reported. NULL: never. */
    bool (*may_be_off)(void *context);
} fp_postings;

/* Bound for S/(a·b), where S ≤ 65,535 is a sum of products of whole numbers, hence of at most 65,535 products. S/(a·b)
 * is rounded four times; the ordered sum once an addition and five times a product. Each rounding: 2⁻⁵³. */
#define FP_POSTINGS_OFF 0x1p-36

/* Reports every pair of vectors whose sum is not 0, once. Resets the arenas. FP_ERROR_RANGE: 2³² − 1 documents or keys,
 * or more. */
fp_status fp_postings_pairs(const fp_postings *of, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error);

#endif
