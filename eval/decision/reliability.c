/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scores of forecasts, and bins of a reliability diagram. */
#include "eval/decision/reliability.h"

#include <math.h>

#include "eval/decision/isotonic.h"

/* What a pair of either class weighs. */
typedef struct weights {
    double positive, negative;
    double own, prevalence; /* share of duplicates among the pairs, and the one they stand for */
} weights;

static weights weigh(const fp_forecasts *forecasts, double prevalence) {
    double positives = 0, negatives = 0;
    for (size_t i = 0; i < forecasts->count; i++) {
        positives += (double)forecasts->each[i].positives;
        negatives += (double)forecasts->each[i].negatives;
    }
    return (weights){prevalence / positives, (1 - prevalence) / negatives, positives / (positives + negatives),
                     prevalence};
}

/* ---- Scores ---- */

static double score(const fp_forecasts *forecasts, const weights *by) {
    double sum = 0;
    for (size_t i = 0; i < forecasts->count; i++) {
        const fp_forecast *of = forecasts->each + i;
        double p = of->probability;
        sum += by->positive * (double)of->positives * (1 - p) * (1 - p) + by->negative * (double)of->negatives * p * p;
    }
    return sum;
}

/* The score of the pooled shares. */
static fp_status score_pooled(const fp_forecasts *forecasts, const weights *by, fp_arena *scratch, double *sum,
                              fp_error *error) {
    size_t count = forecasts->count;
    fp_bar *bars = fp_arena_raw(scratch, count, sizeof *bars);
    fp_pool *pools = fp_arena_raw(scratch, count, sizeof *pools);
    if (!bars || !pools) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const fp_forecast *of = forecasts->each + count - 1 - i;
        bars[i] = (fp_bar){-of->probability, of->positives, of->negatives};
    }
    size_t pooled = fp_pools_make(bars, count, pools);
    *sum = 0;
    for (size_t i = 0; i < pooled; i++) {
        double positives = by->positive * (double)pools[i].positives,
               negatives = by->negative * (double)pools[i].negatives;
        *sum += positives * negatives / (positives + negatives); /* weight·share·(1 − share) */
    }
    return FP_OK;
}

/* ---- Bins ---- */

/* The bin of each forecast; those without forecasts are passed over. */
static fp_status deal(const fp_forecasts *forecasts, const weights *by, fp_arena *scratch, unsigned char **bin,
                      fp_reliability *to, fp_error *error) {
    *bin = fp_arena_raw(scratch, forecasts->count, 1);
    if (!*bin) return fp_no_memory(error);
    double passed = 0, half = by->positive / by->prevalence / 2, other_half = by->negative / (1 - by->prevalence) / 2;
    int last = -1;
    to->bin_count = 0;
    for (size_t i = 0; i < forecasts->count; i++) {
        const fp_forecast *of = forecasts->each + i;
        double share = half * (double)of->positives + other_half * (double)of->negatives;
        int tenth = (int)((passed + share / 2) * FP_RELIABILITY_BINS);
        if (tenth >= FP_RELIABILITY_BINS) tenth = FP_RELIABILITY_BINS - 1;
        if (tenth > last) to->bins[to->bin_count++] = (fp_reliability_bin){0};
        last = tenth;
        passed += share;
        (*bin)[i] = (unsigned char)(to->bin_count - 1);
        fp_reliability_bin *in = to->bins + to->bin_count - 1;
        double weight = by->positive * (double)of->positives + by->negative * (double)of->negatives;
        in->positives += of->positives;
        in->negatives += of->negatives;
        in->weight += weight;
        in->predicted += weight * of->probability;
    }
    return FP_OK;
}

/* How sure a bin's share of duplicates is, and the variance of what it differs by: the derivative by the weight of a
 * pair of the bin is that of a ratio. */
static fp_status measure(const fp_resample *resample, const fp_pair *pairs, const fp_forecasts *forecasts,
                         const unsigned char *bin, size_t number, const weights *by, double confidence,
                         fp_arena *scratch, fp_reliability_bin *of, fp_error *error) {
    size_t count = resample->pair_count;
    double *member = fp_arena_alloc(scratch, count, sizeof *member),
           *influence = fp_arena_alloc(scratch, count, sizeof *influence);
    bool *duplicate = fp_arena_raw(scratch, count, sizeof *duplicate);
    fp_proportion share;
    fp_dyadic spread;
    if (!member || !influence || !duplicate) return fp_no_memory(error);
    double off = of->observed - of->predicted;
    for (size_t i = 0; i < count; i++) {
        duplicate[i] = pairs[i].label != 0;
        if (bin[forecasts->of[i]] != number) continue;
        double weight = duplicate[i] ? by->positive : by->negative;
        member[i] = 1;
        influence[i] =
            weight * ((double)duplicate[i] - forecasts->each[forecasts->of[i]].probability - off) / of->weight;
    }
    FP_TRY(fp_proportion_of(resample, member, duplicate, confidence, scratch, &share, error));
    FP_TRY(fp_dyadic_of(resample, influence, NULL, scratch, &spread, error));
    of->interval = (fp_interval){fp_share_restated(share.interval.low, by->own, by->prevalence),
                                 fp_share_restated(share.interval.high, by->own, by->prevalence)};
    of->variance = spread.variance;
    return FP_OK;
}

fp_status fp_reliability_of(const fp_resample *resample, const fp_pair *pairs, const fp_forecasts *forecasts,
                            double prevalence, double confidence, fp_arena *scratch, fp_reliability *reliability,
                            fp_error *error) {
    weights by = weigh(forecasts, prevalence);
    double pooled = 0, squares = 0;
    unsigned char *bin;
    FP_TRY(score_pooled(forecasts, &by, scratch, &pooled, error));
    reliability->brier = score(forecasts, &by);
    reliability->uncertainty = prevalence * (1 - prevalence);
    reliability->miscalibration = reliability->brier - pooled;
    reliability->discrimination = reliability->uncertainty - pooled;
    FP_TRY(deal(forecasts, &by, scratch, &bin, reliability, error));
    for (size_t b = 0; b < reliability->bin_count; b++) {
        fp_reliability_bin *of = reliability->bins + b;
        of->predicted /= of->weight;
        of->observed = by.positive * (double)of->positives / of->weight;
        FP_TRY(measure(resample, pairs, forecasts, bin, b, &by, confidence, scratch, of, error));
        double off = of->observed - of->predicted;
        squares += of->weight * (off * off - of->variance);
    }
    reliability->calibration_error = sqrt(fmax(0, squares));
    return FP_OK;
}
