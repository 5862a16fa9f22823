/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * share.h - a share among weighted pairs that are not independent, with its interval.
 */
#ifndef FP_SHARE_H
#define FP_SHARE_H

#include "eval/interval.h"
#include "eval/spread.h"

typedef struct fp_share {
    double value; /* Σ weight·success/Σ weight; NaN without trials */
    fp_interval interval;
    double trials; /* effective number of trials */
} fp_share;

/* weight[pair_count] ≥ 0, 0 for a pair that is no trial; success[pair_count]. Wilson's interval with the effective
 * number of trials of effective.h: the variance is that of spread.h, linearised. The number is at most that of the
 * pairs that are trials. Weights may go with success, so that Kish's (Σw)²/Σw² is no bound; where nothing varies it is
 * the number, unless the fewest trials of spread.h are fewer. Where units are resampled and few, the variance is larger
 * by G/(G − 1)·(t/z)², G being the fewest trials (Hesterberg, American Statistician 69, 2015). `scratch` is not reset.
 */
fp_status fp_share_of(const fp_resample *resample, const double *weight, const bool *success, double confidence,
                      fp_arena *scratch, fp_share *share, fp_error *error);

#endif
