/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * curve.h - from a finished histogram to precision, recall and what is made of them. A pair is predicted positive when
 * its distance is ≤ h. A measure that is not defined (precision when nothing is predicted positive, recall when there
 * are no positives) is NaN here and NA in all that is written; never 0 or 1.
 */
#ifndef FP_CURVE_H
#define FP_CURVE_H

#include "eval/measures/histogram.h"

/* fp_confusion and fp_point: fplab/eval.h. Counts at threshold h; one pass over the bars. */
fp_confusion fp_confusion_at(const fp_histogram *histogram, double h);

double fp_precision(fp_confusion c);   /* tp/(tp + fp) */
double fp_recall(fp_confusion c);      /* tp/(tp + fn) */
double fp_specificity(fp_confusion c); /* tn/(tn + fp) */
double fp_f1(fp_confusion c);          /* 2tp/(2tp + fp + fn) */

typedef struct fp_curve {
    size_t count;
    const fp_point *points;
    uint64_t positives, negatives;
    double
        average_precision; /* Σ (R_i − R_{i−1})·P_i over the points in ascending distance; ties count once, together
                              (Manning, Raghavan, Schütze 2008, section 8.4; scikit-learn's average_precision_score) */
    double roc_area;       /* P[distance of a positive < of a negative] + ½ P[equal] (Hanley, McNeil 1982) */
    double best_f1;        /* largest F1 over the points; NaN without positives */
    double best_threshold; /* the smallest distance that reaches it */
} fp_curve;

/* The histogram must be finished. Points live in `arena`. */
fp_status fp_curve_make(const fp_histogram *histogram, fp_arena *arena, fp_curve *curve, fp_error *error);

#endif
