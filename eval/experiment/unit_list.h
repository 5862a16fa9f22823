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

#endif
