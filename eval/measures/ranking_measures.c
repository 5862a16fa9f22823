/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measures over the whole range of distances: functions of the ranking. Each needs its value, in one pass over the
 * bins, and its derivative by the weight of a pair. Sums of products of counts stay exact below 2⁶⁴: weights sum to
 * about the number of pairs, which is below 2³¹. */
#include <math.h>

#include "eval/measures/measure.h"

/* ---- Average precision ---- */

static double average_precision(const fp_ranked *of) {
    int64_t before = 0;
    double sum = 0; /* Σ positives of a bin × precision at the bin */
    for (size_t i = 0; i < of->step_count; i++) {
        int64_t tp = (int64_t)of->steps[i].tp, called = tp + (int64_t)of->steps[i].fp;
        sum += (double)(tp - before) * ((double)tp / (double)called);
        before = tp;
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
    for (size_t i = 0; i < of->step_count; i++) {
        const fp_ranked_step *at = of->steps + i;
        wins += (at->tp - nearer) * (2 * (of->negatives - at->fp) + of->cells[2 * at->bin]);
        nearer = at->tp;
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
        "The area under the ROC curve is the probability that a duplicate is nearer than a non-duplicate pair, "
        "ties counted half: P[d₊ < d₋] + ½·P[d₊ = d₋].",
    .source = "Hanley, McNeil, Radiology 143, 1982",
    .most = 1,
    .usual = true,
    /* The loss of a pair in the exponential model of Hanley and McNeil (Radiology 143, 1982). */
    .lost = 0.25,
    .over_range = roc_area,
    .influence = by_roc_area,
};

/* ---- Best F1 ---- */

/* The first bin that reaches the best F1 = 2tp/(tp + fp + positives), which only positives raise. Stops where even all
 * positives together would not raise it. */
static fp_ranked_step find_best(const fp_ranked *of) {
    fp_ranked_step found = {0};
    uint64_t sum = 1;
    for (size_t i = 0; i < of->step_count; i++) {
        fp_ranked_step at = of->steps[i];
        uint64_t called = of->positives + at.tp + at.fp;
        if (at.tp * sum > found.tp * called) {
            found = at;
            sum = called;
        } else if (of->positives * sum <= found.tp * called) break;
    }
    return found;
}

static double best_f1(const fp_ranked *of) {
    fp_ranked_step found = find_best(of);
    return of->positives ? 2 * (double)found.tp / (double)(found.tp + found.fp + of->positives) : NAN;
}

/* The threshold that is best stays best under small changes of the weights (the envelope theorem). */
static void by_best_f1(const fp_ranked *of, double value, double *influence) {
    fp_ranked_step found = find_best(of);
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
        "Best F1 is the largest F1 over all thresholds, chosen on the same pairs and therefore optimistic: max_h F1(h), "
        "where there are duplicates.",
    .source = "F1, at its best",
    .most = 1,
    .usual = true,
    .lost = 0.5,
    .over_range = best_f1,
    .influence = by_best_f1,
};

/* ---- Area under the precision–recall–gain curve ---- */

/* With π the share of positives, t true positives and f false ones, precision gain is 1 − (P/N)·f/t and recall gain
 * 1 − (P/N)·(P − t)/t. Between two points counts are interpolated linearly, and so both gains are linear, too. The area
 * from recall gain 0, at t = πP, to 1, at t = P, is therefore
 *
 *     1 − P³/(2N²)·Σ (1/t₀ − 1/t₁)·(f₀/t₀ + f₁/t₁)
 *
 * over the pieces between points, the first of which begins where the curve crosses recall gain 0. */
typedef struct piece {
    double from_tp, from_fp, to_tp, to_fp;
    double crossed; /* the share of the bin that lies before the crossing; 0 but in the first piece */
} piece;

/* The piece of a bin that begins after tp and fp; false if there is none. */
static bool find_piece(const fp_ranked *of, size_t bin, double tp, double fp, piece *found) {
    double p = (double)of->positives, crossing = p * p / (p + (double)of->negatives);
    double more_fp = (double)of->cells[2 * bin], more_tp = (double)of->cells[2 * bin + 1];
    *found = (piece){tp, fp, tp + more_tp, fp + more_fp, 0};
    if (!(more_tp > 0) || found->to_tp <= crossing) return false;
    if (tp >= crossing) return true;
    found->crossed = (crossing - tp) / more_tp;
    found->from_tp = crossing;
    found->from_fp = fp + found->crossed * more_fp;
    return true;
}

static double gain_area(const fp_ranked *of) {
    double p = (double)of->positives, n = (double)of->negatives, tp = 0, fp = 0, sum = 0;
    if (!(p > 0 && n > 0)) return NAN;
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        piece at;
        if (find_piece(of, bin, tp, fp, &at))
            sum += (1 / at.from_tp - 1 / at.to_tp) * (at.from_fp / at.from_tp + at.to_fp / at.to_tp);
        fp += (double)of->cells[2 * bin];
        tp += (double)of->cells[2 * bin + 1];
    }
    return 1 - p * p * p / (2 * n * n) * sum;
}

/* Derivatives of the sum by the counts at the ends of a piece; those at the crossing follow from the counts before and
 * after the bin and from its position (`by_crossing`). */
typedef struct piece_gradient {
    double from_tp, from_fp, to_tp, to_fp, by_crossing;
} piece_gradient;

static piece_gradient by_piece(const piece *at, double before_tp, double before_fp, bool first) {
    double t0 = at->from_tp, t1 = at->to_tp, width = 1 / t0 - 1 / t1, f0 = at->from_fp / t0, f1 = at->to_fp / t1,
           height = f0 + f1;
    piece_gradient by = {.from_tp = -(height / t0 + width * f0) / t0,
                         .from_fp = width / t0,
                         .to_tp = (height / t1 - width * f1) / t1,
                         .to_fp = width / t1};
    if (!first) return by;
    double slope = (at->to_fp - before_fp) / (at->to_tp - before_tp);
    return (piece_gradient){.from_tp = -by.from_fp * slope * (1 - at->crossed),
                            .from_fp = by.from_fp * (1 - at->crossed),
                            .to_tp = by.to_tp - by.from_fp * slope * at->crossed,
                            .to_fp = by.to_fp + by.from_fp * at->crossed,
                            .by_crossing = by.from_tp + by.from_fp * slope};
}

/* A pair adds to the counts at its own and all farther bins, and to P or N, on which the factor and the crossing
 * depend. Bins are visited from the farthest, so that `by_tp` and `by_fp` sum over the farther ones. */
static void by_gain_area(const fp_ranked *of, double value, double *influence) {
    double p = (double)of->positives, n = (double)of->negatives, all = p + n, tp = p, fp = n;
    double factor = p * p * p / (2 * n * n), by_tp = 0, by_fp = 0, by_crossing = 0, next_tp = 0, next_fp = 0;
    for (size_t bin = of->bin_count; bin-- > 0;) {
        piece at;
        tp -= (double)of->cells[2 * bin + 1];
        fp -= (double)of->cells[2 * bin];
        piece_gradient by = {0};
        if (find_piece(of, bin, tp, fp, &at)) by = by_piece(&at, tp, fp, at.from_tp > tp);
        by_tp += by.to_tp + next_tp;
        by_fp += by.to_fp + next_fp;
        by_crossing += by.by_crossing;
        next_tp = by.from_tp;
        next_fp = by.from_fp;
        influence[2 * bin] = -factor * by_fp;
        influence[2 * bin + 1] = -factor * by_tp;
    }
    double by_n = (1 - value) * 2 / n + factor * by_crossing * p * p / (all * all),
           by_p = -(1 - value) * 3 / p - factor * by_crossing * p * (p + 2 * n) / (all * all);
    for (size_t bin = 0; bin < of->bin_count; bin++) {
        influence[2 * bin] += by_n;
        influence[2 * bin + 1] += by_p;
    }
}

static const fp_measure_row precision_recall_gain_area = {
    .name = "precision_recall_gain_area",
    .label = "area under precision–recall–gain",
    .label_zh = "精确率–召回率增益曲线下面积",
    .definition =
        "The area under the precision–recall–gain curve is the mean precision gain (P − π)/((1 − π)P) over recall gains "
        "(R − π)/((1 − π)R) from 0 to 1, π being the share of duplicates; 0 for distances at random.",
    .source = "Flach, Kull, Precision–Recall–Gain Curves, NIPS 2015, sections 3 and 4",
    .least = -INFINITY,
    .most = 1,
    .over_range = gain_area,
    .influence = by_gain_area,
};

/* ---- Where F1 is best ---- */

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
    &fp_measure_average_precision, &fp_measure_roc_area, &fp_measure_best_f1, &precision_recall_gain_area, NULL,
};
