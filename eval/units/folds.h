/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * folds.h - units dealt into folds of about equal weight.
 */
#ifndef FP_FOLDS_H
#define FP_FOLDS_H

#include "base/base.h"

/* What a unit brings to its fold. */
typedef struct fp_unit_load {
    size_t positives; /* pairs */
    size_t size;      /* documents, or pairs where these are dealt */
    uint64_t key;     /* that it is known by: decides with the seed the order of units of as many positives */
} fp_unit_load;

/* fold[count], each below `folds` (1 … 255): units of most positives first, each into the fold that has the fewest (the
 * longest-processing-time rule; Graham 1969), then units without positives into the fold of the least size. `scratch`
 * is not reset. */
fp_status fp_folds_deal(const fp_unit_load *units, size_t count, size_t folds, uint64_t seed, fp_arena *scratch,
                        uint8_t *fold, fp_error *error);

#endif
