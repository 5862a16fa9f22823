/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of uncertainty: intervals, and differences between arms. */
#include <math.h>

#include "reports/tables/results.h"

/* ---- Intervals ---- */

/* `h`: NaN for the whole range; `band`: NULL where unknown. */
static void add_row(fp_table *table, const fp_found_arm *of, const char *measure, double h, const fp_estimate *estimate,
                    const fp_interval *band) {
    static const fp_interval NONE = {NAN, NAN};
    fp_interval around = band ? *band : NONE,
                monte_carlo = fp_method_draws(estimate->method) ? estimate->monte_carlo : NONE;
    fp_results_add_names(table, of->outcome, of->arm, false);
    fp_table_text(table, measure);
    fp_table_put(table, h);
    FP_TABLE_FIGURE(table, *estimate);
    fp_table_put(table, estimate->error);
    fp_table_text(table, fp_method_name(estimate->method));
    FP_TABLE_PUT(table, (double)estimate->undefined, around.low, around.high, monte_carlo.low, monte_carlo.high,
                 estimate->units);
    fp_table_text(table, estimate->few ? "few" : "enough");
}

/* The measures at each threshold, then those over the range. */
void fp_interval_rows(fp_table *table, const fp_found_arm *of) {
    const fp_inference *inference = of->outcome->inference;
    const char **names = fp_arena_alloc(of->arena, inference->measure_count, sizeof *names);
    for (size_t k = 0; k < inference->measure_count; k++)
        names[k] = fp_measure_name(&inference->measures[k].measure, of->arena);
    for (size_t t = 0; t <= inference->threshold_count; t++) {
        bool whole = t == inference->threshold_count;
        for (size_t k = 0; k < inference->measure_count; k++) {
            if (fp_measure_at_threshold(inference->measures[k].measure.row) == whole) continue;
            const fp_estimate *estimate = fp_inference_at(inference, k, of->arm);
            const fp_interval *band = whole ? NULL : fp_inference_band(inference, k, of->arm);
            add_row(table, of, names[k], whole ? NAN : of->results->inference->thresholds[t],
                    estimate + (whole ? 0 : t), band ? band + t : NULL);
        }
    }
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

double fp_results_compared_at(const fp_results *results) {
    fp_measure compared = fp_inference_compared(results->inference);
    return fp_measure_at_threshold(compared.row) ? results->inference->thresholds[compared.threshold] : NAN;
}

bool fp_results_first_is_better(const fp_results *results, const fp_comparison *pair) {
    return (pair->difference.value > 0) != fp_inference_compared(results->inference).row->lower_is_better;
}

fp_verdict fp_results_verdict(const fp_results *results, const fp_comparison *pair) {
    if (isnan(pair->adjusted)) return FP_VERDICT_NOT_DEFINED;
    if (pair->difference.value == 0 && pair->difference.error == 0) return FP_VERDICT_EQUAL;
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
static void add_comparison(fp_table *table, const fp_found_arm *of, const fp_comparison *pair, const char *name) {
    const fp_results *results = of->results;
    const fp_difference *difference = &pair->difference;
    fp_results_add_names(table, of->outcome, pair->first, false);
    FP_TABLE_TEXTS(table, fp_results_name(of->outcome, pair->second), name);
    fp_table_put(table, fp_results_compared_at(results));
    FP_TABLE_FIGURE(table, *difference);
    FP_TABLE_PUT(table, difference->p, pair->adjusted);
    fp_table_text(table, verdict_text(results, pair, of->arena));
    add_judgements(table, of->outcome->inference->judgements, pair);
    fp_table_put(table, difference->error);
    fp_table_equivalence(table, &pair->equivalence);
    add_sample_size(table, &pair->sample_size, fp_results_verdict(results, pair) == FP_VERDICT_DIFFER);
    bool drawn = difference->drawn;
    FP_TABLE_PUT(table, drawn ? difference->monte_carlo.low : NAN, drawn ? difference->monte_carlo.high : NAN,
                 drawn ? difference->p_error : NAN);
}

/* The comparisons with later arms. */
void fp_difference_rows(fp_table *table, const fp_found_arm *of) {
    const fp_inference *inference = of->outcome->inference;
    fp_measure compared = fp_inference_compared(of->results->inference);
    const char *name = fp_measure_name(&compared, of->arena);
    for (size_t c = 0; c < inference->comparison_count; c++)
        if (inference->comparisons[c].first == of->arm) add_comparison(table, of, inference->comparisons + c, name);
}
