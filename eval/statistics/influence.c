/* SPDX-License-Identifier: GPL-3.0-or-later
 * Derivatives of the measures by the weight of a pair, at weights of 1. */
#include <math.h>

#include "eval/statistics/bootstrap.h"

/* ---- Measures at a threshold: one value for each cell of the table ---- */

typedef struct cells {
    double tp, fp, fn, tn;
} cells;

/* The table read for the other class gives the cells of the other class. */
static cells of_none(cells value) { return (cells){.tp = value.tn, .fp = value.fn, .fn = value.fp, .tn = value.tp}; }

static cells of_precision(fp_confusion c) {
    double called = (double)(c.tp + c.fp), precision = fp_precision(c);
    return (cells){.tp = (1 - precision) / called, .fp = -precision / called};
}

static cells of_f1(fp_confusion c) {
    double f1 = fp_f1(c), sum = 2 * (double)c.tp + (double)c.fp + (double)c.fn;
    return (cells){.tp = (2 - 2 * f1) / sum, .fp = -f1 / sum, .fn = -f1 / sum};
}

/* By the chain rule, with q = R·π/(R·π + F·(1 − π)), R recall and F the false positive rate. */
static cells of_precision_at(fp_confusion c, double prevalence) {
    double recall = fp_recall(c), rate = 1 - fp_specificity(c), odds = prevalence * (1 - prevalence);
    double called = recall * prevalence + rate * (1 - prevalence);
    double by_recall = rate * odds / (called * called), by_rate = -recall * odds / (called * called);
    double positives = (double)(c.tp + c.fn), negatives = (double)(c.fp + c.tn);
    return (cells){.tp = by_recall * (1 - recall) / positives,
                   .fn = -by_recall * recall / positives,
                   .fp = by_rate * (1 - rate) / negatives,
                   .tn = -by_rate * rate / negatives};
}

static cells of_table(fp_measure measure, fp_confusion c) {
    double positives = (double)(c.tp + c.fn), negatives = (double)(c.fp + c.tn), recall = fp_recall(c),
           specificity = fp_specificity(c);
    fp_confusion other = {.tp = c.tn, .fp = c.fn, .fn = c.fp, .tn = c.tp};
    switch (measure.kind) {
    case FP_MEASURE_PRECISION: return of_precision(c);
    case FP_MEASURE_RECALL: return (cells){.tp = (1 - recall) / positives, .fn = -recall / positives};
    case FP_MEASURE_SPECIFICITY: return (cells){.tn = (1 - specificity) / negatives, .fp = -specificity / negatives};
    case FP_MEASURE_NONE_PRECISION: return of_none(of_precision(other));
    case FP_MEASURE_NONE_F1: return of_none(of_f1(other));
    case FP_MEASURE_PRECISION_AT: return of_precision_at(c, measure.prevalence);
    default: return of_f1(c);
    }
}

static void fill_table(const fp_ranking *ranking, size_t reach, cells value, double *influence) {
    for (size_t i = 0; i < ranking->pair_count; i++) {
        bool near = ranking->slot[i] / 2 < reach, positive = ranking->slot[i] & 1;
        influence[i] = near ? (positive ? value.tp : value.fp) : (positive ? value.fn : value.tn);
    }
}

/* The threshold that is best stays best under small changes of the weights (the envelope theorem). */
static void fill_best_f1(const fp_ranking *ranking, const uint64_t *count, const fp_tally *tally, double *influence) {
    fp_confusion c = {.fn = tally->positives, .tn = tally->negatives};
    for (size_t bin = 0; bin <= tally->best_bin; bin++) {
        c.tp += count[2 * bin + 1];
        c.fp += count[2 * bin];
    }
    c.fn -= c.tp;
    c.tn -= c.fp;
    fill_table(ranking, tally->best_bin + 1, of_f1(c), influence);
}

/* ---- Measures over the whole range: one value for each bin and label ---- */

/* AP = (1/P) Σ_b p_b·T_b/(T_b + F_b). A pair adds to T or F of its own bin and of all farther ones; a positive also to
 * p_b and P. */
static void of_average_precision(const fp_ranking *ranking, const uint64_t *count, const fp_tally *tally,
                                 double *value) {
    uint64_t tp = tally->positives, fp = tally->negatives;
    double positives = (double)tp, by_tp = 0, by_fp = 0;
    for (size_t bin = ranking->bin_count; bin-- > 0;) {
        double called = (double)(tp + fp), here = (double)count[2 * bin + 1];
        if (here > 0) {
            by_tp += here * (double)fp / (called * called);
            by_fp -= here * (double)tp / (called * called);
        }
        value[2 * bin] = by_fp / positives;
        value[2 * bin + 1] = ((double)tp / called - tally->average_precision + by_tp) / positives;
        tp -= count[2 * bin + 1];
        fp -= count[2 * bin];
    }
}

/* A = Σ (couples in the right order + ½ ties)/(P·N). */
static void of_roc_area(const fp_ranking *ranking, const uint64_t *count, const fp_tally *tally, double *value) {
    double positives = (double)tally->positives, negatives = (double)tally->negatives, nearer[2] = {0, 0};
    for (size_t bin = 0; bin < ranking->bin_count; bin++) {
        double here[2] = {(double)count[2 * bin], (double)count[2 * bin + 1]};
        value[2 * bin] = ((nearer[1] + here[1] / 2) / positives - tally->roc_area) / negatives;
        value[2 * bin + 1] = (1 - (nearer[0] + here[0] / 2) / negatives - tally->roc_area) / positives;
        nearer[0] += here[0];
        nearer[1] += here[1];
    }
}

static fp_status fill_range(const fp_ranking *ranking, const fp_tally *tally, fp_measure_kind kind, fp_arena *scratch,
                            double *influence, fp_error *error) {
    uint64_t *count = fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *count);
    double *value = fp_arena_raw(scratch, 2 * ranking->bin_count, sizeof *value);
    if (!count || !value) return fp_no_memory(error);
    fp_ranking_fill(ranking, NULL, count);
    if (kind == FP_MEASURE_BEST_F1) {
        fill_best_f1(ranking, count, tally, influence);
        return FP_OK;
    }
    if (kind == FP_MEASURE_AVERAGE_PRECISION) of_average_precision(ranking, count, tally, value);
    else of_roc_area(ranking, count, tally, value);
    for (size_t i = 0; i < ranking->pair_count; i++) influence[i] = value[ranking->slot[i]];
    return FP_OK;
}

static void fill_constant(double *influence, size_t count, double value) {
    for (size_t i = 0; i < count; i++) influence[i] = value;
}

fp_status fp_bootstrap_influence(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                                 double *influence, fp_error *error) {
    const fp_ranking *ranking = bootstrap->rankings + arm;
    if (isnan(fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure))) {
        fill_constant(influence, ranking->pair_count, NAN);
        return FP_OK;
    }
    if (!fp_measure_describe(measure.kind)->at_threshold) {
        const fp_tally *tally = bootstrap->tallies + bootstrap->replicates * bootstrap->arm_count + arm;
        return fill_range(ranking, tally, measure.kind, scratch, influence, error);
    }
    fp_confusion counts = fp_bootstrap_counts(bootstrap, bootstrap->replicates, arm, measure.threshold);
    if (isnan(fp_measure_of(measure, counts, FP_EMPTY_NA)))
        fill_constant(influence, ranking->pair_count, 0); /* a value by rule does not vary */
    else fill_table(ranking, ranking->reach[measure.threshold], of_table(measure, counts), influence);
    return FP_OK;
}
