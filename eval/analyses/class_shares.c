/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shares of both classes. */
#include "eval/analyses/class_shares.h"

#include <math.h>

fp_status fp_classes_make(const fp_resample *resample, const fp_pair *pairs, fp_arena *arena, fp_classes *classes,
                          fp_error *error) {
    double *positive = fp_arena_raw(arena, resample->pair_count, sizeof *positive),
           *negative = fp_arena_raw(arena, resample->pair_count, sizeof *negative);
    if (!positive || !negative) return fp_no_memory(error);
    for (size_t i = 0; i < resample->pair_count; i++) {
        positive[i] = pairs[i].label != 0;
        negative[i] = 1 - positive[i];
    }
    *classes = (fp_classes){resample, positive, negative};
    return FP_OK;
}

/* The derivative of a share by the weight of each pair of its class. */
static double *influence(const double *of_class, const bool *member, size_t count, double share, fp_arena *scratch) {
    double *each = fp_arena_raw(scratch, count, sizeof *each), size = 0;
    for (size_t i = 0; i < count; i++) size += of_class[i];
    for (size_t i = 0; each && i < count; i++) each[i] = of_class[i] * ((double)member[i] - share) / size;
    return each;
}

/* From the variance of the sum of both. */
static fp_status correlate(const fp_classes *classes, const bool *member, fp_arena *scratch, fp_class_shares *shares,
                           fp_error *error) {
    const fp_resample *resample = classes->resample;
    size_t count = resample->pair_count;
    double *first = influence(classes->positive, member, count, shares->positives.value, scratch);
    double *second = influence(classes->negative, member, count, shares->negatives.value, scratch);
    fp_dyadic one, other, both;
    if (!first || !second) return fp_no_memory(error);
    FP_TRY(fp_dyadic_of(resample, first, NULL, scratch, &one, error));
    FP_TRY(fp_dyadic_of(resample, second, NULL, scratch, &other, error));
    for (size_t i = 0; i < count; i++) first[i] += second[i];
    FP_TRY(fp_dyadic_of(resample, first, NULL, scratch, &both, error));
    double product = sqrt(one.variance * other.variance);
    if (product > 0)
        shares->correlation = fmax(-1, fmin(1, (both.variance - one.variance - other.variance) / (2 * product)));
    return FP_OK;
}

fp_status fp_class_shares_of(const fp_classes *classes, const bool *member, double confidence, fp_arena *scratch,
                             fp_class_shares *shares, fp_error *error) {
    const fp_resample *resample = classes->resample;
    shares->correlation = 0;
    FP_TRY(fp_proportion_of(resample, classes->positive, member, confidence, scratch, &shares->positives, error));
    FP_TRY(fp_proportion_of(resample, classes->negative, member, confidence, scratch, &shares->negatives, error));
    if (resample->unit == FP_SAMPLING_PAIR) return FP_OK;
    return correlate(classes, member, scratch, shares, error);
}

/* How far the share may push the sum down (side −1) or up (side 1). */
static double reach(const fp_proportion *share, double times, double side) {
    bool down = times * side < 0;
    return fabs(times) * (down ? share->value - share->interval.low : share->interval.high - share->value);
}

static double limit(const fp_class_shares *shares, double a, double b, double side) {
    double sum = a * shares->positives.value + b * shares->negatives.value;
    double first = reach(&shares->positives, a, side), second = reach(&shares->negatives, b, side);
    double together = 2 * shares->correlation * (a * b < 0 ? -1 : 1) * first * second;
    return sum + side * sqrt(fmax(0, first * first + second * second + together));
}

fp_interval fp_class_shares_sum(const fp_class_shares *shares, double a, double b) {
    return (fp_interval){limit(shares, a, b, -1), limit(shares, a, b, 1)};
}
