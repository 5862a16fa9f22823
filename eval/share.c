/* SPDX-License-Identifier: GPL-3.0-or-later
 * Wilson's interval of a weighted share. */
#include "eval/share.h"

#include <math.h>

#include "eval/bootstrap.h"
#include "eval/effective.h"

fp_status fp_share_of(const fp_resample *resample, const double *weight, const bool *success, double confidence,
                      fp_arena *scratch, fp_share *share, fp_error *error) {
    size_t count = resample->pair_count;
    double *influence = fp_arena_raw(scratch, count, sizeof *influence);
    bool *member = fp_arena_raw(scratch, count, sizeof *member);
    if (!influence || !member) return fp_no_memory(error);
    double sum = 0, squares = 0, hits = 0, trials = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        member[i] = weight[i] > 0;
        trials += member[i];
        largest = fmax(largest, weight[i]);
        sum += weight[i];
        squares += weight[i] * weight[i];
        hits += success[i] ? weight[i] : 0;
    }
    *share = (fp_share){NAN, {NAN, NAN}, 0};
    if (!(sum > 0)) return FP_OK;
    share->value = hits / sum;
    for (size_t i = 0; i < count; i++) influence[i] = weight[i] * (success[i] - share->value) / sum;
    fp_spread spread;
    double fewest;
    FP_TRY(fp_spread_of(resample, influence, scratch, &spread, error));
    FP_TRY(fp_spread_fewest_trials(resample, member, scratch, &fewest, error));
    /* As if every trial weighed the most, and pairs of a unit agreed. */
    double least = fewest * pow(sum / (trials * largest), 2);
    fewest = fmin(fewest, sum * sum / squares);
    double wider = fp_widening(resample->unit, fewest, confidence);
    share->trials = fp_effective_trials(share->value, spread.variance, wider, fewest, least, trials);
    share->interval = fp_wilson_effective(share->value, share->trials, confidence);
    return FP_OK;
}
