/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled_pairs.h - a sample of the negatives of a corpus of groups with known inclusion probabilities, for corpora
 * with too many pairs to count.
 *
 * All pairs of bit fingerprints and signatures are always counted: kernels compare two in fractions of a nanosecond.
 * For the other arms, a pair is in the sample with probability π = 1 − (1 − q)·Π(1 − p): p that the bands of a set or
 * vector arm find it (below), q that it is among N sampled uniformly without replacement. It represents 1/π pairs
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

#include "eval/experiment/near_pairs.h"

/* ----
 * Near pairs of sparse vectors, each found with a known probability.
 *
 * A band of a document consists of R samples of its keys, each by a hash function that all documents share. Two
 * documents have the same band with probability s^R, s = Σmin(w, w′)/Σmax(w, w′) over their keys (of sets: Broder 1997;
 * of weights: Ioffe, ICDM 2010), and at least one of B bands with 1 − (1 − s^R)^B (Indyk, Motwani, STOC 1998; Leskovec,
 * Rajaraman, Ullman, Mining of Massive Datasets, chapter 3). Weighted by the inverse of that probability, samples from
 * such tables estimate sums over all pairs without bias (Lee, Ng, Shim, PVLDB 4, 2011).
 *
 * Weights are those of the arm: 1 for sets, so that s is Jaccard's coefficient; its own for weighted Jaccard; their
 * squares for cosine. Squares of unit vectors are distributions p and q with Σ√(p·q) = cos θ, and
 * 1 − Σmin(p, q) ≤ √(1 − cos²θ) (Kraft, 1955), so s ≥ (1 − sin θ)/(1 + sin θ): a distance gives a lower bound of the
 * probability.
 */

enum { FP_KEY_BANDS = 32 };

/* Parameters of one arm's bands. */
typedef struct fp_key_bands {
    const fp_measurement *measurement;
    uint64_t seed;
    size_t rows;   /* samples in a band */
    uint64_t part; /* of the pairs with a common band, one in `part` is compared */
    double limit;  /* and of these, those within this distance of the arm are kept */
    size_t document_count;
    const uint32_t *marks; /* [FP_KEY_BANDS·document_count] the bands, one after the other */
} fp_key_bands;

/* Whether sketches have keys. */
bool fp_key_bands_can(const fp_measurement *measurement);

/* s of two documents; 0 if one of them is empty or has no keys. */
double fp_key_overlap(const fp_measurement *measurement, size_t a, size_t b);
/* The smallest s of two documents at a distance of the arm; NaN if the distance gives no bound. */
double fp_key_least_overlap(const fp_measurement *measurement, double distance);
/* The probability that a pair with this s at this distance is found with only the given number of bands. */
double fp_key_bands_chance(const fp_key_bands *bands, double overlap, double distance, size_t count);
/* The bands in which a pair within the limit is found, one bit each. */
uint32_t fp_key_bands_found(const fp_key_bands *bands, size_t a, size_t b);

/* Finds at most the nearest `most` negatives, in whole distances. The number of samples in a band is chosen to keep
 * the number of compared pairs small. The list and the bands, 128 bytes a document, live in `arena`. Same list for
 * any number of threads. */
fp_status fp_key_bands_find(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, uint64_t seed,
                            const fp_progress *progress, fp_arena *arena, fp_key_bands *bands, fp_near_pairs *near,
                            fp_error *error);

/* ---- The sample ---- */

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
