/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * theory.h - whether the places of fingerprints obey their law: for every pair i, the n places differ independently
 * with probability p_i, so that the distance is binomial.
 *
 * Pairs are not independent, even where they share no document: all fingerprints are made by the same n hash functions
 * or hyperplanes. These are what the law averages over, and they were drawn independently. So the places are the
 * sample. With x_ij = 1 where place j of pair i differs, the vectors e_j = (x_ij − p_i) over the pairs are n
 * independent draws, with mean 0 when the law holds, however the pairs depend on one another. Two tests:
 *
 * - of shift: the sums Σ_i e_ij over the pairs are n independent numbers with mean 0: Student's t with n − 1 degrees of
 *   freedom (Student, Biometrika 6, 1908);
 * - of spread: Σ_i (d_i − n·p_i)² over Σ_i n·p_i(1 − p_i) has mean 1. It is |Σ_j e_j|², the statistic by which a mean
 * vector of many dimensions is tested (Chen, Qin, Annals of Statistics 38, 2010). Its distribution comes from random
 * signs given to the e_j (Liu, Annals of Statistics 16, 1988, the wild bootstrap), which keep all that pairs have in
 * common. Too large: the probabilities of pairs are wrong, some above and some below, or places depend on one another.
 * Too small: places make up for one another.
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

/* Mean over pairs of the distance less n·p. */
typedef struct fp_fit_shift {
    double value;
    fp_interval interval;
    double p;
} fp_fit_shift;

typedef struct fp_fit {
    fp_fit_shift shift;
    double spread;
    fp_interval spread_by_law; /* its interval of the stated confidence under the law; the mean is 1 */
    double spread_p;           /* two-sided */
    double p;                  /* of both, by Bonferroni: the smaller one doubled */
} fp_fit;

/* Of the pairs whose bit is set in mask[fp_fit_words] (NULL: of all). NaN where there are no pairs or fewer than two
 * places; p is NaN also where no place can differ. */
fp_status fp_fit_shift_of(const fp_fit_input *input, const uint64_t *mask, double confidence, fp_arena *scratch,
                          fp_fit_shift *shift, fp_error *error);

/* Both tests. `replicates` draws of signs, the same for the same seed. */
fp_status fp_fit_make(const fp_fit_input *input, double confidence, size_t replicates, uint64_t seed, fp_arena *scratch,
                      fp_fit *fit, fp_error *error);

/* ----
 * what an algorithm's law (fp_algorithm.law) says of the labelled pairs, beside what was measured. The law
 * gives P[distance ≤ h] for a pair whose true similarity is known; summed over the pairs, each with its own similarity,
 * it gives the expected counts at every threshold, and from them recall and precision.
 */

/* Labelled pairs of one corpus under one arm. */
typedef struct fp_theory_pairs {
    size_t count;
    const fp_pair *pairs;
    const double *distance;      /* [count] measured */
    const double *similarity;    /* [count] exact: the true value of the arm's measure */
    const fp_sketches *sketches; /* of the documents; NULL: the places are not looked at, and nothing is tested */
} fp_theory_pairs;

typedef struct fp_theory_options {
    double confidence;
    size_t replicates; /* of fp_fit_make */
    uint64_t seed;
} fp_theory_options;

/* Pairs with a distance above h − 1 and up to h, counted and expected. */
typedef struct fp_theory_step {
    double positives, negatives;
    double positives_expected, negatives_expected;
} fp_theory_step;

/* Pairs whose similarity is at least `low` and below `high`; the last bin has 1 too. */
typedef struct fp_theory_bin {
    double low, high;
    size_t pairs, positives;
    double similarity;                    /* mean */
    double mean, expected;                /* of the distances; of the law's means */
    double deviation, expected_deviation; /* standard deviation of the distances, of pair from pair too; the law's for
                                             the same pairs */
    double variance, variance_by_law; /* of each distance about its own law's mean; the law's: mean over the pairs */
    fp_fit_shift shift;               /* of the mean; NaN where places are not known */
} fp_theory_bin;

typedef struct fp_theory {
    size_t pair_count;
    double positives, negatives;
    const double *mean, *variance; /* [pair_count] the law's */
    size_t step_count;             /* thresholds h = 0 … step_count − 1: up to the largest distance */
    const fp_theory_step *steps;
    size_t bin_count; /* of width 0.1, with a pair or more, ascending */
    const fp_theory_bin *bins;
    size_t place_count; /* 0: the distance counts no places that are known, and the fit is not tested */
    fp_fit fit;
    double shift;  /* mean over pairs of distance less the law's mean */
    double spread; /* Σ (distance − mean)²/Σ variance; NaN when the law leaves nothing to chance */
} fp_theory;

/* The instance has a law, and is fitted. Everything lives in `arena`. Same figures for any number of threads. */
fp_status fp_theory_make(const fp_instance *instance, const fp_theory_pairs *pairs, const fp_theory_options *options,
                         const fp_progress *progress, fp_arena *arena, fp_theory *theory, fp_error *error);

/* Sums of steps 0 … h, in whole pairs or fractions of expectation. */
typedef struct fp_theory_counts {
    double tp, fp; /* counted */
    double tp_expected, fp_expected;
} fp_theory_counts;
fp_theory_counts fp_theory_counts_at(const fp_theory *theory, double h);
/* The expected figures at h: the expected share of positives that are called; the share of positives among the
 * expected calls. NaN where not defined. */
double fp_theory_recall(const fp_theory *theory, fp_theory_counts counts);
double fp_theory_precision(fp_theory_counts counts);

/* Mean and variance of the distance at a similarity, by the law. */
typedef struct fp_moments {
    double mean, variance;
} fp_moments;
fp_moments fp_theory_moments(const fp_instance *instance, double similarity);

/* Where to begin to look for quantiles of a law at a similarity: its median, and how far it is from there to 84%, in
 * steps of the grid on which distances are looked for. */
typedef struct fp_law_place {
    double middle, spread;
} fp_law_place;
fp_law_place fp_theory_place(const fp_instance *instance, double similarity);
/* The smallest distance with F(distance) ≥ level, 0 < level < 1; linear between steps where distances are not whole. */
double fp_theory_quantile(const fp_instance *instance, double similarity, fp_law_place place, double level);
/* Whether the arm has a law, and the exact measure has similarities of listed pairs to put into it. */
bool fp_theory_has_law(const fp_instance *instance, const fp_measurement *exact);

/* ---- the distance that an algorithm's law expects of each duplicate. ---- */

/* The mean of the distance under the arm's law (fp_theory_moments) for every pair of pairs[pair_count] that is labelled
 * a duplicate, at the similarity that the counterpart measured of it (NULL: none); expected[pair_count] in `arena`, NaN
 * for the other pairs, and without a law or a similarity. */
fp_status fp_expected_distances(const fp_arm *arm, const fp_measurement *counterpart, const fp_pair *pairs,
                                size_t pair_count, const fp_progress *progress, fp_arena *arena, double **expected,
                                fp_error *error);

/* ----
 * the bound: what a fingerprint of these parameters reaches when the distance of each pair is drawn by itself
 * from the law at the exact similarity of the pair, so that no hash function serves or fails many pairs at once. Of
 * bits of signs that is Binomial(f, θ/π) at the angle θ, of MinHash Binomial(n, (1 − J)(1 − 2⁻ᵇ)); with query=real the
 * law of algorithms/families/law.h. It is an expectation: a single hash seed may be above it. Arms whose model moves
 * what they estimate (centred ones) have none.
 */

typedef struct fp_bound {
    double average_precision, best_f1; /* means over the draws; NaN where there is no bound */
    double error;                      /* standard error of the average precision */
    size_t draws;
} fp_bound;

/* Drawing ends when the standard error is at most this, or after FP_BOUND_MOST draws. */
#define FP_BOUND_ERROR 0.001
enum { FP_BOUND_FEWEST = 16, FP_BOUND_MOST = 400 };

/* Over the labelled pairs of a corpus, at the similarity that the exact measure gave each; pairs with an empty sketch
 * are at the largest distance. All NaN if `exact` is NULL or the algorithm has no law. Deterministic for a seed,
 * whatever the number of threads. */
fp_status fp_bound_make(const fp_instance *instance, const fp_measurement *exact, const fp_corpus *corpus,
                        uint64_t seed, const fp_progress *progress, const fp_arena *like, fp_bound *out,
                        fp_error *error);

#endif
