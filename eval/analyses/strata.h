/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * strata.h - the labelled pairs of a corpus divided by kind, language, length or a field of their documents, so that
 * every measure can be told for each part.
 */
#ifndef FP_STRATA_H
#define FP_STRATA_H

#include "base/base.h"
#include "corpora/corpus.h"

typedef struct fp_strata {
    const char *by;
    size_t count;
    const char *const *names; /* [count] by length in ascending order, otherwise in order of first appearance */
    const uint32_t *of_pair;  /* [pair_count]; NULL where the truth is groups */
    const size_t *bounds;     /* [count − 1] by length: upper bounds, exclusive; else NULL */
} fp_strata;

/* A stratum with fewer pairs says little; reports mark it. */
enum { FP_STRATUM_SMALL = 30, FP_STRATA_MOST = 1000 };

/* The field that fp_strata_make will ask the corpus for; NULL where `by` is none, or NULL. */
const char *fp_strata_field(const char *by);

/* `by`: "kind"; "lang"; "length", in buckets of the shorter document's characters with the given ascending upper bounds
 * (exclusive; 0 bounds: chosen by fp_buckets_choose); or the name of a field of the documents that was asked for when
 * the corpus was read, the pair's two values joined by " / " when they differ. A value that is missing is called
 * "(none)". The corpus must have labelled pairs, or, by length, groups: FP_ERROR_EMPTY. FP_ERROR_UNKNOWN when no
 * document has the field, FP_ERROR_RANGE for over FP_STRATA_MOST strata. Lives in `arena`. */
fp_status fp_strata_make(const fp_corpus *corpus, const char *by, const size_t *bounds, size_t bound_count,
                         fp_arena *arena, fp_strata *strata, fp_error *error);

/* The pairs of one stratum, as positions in corpus->pairs, ascending; members[count] in `arena`. A stratum of one
 * label, such as a kind of duplicates, is joined by all pairs of the other label, so that precision and the curve have
 * a meaning. */
fp_status fp_stratum_select(const fp_corpus *corpus, const fp_strata *strata, size_t stratum, fp_arena *arena,
                            size_t **members, size_t *count, fp_error *error);

/* ---- buckets of length chosen from the pairs themselves, so that each says something. ---- */

/* At most so many buckets are chosen; each is to hold about so many pairs, and so many of each label, or more. */
enum { FP_BUCKETS_MOST = 6, FP_BUCKET_PAIRS = 60, FP_BUCKET_LABEL = 15 };

/* Chooses ascending upper bounds (exclusive) over length[i] of pairs[i]; bounds[FP_BUCKETS_MOST − 1]. The bounds stand
 * near the quantiles of a distribution in which the duplicates together weigh as much as the other pairs together, so
 * that every bucket has both: each is the roundest number (a multiple of the largest of 1, 2, 5, 10, 20, …) within a
 * quarter of a bucket of its quantile. No bucket is empty. *count is 0, one bucket, when there are too few pairs or all
 * have one length. */
fp_status fp_buckets_choose(const size_t *length, const fp_pair *pairs, size_t pair_count, const fp_arena *like,
                            size_t *bounds, size_t *count, fp_error *error);

#endif
