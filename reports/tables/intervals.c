/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of how sure the measures are: intervals, and differences between arms. */
#include <math.h>

#include "reports/tables/results.h"

static const char *arm_name(const fp_outcome *outcome, size_t arm) {
    return fp_arm_name(outcome->measurements[arm].arm);
}

/* ---- Intervals ---- */

typedef struct interval_row {
    const fp_outcome *outcome;
    size_t arm;
    fp_measure_kind kind;
    double threshold; /* NaN for the whole range */
} interval_row;

static void add_row(fp_table *table, interval_row row, const fp_estimate *estimate) {
    fp_table_text(table, row.outcome->corpus->name);
    fp_table_text(table, arm_name(row.outcome, row.arm));
    fp_table_text(table, fp_measure_describe(row.kind)->name);
    fp_table_real(table, row.threshold, 0);
    fp_table_real(table, estimate->value, 3);
    fp_table_real(table, estimate->interval.low, 3);
    fp_table_real(table, estimate->interval.high, 3);
    fp_table_real(table, estimate->error, 3);
    fp_table_text(table, fp_method_name(estimate->method));
    fp_table_count(table, estimate->undefined);
}

static void add_arm(fp_table *table, const fp_results *results, const fp_outcome *outcome, size_t arm) {
    const fp_inference *inference = outcome->inference;
    for (size_t t = 0; t < inference->threshold_count; t++) {
        size_t cell = arm * inference->threshold_count + t;
        double h = (double)(results->first_threshold + (int64_t)t);
        add_row(table, (interval_row){outcome, arm, FP_MEASURE_PRECISION, h}, inference->precision + cell);
        add_row(table, (interval_row){outcome, arm, FP_MEASURE_RECALL, h}, inference->recall + cell);
        add_row(table, (interval_row){outcome, arm, FP_MEASURE_F1, h}, inference->f1 + cell);
        if (inference->specificity)
            add_row(table, (interval_row){outcome, arm, FP_MEASURE_SPECIFICITY, h}, inference->specificity + cell);
        if (inference->precision_at)
            add_row(table, (interval_row){outcome, arm, FP_MEASURE_PRECISION_AT, h}, inference->precision_at + cell);
    }
    if (inference->near) return;
    add_row(table, (interval_row){outcome, arm, FP_MEASURE_AVERAGE_PRECISION, NAN}, inference->average_precision + arm);
    add_row(table, (interval_row){outcome, arm, FP_MEASURE_ROC_AREA, NAN}, inference->roc_area + arm);
    add_row(table, (interval_row){outcome, arm, FP_MEASURE_BEST_F1, NAN}, inference->best_f1 + arm);
}

fp_table *fp_results_intervals(const fp_results *results, fp_arena *arena) {
    fp_table *table =
        fp_table_new("corpus|arm|figure|>threshold|>value|>low|>high|>standard_error|method|>undefined", arena);
    for (size_t i = 0; table && i < results->count; i++)
        for (size_t arm = 0; arm < results->outcomes[i].count; arm++)
            add_arm(table, results, results->outcomes + i, arm);
    return table;
}

/* ---- Differences ---- */

/* No pair adds anything to the difference. */
static bool is_tie(const fp_difference *of) { return of->value == 0 && of->error == 0; }

const char *fp_results_verdict(const fp_comparison *pair, double level) {
    if (isnan(pair->adjusted)) return "not defined";
    if (is_tie(&pair->difference)) return "equal";
    if (pair->adjusted >= level) return "not told apart";
    return pair->difference.value > 0 ? "A is better" : "B is better";
}

static void add_comparison(fp_table *table, const fp_results *results, const fp_outcome *outcome,
                           const fp_comparison *pair) {
    const fp_inference *inference = outcome->inference;
    const size_t position[2] = {pair->first_threshold, pair->second_threshold};
    fp_table_text(table, outcome->corpus->name);
    fp_table_text(table, arm_name(outcome, pair->first));
    fp_table_text(table, arm_name(outcome, pair->second));
    fp_measure compared = results->inference->compared;
    const fp_measure_row *row = fp_measure_describe(compared.kind);
    fp_table_text(table, row->name);
    fp_table_real(table, row->at_threshold ? results->inference->thresholds[compared.threshold] : NAN, 0);
    fp_table_real(table, pair->difference.value, 3);
    fp_table_real(table, pair->difference.interval.low, 3);
    fp_table_real(table, pair->difference.interval.high, 3);
    fp_table_p(table, pair->difference.p);
    fp_table_p(table, pair->adjusted);
    fp_table_text(table, fp_results_verdict(pair, 1 - results->confidence));
    for (size_t k = 0; k < 2; k++) {
        bool none = position[k] == inference->threshold_count;
        fp_table_real(table, none ? NAN : (double)(results->first_threshold + (int64_t)position[k]), 0);
    }
    fp_table_count(table, pair->mcnemar.only_first);
    fp_table_count(table, pair->mcnemar.only_second);
    fp_table_p(table, pair->mcnemar.p);
    fp_table_p(table, pair->mcnemar.robust);
}

fp_table *fp_results_differences(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm_a|arm_b|figure|>threshold|>difference|>low|>high|>p|>p_holm|verdict|>threshold_a|>threshold_b|>only_a|>only_b|"
        ">mcnemar|>mcnemar_robust",
        arena);
    for (size_t i = 0; table && i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t c = 0; outcome->inference && c < outcome->inference->comparison_count; c++)
            add_comparison(table, results, outcome, outcome->inference->comparisons + c);
    }
    return table;
}
