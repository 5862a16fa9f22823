/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost lines and their lower envelope. */
#include "eval/analyses/cost.h"

#include <math.h>

double fp_cost_probability(double prevalence, double ratio) {
    return prevalence * ratio / (prevalence * ratio + 1 - prevalence);
}

double fp_cost_of(double fnr, double fpr, double probability) { return fnr * probability + fpr * (1 - probability); }

/* Calling a pool changes FNR by −p/P and FPR by n/N: it lowers the cost from PC(+) = (n/N)/(n/N + p/P) on. */
static double pays_from(const fp_pool *pool, double positives, double negatives) {
    double fp = (double)pool->negatives / negatives, tp = (double)pool->positives / positives;
    return fp / (fp + tp);
}

size_t fp_cost_envelope(const fp_pool *pools, size_t count, fp_cost_corner *corners) {
    uint64_t positives = 0, negatives = 0;
    for (size_t i = 0; i < count; i++) {
        positives += pools[i].positives;
        negatives += pools[i].negatives;
    }
    if (!positives || !negatives) return 0;
    corners[0] = (fp_cost_corner){.threshold = FP_CALL_NOTHING, .fnr = 1, .to = 1};
    for (size_t i = 0; i < count; i++) {
        fp_cost_corner *corner = corners + i + 1;
        corner->threshold = pools[i].to;
        corner->tp = corners[i].tp + pools[i].positives;
        corner->fp = corners[i].fp + pools[i].negatives;
        corner->fnr = (double)(positives - corner->tp) / (double)positives;
        corner->fpr = (double)corner->fp / (double)negatives;
        corner->from = corners[i].to = pays_from(pools + i, (double)positives, (double)negatives);
        corner->to = 1;
    }
    return count + 1;
}

const fp_cost_corner *fp_cost_least(const fp_cost_corner *corners, size_t count, double probability) {
    size_t at = 0;
    while (at + 1 < count && probability > corners[at].to) at++;
    return corners + at;
}

/* ---- Gains of precision and recall over calling everything ---- */

double fp_gain(double x, double prevalence) { return (x - prevalence) / ((1 - prevalence) * x); }

static fp_gain_point point_at(const fp_curve *curve, double distance, double tp, double fp) {
    double all = (double)curve->positives, prevalence = all / (all + (double)curve->negatives);
    fp_gain_point point = {distance, fp_gain(tp / (tp + fp), prevalence), fp_gain(tp / all, prevalence), 0};
    point.f1_gain = (point.precision_gain + point.recall_gain) / 2;
    return point;
}

size_t fp_gain_points(const fp_curve *curve, fp_gain_point *points) {
    double all = (double)curve->positives, tp = 0, fp = 0;
    if (!curve->positives || !curve->negatives) return 0;
    double crossing = all * all / (all + (double)curve->negatives); /* recall is π */
    size_t count = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const fp_confusion *counts = &curve->points[i].confusion;
        double next_tp = (double)counts->tp, next_fp = (double)counts->fp, way = (crossing - tp) / (next_tp - tp);
        if (tp < crossing && next_tp > crossing) {
            points[count] = point_at(curve, NAN, crossing, fp + way * (next_fp - fp));
            points[count++].recall_gain = 0; /* exact, without the rounding error of the quotient */
        }
        if (next_tp >= crossing) points[count++] = point_at(curve, curve->points[i].distance, next_tp, next_fp);
        tp = next_tp;
        fp = next_fp;
    }
    return count;
}

/* ---- Shares of both classes ---- */

fp_status fp_classes_make(const fp_resample *resample, const fp_pair *pairs, fp_arena *arena, fp_classes *classes,
                          fp_error *error) {
    double *positive = FP_NEED(fp_arena_raw(arena, resample->pair_count, sizeof *positive), error),
           *negative = FP_NEED(fp_arena_raw(arena, resample->pair_count, sizeof *negative), error);
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

/* Derived from the variance of the sum of both shares. */
static fp_status correlate(const fp_classes *classes, const bool *member, fp_arena *scratch, fp_class_shares *shares,
                           fp_error *error) {
    const fp_resample *resample = classes->resample;
    size_t count = resample->pair_count;
    double *first = FP_NEED(influence(classes->positive, member, count, shares->positives.value, scratch), error);
    double *second = FP_NEED(influence(classes->negative, member, count, shares->negatives.value, scratch), error);
    fp_dyadic one, other, both;
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

/* How far the uncertainty of the share can move the sum: down (side −1) or up (side 1). */
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
