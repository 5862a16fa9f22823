/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cluster_sums.h - the sums that the measures of clusters.h are made of; for the files of this room.
 */
#ifndef FP_CLUSTER_SUMS_H
#define FP_CLUSTER_SUMS_H

#include "eval/clusters/clusters.h"

enum {
    FP_SUM_DOCUMENTS,  /* N */
    FP_SUM_BOTH,       /* Σ C(n_ij) */
    FP_SUM_IN_TRUTH,   /* Σ C(a_i) */
    FP_SUM_IN_FOUND,   /* Σ C(b_j) */
    FP_SUM_ALL,        /* C(N) */
    FP_SUM_DEFICIT,    /* Σ_j Σ_{i≠k} n_ij·n_kj/b_j */
    FP_SUM_FOUND_WITH, /* Σ n_ij²/a_i */
    FP_SUMS
};

static inline double fp_couples(double n) { return n * (n - 1) / 2; }

/* Per found cluster: documents as found, and Σ w·n, Σ w²·n² of the draw. Per true cluster: documents. */
typedef struct fp_cluster_sizes {
    double *found, *linear, *square, *truth;
} fp_cluster_sizes;

/* How often each true cluster counts: multiplicity[truth_count]; NULL means once. `scratch` is not reset. */
fp_status fp_cluster_sizes_make(const fp_contingency *of, const uint32_t *multiplicity, fp_arena *scratch,
                                fp_cluster_sizes *out, fp_error *error);
void fp_cluster_sums(const fp_contingency *of, const uint32_t *multiplicity, const fp_cluster_sizes *by,
                     double total[FP_SUMS]);
void fp_cluster_figures(const double total[FP_SUMS], fp_empty empty, double measures[FP_AGREEMENT_KINDS]);

#endif
