/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * theory.h - tests whether the places of fingerprints follow their law: for every pair i, the n places differ
 * independently with probability p_i, so that the distance is binomial.
 *
 * All fingerprints use the same n hash functions or hyperplanes, so pairs are not independent, but places are. With
 * x_ij = 1 where place j of pair i differs, the vectors e_j = (x_ij − p_i) over the pairs are n independent samples,
 * with mean 0 if the law holds. Two tests:
 *
 * - of shift: Student's t with n − 1 degrees of freedom over the sums Σ_i e_ij (Student, Biometrika 6, 1908);
 * - of spread: Σ_i (d_i − n·p_i)² over Σ_i n·p_i(1 − p_i) has mean 1. It is |Σ_j e_j|² (Chen, Qin, Annals of Statistics
 *   38, 2010); its distribution comes from random signs of the e_j (Liu, Annals of Statistics 16, 1988). Too large:
 * some probabilities are too high and others too low, or places are positively dependent. Too small: places compensate
 * for each other.
 */
#ifndef FP_THEORY_H
#define FP_THEORY_H

#include "base/base.h"
#include "base/parallel.h"
#include "eval/experiment/corpus_sketches.h"
#include "eval/measures/histogram.h"
#include "eval/statistics/interval.h"

typedef struct fp_fit_input {
    size_t pair_count, place_count;
    const uint64_t *differs; /* [place_count · fp_fit_words] bit i of row j: place j of pair i differs; unused bits 0 */
    const double *probability; /* [pair_count] that a place differs, by the law */
} fp_fit_input;

/* Words of a row. */
static inline size_t fp_fit_words(size_t pair_count) { return (pair_count + 63) / 64; }

/* Mean over pairs of the distance minus n·p. */
typedef struct fp_fit_shift {
    double value;
    fp_interval interval;
    double p;
} fp_fit_shift;

typedef struct fp_fit {
    fp_fit_shift shift;
    double spread;
    fp_interval spread_by_law; /* its interval under the law at the stated confidence; its mean is 1 */
    double spread_p;           /* two-sided */
    double p;                  /* of both, by Bonferroni: the smaller one doubled */
} fp_fit;

/* For the pairs whose bit is set in mask[fp_fit_words] (NULL: all). NaN if there are no pairs or fewer than two places;
 * p is also NaN if no place can differ. */
fp_status fp_fit_shift_of(const fp_fit_input *input, const uint64_t *mask, double confidence, fp_arena *scratch,
                          fp_fit_shift *shift, fp_error *error);

/* Both tests. Samples the signs `replicates` times; the same for the same seed. */
fp_status fp_fit_make(const fp_fit_input *input, double confidence, size_t replicates, uint64_t seed, fp_arena *scratch,
                      fp_fit *fit, fp_error *error);

/* ----
 * Measured counts, and those that an algorithm's law (fp_algorithm.law) expects: the sum of P[distance ≤ h] over the
 * labelled pairs, each at its true similarity.
 */

/* Labelled pairs of one corpus under one arm. */
typedef struct fp_theory_pairs {
    size_t count;
    const fp_pair *pairs;
    const double *distance;      /* [count] measured */
    const double *similarity;    /* [count] exact: the true value of the arm's measure */
    const fp_sketches *sketches; /* of the documents; NULL: places are unknown, and nothing is tested */
} fp_theory_pairs;

typedef struct fp_theory_options {
    double confidence;
    size_t replicates; /* of fp_fit_make */
    uint64_t seed;
} fp_theory_options;

/* Pairs with a distance above h − 1 and up to h: counted and expected. */
typedef struct fp_theory_step {
    double positives, negatives;
    double positives_expected, negatives_expected;
} fp_theory_step;

/* Pairs with a similarity of at least `low` and below `high`; the last bin includes 1. */
typedef struct fp_theory_bin {
    double low, high;
    size_t pairs, positives;
    double similarity;                    /* mean */
    double mean, expected;                /* means of the distances and of the law's means */
    double deviation, expected_deviation; /* of the distances, including variation between pairs; by the law */
    double variance, variance_by_law; /* of each distance about its own law's mean; the law's: mean over the pairs */
    fp_fit_shift shift;               /* of the mean; NaN if places are unknown */
} fp_theory_bin;

typedef struct fp_theory {
    size_t pair_count;
    double positives, negatives;
    const double *mean, *variance; /* [pair_count] the law's */
    size_t step_count;             /* thresholds h = 0 … step_count − 1: up to the largest distance */
    const fp_theory_step *steps;
    size_t bin_count; /* of width 0.1, non-empty, ascending */
    const fp_theory_bin *bins;
    size_t place_count; /* 0: places are unknown, and the fit is not tested */
    fp_fit fit;
    double shift;  /* mean over pairs of the distance minus the law's mean */
    double spread; /* Σ (distance − mean)²/Σ variance; NaN if the law has no variance */
} fp_theory;

/* The instance has a law, and is fitted. Everything lives in `arena`. Same results for any number of threads. */
fp_status fp_theory_make(const fp_instance *instance, const fp_theory_pairs *pairs, const fp_theory_options *options,
                         const fp_progress *progress, fp_arena *arena, fp_theory *theory, fp_error *error);

/* Sums of steps 0 … h. */
typedef struct fp_theory_counts {
    double tp, fp; /* counted */
    double tp_expected, fp_expected;
    double recall_expected, precision_expected; /* from the expected counts; NaN if not defined */
} fp_theory_counts;
fp_theory_counts fp_theory_counts_at(const fp_theory *theory, double h);

/* Mean and variance of the distance at a similarity, by the law. */
typedef struct fp_moments {
    double mean, variance;
} fp_moments;
fp_moments fp_theory_moments(const fp_instance *instance, double similarity);

/* Where to start the search for quantiles of a law at a similarity: its median, and the distance from there to the 84%
 * quantile, in steps of the grid of distances. */
typedef struct fp_law_place {
    double middle, spread;
} fp_law_place;
fp_law_place fp_theory_place(const fp_instance *instance, double similarity);
/* The smallest distance with F(distance) ≥ level, 0 < level < 1; linear between steps if distances are not integers. */
double fp_theory_quantile(const fp_instance *instance, double similarity, fp_law_place place, double level);
/* Whether the arm has a law, and the exact measure has listed pairs with similarities for it. */
bool fp_theory_has_law(const fp_instance *instance, const fp_measurement *exact);

/* ---- The distance that an algorithm's law expects for each duplicate ---- */

/* The mean of the distance under the arm's law for every duplicate of pairs[pair_count], at the similarity that the
 * counterpart measured; expected[pair_count] in `arena`, NaN for other pairs, and without a law or counterpart. */
fp_status fp_expected_distances(const fp_arm *arm, const fp_measurement *counterpart, const fp_pair *pairs,
                                size_t pair_count, const fp_progress *progress, fp_arena *arena, double **expected,
                                fp_error *error);

#endif
