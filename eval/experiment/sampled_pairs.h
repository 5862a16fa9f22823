/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled_pairs.h - a sample of the negatives of a corpus of groups with known inclusion probabilities, for corpora
 * with too many pairs to count.
 *
 * All pairs of bit fingerprints and signatures are always counted: kernels compare two in fractions of a nanosecond.
 * For the other arms, a pair is in the sample with probability π = 1 − (1 − q)·Π(1 − p): p that the bands of a set or
 * vector arm find it (key_bands.h), q that it is among N sampled uniformly without replacement. It represents 1/π pairs
 * (Horvitz, Thompson, JASA 47, 1952): weighted sums are unbiased for every arm, whatever the choice of near pairs. All
 * arms are measured on the same pairs; all positives are taken.
 *
 * Weights of W/2 and more, of pairs that the bands hardly find, are scaled by one factor near 1, so that all weights
 * add up to the number of negatives (a ratio estimator: Cochran, Sampling Techniques, 1977, chapter 6). W is the weight
 * of a pair that no band can find.
 *
 * Pairs that share a passage with many others are found together, though they share no document: the weights without
 * each eighth of the bands in turn show how much sums vary because of this (counted.h).
 */
#ifndef FP_SAMPLED_PAIRS_H
#define FP_SAMPLED_PAIRS_H

#include "eval/experiment/key_bands.h"

typedef struct fp_sampled_pair {
    uint32_t a, b; /* a is of the unit with the lower number */
    double weight; /* ≥ 1 but for the factor */
    /* the weight without one part of all bands; 0: then the pair is not in the sample */
    float without[FP_COUNTED_REPLICATES];
} fp_sampled_pair;

typedef struct fp_sampled_pairs {
    uint64_t negatives;  /* of the corpus */
    size_t near_count;   /* found by bands */
    size_t random_count; /* N; some of them may also be found by bands */
    double chance;       /* q */
    double scale;        /* of the weights from `heavy` on */
    double heavy;        /* W/2 before they are scaled */
    double weight;       /* W ≥ 1 */
    uint64_t seed;       /* of the sample */
    fp_unit_list units;  /* of the corpus, not shuffled */
    size_t band_count;
    const fp_key_bands *bands;    /* [band_count] of the set and vector arms; marks are not kept */
    size_t count;                 /* of the sample */
    const fp_sampled_pair *pairs; /* [count] ascending by the units of a and of b */
} fp_sampled_pairs;

/* Whether all pairs of an arm are counted even if other arms use a sample. */
bool fp_arm_counts_whole(const fp_layout *layout);

/* Finds near pairs under every arm that is not counted whole, at most `wanted` for all arms together, and samples
 * `wanted` of all pairs. The corpus has groups, and at least `wanted` negatives; wanted > 0. Everything lives in
 * `arena`: 48 bytes a pair; bands keep references to the measurements. Same pairs for any number of threads. */
fp_status fp_sampled_pairs_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                                uint64_t wanted, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                                fp_sampled_pairs *sample, fp_error *error);

/* The largest number of negatives that an unsampled negative at this distance under an arm can represent: bounds a
 * count of which the sample shows nothing. W if the distance gives no bound for the probability of being found. */
double fp_sampled_pairs_heaviest(const fp_sampled_pairs *sample, const fp_measurement *measurement, double distance);

/* The distances of the pairs of measurement->sample, and the histogram, not finished, of them and of all positives:
 * negatives with their weight, rounded so that the counts at every distance are within a half of what they should be,
 * and their total is exact. */
fp_status fp_sampled_pairs_measure(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                                   fp_arena *arena, fp_error *error);

#endif
