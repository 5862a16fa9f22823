/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bootstrap_interval.h - an interval from sorted replicates of any measure.
 */
#ifndef FP_BOOTSTRAP_INTERVAL_H
#define FP_BOOTSTRAP_INTERVAL_H

#include <stddef.h>

#include "eval/statistics/interval.h"

/* Percentiles (Efron 1979): the (1 − confidence)/2 and (1 + confidence)/2 quantiles of sorted[count], linear between
 * order statistics. NaN when count is 0. */
fp_interval fp_bootstrap_percentile(const double *sorted, size_t count, double confidence);

/* Bias-corrected and accelerated (Efron, JASA 82, 1987, equations 3.7 and 3.8): the quantiles at Φ(z₀ + (z₀ + z)/(1 −
 * a(z₀ + z))), where Φ(z₀) is the share of replicates below `observed`, equal ones counted half, and at least half a
 * replicate away from 0 and 1. */
fp_interval fp_bootstrap_bca(const double *sorted, size_t count, double observed, double acceleration,
                             double confidence);

/* Standard errors of the limits above as functions of independent replicates, 0 ≤ each; NaN where the limits are. A
 * quantile at level q moves as far as its own level does by √(q(1 − q)/count), half the distance between the quantiles
 * that much below and above (Woodruff, JASA 47, 1952). Of BCa the level moves, too, with the share of replicates below
 * `observed` that z₀ is made of, which is correlated with the quantile; the acceleration is taken as given. */
fp_interval fp_bootstrap_percentile_error(const double *sorted, size_t count, double confidence);
fp_interval fp_bootstrap_bca_error(const double *sorted, size_t count, double observed, double acceleration,
                                   double confidence);

#endif
