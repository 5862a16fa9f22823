/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clusters.h - how well found clusters agree with the true ones, under any resampling of the true clusters.
 *
 * With n_ij the number of documents in true cluster i and found cluster j, a_i and b_j their sizes, N documents, and
 * C(n) = n(n − 1)/2:
 *
 * - adjusted Rand index (Hubert, Arabie, Journal of Classification 2, 1985, equation 5): (Σ C(n_ij) − E)/(½(Σ C(a_i) +
 *   Σ C(b_j)) − E), E = Σ C(a_i)·Σ C(b_j)/C(N);
 * - B-cubed (Bagga, Baldwin, COLING-ACL 1998): precision (1/N) Σ n_ij²/b_j, recall (1/N) Σ n_ij²/a_i, and the F1 of the
 *   two;
 * - pairwise: precision Σ C(n_ij)/Σ C(b_j), recall Σ C(n_ij)/Σ C(a_i), and the F1 of the two.
 *
 * All are sums over true clusters and over couples of true clusters that share a found one; B-cubed precision is
 * 1 − (1/N) Σ_j Σ_{i≠k} n_ij·n_kj/b_j. When true clusters are resampled with replacement, terms inside one cluster are
 * multiplied by its multiplicity, terms across two by the product (copies are different clusters and do not meet; b_j
 * stays). That is the dyadic case of resample.h, with the variance of dyadic_variance.h, except that couples in the
 * same found cluster depend on one another as well.
 */
#ifndef FP_CLUSTERS_H
#define FP_CLUSTERS_H

#include "eval/statistics/measure_interval.h"

typedef enum fp_agreement_kind {
    FP_AGREEMENT_RAND,
    FP_AGREEMENT_BCUBED_PRECISION,
    FP_AGREEMENT_BCUBED_RECALL,
    FP_AGREEMENT_BCUBED_F1,
    FP_AGREEMENT_PAIR_PRECISION,
    FP_AGREEMENT_PAIR_RECALL,
    FP_AGREEMENT_PAIR_F1,
    FP_AGREEMENT_KINDS
} fp_agreement_kind;

/* The name and definition of a kind. Static storage. */
const fp_definition *fp_agreement_describe(fp_agreement_kind kind);

/* Documents in the same true and the same found cluster. */
typedef struct fp_block {
    uint32_t truth, found;
    uint32_t count;
} fp_block;

typedef struct fp_contingency {
    size_t document_count, truth_count, found_count, block_count;
    const fp_block *blocks; /* [block_count] by truth, then found, numbered from 0 */
} fp_contingency;

/* From the labels of `count` documents; each UINT32_MAX is a separate cluster of one document. Lives in `arena`.
 * FP_ERROR_EMPTY without documents. */
fp_status fp_contingency_make(const uint32_t *truth, const uint32_t *found, size_t count, fp_arena *arena,
                              fp_contingency *contingency, fp_error *error);

/* All measures; NaN or as `empty` states where they are 0/0 (pairwise precision and F1 if nothing was joined; the
 * adjusted Rand index if both have only single documents, or one cluster). multiplicity[truth_count] of the true
 * clusters; NULL: 1 each. */
fp_status fp_agreement_of(const fp_contingency *contingency, const uint32_t *multiplicity, fp_empty empty,
                          fp_arena *scratch, double measures[FP_AGREEMENT_KINDS], fp_error *error);

/* The spread of every measure when true clusters are the units. NaN where the measure is not defined, or is by rule. */
fp_status fp_agreement_spread(const fp_contingency *contingency, fp_arena *scratch,
                              fp_dyadic spreads[FP_AGREEMENT_KINDS], fp_error *error);

/* Replicates of all measures. */
typedef struct fp_agreements {
    size_t replicates, truth_count;
    const double (*values)[FP_AGREEMENT_KINDS]; /* [replicates + 1]; the last row is what was observed */
    fp_dyadic spreads[FP_AGREEMENT_KINDS];
} fp_agreements;

/* Resamples true clusters with the generator of resample.h: two sets of found clusters of the same documents get the
 * same resamples for the same seed. */
fp_status fp_agreements_run(const fp_contingency *contingency, size_t replicates, uint64_t seed, fp_empty empty,
                            const fp_progress *progress, fp_arena *arena, fp_agreements *agreements, fp_error *error);

/* A measure with its interval, by the methods of measure_interval.h with the true clusters as units; one more cluster
 * weighs no less than the average. An adjusted Rand index ≤ 0 gets BCa instead of an interval of a share. NaN where the
 * measure is not defined or there is one true cluster. `scratch` is reset. */
fp_status fp_agreements_estimate(const fp_agreements *agreements, fp_agreement_kind kind, fp_method method,
                                 double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error);

#endif
