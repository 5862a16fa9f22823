/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost lines and their lower envelope. */
#include "eval/analyses/cost.h"

#include <math.h>

double fp_cost_probability(double prevalence, double ratio) {
    return prevalence * ratio / (prevalence * ratio + 1 - prevalence);
}

double fp_cost_of(double fnr, double fpr, double probability) { return fnr * probability + fpr * (1 - probability); }

/* Calling a pool changes FNR by −p/P and FPR by n/N: it pays from PC(+) = (n/N)/(n/N + p/P) on. */
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

/* ---- Precision and recall as gains over calling everything ---- */

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
            points[count++].recall_gain = 0; /* without the rounding of the quotient */
        }
        if (next_tp >= crossing) points[count++] = point_at(curve, curve->points[i].distance, next_tp, next_fp);
        tp = next_tp;
        fp = next_fp;
    }
    return count;
}
