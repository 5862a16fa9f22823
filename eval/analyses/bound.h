/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bound.h - the bound: what a fingerprint of these parameters reaches when the distance of each pair is drawn by itself
 * from the law at the exact similarity of the pair, so that no hash function serves or fails many pairs at once. Of
 * bits of signs that is Binomial(f, θ/π) at the angle θ, of MinHash Binomial(n, (1 − J)(1 − 2⁻ᵇ)); with query=real the
 * law of algorithms/families/law.h. It is an expectation: a single hash seed may be above it. Arms whose model moves
 * what they estimate (centred ones) have none.
 */
#ifndef FP_BOUND_H
#define FP_BOUND_H

#include "eval/analyses/theory.h"

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
