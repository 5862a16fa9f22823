/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prefix sums over a histogram give every threshold at once. */
#include "eval/measures/curve.h"

#include <math.h>

static double ratio(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : NAN; }

double fp_precision(fp_confusion c) { return ratio(c.tp, c.tp + c.fp); }
double fp_recall(fp_confusion c) { return ratio(c.tp, c.tp + c.fn); }
double fp_specificity(fp_confusion c) { return ratio(c.tn, c.tn + c.fp); }

double fp_f1(fp_confusion c) { return ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn); }

fp_confusion fp_confusion_at(const fp_histogram *histogram, double h) {
    fp_confusion c = {0};
    for (size_t i = 0; i < histogram->count; i++) {
        const fp_bar *bar = histogram->bars + i;
        if (bar->distance <= h) {
            c.tp += bar->positives;
            c.fp += bar->negatives;
        } else {
            c.fn += bar->positives;
            c.tn += bar->negatives;
        }
    }
    return c;
}

static void fill_points(const fp_histogram *histogram, fp_point *points, const fp_curve *curve) {
    uint64_t tp = 0, fp = 0;
    for (size_t i = 0; i < histogram->count; i++) {
        tp += histogram->bars[i].positives;
        fp += histogram->bars[i].negatives;
        points[i] = (fp_point){histogram->bars[i].distance, {tp, fp, curve->positives - tp, curve->negatives - fp}};
    }
}

static double average_precision(const fp_curve *curve) {
    double sum = 0, before = 0;
    if (curve->positives == 0) return NAN;
    for (size_t i = 0; i < curve->count; i++) {
        double recall = fp_recall(curve->points[i].confusion);
        sum += (recall - before) * fp_precision(curve->points[i].confusion);
        before = recall;
    }
    return sum;
}

static double roc_area(const fp_histogram *histogram, const fp_curve *curve) {
    if (curve->positives == 0 || curve->negatives == 0) return NAN;
    double wins = 0, below = 0; /* positives at smaller distances */
    for (size_t i = 0; i < histogram->count; i++) {
        double positives = (double)histogram->bars[i].positives;
        wins += (double)histogram->bars[i].negatives * (below + positives / 2);
        below += positives;
    }
    return wins / ((double)curve->positives * (double)curve->negatives);
}

static void find_best(fp_curve *curve) {
    curve->best_f1 = curve->best_threshold = NAN;
    for (size_t i = 0; i < curve->count && curve->positives; i++) {
        double f1 = fp_f1(curve->points[i].confusion);
        if (f1 <= curve->best_f1) continue;
        curve->best_f1 = f1;
        curve->best_threshold = curve->points[i].distance;
    }
}

fp_status fp_curve_make(const fp_histogram *histogram, fp_arena *arena, fp_curve *curve, fp_error *error) {
    fp_point *points = fp_arena_raw(arena, histogram->count, sizeof *points);
    if (!points) return fp_no_memory(error);
    *curve = (fp_curve){.count = histogram->count, .points = points};
    for (size_t i = 0; i < histogram->count; i++) {
        curve->positives += histogram->bars[i].positives;
        curve->negatives += histogram->bars[i].negatives;
    }
    fill_points(histogram, points, curve);
    curve->average_precision = average_precision(curve);
    curve->roc_area = roc_area(histogram, curve);
    find_best(curve);
    return FP_OK;
}
