/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_pass.h - a pass over all pairs of a corpus of groups, unit by unit, that fills what counted.h describes. All
 * arms go together, so that what two of them make of a dyad is known; the distances of one unit are there at a time,
 * and no pair is listed. Every dyad is met from both of its units. With very many units, each is paired with a sample
 * of the others.
 */
#ifndef FP_UNIT_PASS_H
#define FP_UNIT_PASS_H

#include "eval/experiment/experiment.h"
#include "eval/experiment/unit_list.h"

typedef struct fp_unit_pass {
    const fp_measurement *measurements; /* [arm_count] with their sketches, and histograms of all pairs */
    /* The units with which every unit is paired: all, or the first so many, which are then a sample at random. In a
     * sample the dyads of near pairs, which the measurements hold, are all taken. */
    size_t column_units;
    const fp_progress *progress;
} fp_unit_pass;

/* Fills all that depends on a unit. The caller has set the numbers of *counted, `units`, and of every arm what belongs
 * to its bins: `bin_count`, `distance`, `cells`, `reach`, `value`. Everything lives in `arena`. Same figures for any
 * number of threads. */
fp_status fp_unit_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                           fp_error *error);

#endif
