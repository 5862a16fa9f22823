/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * postings.h - all pairs of sparse vectors that share a key, with the sum of their joined values: an inverted index
 * (Zobel, Moffat, Inverted files for text search engines, ACM Computing Surveys 38(2), 2006, section 3) that is built
 * for one range of documents after the other, so that a row of sums stays in the nearest cache. Time grows with the
 * number of pairs of equal keys; pairs that share none cost nothing. Memory grows with the vectors, not with the
 * pairs.
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
    double off;            /* 0; or by what share a sum may be off what it is when added in that order */
} fp_joined_pairs;

/* Called by several threads at once, each with its own arena out of the arenas, which the call may allocate from but
 * not reset. */
typedef fp_status (*fp_tell_pairs)(void *context, const fp_joined_pairs *pairs, fp_arena *arena, fp_error *error);

/* What is joined, and who is told. */
typedef struct fp_postings {
    const fp_vector *vectors; /* [count] */
    size_t count;
    fp_join join;
    fp_tell_pairs tell;
    void *context;
    const char *stage; /* of progress */
    /* Whether sums may be off by a share of FP_POSTINGS_OFF at most, which is several times as fast where values are
     * whole numbers over their norm; asked before every tile, never while pairs are told. NULL: never. */
    bool (*may_be_off)(void *context);
} fp_postings;

/* Of S/(a·b), where S is a sum of products of whole numbers up to 65,535, and so of as many products: rounded four
 * times, and in order once an addition and five times a product, by 2⁻⁵³ each. */
#define FP_POSTINGS_OFF 0x1p-36

/* Tells every pair of vectors whose sum is not 0, once. The arenas are reset. FP_ERROR_RANGE for 2³² documents or keys.
 */
fp_status fp_postings_pairs(const fp_postings *of, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error);

#endif
