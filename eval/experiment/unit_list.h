/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_list.h - the units of a corpus of groups.
 */
#ifndef FP_UNIT_LIST_H
#define FP_UNIT_LIST_H

#include "corpora/corpus.h"
#include "eval/statistics/counted/counted.h"

/* Groups, and documents without one, in the order of their first document; or, where `shuffled`, in an order drawn at
 * random from `seed`. In `arena`. */
fp_status fp_unit_list_make(const fp_corpus *corpus, bool shuffled, uint64_t seed, fp_arena *arena, fp_unit_list *units,
                            fp_error *error);
/* The number of the unit that each document is of, [document_count], in `arena`. NULL when there is no memory. */
uint32_t *fp_unit_of_documents(const fp_unit_list *units, fp_arena *arena);

#endif
