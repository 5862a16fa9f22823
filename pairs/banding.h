/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * banding.h - the probability that an index by bands proposes a pair. A signature is cut into b bands of r slots. Two
 * documents become candidates if they agree in all slots of one band. If slots agree independently with probability s,
 * the probability of that is
 *
 *     P = 1 − (1 − s^r)^b
 *
 * (Indyk, Motwani, STOC 1998; Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4): an S-shaped curve,
 * steeper with more slots. MinHash has s = J, and s = J + (1 − J)/2^w if w bits of each slot are kept.
 */
#ifndef FP_BANDING_H
#define FP_BANDING_H

#include "base/base.h"

typedef struct fp_banding {
    unsigned bands, rows; /* both ≥ 1 */
} fp_banding;

/* P for slots that agree with probability `similarity` in [0, 1]. */
double fp_banding_probability(fp_banding banding, double similarity);

/* (1/b)^(1/r): near the steepest point of the curve. */
double fp_banding_threshold(fp_banding banding);

/* The similarity at which a pair becomes a candidate with the given probability: (1 − (1 − P)^(1/b))^(1/r). */
double fp_banding_similarity(fp_banding banding, double probability);

/* The probability that slots of w kept bits agree: J + (1 − J)/2^w; J itself for w = 0, all bits. */
double fp_banding_slot(double jaccard, unsigned slot_bits);

/* The requirements for a banding. */
typedef struct fp_banding_goal {
    unsigned slots;                          /* the limit on b·r, 1 … FP_BANDING_SLOTS */
    unsigned slot_bits;                      /* bits kept of each slot; 0: all */
    double similarity;                       /* the target, in (0, 1): find the pairs above it, and not those below */
    double recall;                           /* in (0, 1): minimum P at the target; 0: no minimum, the weights decide */
    double false_positives, false_negatives; /* ≥ 0, not both 0: weights of the two areas */
} fp_banding_goal;

enum { FP_BANDING_SLOTS = 4096 };

/* A banding, rated for a goal. */
typedef struct fp_banding_choice {
    fp_banding banding;
    double found;           /* P at the target */
    double false_positives; /* ∫ P from 0 to the target: the area under the curve where it should be 0 */
    double false_negatives; /* ∫ 1 − P from the target to 1: the area above it where it should be 1 */
    double cost;            /* with a recall, the first area; else the sum of both, weighted by the goal */
} fp_banding_choice;

/* FP_ERROR_RANGE: a value of the goal is out of bounds. */
fp_status fp_banding_check(const fp_banding_goal *goal, fp_error *error);
/* The goal must be checked. bands·rows may exceed the slots of the goal. */
fp_banding_choice fp_banding_rate(const fp_banding_goal *goal, fp_banding banding);

/* Lists all choices, the best first, in `arena`. With a recall: for each number of rows the fewest bands that reach it,
 * by the area of false positives (which gives the fewest candidates if all similarities are equally frequent). Else:
 * for each number of rows every number of bands that fits, by the weighted areas. Ties: fewer slots first, then fewer
 * rows. FP_ERROR_RANGE: as fp_banding_check, or the recall is out of reach. */
fp_status fp_banding_list(const fp_banding_goal *goal, fp_arena *arena, fp_banding_choice **choices, size_t *count,
                          fp_error *error);

/* The first of that list; 0 bands if the recall is out of reach. */
fp_status fp_banding_best(const fp_banding_goal *goal, fp_banding *best, fp_error *error);

/* The same for bits: P[two fingerprints of `bits` bits agree in at least one of `blocks` blocks], where each bit
 * differs with probability `differs` (the angle as a share of π): 1 − Π(1 − (1 − d)^w) over the widths w of the blocks.
 * The first bits % blocks blocks are one bit wider than the others (pairs/block_design.h). 1 ≤ blocks ≤ bits. */
double fp_blocks_probability(unsigned bits, unsigned blocks, double differs);

/* P[they agree in `agree` of those blocks or more], which is P[all blocks of some choice of `agree` agree]. The number
 * of agreeing blocks is the sum of two binomial numbers: the wider blocks and the others. 1 ≤ agree ≤ blocks ≤ bits. */
double fp_blocks_agreeing(unsigned bits, unsigned blocks, unsigned agree, double differs);

/* ----
 * LSH Ensemble (Zhu, Nargesian, Pu, Miller, PVLDB 9(12), 2016): finds the sets that contain most of a query Q,
 * |Q∩X|/|Q| ≥ t, by MinHash signatures. Sets are divided by size into partitions of equal numbers of sets. In a
 * partition of sets of at most u elements, a query of q elements searches for the Jaccard coefficient t/(u/q + 1 − t),
 * with bands and rows of that partition.
 *
 * Here bands and rows are chosen for a recall. (Other programs minimise the sum of the areas of false positives and
 * false negatives, and find few of the sets much larger than the query.) A candidate of x elements is kept if so few
 * equal slots are not unlikely at t: P[Bin(slots, t/(x/q + 1 − t)) ≤ equal] > (1 − recall)/10. The bands compensate for
 * that loss. If no bands reach the recall (0.95 at t = 0.8: 256 slots, u/q > 66), all sets of the partition are tested
 * in this way.
 */

/* t/(ratio + 1 − t): the coefficient of a set that contains the share `containment` of a query and has `ratio` times
 * its elements, ratio ≥ containment. A set with fewer elements has a larger coefficient. */
double fp_banding_contained(double containment, double ratio);

/* Opens an ensemble over the sketches of an arm of slots (fp_layout_takes_bands), of sizes[sketches->count] elements
 * each. All arguments must outlive it. Lives in `arena`, which grows when a number of rows is first used: 12 bytes a
 * sketch and band. Not thread-safe. FP_ERROR_RANGE: another layout, 2^32 − 1 sketches or more. */
typedef struct fp_ensemble fp_ensemble;
fp_status fp_ensemble_open(const fp_arm *arm, const fp_sketches *sketches, const uint32_t *sizes, size_t partitions,
                           fp_arena *arena, fp_ensemble **ensemble, fp_error *error);

typedef struct fp_ensemble_question {
    fp_sketch sketch;
    size_t size;        /* number of its elements, 1 or more */
    double containment; /* in (0, 1] */
    double recall;      /* in (0, 1): minimum P[a set that contains that share is found] */
} fp_ensemble_question;

typedef struct fp_ensemble_answer {
    const uint32_t *found;             /* [count] sketches, in no order, valid until the next question */
    size_t count, scanned, candidates; /* sketches: found; tested without bands; yielded by bands */
    double recall;                     /* minimum over the partitions */
} fp_ensemble_answer;
fp_status fp_ensemble_find(fp_ensemble *ensemble, const fp_ensemble_question *question, fp_ensemble_answer *answer,
                           fp_error *error);

#endif
