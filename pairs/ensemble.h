/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ensemble.h - LSH Ensemble (Zhu, Nargesian, Pu, Miller, PVLDB 9(12), 2016): finds the sets that contain most of a
 * query Q, |Q∩X|/|Q| ≥ t, by MinHash signatures. Sets are divided by size into partitions of equal numbers of sets. In
 * a partition of sets of at most u elements, a query of q elements searches for the Jaccard coefficient t/(u/q + 1 −
 * t), with bands and rows of that partition.
 *
 * Here bands and rows are chosen for a recall. (Other programs minimise the sum of the areas of false positives and
 * false negatives, and find few of the sets much larger than the query.) A candidate of x elements is kept if so few
 * equal slots are not unlikely at t: P[Bin(slots, t/(x/q + 1 − t)) ≤ equal] > (1 − recall)/10. The bands compensate for
 * that loss. If no bands reach the recall (0.95 at t = 0.8: 256 slots, u/q > 66), all sets of the partition are tested
 * in this way.
 */
#ifndef FP_ENSEMBLE_H
#define FP_ENSEMBLE_H

#include "algorithms/arms/arm.h"

/* t/(ratio + 1 − t): the coefficient of a set that contains the share `containment` of a query and has `ratio` times
 * its elements, ratio ≥ containment. A set with fewer elements has a larger coefficient. */
double fp_contained_jaccard(double containment, double ratio);

/* Opens an ensemble over the sketches of an arm of slots (fp_layout_takes_bands), of sizes[sketches->count] elements
 * each. All arguments must outlive it. Lives in `arena`, which grows when a number of rows is first used: 12 bytes a
 * sketch and band. Not thread-safe. FP_ERROR_RANGE: another layout, 2^32 − 1 sketches or more. */
typedef struct fp_ensemble fp_ensemble;
fp_status fp_ensemble_open(const fp_arm *arm, const fp_sketches *sketches, const uint32_t *sizes, size_t partitions,
                           fp_arena *arena, fp_ensemble **ensemble, fp_error *error);

typedef struct fp_ensemble_question {
    fp_sketch sketch;
    size_t size;        /* elements of the query, 1 or more */
    double containment; /* in (0, 1] */
    double recall;      /* in (0, 1): minimum P[a set that contains that share is found] */
} fp_ensemble_question;

typedef struct fp_ensemble_answer {
    const uint32_t *found;             /* [count] sketches, in no particular order, valid until the next call */
    size_t count, scanned, candidates; /* sketches: found; tested without bands; yielded by bands */
    double recall;                     /* minimum over the partitions */
} fp_ensemble_answer;
fp_status fp_ensemble_find(fp_ensemble *ensemble, const fp_ensemble_question *question, fp_ensemble_answer *answer,
                           fp_error *error);

#endif
