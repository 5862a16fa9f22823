/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.h - the figures of an evaluation at pair level, named and defined in one place. A figure that is not defined
 * is NaN.
 */
#ifndef FP_MEASURE_H
#define FP_MEASURE_H

#include "eval/measures/curve.h"

typedef enum fp_figure_kind {
    FP_FIGURE_AVERAGE_PRECISION,
    FP_FIGURE_PRECISION,
    FP_FIGURE_RECALL,
    FP_FIGURE_F1,
    FP_FIGURE_SPECIFICITY,
    FP_FIGURE_NONE_PRECISION, /* of the class of those that are no duplicates; its recall is specificity */
    FP_FIGURE_NONE_F1,
    FP_FIGURE_PRECISION_AT, /* precision at a stated prevalence */
    FP_FIGURE_BEST_F1,
    FP_FIGURE_ROC_AREA,
    FP_FIGURE_KINDS
} fp_figure_kind;

typedef struct fp_figure {
    fp_figure_kind kind;
    size_t threshold;  /* position in the list of thresholds; for figures at a threshold */
    double prevalence; /* for FP_FIGURE_PRECISION_AT, in (0, 1) */
} fp_figure;

typedef struct fp_figure_row {
    const char *name;       /* as a column is called */
    const char *definition; /* one sentence with the formula */
    bool at_threshold;
} fp_figure_row;

/* The name and definition of a kind. Static storage. */
const fp_figure_row *fp_figure_describe(fp_figure_kind kind);
/* The figure called "average_precision", or, at one of the listed thresholds, "precision@5", with what its prevalence
 * is. FP_ERROR_UNKNOWN with the names, or the nearest; FP_ERROR_RANGE for a threshold that is not listed, or that the
 * figure does not have, or lacks; or when there is no prevalence (0). */
fp_status fp_figure_parse(const char *text, const double *thresholds, size_t threshold_count, double prevalence,
                          fp_figure *figure, fp_error *error);

/* What a precision is worth when nothing is predicted, so that it is 0/0. Recall without positives stays undefined
 * under every rule. */
typedef enum fp_empty { FP_EMPTY_NA, FP_EMPTY_ZERO, FP_EMPTY_ONE } fp_empty;

/* A figure at a threshold from its counts; NaN for the kinds that need the whole range of distances. F1 of a class that
 * exists and is never predicted is NaN under FP_EMPTY_NA and 0 under the others. */
double fp_figure_of(fp_figure figure, fp_confusion counts, fp_empty empty);

/* TPR·π/(TPR·π + FPR·(1 − π)); NaN when both rates are 0 or π is outside (0, 1). */
double fp_precision_at(double tpr, double fpr, double prevalence);

#endif
