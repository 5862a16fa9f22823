/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * key_bands.h - near pairs of sparse vectors, each found with a known probability.
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
#ifndef FP_KEY_BANDS_H
#define FP_KEY_BANDS_H

#include "eval/experiment/near_pairs.h"

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

#endif
