/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled_sums.h - what drawn pairs add up to, under one arm and under two: by unit, and over dyads, whose pairs follow
 * one another.
 */
#ifndef FP_SAMPLED_SUMS_H
#define FP_SAMPLED_SUMS_H

#include "eval/sampling/sampled_pairs.h"
#include "eval/experiment/unit_pass.h"

/* Which units each document is of, and the dyad that is added up. */
typedef struct fp_open_dyad {
    const fp_drawn_pairs *drawn;
    const fp_unit_list *units;
    const uint32_t *unit_of; /* [document_count] */
    bool open;
    uint32_t one, other; /* units */
} fp_open_dyad;

/* One arm. */
typedef struct fp_drawn_sums {
    const fp_pass_arm *arm;
    fp_open_dyad dyad;
    float *drawn;                                   /* as of fp_counted_arm, and what follows */
    double *stood_for, *squares, *heaviest;         /* [bin_count] */
    double *light_noise, *without;                  /* [bin_count], [bin_count·FP_COUNTED_REPLICATES] */
    double *seen_heaviest;                          /* [bin_count] of the pairs of the sample */
    uint32_t *seen;                                 /* [bin_count] how many these are */
    double *across, *called_squares, *called_sizes; /* [functional_count], [threshold_count] each */
    double *sum, *called;                           /* of the dyad: the functionals, and by how much its calls grow */
    size_t first_called, end_called;                /* thresholds at which they do */
} fp_drawn_sums;

/* Made in `arena`, but for what is needed while pairs are added; *out refers to what is filled. */
fp_status fp_drawn_sums_open(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arm,
                             fp_arena *arena, fp_arena *scratch, fp_counted_arm *out, fp_drawn_sums *sums,
                             fp_error *error);
/* Pairs first … end − 1, which follow those before; bins[end − first]. */
void fp_drawn_sums_take(fp_drawn_sums *sums, size_t first, size_t end, const uint32_t *bins);
/* After the last pair; all but `heaviest`, which neighbours.h fills. */
void fp_drawn_sums_finish(fp_drawn_sums *sums);

/* The functional 0 of every two arms. Where all pairs of one of the two are counted its sums do not vary with the draw,
 * and neither does the other's with them: of the product of what the two have of a drawn pair, W²·v·v′, which holds
 * what they would have of the draw in common, W·v·v′ is left. Of two such arms the sums mean nothing. */
typedef struct fp_drawn_joint {
    const fp_pass_arm *arms; /* [arm_count] */
    size_t arm_count;
    fp_open_dyad dyad;
    fp_joint_sums of; /* `noise` is 0 */
    double *sum;      /* [arm_count] of the dyad */
    double *value;    /* [arm_count] of the pair */
} fp_drawn_joint;

fp_status fp_drawn_joint_open(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arms,
                              size_t arm_count, fp_arena *arena, fp_arena *scratch, fp_drawn_joint *joint,
                              fp_error *error);
/* bins[arm·stride] is of the pair `first` under the arm. */
void fp_drawn_joint_take(fp_drawn_joint *joint, size_t first, size_t end, const uint32_t *bins, size_t stride);
void fp_drawn_joint_finish(fp_drawn_joint *joint);

#endif
