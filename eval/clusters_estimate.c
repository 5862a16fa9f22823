/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of the agreement of clusters. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/clusters.h"
#include "eval/effective.h"

/* The jackknife's variance (m − 1)/m Σ (θ_k − θ̄)² and acceleration Σ (θ̄ − θ_k)³/(6 (Σ (θ̄ − θ_k)²)^{3/2}) over m blocks (Efron, Tibshirani 1993, equations
 * 11.5 and 14.15). */
static fp_spread jackknife(const fp_agreements *of, fp_agreement_kind kind) {
    double shift = 0, squares = 0, cubes = 0, blocks = (double)of->block_count;
    /* Seen from the first, so that equal values have no variance at all. */
    for (size_t i = 0; i < of->block_count; i++) shift += (of->left_out[i][kind] - of->left_out[0][kind]) / blocks;
    for (size_t i = 0; i < of->block_count; i++) {
        double d = shift - (of->left_out[i][kind] - of->left_out[0][kind]);
        squares += d * d;
        cubes += d * d * d;
    }
    if (isnan(squares)) return (fp_spread){NAN, NAN, 0};
    double variance = blocks > 0 ? squares * (blocks - 1) / blocks : 0;
    return (fp_spread){variance, variance, squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0};
}

static fp_interval binomial(fp_method method, double value, double trials, double confidence) {
    double share = fmin(1, fmax(0, value));
    return method == FP_METHOD_CLOPPER_PEARSON ? fp_clopper_pearson_effective(share, trials, confidence)
                                               : fp_wilson_effective(share, trials, confidence);
}

/* The widening of bootstrap.h without √(m/(m − 1)), which is in the jackknife's variance. */
static double student(double blocks, double confidence) {
    double tail = (1 - confidence) / 2;
    return blocks < 2 ? INFINITY : gsl_cdf_tdist_Qinv(tail, blocks - 1) / gsl_cdf_ugaussian_Qinv(tail);
}

fp_status fp_agreements_estimate(const fp_agreements *agreements, fp_agreement_kind kind, fp_method method, double confidence, fp_arena *scratch,
                                 fp_estimate *estimate, fp_error *error) {
    fp_arena_reset(scratch);
    size_t replicates = agreements->replicates, count = 0;
    double *sorted = fp_arena_raw(scratch, replicates, sizeof *sorted), value = agreements->values[replicates][kind];
    if (!sorted) return fp_no_memory(error);
    for (size_t i = 0; i < replicates; i++)
        if (!isnan(agreements->values[i][kind])) sorted[count++] = agreements->values[i][kind];
    gsl_sort(sorted, 1, count);
    fp_spread spread = jackknife(agreements, kind);
    double clusters = (double)agreements->truth_count, wider = student((double)agreements->block_count, confidence);
    *estimate = (fp_estimate){.value = value,
                              .interval = {NAN, NAN},
                              .error = isnan(value) ? NAN : sqrt(spread.variance),
                              .method = method,
                              .trials = NAN,
                              .units = clusters,
                              .undefined = replicates - count};
    if (isnan(value) || isnan(spread.variance)) return FP_OK;
    bool proportion = method == FP_METHOD_WILSON || method == FP_METHOD_CLOPPER_PEARSON, still = spread.variance == 0;
    if (still || (proportion && kind != FP_AGREEMENT_RAND)) {
        estimate->method = method == FP_METHOD_CLOPPER_PEARSON ? method : FP_METHOD_WILSON;
        estimate->trials = still ? clusters : fmax(1, value * (1 - value) / (spread.variance * wider * wider));
        estimate->interval = binomial(estimate->method, value, estimate->trials, confidence);
        return FP_OK;
    }
    estimate->method = proportion ? FP_METHOD_BCA : method;
    if (count < estimate->undefined) return FP_OK;
    estimate->interval = estimate->method == FP_METHOD_PERCENTILE
                             ? fp_bootstrap_percentile(sorted, count, confidence)
                             : fp_bootstrap_bca(sorted, count, value, spread.acceleration, confidence);
    return FP_OK;
}
