/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shards.h - collections of one arm that were built apart become one.
 */
#ifndef FP_SHARDS_H
#define FP_SHARDS_H

#include "index/collection/collection.h"

/* Copies all records and matches of `from` into `to`, in one transaction: with new numbers, in their order, and the
 * clusters that they have. FP_ERROR_UNKNOWN: another arm, model or threshold; FP_ERROR_DUPLICATE: an id that is there.
 * After an error nothing was copied. */
fp_status fp_collection_take(fp_collection *to, fp_collection *from, uint64_t *taken, fp_error *error);

#endif
