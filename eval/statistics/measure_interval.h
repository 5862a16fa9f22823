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

#endif
