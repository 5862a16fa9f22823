/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure_interval.h - the one place where the interval of a measure is chosen, by its row and the method asked for.
 */
#ifndef FP_MEASURE_INTERVAL_H
#define FP_MEASURE_INTERVAL_H

#include "eval/statistics/bootstrap.h"

/* Fills estimate->interval and ->trials of an estimate whose value is defined, and sets ->method, which says what is
 * asked for, to what was used (bootstrap.h says when that is another). `drawn` holds the replicates of the measure.
 * `scratch` is not reset. */
fp_status fp_measure_interval(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_replicates *drawn,
                              double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error);

/* By how much a measure falls when one unit more is wrong that is like the others: its positives are lost, or a dyad is
 * called as duplicates are. */
double fp_measure_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure);

/* Correlation of recall and the false positive rate at a threshold, in [−1, 1]: from the variances of each and of their
 * sum, units without their share of the pairs in all three, for it is not the same one. 0 where pairs are independent.
 * `scratch` is not reset. */
fp_status fp_rates_correlation(const fp_bootstrap *bootstrap, size_t arm, size_t threshold, fp_arena *scratch,
                               double *correlation, fp_error *error);

#endif
