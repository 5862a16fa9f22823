/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of uncertainty: intervals, and differences between arms. */
#include <math.h>

#include "reports/tables/results.h"

/* ---- Intervals ---- */

typedef struct interval_row {
    const fp_outcome *outcome;
    size_t arm;
    const char *name; /* of the measure */
    double threshold; /* NaN for the whole range */
} interval_row;

static void add_row(fp_table *table, interval_row row, const fp_estimate *estimate, const fp_interval *band) {
    fp_results_add_names(table, row.outcome, row.arm, false);
    fp_table_text(table, row.name);
    fp_table_put(table, row.threshold);
    fp_results_put(table, estimate);
    fp_table_put(table, estimate->error);
    fp_table_text(table, fp_method_name(estimate->method));
    static const fp_interval NONE = {NAN, NAN};
    fp_interval around = band ? *band : NONE,
                monte_carlo = fp_method_draws(estimate->method) ? estimate->monte_carlo : NONE;
    FP_TABLE_PUT(table, (double)estimate->undefined, around.low, around.high, monte_carlo.low, monte_carlo.high,
                 estimate->units);
    fp_table_text(table, estimate->few ? "few" : "enough");
}

/* The measures at each threshold, then those over the range. */
static void add_arm(fp_table *table, const fp_results *results, const fp_outcome *outcome, size_t arm,
                    const char *const *names) {
    const fp_inference *inference = outcome->inference;
    for (size_t t = 0; t <= inference->threshold_count; t++) {
        bool whole = t == inference->threshold_count;
        double h = whole ? NAN : (double)(results->first_threshold + (int64_t)t);
        for (size_t k = 0; k < inference->measure_count; k++) {
            if (fp_measure_at_threshold(inference->measures[k].measure.row) == whole) continue;
            const fp_estimate *estimate = fp_inference_at(inference, k, arm);
            const fp_interval *band = whole ? NULL : fp_inference_band(inference, k, arm);
            add_row(table, (interval_row){outcome, arm, names[k], h}, estimate + (whole ? 0 : t),
                    band ? band + t : NULL);
        }
    }
}

static const char *const *name_measures(const fp_inference *inference, fp_arena *arena) {
    const char **names = fp_arena_alloc(arena, inference->measure_count, sizeof *names);
    for (size_t k = 0; k < inference->measure_count; k++)
        names[k] = fp_measure_name(&inference->measures[k].measure, arena);
    return names;
}

fp_table *fp_results_intervals(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_INTERVALS, arena);
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        const char *const *names = name_measures(outcome->inference, arena);
        for (size_t arm = 0; arm < outcome->count; arm++) add_arm(table, results, outcome, arm, names);
    }
    return table;
}

/* ---- Differences ---- */

void fp_table_equivalence(fp_table *table, const fp_equivalence *equivalence) {
    FP_TABLE_PUT(table, equivalence->interval.low, equivalence->interval.high, equivalence->margin);
    if (isnan(equivalence->farthest)) fp_table_undefined(table);
    else fp_table_text(table, equivalence->within ? "yes" : "no");
    fp_table_put(table, equivalence->units);
}

/* Arms that differ significantly need no sample size. */
static void add_sample_size(fp_table *table, const fp_sample_size *size, bool differ) {
    const double units[] = {size->needed, size->interval.low, size->interval.high};
    fp_table_put(table, size->detect);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        fp_table_put(table, differ || !isfinite(units[i]) ? NAN : units[i]);
}

/* True if no pair contributes to the difference. */
static bool is_tie(const fp_difference *of) { return of->value == 0 && of->error == 0; }

double fp_results_compared_at(const fp_results *results) {
    fp_measure compared = fp_inference_compared(results->inference);
    return fp_measure_at_threshold(compared.row) ? results->inference->thresholds[compared.threshold] : NAN;
}

bool fp_results_first_is_better(const fp_results *results, const fp_comparison *pair) {
    return (pair->difference.value > 0) != fp_inference_compared(results->inference).row->lower_is_better;
}

fp_verdict fp_results_verdict(const fp_results *results, const fp_comparison *pair) {
    if (isnan(pair->adjusted)) return FP_VERDICT_NOT_DEFINED;
    if (is_tie(&pair->difference)) return FP_VERDICT_EQUAL;
    if (pair->adjusted < 1 - results->confidence) return FP_VERDICT_DIFFER;
    return pair->equivalence.within ? FP_VERDICT_WITHIN : FP_VERDICT_OPEN;
}

/* "A is better", "B is better, by less than 0.02", "within ±0.02 (90% interval)", "could differ by up to 0.09 (90%
 * interval)", "equal", "not defined". */
static const char *verdict_text(const fp_results *results, const fp_comparison *pair, fp_arena *arena) {
    const fp_equivalence *of = &pair->equivalence;
    double narrow = 100 * fp_equivalence_confidence(results->confidence);
    bool first = fp_results_first_is_better(results, pair);
    switch (fp_results_verdict(results, pair)) {
    case FP_VERDICT_NOT_DEFINED: return "not defined";
    case FP_VERDICT_EQUAL: return "equal";
    case FP_VERDICT_WITHIN: return fp_format(arena, "within ±%g (%g%% interval)", of->margin, narrow);
    case FP_VERDICT_OPEN:
        return fp_format(arena, "could differ by up to %s (%g%% interval)", fp_up_to_text(of->farthest, arena), narrow);
    case FP_VERDICT_DIFFER: break;
    }
    if (of->within) return fp_format(arena, "%s is better, by less than %g", first ? "A" : "B", of->margin);
    return first ? "A is better" : "B is better";
}

/* One threshold, or the range over folds. */
static void add_threshold(fp_table *table, const fp_judgements *of) {
    char text[64];
    snprintf(text, sizeof text, "%.12g..%.12g", of->low, of->high);
    if (of->low == of->high) fp_table_put(table, of->low);
    else fp_table_text(table, text);
}

/* McNemar's test, and the source of its thresholds. */
static void add_judgements(fp_table *table, const fp_judgements *judgements, const fp_comparison *pair) {
    enum { COLUMNS = 9 };
    const fp_judgements *a = judgements ? judgements + pair->first : NULL,
                        *b = judgements ? judgements + pair->second : NULL;
    if (!judgements || !a->right || !b->right) {
        for (int i = 0; i < COLUMNS; i++) fp_table_undefined(table);
        return;
    }
    add_threshold(table, a);
    add_threshold(table, b);
    FP_TABLE_TEXTS(table, fp_threshold_source_name(a->source), fp_threshold_source_name(b->source));
    FP_TABLE_PUT(table, (double)pair->mcnemar.only_first, (double)pair->mcnemar.only_second, pair->mcnemar.p,
                 pair->mcnemar_adjusted);
    fp_table_text(table, pair->mcnemar.exact ? "exact" : "units");
}

/* `name`: name of the measure. */
static void add_comparison(fp_table *table, const fp_results *results, const fp_outcome *outcome,
                           const fp_comparison *pair, const char *name, fp_arena *arena) {
    fp_results_add_names(table, outcome, pair->first, false);
    FP_TABLE_TEXTS(table, fp_results_name(outcome, pair->second), name);
    fp_table_put(table, fp_results_compared_at(results));
    fp_table_put_figure(table, pair->difference.value, pair->difference.interval);
    FP_TABLE_PUT(table, pair->difference.p, pair->adjusted);
    fp_table_text(table, verdict_text(results, pair, arena));
    add_judgements(table, outcome->inference->judgements, pair);
    fp_table_put(table, pair->difference.error);
    fp_table_equivalence(table, &pair->equivalence);
    add_sample_size(table, &pair->sample_size, fp_results_verdict(results, pair) == FP_VERDICT_DIFFER);
    const fp_difference *of = &pair->difference;
    FP_TABLE_PUT(table, of->drawn ? of->monte_carlo.low : NAN, of->drawn ? of->monte_carlo.high : NAN,
                 of->drawn ? of->p_error : NAN);
}

fp_table *fp_results_differences(const fp_results *results, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_DIFFERENCES, arena);
    fp_measure compared = fp_inference_compared(results->inference);
    const char *name = fp_measure_name(&compared, arena);
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = results->outcomes + i;
        for (size_t c = 0; outcome->inference && c < outcome->inference->comparison_count; c++)
            add_comparison(table, results, outcome, outcome->inference->comparisons + c, name, arena);
    }
    return table;
}
