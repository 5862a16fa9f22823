/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_pass.h - a pass over all pairs of a corpus of groups, unit by unit, that fills what counted.h describes. All
 * arms go together, so that what two of them make of a dyad is known; the distances of one unit are there at a time,
 * and no pair is listed. Every dyad is met from both of its units. With very many units, each is paired with a sample
 * of the others.
 */
#ifndef FP_UNIT_PASS_H
#define FP_UNIT_PASS_H

#include "eval/measures/histogram.h"
#include "eval/experiment/experiment.h"
#include "eval/experiment/near_pairs.h"
#include "eval/experiment/groups.h"

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

/* ---- A pass over sampled pairs and all positives (sampled_pass.c), and what the two passes share ---- */

/* As fp_unit_pass_run; the measurements are of one sample, and pass->column_units is for those arms of which all pairs
 * are counted. */
fp_status fp_sampled_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted,
                              fp_counted_arm *arms, fp_error *error);
/* How many of the measurements of a sample are of such arms. */
size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count);

/* What does not change from unit to unit. */
typedef struct fp_tally_plan {
    size_t bin_count;
    size_t threshold_count, functional_count;
    const double *value;    /* [bin_count · functional_count] of negatives, functional by functional for each bin */
    const uint32_t *within; /* [bin_count] the first threshold that calls the bin; threshold_count: none */
} fp_tally_plan;

/* One arm, and what of its figures belongs to units. */
typedef struct fp_pass_arm {
    const fp_measurement *measurement;
    fp_columns columns;
    fp_bin_finder finder;
    fp_tally_plan plan;
    const double *value; /* as of fp_counted_arm, here and below */
    uint32_t *called, *found;
    double *touching, *own;
} fp_pass_arm;

typedef struct fp_pass_job {
    const fp_unit_pass *pass;
    const fp_counted_pairs *counted;
    const fp_near_units *near; /* NULL: every unit is paired with all */
    fp_pass_arm *arms;         /* [arm_count] */
    size_t width;              /* numbers that a chunk of units adds up to */
    double *chunks;            /* [chunks · width] */
} fp_pass_job;

/* [arm_count²], of which the places [a·arm_count + b] with b ≤ a are filled. */
typedef struct fp_joint_sums {
    double *dyads, *noise, *pairs;
} fp_joint_sums;

/* The bar of the distance of two documents. */
uint32_t fp_pass_bin(const fp_pass_arm *arm, uint32_t a, uint32_t b);

/* ---- What any pass over the units does ---- */

/* What finds the bar of a pair, and what the bars are worth, in `scratch`: no sums. */
fp_status fp_pass_open_bins(const fp_pass_job *job, const fp_measurement *measurement, const fp_counted_arm *of,
                            fp_arena *scratch, fp_pass_arm *arm, fp_error *error);
/* An arm with all that has its place by unit, in `arena`, and what finds bars, in `scratch`; without columns. */
fp_status fp_pass_open_arm(const fp_pass_job *job, const fp_measurement *measurement, fp_counted_arm *out,
                           fp_arena *arena, fp_arena *scratch, fp_pass_arm *arm, fp_error *error);
/* Fills what belongs to the positives of a unit. */
void fp_pass_take_positives(const fp_pass_arm *arm, const fp_unit_list *units, size_t unit);
/* Adds what two arms make of the positives of a unit, as of fp_joint_sums. */
void fp_pass_join_positives(const fp_pass_job *job, size_t unit, double *pairs);
/* Σ over dyads of the square of the number of their pairs. */
double fp_pass_dyad_squares(const fp_unit_list *units);
/* Fills the other half of a symmetric matrix. */
void fp_pass_mirror(double *matrix, size_t count);

#endif
