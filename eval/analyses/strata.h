/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata.h - labelled pairs of a corpus divided by kind, language, length or a field of their documents, to report
 * every measure for each part.
 */
#ifndef FP_STRATA_H
#define FP_STRATA_H

#include "corpora/corpus.h"

typedef struct fp_strata {
    const char *by;
    size_t count;
    const char *const *names; /* [count] by length in ascending order, otherwise in order of first appearance */
    const uint32_t *of_pair;  /* [pair_count]; NULL if the truth is groups */
    const size_t *bounds;     /* [count − 1] by length: upper bounds, exclusive; else NULL */
} fp_strata;

/* Reports mark strata with fewer pairs than FP_STRATUM_SMALL as small. */
enum { FP_STRATUM_SMALL = 30, FP_STRATA_MOST = 1000 };

/* The field that fp_strata_make needs from the corpus; NULL if `by` is not a field, or NULL. */
const char *fp_strata_field(const char *by);

/* `by`: "kind"; "lang"; "length", in buckets of the shorter document's characters with the given ascending upper bounds
 * (exclusive; 0 bounds: chosen by fp_buckets_choose); or the name of a field of the documents that was requested when
 * the corpus was read; if the two values of a pair differ, they are joined by " / ". A missing value is called
 * "(none)". FP_ERROR_EMPTY: the corpus has no labelled pairs and, by length, no groups. FP_ERROR_UNKNOWN: no document
 * has the field. FP_ERROR_RANGE: more than FP_STRATA_MOST strata. Lives in `arena`. */
fp_status fp_strata_make(const fp_corpus *corpus, const char *by, const size_t *bounds, size_t bound_count,
                         fp_arena *arena, fp_strata *strata, fp_error *error);

/* The pairs of one stratum, as positions in corpus->pairs, ascending; members[count] in `arena`. If a stratum has only
 * one label, such as a kind of duplicates, all pairs of the other label are added, so that precision and the curve are
 * defined. */
fp_status fp_stratum_select(const fp_corpus *corpus, const fp_strata *strata, size_t stratum, fp_arena *arena,
                            size_t **members, size_t *count, fp_error *error);

/* ---- Buckets of length, chosen from the pairs so that each has enough pairs ---- */

/* At most FP_BUCKETS_MOST buckets are chosen; each should have at least about FP_BUCKET_PAIRS pairs and FP_BUCKET_LABEL
 * of each label. */
enum { FP_BUCKETS_MOST = 6, FP_BUCKET_PAIRS = 60, FP_BUCKET_LABEL = 15 };

/* Chooses ascending upper bounds (exclusive) over length[i] of pairs[i]; bounds[FP_BUCKETS_MOST − 1]: the roundest
 * numbers (multiples of the largest of 1, 2, 5, 10, 20, …) within a quarter of a bucket of the quantiles of a
 * distribution in which all duplicates weigh as much as all other pairs. No bucket is empty. *count is 0 (one bucket)
 * if there are too few pairs or all have the same length. */
fp_status fp_buckets_choose(const size_t *length, const fp_pair *pairs, size_t pair_count, const fp_arena *like,
                            size_t *bounds, size_t *count, fp_error *error);

#endif
