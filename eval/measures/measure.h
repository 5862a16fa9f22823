/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.h - the measures of an evaluation at pair level, named and defined in one place. A measure that is not
 * defined is NaN.
 */
#ifndef FP_MEASURE_H
#define FP_MEASURE_H

#include "eval/measures/curve.h"

typedef enum fp_measure_kind {
    FP_MEASURE_AVERAGE_PRECISION,
    FP_MEASURE_PRECISION,
    FP_MEASURE_RECALL,
    FP_MEASURE_F1,
    FP_MEASURE_SPECIFICITY,
    FP_MEASURE_NONE_PRECISION, /* of the class of those that are no duplicates; its recall is specificity */
    FP_MEASURE_NONE_F1,
    FP_MEASURE_PRECISION_AT, /* precision at a stated prevalence */
    FP_MEASURE_BEST_F1,
    FP_MEASURE_ROC_AREA,
    FP_MEASURE_KINDS
} fp_measure_kind;

typedef struct fp_measure {
    fp_measure_kind kind;
    size_t threshold;  /* position in the list of thresholds; for measures at a threshold */
    double prevalence; /* for FP_MEASURE_PRECISION_AT, in (0, 1) */
} fp_measure;

typedef struct fp_measure_row {
    const char *name;       /* as a column is called */
    const char *definition; /* one sentence with the formula */
    bool at_threshold;
} fp_measure_row;

/* The name and definition of a kind. Static storage. */
const fp_measure_row *fp_measure_describe(fp_measure_kind kind);
/* The measure called "average_precision", or, at one of the listed thresholds, "precision@5", with what its prevalence
 * is. FP_ERROR_UNKNOWN with the names, or the nearest; FP_ERROR_RANGE for a threshold that is not listed, or that the
 * measure does not have, or lacks; or when there is no prevalence (0). */
fp_status fp_measure_parse(const char *text, const double *thresholds, size_t threshold_count, double prevalence,
                           fp_measure *measure, fp_error *error);

/* What a precision is worth when nothing is predicted, so that it is 0/0. Recall without positives stays undefined
 * under every rule. */
typedef enum fp_empty { FP_EMPTY_NA, FP_EMPTY_ZERO, FP_EMPTY_ONE } fp_empty;

/* A measure at a threshold from its counts; NaN for the kinds that need the whole range of distances. F1 of a class
 * that exists and is never predicted is NaN under FP_EMPTY_NA and 0 under the others. */
double fp_measure_of(fp_measure measure, fp_confusion counts, fp_empty empty);

/* TPR·π/(TPR·π + FPR·(1 − π)); NaN when both rates are 0 or π is outside (0, 1). */
double fp_precision_at(double tpr, double fpr, double prevalence);

#endif
