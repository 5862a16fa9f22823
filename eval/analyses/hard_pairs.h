/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hard_pairs.h - hard negatives: each document is paired with the most similar one of another unit; each pair once.
 */
#ifndef FP_HARD_PAIRS_H
#define FP_HARD_PAIRS_H

#include "eval/analyses/copies.h"

typedef struct fp_hard_pair {
    uint32_t a, b;
} fp_hard_pair;

/* The documents that share the most facts, at least two: numbers of two digits or more, and words of three or more
 * Latin letters that begin with a capital. Facts found in more than FP_COMMON_FACT documents do not count. */
enum { FP_LEAST_FACTS = 2, FP_COMMON_FACT = 50 };
fp_status fp_pairs_of_facts(const fp_copies *copies, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                            fp_error *error);

/* The nearest under an arm, which favours arms that use other features. Compares every two documents: FP_ERROR_RANGE
 * for more than FP_NEIGHBOURS_MOST. */
enum { FP_NEIGHBOURS_MOST = 20000 };
fp_status fp_pairs_of_neighbours(const fp_copies *copies, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                                 fp_error *error);

#endif
