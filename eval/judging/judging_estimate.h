/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judging_estimate.h - score intervals of weighted sums of proportions that were observed in independent strata.
 *
 * A value θ of Σ c_k p_k is inside the interval when (Σ c_k p̂_k − θ)² ≤ z² Σ c_k² p̃_k(1 − p̃_k)/m_k, where p̃ is the
 * likeliest p among those with Σ c_k p_k = θ and m_k the trials of stratum k (Martín Andrés, Herranz Tejedor, Álvarez
 * Hernández, Journal of Statistical Computation and Simulation 82, 2012, method S0). With one stratum it is Wilson's
 * interval, with two and the weights 1 and −1 Mee's (Biometrics 40, 1984). Unlike Σ c_k² p̂_k(1 − p̂_k)/m_k, the variance
 * does not vanish where a stratum showed only successes or none, so that fifty failures in a row do not pass for
 * certainty.
 *
 * Where one trial of few has the rare answer the sum is skewed, and the interval lies past the truth: of 15 trials one
 * in a hundred of which fails, one failure refutes 0.99. FP_JUDGED_SCORE_OR_UNSKEWED keeps what the score allows, and
 * what it allows once the third moment is taken off (Laud, Pharmaceutical Statistics 16, 2017), which alone
 * would be too short on the other side.
 */
#ifndef FP_JUDGING_ESTIMATE_H
#define FP_JUDGING_ESTIMATE_H

#include <stddef.h>

#include "eval/statistics/interval.h"

typedef struct fp_judged_share {
    double share;  /* of successes, in [0, 1] */
    double trials; /* > 0; INFINITY: the share is known */
} fp_judged_share;

typedef enum fp_judged_rule { FP_JUDGED_SCORE, FP_JUDGED_SCORE_OR_UNSKEWED } fp_judged_rule;

/* n trials without replacement from a population of N are worth n(N − 1)/(N − n) with replacement: the variance of the
 * share is p(1 − p) over that number (Cochran 1977, section 3.2). INFINITY when n = N. 0 < n ≤ N; N may be an estimate.
 */
double fp_judged_trials(double trials, double population);

/* Interval of Σ weight[k]·p_k; weights of any sign, not all 0. */
fp_interval fp_judged_sum_interval(const double *weight, const fp_judged_share *shares, size_t count,
                                   fp_judged_rule rule, double confidence);

/* Interval of the quotient of Σ weight[k]·p_k over the first `part` strata and over all of them; weights ≥ 0. A
 * quotient R is inside when 0 is inside the interval of (1 − R) times the first sum − R times the rest (for two strata
 * of equal weights: Koopman, Biometrics 40, 1984). NaN when the sum over all is 0. */
fp_interval fp_judged_part_interval(const double *weight, const fp_judged_share *shares, size_t part, size_t count,
                                    fp_judged_rule rule, double confidence);

#endif
