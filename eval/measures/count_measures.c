/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measures at a threshold: functions of the four counts. A measure is a row; `value` and `counted` suffice. */
#include <math.h>

#include "eval/measures/measure.h"

enum { TP = FP_CELL_TP, FP = FP_CELL_FP, FN = FP_CELL_FN, TN = FP_CELL_TN };

static double ratio(double part, double whole) { return whole > 0 ? part / whole : NAN; }

/* The same table, read for the other class; its own inverse. */
static fp_cells other(fp_cells c) { return (fp_cells){.tp = c.tn, .fp = c.fn, .fn = c.fp, .tn = c.tp}; }

/* ---- Precision ---- */

static double precision(fp_cells c, double parameter) {
    (void)parameter;
    return ratio(c.tp, c.tp + c.fp);
}

static fp_cells by_precision(fp_cells c, double parameter) {
    double called = c.tp + c.fp, value = precision(c, parameter);
    return (fp_cells){.tp = (1 - value) / called, .fp = -value / called};
}

static double precision_by_rule(fp_cells c, double worth) {
    (void)c;
    return worth;
}

const fp_measure_row fp_measure_precision = {
    .name = "precision",
    .label = "precision",
    .label_zh = "精确率",
    .definition = "Precision is the share of true duplicates among the pairs that are called duplicates: TP/(TP + FP).",
    .source = "van Rijsbergen, Information Retrieval, 1979, chapter 7",
    .most = 1,
    .usual = true,
    .interval = FP_INTERVAL_OF_SHARE,
    .value = precision,
    .gradient = by_precision,
    .by_rule = precision_by_rule,
    .counted = TP | FP,
    .success = TP,
};

static double none_precision(fp_cells c, double parameter) { return precision(other(c), parameter); }
static fp_cells by_none_precision(fp_cells c, double parameter) { return other(by_precision(other(c), parameter)); }

const fp_measure_row fp_measure_none_precision = {
    .name = "none_precision",
    .label = "precision of no duplicates",
    .label_zh = "非重复的精确率",
    .definition =
        "Precision of the class without duplicates is the share of true members among those put there: TN/(TN + FN).",
    .source = "precision, read for the other class",
    .most = 1,
    .interval = FP_INTERVAL_OF_SHARE,
    .value = none_precision,
    .gradient = by_none_precision,
    .by_rule = precision_by_rule,
    .counted = TN | FN,
    .success = TN,
};

/* ---- Recall and specificity ---- */

static double recall(fp_cells c, double parameter) {
    (void)parameter;
    return ratio(c.tp, c.tp + c.fn);
}

static fp_cells by_recall(fp_cells c, double parameter) {
    double positives = c.tp + c.fn, value = recall(c, parameter);
    return (fp_cells){.tp = (1 - value) / positives, .fn = -value / positives};
}

const fp_measure_row fp_measure_recall = {
    .name = "recall",
    .label = "recall",
    .label_zh = "召回率",
    .definition = "Recall is the share of the true duplicates that are called duplicates: TP/(TP + FN).",
    .source = "van Rijsbergen, Information Retrieval, 1979, chapter 7",
    .most = 1,
    .usual = true,
    .interval = FP_INTERVAL_OF_SHARE,
    .value = recall,
    .gradient = by_recall,
    .counted = TP | FN,
    .success = TP,
};

static double specificity(fp_cells c, double parameter) { return recall(other(c), parameter); }
static fp_cells by_specificity(fp_cells c, double parameter) { return other(by_recall(other(c), parameter)); }

const fp_measure_row fp_measure_specificity = {
    .name = "specificity",
    .label = "specificity",
    .label_zh = "特异度",
    .definition =
        "Specificity is the share of the pairs that are no duplicates that are not called duplicates: TN/(TN + FP).",
    .source = "Yerushalmy, Public Health Reports 62, 1947",
    .most = 1,
    .usual = true,
    .interval = FP_INTERVAL_OF_SHARE,
    .value = specificity,
    .gradient = by_specificity,
    .counted = TN | FP,
    .success = TN,
};

/* ---- F-beta, and F1 ---- */

static double f_beta(fp_cells c, double beta) {
    double square = beta * beta;
    return ratio((1 + square) * c.tp, (1 + square) * c.tp + c.fp + square * c.fn);
}

static fp_cells by_f_beta(fp_cells c, double beta) {
    double square = beta * beta, value = f_beta(c, beta), sum = (1 + square) * c.tp + c.fp + square * c.fn;
    return (fp_cells){.tp = (1 + square) * (1 - value) / sum, .fp = -value / sum, .fn = -square * value / sum};
}

/* F1 = 2q/(1 + q) for the proportion q = TP/(TP + FP + FN): an interval of q gives one of F1 (Lam, Gopal, Qian,
 * arXiv:2309.14621, the indirect method). For F-beta a false negative weighs 2β²/(1 + β²), a false positive 2/(1 + β²).
 */
static double f_beta_of_share(double share) { return 2 * share / (1 + share); }

static double f_beta_to_share(double value, double *slope) {
    *slope = 2 / ((2 - value) * (2 - value));
    return value / (2 - value);
}

static fp_cells f_beta_weights(double beta) {
    double square = beta * beta;
    return (fp_cells){.tp = 1, .fp = 2 / (1 + square), .fn = 2 * square / (1 + square)};
}

static const fp_measure_row f_beta_row = {
    .name = "f_beta",
    .label = "F-beta",
    .label_zh = "F-beta",
    .definition =
        "F-beta is (1 + β²)TP/((1 + β²)TP + β²FN + FP), the weighted harmonic mean of precision and recall in which recall "
        "counts β times as much as precision; 0 when nothing is called and there are duplicates.",
    .source = "van Rijsbergen, Information Retrieval, 1979, chapter 7, with α = 1/(1 + β²)",
    .most = 1,
    .parameter = {.name = "beta", .above = 0, .below = 1000, .example = 2},
    .interval = FP_INTERVAL_OF_SHARE,
    .value = f_beta,
    .gradient = by_f_beta,
    .counted = TP | FP | FN,
    .success = TP,
    .weights = f_beta_weights,
    .of_share = f_beta_of_share,
    .to_share = f_beta_to_share,
};

static double f1(fp_cells c, double parameter) {
    (void)parameter;
    return f_beta(c, 1);
}

static fp_cells by_f1(fp_cells c, double parameter) {
    (void)parameter;
    return by_f_beta(c, 1);
}

const fp_measure_row fp_measure_f1 = {
    .name = "f1",
    .label = "F1",
    .label_zh = "F1",
    .definition =
        "F1 is 2TP/(2TP + FP + FN), the harmonic mean of precision and recall; 0 when nothing is called and there are "
        "duplicates.",
    .source = "van Rijsbergen, Information Retrieval, 1979, chapter 7, with α = ½",
    .most = 1,
    .usual = true,
    .interval = FP_INTERVAL_OF_SHARE,
    .value = f1,
    .gradient = by_f1,
    .counted = TP | FP | FN,
    .success = TP,
    .of_share = f_beta_of_share,
    .to_share = f_beta_to_share,
};

static double none_f1(fp_cells c, double parameter) { return f1(other(c), parameter); }
static fp_cells by_none_f1(fp_cells c, double parameter) { return other(by_f1(other(c), parameter)); }

const fp_measure_row fp_measure_none_f1 = {
    .name = "none_f1",
    .label = "F1 of no duplicates",
    .label_zh = "非重复的 F1",
    .definition =
        "F1 of the class without duplicates is 2TN/(2TN + FN + FP), the harmonic mean of its precision and its "
        "recall.",
    .source = "F1, read for the other class",
    .most = 1,
    .interval = FP_INTERVAL_OF_SHARE,
    .value = none_f1,
    .gradient = by_none_f1,
    .counted = TN | FN | FP,
    .success = TN,
    .of_share = f_beta_of_share,
    .to_share = f_beta_to_share,
};

/* ---- Precision at a prevalence ---- */

double fp_precision_at(double tpr, double fpr, double prevalence) {
    if (!(prevalence > 0 && prevalence < 1) || isnan(tpr) || isnan(fpr)) return NAN;
    double called = tpr * prevalence + fpr * (1 - prevalence);
    return called > 0 ? tpr * prevalence / called : NAN;
}

static double precision_at(fp_cells c, double prevalence) {
    return fp_precision_at(recall(c, 0), 1 - specificity(c, 0), prevalence);
}

/* By the chain rule, with q = R·π/(R·π + F·(1 − π)), R recall and F the false positive rate. */
static fp_cells by_precision_at(fp_cells c, double prevalence) {
    double hits = recall(c, 0), rate = 1 - specificity(c, 0), odds = prevalence * (1 - prevalence);
    double called = hits * prevalence + rate * (1 - prevalence);
    double by_hits = rate * odds / (called * called), by_rate = -hits * odds / (called * called);
    double positives = c.tp + c.fn, negatives = c.fp + c.tn;
    return (fp_cells){.tp = by_hits * (1 - hits) / positives,
                      .fn = -by_hits * hits / positives,
                      .fp = by_rate * (1 - rate) / negatives,
                      .tn = -by_rate * rate / negatives};
}

/* If both rates are 0; not if a class is empty. */
static double precision_at_by_rule(fp_cells c, double worth) {
    return c.tp + c.fp == 0 && c.fn > 0 && c.tn > 0 ? worth : NAN;
}

const fp_measure_row fp_measure_precision_at = {
    .name = "precision_at_prevalence",
    .label = "precision at prevalence",
    .label_zh = "给定重复占比下的精确率",
    .definition =
        "Precision at prevalence π is the precision that the same two error rates give where a share π of all pairs "
        "are duplicates: TPR·π/(TPR·π + FPR·(1 − π)) with TPR = TP/(TP + FN) and FPR = FP/(FP + TN).",
    .source = "Bayes' theorem",
    .most = 1,
    .usual = true,
    .parameter = {.name = "prevalence", .above = 0, .below = 1, .example = 0.001, .is_prevalence = true},
    .interval = FP_INTERVAL_OF_TWO_RATES,
    .value = precision_at,
    .gradient = by_precision_at,
    .by_rule = precision_at_by_rule,
    .counted = FP_CELL_ALL,
};

/* ---- Matthews correlation ---- */

static double matthews(fp_cells c, double parameter) {
    (void)parameter;
    double root = sqrt((c.tp + c.fp) * (c.fn + c.tn)) * sqrt((c.tp + c.fn) * (c.fp + c.tn));
    return root > 0 ? (c.tp * c.tn - c.fp * c.fn) / root : NAN;
}

static fp_cells by_matthews(fp_cells c, double parameter) {
    double called = c.tp + c.fp, left = c.fn + c.tn, positives = c.tp + c.fn, negatives = c.fp + c.tn;
    double root = sqrt(called * left) * sqrt(positives * negatives), half = matthews(c, parameter) / 2;
    return (fp_cells){.tp = c.tn / root - half * (1 / called + 1 / positives),
                      .fp = -c.fn / root - half * (1 / called + 1 / negatives),
                      .fn = -c.fp / root - half * (1 / left + 1 / positives),
                      .tn = c.tp / root - half * (1 / left + 1 / negatives)};
}

static const fp_measure_row matthews_correlation = {
    .name = "matthews_correlation",
    .label = "Matthews correlation",
    .label_zh = "马修斯相关系数",
    .definition =
        "The Matthews correlation is the correlation of what is called with what is true, 0 for calls at random: "
        "(TP·TN − FP·FN)/√((TP + FP)(TP + FN)(TN + FP)(TN + FN)).",
    .source = "Matthews, Biochimica et Biophysica Acta 405, 1975, page 445",
    .least = -1,
    .most = 1,
    .value = matthews,
    .gradient = by_matthews,
    .counted = FP_CELL_ALL,
};

/* ---- All, in the order of tables ---- */

const fp_measure_row *const fp_count_measures[] = {
    &fp_measure_precision,
    &fp_measure_recall,
    &fp_measure_f1,
    &fp_measure_specificity,
    &fp_measure_none_precision,
    &fp_measure_none_f1,
    &fp_measure_precision_at,
    &matthews_correlation,
    &f_beta_row,
    NULL,
};
