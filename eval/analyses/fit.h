/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fit.h - whether the places of fingerprints obey their law: for every pair i, the n places differ independently with
 * probability p_i, so that the distance is binomial.
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
#ifndef FP_FIT_H
#define FP_FIT_H

#include "base/base.h"
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
    fp_interval spread_by_law; /* where it lies with the stated confidence when the law holds; its mean is 1 */
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

#endif
