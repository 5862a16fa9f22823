/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counted.h - the interval of a share when some of its wrong trials are a sample, each of which represents several.
 *
 * A trial that is in the sample with probability π represents w = 1/π trials. The variance over units includes that of
 * the sampled wrong trials, a standard deviation of √Σw(w − 1); with few of them this is too small, and with none 0.
 * The limits of the expected number of wrong trials are Fay and Feuer's for a weighted sum of Poisson numbers
 * (Statistics in Medicine 16, 1997): with y = Σw and v = Σw², those of a gamma law of shape y²/v and scale v/y, the
 * upper one with one more of the largest weight m, y + m and v + m². For equal weights W they are Garwood's exact ones
 * (Biometrika 28, 1936), W·L(k) and W·U(k); if none is seen, the upper limit is 3.69 m. On the scale of the odds of a
 * wrong trial, the excess of the upper limit over y + z√v is added to the length due to sampled trials, and the sum
 * combined with the rest, which is independent, by squares (Zou, Donner, Statistics in Medicine 27, 2008, the method of
 * variance estimates recovery). Lengths are scaled by √(Σw(w − 1)/Σw²), which accounts for a sample that is a large
 * part of all (Cochran 1977, equation 2.12, for equal weights).
 */
#ifndef FP_COUNTED_H
#define FP_COUNTED_H

#include "eval/measures/measure.h"
#include "eval/statistics/spread.h"

/* Sampled trials that are wrong. */
typedef struct fp_drawn_calls {
    double sum, squares; /* Σw and Σw²; 0 if there are none */
    double heaviest;     /* m ≥ 1, the largest weight of an unseen one */
} fp_drawn_calls;

/* How far the upper limit of Σw, with one more wrong trial of weight m, exceeds Σw + wider·z·√Σw² (`wider`: Student's
 * factor), times the sampled share √(1 − Σw/Σw²) of the deviation; ≥ 0. */
double fp_drawn_excess(const fp_drawn_calls *drawn, double wider, double confidence);
/* Σw minus its lower limit, times that share. */
double fp_drawn_fewer(const fp_drawn_calls *drawn, double confidence);

/* The limits of a share in (0, 1] of right trials, from those of its spread, `wider` by Student's factor; no narrower.
 * odds > 0: how much one wrong trial raises the odds of a wrong one. */
fp_interval fp_share_with_draw(double share, fp_interval limits, const fp_drawn_calls *drawn, double odds, double wider,
                               double confidence);

/* ----
 * Sums over all pairs of a corpus of groups, unit by unit, without a list of pairs: enough for the variance of every
 * measure (dyadic_variance.h).
 *
 * A unit is a group, or a document without one. Positives lie inside units, negatives across two; the pairs of two
 * units are a dyad. An influence value depends only on the bin of a pair's distance and on its label. If it is one
 * number up to a threshold and another beyond it, counts at the thresholds are enough; any other measure is a
 * functional, whose sums are made in the pass over all pairs.
 *
 * In a corpus of very many documents, dyads without near pairs are sampled: the counts of a unit are then partly
 * estimates (Horvitz, Thompson, JASA 47, 1952, under simple random sampling of the other units). Σ s² would be too
 * large by their variance, of which an unbiased estimate is subtracted.
 *
 * Or only a sample of the negatives is measured, with weights (sampled_pairs.h). Σ s² is then too large by twice the
 * sampling variance, because each pair is in two units, and Σ e_D² by once that variance: their difference is the
 * variance over units and sampling, and nothing is subtracted.
 */

/* Parts of the bands of a sample (sampled_pairs.h). */
enum { FP_COUNTED_REPLICATES = 8 };

/* Documents by unit. */
typedef struct fp_unit_list {
    size_t count, document_count;
    const size_t *begin;      /* [count + 1] into document */
    const uint32_t *document; /* up to begin[count]: of units all documents, of groups those that have one */
} fp_unit_list;

static inline size_t fp_unit_size(const fp_unit_list *units, size_t unit) {
    return units->begin[unit + 1] - units->begin[unit];
}

/* One arm. The first five are given; a pass over the pairs fills the rest. */
typedef struct fp_counted_arm {
    size_t bin_count;
    const double *distance; /* [bin_count] ascending strictly */
    const uint64_t *cells;  /* [2·bin_count] as of fp_ranked */
    const size_t *reach;    /* [threshold_count] as of fp_ranking */
    const double *value;    /* [bin_count·2·functional_count] of a pair: bin by bin, negatives first */
    uint32_t *called;       /* [unit_count·threshold_count] negatives of a unit within the threshold */
    uint32_t *found;        /* [unit_count·threshold_count] positives likewise */
    double *touching;       /* [unit_count·functional_count] Σ value over the negatives of a unit */
    double *own;            /* [unit_count·functional_count] Σ value over its positives */
    double *across;         /* [functional_count] Σ (Σ value)² over dyads */
    double *noise;          /* [functional_count] part of Σ (touching)² that is due to sampling; 0: none */
    double *called_squares; /* [threshold_count] Σ called² over dyads */
    double *called_sizes;   /* [threshold_count] Σ called·size over dyads, the size being that in pairs */
    double *called_noise;   /* [threshold_count] as `noise` */
    /* If negatives are sampled, else NULL, also for an arm of which all pairs are counted: the number of negatives that
     * those in the sample within the threshold represent, by unit, which `called` leaves out; by bin the sums of these
     * weights and of their squares, and the largest weight that a negative up to the bin can have, where that is known
     * (sampled_pairs.h). */
    float *drawn;              /* [unit_count·threshold_count] */
    double *stood_for;         /* [bin_count] */
    double *stood_for_squares; /* [bin_count] */
    double *heaviest;          /* [bin_count] ≥ 1 */
    /* Pairs that are found together, for one key of many documents, are in the sample together. The sums of weights
     * without each part of the bands in turn show how much sums vary because of this, beyond Σ w·(w − 1) of the pairs
     * that bands find; by bin. */
    double *without;     /* [bin_count·FP_COUNTED_REPLICATES] */
    double *light_noise; /* [bin_count] */
} fp_counted_arm;

typedef struct fp_counted_pairs {
    const fp_unit_list *units;
    bool sampled;        /* far dyads are sampled */
    size_t column_units; /* each unit is paired with all, or with this many first ones, which are then a random sample,
                            and with those that it has near pairs with */
    const fp_measure *functionals; /* [functional_count] */
    size_t arm_count, threshold_count, functional_count;
    double dyad_squares;        /* Σ size² over dyads */
    double weight;              /* the largest weight of a sample, ≥ 1; 1 without a sample */
    const fp_counted_arm *arms; /* [arm_count] */
    /* [arm_count·arm_count] of the functional 0 of two arms: Σ over dyads of the product of their sums, and as `noise`;
     * and Σ over pairs of the product of their values. */
    const double *joint, *joint_noise, *joint_pairs;
} fp_counted_pairs;

/* Whether the sums of products in measures over the range stay below 2⁶⁴ (ranking_measures.c). */
static inline bool fp_counted_fits(const fp_ranked *ranked) {
    return !ranked->positives || ranked->positives + ranked->negatives <= UINT64_MAX / 2 / ranked->positives;
}

/* The number of pairs in the cells for which `members` is 1. */
double fp_counted_members(const fp_counted_pairs *counted, size_t arm, const fp_influence *members);

/* The number of negatives that one may represent under an arm; 1 if all were measured. */
static inline double fp_counted_weight(const fp_counted_pairs *counted, size_t arm) {
    return counted->arms[arm].drawn ? counted->weight : 1;
}

/* The sampled negatives within a threshold; none, of weight 1, for an arm without a sample. */
fp_drawn_calls fp_counted_drawn_calls(const fp_counted_pairs *counted, size_t arm, size_t threshold);

/* The duplicates and sampled negatives that are called at the best F1; and the best F1 if at every distance fewer
 * negatives were called, by fp_drawn_fewer. */
typedef struct fp_counted_calls {
    double tp, most;
    fp_drawn_calls drawn;
} fp_counted_calls;
fp_counted_calls fp_counted_best_calls(const fp_counted_pairs *counted, size_t arm, double confidence);

/* Average precision if at every distance more negatives were called, by fp_drawn_excess; NaN without duplicates. */
double fp_counted_least_average_precision(const fp_counted_pairs *counted, size_t arm, double wider, double confidence);

/* The sums of one influence over the units, unit[unit_count], with the other sums of a spread; no shares. */
fp_unit_sums fp_counted_unit_sums(const fp_counted_pairs *counted, size_t arm, const fp_influence *influence,
                                  double *unit);

/* The same of the difference of two; room[unit_count]. Joint sums over dyads are known where both are the functional 0;
 * for others the variance is taken as large as it can be. */
fp_unit_sums fp_counted_difference(const fp_counted_pairs *counted, size_t first_arm, const fp_influence *first,
                                   size_t second_arm, const fp_influence *second, double *unit, double *room);

/* ---- Counted pairs instead of a list, for estimates and differences: no replicates ---- */

/* The observed values. options->replicates is not read; options->ranked are the functionals over the range. Keeps
 * `counted`; *resample describes the units. Everything lives in `arena`. */
fp_status fp_bootstrap_of_counted(const fp_counted_pairs *counted, const fp_bootstrap_options *options,
                                  fp_resample *resample, fp_arena *arena, fp_bootstrap *bootstrap, fp_error *error);

#endif
