/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * neighbour_marks.h - short numbers of a sketch that near sketches are likely to share: what documents are sorted by to
 * find near pairs without comparing all.
 *
 * A mark is made of a part of the sketch that the seed draws: 32 of its bits; a few of its slots; or, of a sparse
 * vector, the key that comes first in a race in which a key of weight w runs w times as fast as one of weight 1, so
 * that two vectors share it the more likely the more weight they share (Moulton, Jiang, Maximally consistent sampling
 * and the Jaccard index of probability distributions, ICDM 2018).
 */
#ifndef FP_NEIGHBOUR_MARKS_H
#define FP_NEIGHBOUR_MARKS_H

#include "eval/experiment/experiment.h"

enum { FP_NEIGHBOUR_MARKS = 16 };

/* How the marks of one arm are made. */
typedef struct fp_neighbour_marker {
    const fp_measurement *measurement;
    uint64_t seed;
    size_t take;          /* bits or slots that a mark is made of; 0 for vectors */
    const uint32_t *part; /* [FP_NEIGHBOUR_MARKS·take] which */
} fp_neighbour_marker;

/* Whether sketches have such parts: bits, slots or keys. */
bool fp_neighbour_marks_can(const fp_measurement *measurement);
/* In `arena`. */
fp_status fp_neighbour_marker_make(const fp_measurement *measurement, uint64_t seed, fp_arena *arena,
                                   fp_neighbour_marker *marker, fp_error *error);
/* The marks of a document; mark[FP_NEIGHBOUR_MARKS]. Thread-safe. */
void fp_neighbour_marks(const fp_neighbour_marker *marker, size_t document, uint32_t *mark);

#endif
