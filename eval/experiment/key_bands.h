/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * key_bands.h - near pairs of sparse vectors, found with a chance that is known of every pair: a sample of unequal
 * probabilities.
 *
 * A band of a document is made of R samples of its keys, each drawn by a hash function that all documents have in
 * common. Two documents share it with probability s^R, s = Σmin(w, w′)/Σmax(w, w′) over their keys (of sets: Broder
 * 1997; of weights: Ioffe, ICDM 2010), and at least one of B bands with 1 − (1 − s^R)^B (Indyk, Motwani, STOC 1998;
 * Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3). So what is found can be weighed by one over that
 * chance: samples from such tables estimate sums over all pairs without bias (Lee, Ng, Shim, Similarity join size
 * estimation using locality sensitive hashing, PVLDB 4, 2011).
 *
 * The weights w are those that the arm joins: 1 for sets, so that s is Jaccard's coefficient; its own for weighted
 * Jaccard; and their squares for cosine. Squares of unit vectors are distributions p and q with Σ√(p·q) = cos θ, and
 * 1 − Σmin(p, q) ≤ √(1 − cos²θ) (Kraft, 1955): s ≥ (1 − sin θ)/(1 + sin θ). So a distance bounds the chance from
 * below.
 */
#ifndef FP_KEY_BANDS_H
#define FP_KEY_BANDS_H

#include "eval/experiment/near_pairs.h"

enum { FP_KEY_BANDS = 32 };

/* The law of one arm's bands. */
typedef struct fp_key_bands {
    const fp_measurement *measurement;
    uint64_t seed;
    size_t rows;   /* samples that a band is made of */
    uint64_t part; /* of the pairs with a band in common, one in so many is looked at */
    double limit;  /* and of these the ones within this distance, the arm's, are kept */
    size_t document_count;
    const uint32_t *marks; /* [FP_KEY_BANDS·document_count] the bands, one after the other */
} fp_key_bands;

/* Whether sketches have keys. */
bool fp_key_bands_can(const fp_measurement *measurement);

/* s of two documents; 0 where one of them says nothing, or has no keys. */
double fp_key_overlap(const fp_measurement *measurement, size_t a, size_t b);
/* The least s of two documents at a distance, the arm's; NaN where it tells nothing of s. */
double fp_key_least_overlap(const fp_measurement *measurement, double distance);
/* The chance that a pair with this s at this distance is found, if only so many of the bands were there. */
double fp_key_bands_chance(const fp_key_bands *bands, double overlap, double distance, size_t count);
/* In which bands a pair within the limit is found, a bit each. */
uint32_t fp_key_bands_found(const fp_key_bands *bands, size_t a, size_t b);

/* Finds negatives, the nearest `most` of them at the most, in whole distances; as many samples make a band as keep the
 * pairs that are looked at few. The list and the bands, 128 bytes a document, live in `arena`. Same list for any
 * number of threads. */
fp_status fp_key_bands_find(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, uint64_t seed,
                            const fp_progress *progress, fp_arena *arena, fp_key_bands *bands, fp_near_pairs *near,
                            fp_error *error);

#endif
