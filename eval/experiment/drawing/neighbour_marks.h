/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * neighbour_marks.h - short numbers of a sketch that near sketches are likely to share: what documents are sorted by to
 * find near pairs without comparing all.
 *
 * A mark is made of a part of the sketch that the seed draws: 32 of its bits, or a few of its slots. Sparse vectors
 * have key_bands.h.
 */
#ifndef FP_NEIGHBOUR_MARKS_H
#define FP_NEIGHBOUR_MARKS_H

#include "eval/experiment/experiment.h"

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

#endif
