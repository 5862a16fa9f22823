/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hash_seeds.h - the draw of the hash functions as a source of chance beside that of the documents.
 *
 * A fingerprint depends on hash functions that are drawn at random: another seed gives other figures. The figure θ_k is
 * measured under N seeds, and what is told is the mean; what it estimates is the mean over all draws. Its variance is
 *
 *     V + s²/N
 *
 * with V that of the mean when documents are drawn again (dyadic_variance.h, of the influence values averaged over the
 * seeds) and s² = Σ (θ_k − mean)²/(N − 1) the variance between seeds on the same documents. V holds the part of s²/N
 * that belongs to both, documents under a seed, as well: the sum is a little too large rather than too small. As an
 * estimate it has the degrees of freedom of Satterthwaite (Biometrics Bulletin 2, 1946), (V + s²/N)²/(V²/ν +
 * (s²/N)²/(N − 1)). Which share each source has: Bouthillier et al., Accounting for variance in machine learning
 * benchmarks, MLSys 2021, section 3.
 */
#ifndef FP_HASH_SEEDS_H
#define FP_HASH_SEEDS_H

#include "eval/statistics/dyadic_variance.h"

/* What the seeds say of a figure. */
typedef struct fp_seed_spread {
    size_t count;     /* seeds under which it is defined */
    double mean;      /* over these; NaN where there are none */
    double deviation; /* s: how far the figure of one draw is from their mean; 0 for one seed */
    double variance;  /* s²/count, of the mean */
} fp_seed_spread;

/* values[count]; NaN where not defined. */
fp_seed_spread fp_seed_spread_of(const double *values, size_t count);

/* Adds the variance of the mean over seeds to that of the documents. */
void fp_dyadic_add_seeds(fp_dyadic *spread, const fp_seed_spread *seeds);

/* The share of the hash draw in a variance with both parts, from 0 to 1; NaN where there is none. */
double fp_seed_share(const fp_seed_spread *seeds, double variance);

/* The lanes of an arm under further seeds: of all that is measured of pairs, arms come first, then these. */
typedef struct fp_further_seeds {
    size_t first, count;
} fp_further_seeds;

#endif
