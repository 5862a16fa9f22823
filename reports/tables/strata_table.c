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
    FP_TABLE_FIGURE(table, duplicates && others ? measures->precision : NONE);
    FP_TABLE_FIGURE(table, duplicates ? measures->recall : NONE);
    fp_table_put_figure(table, 1 - specificity->value,
                        (fp_interval){1 - specificity->interval.high, 1 - specificity->interval.low});
}

void fp_strata_rows(fp_table *table, const fp_found_arm *of) {
    const fp_strata_outcome *found = of->found;
    for (size_t s = 0; s < found->strata.count; s++) {
        const fp_stratum *stratum = found->each + s;
        const fp_stratum_arm *measures = stratum->arms + of->arm;
        if (!stratum->pairs) continue;
        add_names(table, found, of->arm, s);
        FP_TABLE_PUT(table, (double)stratum->pairs, (double)stratum->positives, (double)stratum->negatives);
        FP_TABLE_FIGURE(table, measures->average_precision);
        FP_TABLE_FIGURE(table, measures->best_f1);
        FP_TABLE_FIGURE(table, measures->best_threshold);
        add_own(table, stratum, measures);
        FP_TABLE_PUT(table, (double)stratum->replicates, (double)stratum->joined);
        fp_table_text(table, note_of(stratum));
        for (size_t k = 0; k < of->results->inference->further_count; k++) FP_TABLE_FIGURE(table, measures->further[k]);
    }
}

/* Precision, recall, F1, then the further measures. */
static void add_at(fp_table *table, const fp_stratum_arm *measures, size_t t, const fp_inference_options *options) {
    fp_results_add_counts(table, measures->counts[t]);
    for (size_t k = 0; k < FP_STRATUM_USUAL + options->further_count; k++)
        if (k < FP_STRATUM_USUAL || fp_measure_at_threshold(options->further[k - FP_STRATUM_USUAL].row))
            FP_TABLE_FIGURE(table, measures->at[k * options->threshold_count + t]);
}

void fp_strata_threshold_rows(fp_table *table, const fp_found_arm *of) {
    const fp_strata_outcome *found = of->found;
    const fp_inference_options *options = of->results->inference;
    for (size_t s = 0; s < found->strata.count; s++)
        for (size_t t = 0; found->each[s].pairs && t < options->threshold_count; t++) {
            add_names(table, found, of->arm, s);
            fp_table_put(table, options->thresholds[t]);
            add_at(table, found->each[s].arms + of->arm, t, options);
        }
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
        FP_TABLE_FIGURE(table, measures->best_f1);
        add_own(table, stratum, measures);
        fp_table_text(table, note_of(stratum));
    }
    return table;
}

/* ---- Distances by length and edits ---- */

void fp_edit_rows(fp_table *table, const fp_found_arm *of) {
    const fp_edits_outcome *found = of->found;
    double most = fp_arm_layout(of->outcome->measurements[of->arm].arm)->maximum;
    for (size_t c = 0; found->of_arm && c < found->divided->strata.count * FP_EDIT_SHARES; c++) {
        const fp_edit_cell *cell = found->of_arm[of->arm] + c;
        size_t stratum = c / FP_EDIT_SHARES, share = c % FP_EDIT_SHARES;
        fp_interval limits = cell->measured.interval;
        if (!cell->pairs) continue;
        fp_results_add_names(table, of->outcome, of->arm, true);
        fp_table_text(table, found->divided->strata.names[stratum]);
        FP_TABLE_PUT(table, (double)(stratum + 1), fp_edit_shares[share], fp_edit_shares[share + 1],
                     (double)cell->pairs, cell->mean_share, cell->measured.value,
                     isnan(limits.low) ? NAN : fmax(0, limits.low), isnan(limits.high) ? NAN : fmin(most, limits.high),
                     cell->expected, (double)cell->bounded);
    }
}
