/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of strata. */
#include "reports/tables/results.h"

#include <math.h>

/* ---- Cells ---- */

static bool is_integral(const fp_strata_outcome *of, size_t arm) {
    return fp_arm_layout(of->outcome->measurements[arm].arm)->integral;
}

static const char *note_of(const fp_stratum *stratum) { return stratum->pairs < FP_STRATUM_SMALL ? "too small" : ""; }

static void add_names(fp_table *table, const fp_strata_outcome *of, size_t arm, size_t stratum) {
    fp_results_add_names(table, of->outcome, arm, false);
    FP_TABLE_TEXTS(table, of->strata.by, of->strata.names[stratum],
                   of->outcome->measurements[arm].arm->instance.layout.scale);
}

/* ---- Tables ---- */

/* Figures at the best threshold that the stratum's own pairs determine; the others would depend on the pairs that join
 * it. */
static void add_own(fp_table *table, const fp_stratum *stratum, const fp_stratum_arm *measures) {
    static const fp_estimate NONE = {.value = NAN, .interval = {NAN, NAN}};
    bool duplicates = stratum->positives > 0, others = stratum->negatives > 0;
    const fp_estimate *specificity = others ? &measures->specificity : &NONE;
    fp_results_put(table, duplicates && others ? &measures->precision : &NONE);
    fp_results_put(table, duplicates ? &measures->recall : &NONE);
    fp_table_put_figure(table, 1 - specificity->value,
                        (fp_interval){1 - specificity->interval.high, 1 - specificity->interval.low});
}

static void add_summary(fp_table *table, const fp_strata_outcome *of, size_t arm, size_t s,
                        const fp_inference_options *options) {
    const fp_stratum *stratum = of->each + s;
    const fp_stratum_arm *measures = stratum->arms + arm;
    add_names(table, of, arm, s);
    FP_TABLE_PUT(table, (double)stratum->pairs, (double)stratum->positives, (double)stratum->negatives);
    fp_results_put(table, &measures->average_precision);
    fp_results_put(table, &measures->best_f1);
    fp_results_put(table, &measures->best_threshold);
    add_own(table, stratum, measures);
    FP_TABLE_PUT(table, (double)stratum->replicates, (double)stratum->joined);
    fp_table_text(table, note_of(stratum));
    for (size_t k = 0; k < options->further_count; k++) fp_results_put(table, measures->further + k);
}

fp_table *fp_strata_summary(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena) {
    fp_table *table = fp_table_of(fp_results_columns(FP_FILE_STRATA, results->inference, FP_FURTHER_ALL, arena), arena);
    for (size_t i = 0; i < results->count; i++)
        for (size_t arm = 0; arm < outcomes[i].outcome->count; arm++)
            for (size_t s = 0; s < outcomes[i].strata.count; s++)
                if (outcomes[i].each[s].pairs) add_summary(table, outcomes + i, arm, s, results->inference);
    return table;
}

static void add_threshold(fp_table *table, const fp_strata_outcome *of, size_t arm, size_t stratum, size_t t,
                          const fp_inference_options *options) {
    const fp_stratum_arm *measures = of->each[stratum].arms + arm;
    fp_results_add_counts(table, measures->counts[t]);
    fp_results_put(table, measures->precision_at + t);
    fp_results_put(table, measures->recall_at + t);
    fp_results_put(table, measures->f1_at + t);
    for (size_t k = 0; k < options->further_count; k++)
        if (fp_further_is(options->further + k, FP_FURTHER_AT_THRESHOLD))
            fp_results_put(table, measures->further_at + k * options->threshold_count + t);
}

fp_table *fp_strata_thresholds(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena) {
    fp_table *table = fp_table_of(
        fp_results_columns(FP_FILE_STRATA_THRESHOLDS, results->inference, FP_FURTHER_AT_THRESHOLD, arena), arena);
    size_t thresholds = (size_t)(results->last_threshold - results->first_threshold) + 1;
    for (size_t i = 0; i < results->count; i++) {
        const fp_strata_outcome *of = outcomes + i;
        for (size_t cell = 0; cell < of->outcome->count * of->strata.count; cell++) {
            size_t arm = cell / of->strata.count, s = cell % of->strata.count;
            for (size_t t = 0; of->each[s].pairs && t < thresholds; t++) {
                add_names(table, of, arm, s);
                fp_table_put(table, (double)results->first_threshold + (double)t);
                add_threshold(table, of, arm, s, t, results->inference);
            }
        }
    }
    return table;
}

fp_table *fp_strata_short(const fp_results *results, const fp_strata_outcome *of, fp_arena *arena) {
    const char *columns =
        fp_format(arena,
                  "arm|stratum|>%s;e|>positives;e|>joined;e|>best threshold|>best F1;2|>precision;2|>recall;2|"
                  ">false positive rate;2|note",
                  fp_results_counted(results->level));
    fp_table *table = fp_table_of(columns, arena);
    for (size_t cell = 0; cell < of->outcome->count * of->strata.count; cell++) {
        size_t arm = cell / of->strata.count, s = cell % of->strata.count;
        const fp_stratum *stratum = of->each + s;
        if (stratum->pairs == 0) continue;
        const fp_stratum_arm *measures = stratum->arms + arm;
        FP_TABLE_TEXTS(table, fp_results_name(of->outcome, arm), of->strata.names[s]);
        FP_TABLE_PUT(table, (double)stratum->pairs, (double)stratum->positives, (double)stratum->joined);
        fp_table_interval(table, measures->best_threshold.value, measures->best_threshold.interval,
                          is_integral(of, arm) ? 0 : 2);
        fp_results_put(table, &measures->best_f1);
        add_own(table, stratum, measures);
        fp_table_text(table, note_of(stratum));
    }
    return table;
}

/* ---- Distances by length and edits ---- */

static void add_cell(fp_table *table, const fp_edits_outcome *of, size_t arm, size_t position) {
    const fp_edit_cell *cell = of->of_arm[arm] + position;
    const fp_strata_outcome *divided = of->divided;
    const fp_layout *layout = fp_arm_layout(divided->outcome->measurements[arm].arm);
    size_t stratum = position / FP_EDIT_SHARES, share = position % FP_EDIT_SHARES;
    fp_interval interval = cell->measured.interval;
    fp_results_add_names(table, divided->outcome, arm, true);
    fp_table_text(table, divided->strata.names[stratum]);
    FP_TABLE_PUT(table, (double)(stratum + 1), fp_edit_shares[share], fp_edit_shares[share + 1], (double)cell->pairs,
                 cell->mean_share, cell->measured.value, isnan(interval.low) ? NAN : fmax(0, interval.low),
                 isnan(interval.high) ? NAN : fmin(layout->maximum, interval.high), cell->expected,
                 (double)cell->bounded);
}

fp_table *fp_edits_table(const fp_edits_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_EDITS, arena);
    for (size_t i = 0; i < count; i++) {
        const fp_edits_outcome *of = outcomes + i;
        size_t cells = of->divided->strata.count * FP_EDIT_SHARES;
        for (size_t arm = 0; of->of_arm && arm < of->divided->outcome->count; arm++)
            for (size_t c = 0; c < cells; c++)
                if (of->of_arm[arm][c].pairs) add_cell(table, of, arm, c);
    }
    return table;
}
