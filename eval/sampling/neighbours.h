/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * neighbours.h - pairs that are near under an arm, found without comparing all: documents are sorted by their marks,
 * and each is compared with those that stand next to it (Hernández, Stolfo, The merge/purge problem, SIGMOD 1995; for
 * permuted bits Ravichandran, Pantel, Hovy, ACL 2005). Which near pairs are missed does not matter to who draws the
 * rest at random: what is found is counted as it is, and what is not is part of the rest.
 */
#ifndef FP_NEIGHBOURS_H
#define FP_NEIGHBOURS_H

#include "eval/sampling/sampled_pairs.h"
#include "eval/experiment/experiment.h"
#include "eval/experiment/near_pairs.h"
#include "eval/experiment/unit_pass.h"

/* Of the negatives met, the nearest `most` at the most, in whole distances; none where the arm's sketches have no marks
 * (below). Time grows with the documents, not with the pairs. The list lives in `arena`; same list for any
 * number of threads. */
fp_status fp_neighbours_find(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, uint64_t seed,
                             const fp_progress *progress, fp_arena *arena, fp_near_pairs *near, fp_error *error);

/* ----
 * short numbers of a sketch that near sketches are likely to share: what documents are sorted by to
 * find near pairs without comparing all.
 *
 * A mark is made of a part of the sketch that the seed draws: 32 of its bits, or a few of its slots. Sparse vectors
 * have key_bands.h.
 */

enum { FP_NEIGHBOUR_MARKS = 16 };

/* How the marks of one arm are made. */
typedef struct fp_neighbour_marker {
    const fp_measurement *measurement;
    uint64_t seed;
    size_t take;          /* bits or slots that a mark is made of */
    const uint32_t *part; /* [FP_NEIGHBOUR_MARKS·take] which */
} fp_neighbour_marker;

/* Whether sketches have such parts: bits or slots. */
bool fp_neighbour_marks_can(const fp_measurement *measurement);
/* In `arena`. */
fp_status fp_neighbour_marker_make(const fp_measurement *measurement, uint64_t seed, fp_arena *arena,
                                   fp_neighbour_marker *marker, fp_error *error);
/* The marks of a document; mark[FP_NEIGHBOUR_MARKS]. Thread-safe. */
void fp_neighbour_marks(const fp_neighbour_marker *marker, size_t document, uint32_t *mark);

/* ----
 * for how many negatives one may stand that is called and was not seen: what bounds a count of which the
 * sample shows nothing.
 *
 * Under Jaccard's coefficient, plain or weighted, and under cosine the distance of a pair tells the least chance with
 * which bands find it (key_bands.h): the bound is exact. Under other measures of keys it is learned: from the pairs of
 * the sample up to the distance, and from the duplicates there, all of which are known, the largest weight that any of
 * them has or would have. Of fewer than 100 such pairs nothing is learned, and the bound is the weight of what no band
 * finds; so it is where an arm has no keys.
 */

/* What the sample shows bar by bar under an arm, [bin_count] each. */
typedef struct fp_seen_weights {
    const double *heaviest; /* 0 where there is no pair */
    const uint32_t *pairs;
} fp_seen_weights;

/* Fills heaviest[bin_count] of an arm whose pairs are drawn; `units` are of the corpus. */
fp_status fp_heaviest_find(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arm,
                           const fp_counted_arm *counted, fp_seen_weights seen, const fp_arenas *arenas,
                           const fp_progress *progress, fp_arena *scratch, double *heaviest, fp_error *error);

#endif
