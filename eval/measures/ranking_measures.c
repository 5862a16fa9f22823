/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measures over the whole range of distances: functions of the ranking. Each needs its value, in one pass over the
 * bins, and its derivative by the weight of a pair. Sums of products of counts stay exact below 2⁶⁴: weights sum to
 * about the number of pairs, which is below 2³¹. */
#include <math.h>

#include "eval/measures/measure.h"

/* ---- Average precision ---- */

/* Bins without positives add 0; no branch asks for them, which would be as good as random. */
static double average_precision(const fp_ranked *of) {
    int64_t tp = 0, called = 0;
    double sum = 0; /* Σ positives of a bin × precision at the bin */
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        int64_t positive = (int64_t)of->cells[2 * bin + 1];
        tp += positive;
        called += positive + (int64_t)of->cells[2 * bin];
        sum += (double)positive * ((double)tp / (double)(called > 0 ? called : 1));
    }
    return of->positives ? sum / (double)of->positives : NAN;
}

/* AP = (1/P) Σ_b p_b·T_b/(T_b + F_b). A pair adds to T or F of its own bin and of all farther ones; a positive also to
 * p_b and P. */
static void by_average_precision(const fp_ranked *of, double value, double *influence) {
    uint64_t tp = of->positives, fp = of->negatives;
    double positives = (double)tp, by_tp = 0, by_fp = 0;
    for (size_t bin = of->bin_count; bin-- > 0;) {
        double called = (double)(tp + fp), here = (double)of->cells[2 * bin + 1];
        if (here > 0) {
            by_tp += here * (double)fp / (called * called);
            by_fp -= here * (double)tp / (called * called);
        }
        influence[2 * bin] = by_fp / positives;
        influence[2 * bin + 1] = ((double)tp / called - value + by_tp) / positives;
        tp -= of->cells[2 * bin + 1];
        fp -= of->cells[2 * bin];
    }
}

const fp_measure_row fp_measure_average_precision = {
    .name = "average_precision",
    .label = "average precision",
    .label_zh = "平均精确率",
    .definition = "Average precision is precision averaged over the steps of recall as the threshold grows: "
                  "Σ (R_i − R_{i−1})·P_i over the distinct distances, ties together.",
    .source = "Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 8.4",
    .most = 1,
    .usual = true,
    .over_range = average_precision,
    .influence = by_average_precision,
};

/* ---- Area under the ROC curve ---- */

static double roc_area(const fp_ranked *of) {
    uint64_t nearer = 0, wins = 0; /* twice the couples of a positive and a negative in the right order, ties once */
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        wins += of->cells[2 * bin] * (2 * nearer + of->cells[2 * bin + 1]);
        nearer += of->cells[2 * bin + 1];
    }
    double p = (double)of->positives, n = (double)of->negatives;
    return of->positives && of->negatives ? (double)wins / (2 * p * n) : NAN;
}

/* A = Σ (couples in the right order + ½ ties)/(P·N). */
static void by_roc_area(const fp_ranked *of, double value, double *influence) {
    double positives = (double)of->positives, negatives = (double)of->negatives, nearer[2] = {0, 0};
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        double here[2] = {(double)of->cells[2 * bin], (double)of->cells[2 * bin + 1]};
        influence[2 * bin] = ((nearer[1] + here[1] / 2) / positives - value) / negatives;
        influence[2 * bin + 1] = (1 - (nearer[0] + here[0] / 2) / negatives - value) / positives;
        nearer[0] += here[0];
        nearer[1] += here[1];
    }
}

const fp_measure_row fp_measure_roc_area = {
    .name = "roc_area",
    .label = "ROC area",
    .label_zh = "ROC 曲线下面积",
    .definition =
        "The area under the ROC curve is the probability that a duplicate is nearer than a pair that is none, "
        "ties counted half: P[d₊ < d₋] + ½·P[d₊ = d₋].",
    .source = "Hanley, McNeil, Radiology 143, 1982",
    .most = 1,
    .usual = true,
    .over_range = roc_area,
    .influence = by_roc_area,
};

/* ---- Best F1 ---- */

/* The first bin that reaches the best F1, with the counts there. */
typedef struct best {
    size_t bin;
    uint64_t tp, fp;
} best;

/* F1 = 2tp/(tp + fp + positives). Where even all positives would not raise it, no farther bin will: then it is over. */
static best find_best(const fp_ranked *of) {
    best found = {0};
    uint64_t tp = 0, called = of->positives, sum = 1;
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        tp += of->cells[2 * bin + 1];
        called += of->cells[2 * bin] + of->cells[2 * bin + 1];
        if (tp * sum > found.tp * called) {
            found = (best){bin, tp, called - of->positives - tp};
            sum = called;
        } else if (of->positives * sum <= found.tp * called) break;
    }
    return found;
}

static double best_f1(const fp_ranked *of) {
    best found = find_best(of);
    return of->positives ? 2 * (double)found.tp / (double)(found.tp + found.fp + of->positives) : NAN;
}

/* The threshold that is best stays best under small changes of the weights (the envelope theorem). */
static void by_best_f1(const fp_ranked *of, double value, double *influence) {
    best found = find_best(of);
    fp_confusion counts = {found.tp, found.fp, of->positives - found.tp, of->negatives - found.fp};
    fp_cells by = fp_measure_gradient((fp_measure){.row = &fp_measure_f1}, counts);
    (void)value;
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        influence[2 * bin] = bin <= found.bin ? by.fp : by.tn;
        influence[2 * bin + 1] = bin <= found.bin ? by.tp : by.fn;
    }
}

const fp_measure_row fp_measure_best_f1 = {
    .name = "best_f1",
    .label = "best F1",
    .label_zh = "最佳 F1",
    .definition =
        "Best F1 is the largest F1 over all thresholds, chosen on the same pairs and therefore optimistic: max_h F1(h).",
    .source = "F1, at its best",
    .most = 1,
    .usual = true,
    .over_range = best_f1,
    .influence = by_best_f1,
};

static double best_threshold(const fp_ranked *of) { return of->positives ? of->distance[find_best(of).bin] : NAN; }

const fp_measure_row fp_measure_best_threshold = {
    .name = "best_threshold",
    .label = "best threshold",
    .label_zh = "最佳阈值",
    .definition = "The best threshold is the smallest distance at which F1 is largest: argmax_h F1(h).",
    .source = "F1, at its best",
    .most = INFINITY,
    .over_range = best_threshold,
};

/* ---- All, in the order of tables ---- */

const fp_measure_row *const fp_ranking_measures[] = {
    &fp_measure_average_precision,
    &fp_measure_roc_area,
    &fp_measure_best_f1,
    NULL,
};
