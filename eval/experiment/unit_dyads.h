/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_dyads.h - what the dyads of one unit (its pairs with each other unit) add up to, arm by arm and for two arms
 * together. Far dyads are those of the columns of a pass, near ones those with units that have near pairs.
 */
#ifndef FP_UNIT_DYADS_H
#define FP_UNIT_DYADS_H

#include "eval/experiment/unit_pass.h"

/* Under one arm. */
typedef struct fp_unit_tally {
    /* [functional_count] Σ over dyads of their sums, of the squares of these, and of them times the size */
    double *sum, *squares, *products;
    /* [threshold_count] by how much the sums over dyads of called, called² and called·size grow at each threshold */
    double *called, *called_squares, *called_sizes;
    double *dyad;   /* [functional_count] the sums of the last dyad of several pairs */
    uint32_t *one;  /* [bin_count] dyads of one pair, not yet in the sums; NULL where bins are many */
    uint32_t *seen; /* [threshold_count] zeros */
    size_t count;   /* dyads */
    double sizes, size_squares;
} fp_unit_tally;

/* The functional 0 of what is taken at once: of each pair, and of each dyad, arm by arm. */
typedef struct fp_joint_block {
    double *pair, *dyad; /* [arm_count · pair_capacity], [arm_count · dyad_capacity]; NULL when there is one arm */
    size_t pair_capacity, dyad_capacity;
    /* Of the unit so far, as of fp_joint_sums: over its far and over its near dyads. */
    double *far_dyads, *far_pairs, *near_dyads, *near_pairs;
} fp_joint_block;

/* A thread's room. */
typedef struct fp_unit_room {
    double *distance; /* [columns] */
    uint32_t *bin;    /* [bin_capacity] */
    size_t bin_capacity;
    fp_column_room *column;      /* [arm_count] */
    fp_unit_tally *fars, *nears; /* [arm_count] */
    bool *apart; /* [column_units] whether the dyad is taken with the column: no near one, and not the unit itself */
    fp_joint_block joint;
} fp_unit_room;

/* In `arena`, all sums zero. */
fp_status fp_unit_room_open(const fp_pass_job *job, fp_arena *arena, fp_unit_room *room, fp_error *error);
/* Adds all dyads of a unit to the tallies and joint sums of the room, which grows in `arena`. */
fp_status fp_unit_take_dyads(const fp_pass_job *job, size_t unit, fp_arena *arena, fp_unit_room *room, fp_error *error);
void fp_unit_tally_clear(const fp_tally_plan *plan, fp_unit_tally *tally);

#endif
