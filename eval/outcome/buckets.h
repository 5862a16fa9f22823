/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * buckets.h - buckets of length chosen from the pairs themselves, so that each says something.
 */
#ifndef FP_BUCKETS_H
#define FP_BUCKETS_H

#include "base/base.h"

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
