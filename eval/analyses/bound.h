/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bound.h - the bound: the quality of a fingerprint with these parameters if the distance of each pair is sampled
 * independently from the law at its exact similarity, so that no hash function affects many pairs at once. It is an
 * expectation: a single hash seed may be above it. Arms whose model shifts the estimated measure (centred ones) have no
 * bound.
 */
#ifndef FP_BOUND_H
#define FP_BOUND_H

#include "eval/experiment/experiment.h"

typedef struct fp_bound {
    double average_precision, best_f1; /* means over the samples; NaN if there is no bound */
    double error;                      /* standard error of the average precision */
    size_t draws;
} fp_bound;

/* Sampling ends when the standard error is at most this, or after FP_BOUND_MOST samples. */
#define FP_BOUND_ERROR 0.001
enum { FP_BOUND_FEWEST = 16, FP_BOUND_MOST = 400 };

/* Over the labelled pairs of a corpus; pairs with an empty sketch have the largest distance. All NaN if `exact` is NULL
 * or the algorithm has no law. The same for a seed and any number of threads. */
fp_status fp_bound_make(const fp_instance *instance, const fp_measurement *exact, const fp_corpus *corpus,
                        uint64_t seed, const fp_progress *progress, const fp_arena *like, fp_bound *out,
                        fp_error *error);

#endif
