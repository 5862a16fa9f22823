/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_pass.h - a pass over all pairs of a corpus of groups, unit by unit, that fills the sums of counted.h. All arms
 * run together, because joint sums of two arms need the same dyad; only the distances of one unit are in memory at a
 * time. Every dyad occurs from both of its units. With very many units, each is paired with a sample of the others.
 */
#ifndef FP_UNIT_PASS_H
#define FP_UNIT_PASS_H

#include "eval/measures/histogram.h"
#include "eval/experiment/experiment.h"
#include "eval/experiment/near_pairs.h"
#include "eval/experiment/groups.h"

/* Fills all that depends on a unit, from measurements[arm_count] with their sketches, histograms of all pairs and, if
 * the columns are a sample, near pairs. The caller has set the numbers of *counted, `units`, and of every arm what
 * belongs to its bins: `bin_count`, `distance`, `cells`, `reach`, `value`. Everything lives in `arena`. Same figures
 * for any number of threads. */
fp_status fp_unit_pass_run(const fp_measurement *measurements, const fp_progress *progress, fp_arena *arena,
                           fp_counted_pairs *counted, fp_counted_arm *arms, fp_error *error);

/* ---- A pass over sampled pairs and all positives (sampled_pass.c), and what the two passes share ---- */

/* As fp_unit_pass_run; the measurements are of one sample, and column_units is for arms whose pairs are all counted. */
fp_status fp_sampled_pass_run(const fp_measurement *measurements, const fp_progress *progress, fp_arena *arena,
                              fp_counted_pairs *counted, fp_counted_arm *arms, fp_error *error);
/* The number of measurements of a sample whose pairs are all counted. */
size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count);

/* Constant for all units. */
typedef struct fp_tally_plan {
    size_t bin_count;
    size_t threshold_count, functional_count;
    const double *value;    /* [bin_count · functional_count] of negatives, functional by functional for each bin */
    const uint32_t *within; /* [bin_count] the first threshold that calls the bin; threshold_count: none */
} fp_tally_plan;

typedef struct fp_pass_arm {
    const fp_measurement *measurement;
    fp_columns columns;
    fp_bin_finder finder;
    fp_tally_plan plan;
    fp_counted_arm *out;
} fp_pass_arm;

typedef struct fp_pass_job {
    const fp_measurement *measurements; /* [arm_count] */
    const fp_progress *progress;
    const fp_counted_pairs *counted;
    const fp_near_units *near; /* NULL: every unit is paired with all */
    fp_pass_arm *arms;         /* [arm_count] */
    size_t width;              /* number of sums in a chunk of units */
    double *chunks;            /* [chunks · width] */
} fp_pass_job;

/* [arm_count²]; only the places [a·arm_count + b] with b ≤ a are filled. */
typedef struct fp_joint_sums {
    double *dyads, *noise, *pairs;
} fp_joint_sums;

/* The bin of the distance of two documents. */
uint32_t fp_pass_bin(const fp_pass_arm *arm, uint32_t a, uint32_t b);

/* ---- Common parts of the passes over the units ---- */

/* Makes the lookup of the bin of a pair, and the values of the bins, in `scratch`; no sums. */
fp_status fp_pass_open_bins(const fp_pass_job *job, const fp_measurement *measurement, fp_counted_arm *out,
                            fp_arena *scratch, fp_pass_arm *arm, fp_error *error);
/* Makes room for the sums of an arm over units, in `arena`. */
fp_status fp_pass_open_sums(const fp_pass_job *job, fp_counted_arm *out, fp_arena *arena, fp_error *error);
/* Adds the positives of a unit. */
void fp_pass_take_positives(const fp_pass_arm *arm, const fp_unit_list *units, size_t unit);
/* Adds the joint sums of two arms over the positives of a unit, as in fp_joint_sums. */
void fp_pass_join_positives(const fp_pass_job *job, size_t unit, double *pairs);
/* Σ over dyads of the square of the number of their pairs. */
double fp_pass_dyad_squares(const fp_unit_list *units);
/* Fills the other half of a symmetric matrix. */
void fp_pass_mirror(double *matrix, size_t count);

/* ---- Sums over the dyads of one unit: far dyads are those with the columns, near ones those with near units ---- */

/* Under one arm. */
typedef struct fp_unit_tally {
    /* [functional_count] Σ over dyads of their sums, of the squares of these, and of them times the size */
    double *sum, *squares, *products;
    /* [threshold_count] increase at each threshold of the sums over dyads of called, called² and called·size */
    double *called, *called_squares, *called_sizes;
    double *dyad;   /* [functional_count] the sums of the last dyad of several pairs */
    uint32_t *one;  /* [bin_count] dyads of one pair, not yet in the sums; NULL where bins are many */
    uint32_t *seen; /* [threshold_count] zeros */
    size_t count;   /* dyads */
    double sizes, size_squares;
} fp_unit_tally;

/* The functional 0 of one block: of each pair, and of each dyad, for each arm. */
typedef struct fp_joint_block {
    double *pair, *dyad; /* [arm_count · pair_capacity], [arm_count · dyad_capacity]; NULL when there is one arm */
    size_t pair_capacity, dyad_capacity;
    /* Of the unit so far, as of fp_joint_sums: over its far and over its near dyads. */
    double *far_dyads, *far_pairs, *near_dyads, *near_pairs;
} fp_joint_block;

/* Working memory of a thread. */
typedef struct fp_unit_room {
    double *distance; /* [columns] */
    uint32_t *bin;    /* [bin_capacity] */
    size_t bin_capacity;
    fp_column_room *column;      /* [arm_count] */
    fp_unit_tally *fars, *nears; /* [arm_count] */
    bool *apart; /* [column_units] whether the dyad is taken with the column: neither a near one nor the unit itself */
    fp_joint_block joint;
} fp_unit_room;

/* In `arena`, all sums zero. */
fp_status fp_unit_room_open(const fp_pass_job *job, fp_arena *arena, fp_unit_room *room, fp_error *error);
/* Adds all dyads of a unit to the tallies and joint sums of the room, which grows in `arena`. */
fp_status fp_unit_take_dyads(const fp_pass_job *job, size_t unit, fp_arena *arena, fp_unit_room *room, fp_error *error);
void fp_unit_tally_clear(const fp_tally_plan *plan, fp_unit_tally *tally);

#endif
