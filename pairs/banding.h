/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * banding.h - which pairs an index by bands proposes. A signature is cut into b bands of r slots, and two documents
 * become candidates when they agree in all slots of one band. Where slots agree independently with probability s, that
 * happens with
 *
 *     P = 1 − (1 − s^r)^b
 *
 * (Indyk, Motwani, STOC 1998; Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, section 3.4): a curve shaped
 * like an S, ever steeper with more slots. MinHash has s = J, and s = J + (1 − J)/2^w when w bits of each slot are
 * kept.
 */
#ifndef FP_BANDING_H
#define FP_BANDING_H

#include "base/base.h"

typedef struct fp_banding {
    unsigned bands, rows; /* both ≥ 1 */
} fp_banding;

/* Of slots that agree with probability `similarity` in [0, 1]. */
double fp_banding_probability(fp_banding banding, double similarity);

/* (1/b)^(1/r): near the steepest place. */
double fp_banding_threshold(fp_banding banding);

/* The similarity at which a pair becomes a candidate with that probability: (1 − (1 − P)^(1/b))^(1/r). */
double fp_banding_similarity(fp_banding banding, double probability);

/* How often slots of which w bits are kept agree: J + (1 − J)/2^w; J itself for w = 0, all bits. */
double fp_banding_slot(double jaccard, unsigned slot_bits);

/* What is wanted of a banding. */
typedef struct fp_banding_goal {
    unsigned slots;     /* at most, 1 … FP_BANDING_SLOTS */
    unsigned slot_bits; /* kept of each; 0: all */
    double similarity;  /* the target, in (0, 1): pairs above it are to be found, pairs below not */
    double recall;      /* in (0, 1): least P at the target; 0: none is asked for, and the weights decide */
    double false_positives, false_negatives; /* ≥ 0, not both 0: weights of the two areas */
} fp_banding_goal;

enum { FP_BANDING_SLOTS = 4096 };

/* A banding, and how it serves a goal. */
typedef struct fp_banding_choice {
    fp_banding banding;
    double found;           /* P at the target */
    double false_positives; /* ∫ P from 0 to the target: the area under the curve where it should be 0 */
    double false_negatives; /* ∫ 1 − P from the target to 1: the area above it where it should be 1 */
    double cost;            /* what the goal weighs: with a recall, the first area; else the weighted sum of both */
} fp_banding_choice;

/* FP_ERROR_RANGE for a goal outside its bounds. */
fp_status fp_banding_check(const fp_banding_goal *goal, fp_error *error);
/* The goal is checked; bands·rows need not keep to its slots. */
fp_banding_choice fp_banding_rate(const fp_banding_goal *goal, fp_banding banding);

/* All that can be chosen, the best first, in `arena`: with a recall, for each number of rows the fewest bands that
 * reach it, by the area of false positives (the fewest candidates, if all similarities were equally frequent); else for
 * each number of rows every number of bands that fits, by the weighted areas. Equal costs: fewer slots, then fewer
 * rows, first. FP_ERROR_RANGE as above, and where that recall is out of reach. */
fp_status fp_banding_list(const fp_banding_goal *goal, fp_arena *arena, fp_banding_choice **choices, size_t *count,
                          fp_error *error);

/* The first of that list; 0 bands where the recall is out of reach. */
fp_status fp_banding_best(const fp_banding_goal *goal, fp_banding *best, fp_error *error);

/* The same for bits: P[two fingerprints of `bits` bits, each of which differs with probability `differs` (the angle as
 * a share of π), agree in one of `blocks` blocks]: 1 − Π(1 − (1 − d)^w) over the widths w, of which the first bits %
 * blocks are one wider than the others (pairs/block_design.h). 1 ≤ blocks ≤ bits. */
double fp_blocks_probability(unsigned bits, unsigned blocks, double differs);

/* P[they agree in `agree` of those blocks or more], which is P[all blocks of some choice of `agree` agree]: the number
 * of blocks that agree is a sum of independent trials of two kinds, the wider blocks and the others, hence of two
 * binomial numbers. 1 ≤ agree ≤ blocks ≤ bits. */
double fp_blocks_agreeing(unsigned bits, unsigned blocks, unsigned agree, double differs);

/* ----
 * LSH Ensemble (Zhu, Nargesian, Pu, Miller, PVLDB 9(12), 2016): which sets hold most of a query Q, |Q∩X|/|Q| ≥ t, by
 * MinHash signatures. Sets are cut into partitions by their size, of equal numbers; among sets of at most u elements a
 * query of q elements looks for the Jaccard coefficient t/(u/q + 1 − t), with bands and rows of its own.
 *
 * Here these are chosen for a recall (by the sum of the areas of false positives and false negatives, as other programs
 * choose them, few of the sets much larger than the query are found). Of what bands bring, a set of x elements stays
 * where as few equal slots are no surprise at t: P[Bin(slots, t/(x/q + 1 − t)) ≤ equal] > (1 − recall)/10, which the
 * bands make up for. Where no bands reach the recall (0.95 at t = 0.8: 256 slots, u/q > 66) all sets are looked at so.
 */

/* t/(ratio + 1 − t): the coefficient of a set that holds the share `containment` of a query and has `ratio` times its
 * elements, ratio ≥ containment; of fewer elements it is larger. */
double fp_banding_contained(double containment, double ratio);

/* Of the sketches of an arm of slots (fp_layout_takes_bands), of sizes[sketches->count] elements each; all must stay.
 * In `arena`, which grows when a number of rows is first asked for: 12 bytes a sketch and band. One thread at a time.
 * FP_ERROR_RANGE: another layout, 2^32 − 1 sketches or more. */
typedef struct fp_ensemble fp_ensemble;
fp_status fp_ensemble_open(const fp_arm *arm, const fp_sketches *sketches, const uint32_t *sizes, size_t partitions,
                           fp_arena *arena, fp_ensemble **ensemble, fp_error *error);

typedef struct fp_ensemble_question {
    fp_sketch sketch;
    size_t size;        /* its elements, 1 or more */
    double containment; /* in (0, 1] */
    double recall;      /* in (0, 1): P[a set that holds that share is found], at least */
} fp_ensemble_question;

typedef struct fp_ensemble_answer {
    const uint32_t *found;             /* [count] sketches, in no order, until the next question */
    size_t count, scanned, candidates; /* sketches of partitions without bands; those that bands brought */
    double recall;                     /* the least of the partitions */
} fp_ensemble_answer;
fp_status fp_ensemble_find(fp_ensemble *ensemble, const fp_ensemble_question *question, fp_ensemble_answer *answer,
                           fp_error *error);

#endif
