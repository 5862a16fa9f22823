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

/* The first of that list; 0 bands if the recall is out of reach. Temporary memory is allocated as in `like`,
 * which may be NULL. */
fp_status fp_banding_best(const fp_banding_goal *goal, const fp_arena *like, fp_banding *best, fp_error *error);

/* The same for bits: P[two fingerprints of `bits` bits agree in at least one of `blocks` blocks], where each bit
 * differs with probability `differs` (the angle as a share of π): 1 − Π(1 − (1 − d)^w) over the widths w of the blocks.
 * The first bits % blocks blocks are one bit wider than the others (pairs/block_design.h). 1 ≤ blocks ≤ bits. */
double fp_blocks_probability(unsigned bits, unsigned blocks, double differs);

/* P[they agree in `agree` of those blocks or more], which is P[all blocks of some choice of `agree` agree]. The number
 * of agreeing blocks is the sum of two binomial numbers: the wider blocks and the others. 1 ≤ agree ≤ blocks ≤ bits. */
double fp_blocks_agreeing(unsigned bits, unsigned blocks, unsigned agree, double differs);

#endif
