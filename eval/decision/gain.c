/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision and recall as gains over calling everything. */
#include "eval/decision/gain.h"

#include <math.h>

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
