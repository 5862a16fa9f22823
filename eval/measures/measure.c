/* SPDX-License-Identifier: GPL-3.0-or-later
 * The measures at pair level. */
#include "eval/measures/measure.h"

#include <math.h>
#include <string.h>

static const fp_measure_row ROWS[FP_MEASURE_KINDS] = {
    [FP_MEASURE_PRECISION] =
        {
            "precision",
            "Precision is the share of true duplicates among the pairs that are called duplicates: TP/(TP + FP).",
            true,
        },
    [FP_MEASURE_RECALL] =
        {
            "recall",
            "Recall is the share of the true duplicates that are called duplicates: TP/(TP + FN).",
            true,
        },
    [FP_MEASURE_F1] =
        {
            "f1",
            "F1 is the harmonic mean of precision and recall: 2TP/(2TP + FP + FN).",
            true,
        },
    [FP_MEASURE_SPECIFICITY] =
        {
            "specificity",
            "Specificity is the share of the pairs that are no duplicates that are not called duplicates: TN/(TN + FP).",
            true,
        },
    [FP_MEASURE_NONE_PRECISION] =
        {
            "none_precision",
            "Precision of the class without duplicates is the share of true members among those put there: TN/(TN + FN).",
            true,
        },
    [FP_MEASURE_NONE_F1] =
        {
            "none_f1",
            "F1 of the class without duplicates is the harmonic mean of its precision and its recall: "
            "2TN/(2TN + FN + FP).",
            true,
        },
    [FP_MEASURE_PRECISION_AT] =
        {
            "precision_at_prevalence",
            "Precision at prevalence π is the precision that the same two error rates give where a share π of all pairs "
            "are duplicates: TPR·π/(TPR·π + FPR·(1 − π)) with TPR = TP/(TP + FN) and FPR = FP/(FP + TN).",
            true,
        },
    [FP_MEASURE_AVERAGE_PRECISION] =
        {
            "average_precision",
            "Average precision is precision averaged over the steps of recall as the threshold grows: "
            "Σ (R_i − R_{i−1})·P_i over the distinct distances, ties together.",
            false,
        },
    [FP_MEASURE_BEST_F1] =
        {
            "best_f1",
            "Best F1 is the largest F1 over all thresholds, chosen on the same pairs and therefore optimistic: max_h F1(h).",
            false,
        },
    [FP_MEASURE_ROC_AREA] =
        {
            "roc_area",
            "The area under the ROC curve is the probability that a duplicate is nearer than a pair that is none, "
            "ties counted half: P[d₊ < d₋] + ½·P[d₊ = d₋].",
            false,
        },
};

const fp_measure_row *fp_measure_describe(fp_measure_kind kind) { return ROWS + kind; }

/* The text behind "@" as the position of a listed threshold. */
static fp_status find_threshold(const char *name, const char *text, const double *thresholds, size_t count,
                                size_t *position, fp_error *error) {
    double h;
    if (!text) return fp_fail(error, FP_ERROR_RANGE, "%s is a figure at a threshold: write %s@5", name, name);
    for (size_t t = 0; fp_parse_real(text, &h) && t < count; t++) {
        *position = t;
        if (thresholds[t] == h) return FP_OK;
    }
    return fp_fail(error, FP_ERROR_RANGE, "%s@%s: %s is not among the thresholds", name, text, text);
}

fp_status fp_measure_parse(const char *text, const double *thresholds, size_t threshold_count, double prevalence,
                           fp_measure *measure, fp_error *error) {
    const char *names[FP_MEASURE_KINDS + 1] = {NULL}, *at = strchr(text, '@');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    *measure = (fp_measure){.kind = FP_MEASURE_KINDS, .prevalence = prevalence};
    for (size_t k = 0; k < FP_MEASURE_KINDS; k++) {
        names[k] = ROWS[k].name;
        if (strlen(names[k]) == length && memcmp(names[k], text, length) == 0) measure->kind = (fp_measure_kind)k;
    }
    if (measure->kind == FP_MEASURE_KINDS) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
        const char *nearest = fp_nearest(name, names);
        return fp_fail(error, FP_ERROR_UNKNOWN, "there is no figure %s; did you mean %s?", name,
                       nearest ? nearest : "average_precision, roc_area, best_f1, precision@5, recall@5 or f1@5");
    }
    const fp_measure_row *row = ROWS + measure->kind;
    if (measure->kind == FP_MEASURE_PRECISION_AT && !(prevalence > 0))
        return fp_fail(error, FP_ERROR_RANGE, "%s needs a prevalence", row->name);
    if (row->at_threshold)
        return find_threshold(row->name, at ? at + 1 : NULL, thresholds, threshold_count, &measure->threshold, error);
    return at ? fp_fail(error, FP_ERROR_RANGE, "%s is over all thresholds: write it without %s", row->name, at) : FP_OK;
}

double fp_precision_at(double tpr, double fpr, double prevalence) {
    if (!(prevalence > 0 && prevalence < 1) || isnan(tpr) || isnan(fpr)) return NAN;
    double called = tpr * prevalence + fpr * (1 - prevalence);
    return called > 0 ? tpr * prevalence / called : NAN;
}

/* 0/0 by the rule. */
static double precision(fp_confusion counts, fp_empty empty) {
    double value = fp_precision(counts);
    if (!isnan(value) || empty == FP_EMPTY_NA) return value;
    return empty == FP_EMPTY_ONE;
}

/* The harmonic mean with a recall of 0 is 0, whatever precision is taken to be. */
static double f1(fp_confusion counts, fp_empty empty) {
    double value = fp_f1(counts);
    return isnan(value) && empty != FP_EMPTY_NA && counts.fn ? 0 : value;
}

/* The same table, read for the other class. */
static fp_confusion none(fp_confusion counts) {
    return (fp_confusion){.tp = counts.tn, .fp = counts.fn, .fn = counts.fp, .tn = counts.tp};
}

double fp_measure_of(fp_measure measure, fp_confusion counts, fp_empty empty) {
    switch (measure.kind) {
    case FP_MEASURE_PRECISION: return precision(counts, empty);
    case FP_MEASURE_RECALL: return fp_recall(counts);
    case FP_MEASURE_F1: return f1(counts, empty);
    case FP_MEASURE_SPECIFICITY: return fp_specificity(counts);
    case FP_MEASURE_NONE_PRECISION: return precision(none(counts), empty);
    case FP_MEASURE_NONE_F1: return f1(none(counts), empty);
    case FP_MEASURE_PRECISION_AT:
        return fp_precision_at(fp_recall(counts), 1 - fp_specificity(counts), measure.prevalence);
    case FP_MEASURE_AVERAGE_PRECISION:
    case FP_MEASURE_BEST_F1:
    case FP_MEASURE_ROC_AREA:
    case FP_MEASURE_KINDS: break;
    }
    return NAN;
}
