/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * neighbours.h - pairs that are near under an arm, found without comparing all: documents are sorted by their marks,
 * and each is compared with those that stand next to it (Hernández, Stolfo, The merge/purge problem, SIGMOD 1995; for
 * permuted bits Ravichandran, Pantel, Hovy, ACL 2005). Which near pairs are missed does not matter to who draws the
 * rest at random: what is found is counted as it is, and what is not is part of the rest.
 */
#ifndef FP_NEIGHBOURS_H
#define FP_NEIGHBOURS_H

#include "eval/experiment/near_pairs.h"

/* Of the negatives met, the nearest `most` at the most, in whole distances; none where the arm's sketches have no marks
 * (neighbour_marks.h). Time grows with the documents, not with the pairs. The list lives in `arena`; same list for any
 * number of threads. */
fp_status fp_neighbours_find(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, uint64_t seed,
                             const fp_progress *progress, fp_arena *arena, fp_near_pairs *near, fp_error *error);

#endif
