/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure_interval.h - the one place where the interval of a measure is chosen, by its row and the method asked for.
 */
#ifndef FP_MEASURE_INTERVAL_H
#define FP_MEASURE_INTERVAL_H

#include "eval/statistics/bootstrap.h"

/* Fills estimate->interval and ->trials of an estimate whose value is defined, and sets ->method, which says what is
 * asked for, to what was used (bootstrap.h says when that is another). `drawn` holds the replicates of the measure.
 * `scratch` is reset. */
fp_status fp_measure_interval(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_replicates *drawn,
                              double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error);

/* By how much a measure falls when one unit more is wrong that is like the others: its positives are lost, or a dyad is
 * called as duplicates are. */
double fp_measure_unit(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure);

/* ---- which threshold has the largest F1, and how sure that is. ---- */

/* The smallest distance that reaches the largest F1, with the percentile interval of the same over the replicates:
 * order statistics, taken outwards, so that the limits are thresholds too. Of an arm with further seeds the mean over
 * them, and the replicates of all: where the best threshold of one draw of the hash falls. NaN without positives, and
 * an interval of NaN when more than half of the replicates have none. Replicates of documents or groups with product
 * weights vary more than the measure does (dyadic_variance.h) and there is no drawing them together on a scale of
 * steps: the interval is then too wide rather than too narrow. `scratch` is reset. */
fp_status fp_best_threshold(const fp_bootstrap *bootstrap, size_t arm, double confidence, fp_arena *scratch,
                            fp_estimate *estimate, fp_error *error);

/* The thresholds of two lists, the first ascending strictly and the second in any order, with NaN where there is none:
 * all of them once, ascending. *merged lives in `arena`. */
fp_status fp_thresholds_merge(const double *list, size_t count, const double *further, size_t further_count,
                              fp_arena *arena, double **merged, size_t *merged_count, fp_error *error);
/* Where a threshold stands in an ascending list that holds it; `count` when it does not, or is NaN. */
size_t fp_threshold_position(const double *list, size_t count, double threshold);

#endif
