/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * groups.h - groups as truth: two documents of one group are duplicates, all others are not.
 */
#ifndef FP_GROUPS_H
#define FP_GROUPS_H

#include "corpora/corpus.h"
#include "eval/statistics/counted.h"

/* Documents by group, in corpus order inside a group; those without one are left out. In `arena`. */
fp_status fp_groups_make(const fp_corpus *corpus, fp_arena *arena, fp_unit_list *groups, fp_error *error);

static inline bool fp_same_group(const fp_corpus *corpus, size_t a, size_t b) {
    return corpus->group[a] != UINT32_MAX && corpus->group[a] == corpus->group[b];
}

/* n(n − 1)/2. */
static inline uint64_t fp_pairs_of(uint64_t documents) { return documents ? documents * (documents - 1) / 2 : 0; }

/* Number of negatives in a corpus of groups. */
fp_status fp_groups_negatives(const fp_corpus *corpus, uint64_t *negatives, fp_error *error);

/* ---- The units of a corpus of groups ---- */

/* Groups, and documents without one, in the order of their first document; with `shuffled`, in random order from
 * `seed`. In `arena`. */
fp_status fp_unit_list_make(const fp_corpus *corpus, bool shuffled, uint64_t seed, fp_arena *arena, fp_unit_list *units,
                            fp_error *error);
/* The number of the unit that each document is of, [document_count], in `arena`. NULL when out of memory. */
uint32_t *fp_unit_of_documents(const fp_unit_list *units, fp_arena *arena);

#endif
