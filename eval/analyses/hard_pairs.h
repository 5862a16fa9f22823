/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hard_pairs.h - pairs of documents that are no duplicates and look like it. Each document is paired with the most
 * similar one of another unit, and each pair stands once, the earlier document first.
 */
#ifndef FP_HARD_PAIRS_H
#define FP_HARD_PAIRS_H

#include "eval/experiment/experiment.h"
#include "eval/analyses/copies.h"

typedef struct fp_hard_pair {
    uint32_t a, b;
} fp_hard_pair;

/* Those that share the most facts, two at least: numbers of two digits and more, and words of Latin letters that begin
 * with a capital and have three letters or more. Facts that more than FP_COMMON_FACT documents hold are none. */
enum { FP_LEAST_FACTS = 2, FP_COMMON_FACT = 50 };
fp_status fp_pairs_of_facts(const fp_copies *copies, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                            fp_error *error);

/* The nearest under an arm. It favours arms that see other things than this one: measure others on them, not this one.
 * Every two documents are looked at: FP_ERROR_RANGE for more than FP_NEIGHBOURS_MOST. */
enum { FP_NEIGHBOURS_MOST = 20000 };
fp_status fp_pairs_of_neighbours(const fp_copies *copies, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                                 fp_error *error);

#endif
