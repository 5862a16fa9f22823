/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of strata. */
#include "reports/strata.h"

fp_status fp_strata_outcome_make(const fp_outcome *outcome, const char *by, const size_t *bounds, size_t bound_count, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error) {
    *out = (fp_strata_outcome){.outcome = outcome};
    const fp_corpus *corpus = outcome->corpus;
    FP_TRY(fp_strata_make(corpus, by, bounds, bound_count, arena, &out->strata, error));
    size_t strata = out->strata.count, cells = outcome->count * strata;
    out->curves = fp_arena_alloc(arena, cells, sizeof *out->curves);
    out->histograms = fp_arena_alloc(arena, cells, sizeof *out->histograms);
    out->own = fp_arena_alloc(arena, strata, sizeof *out->own);
    if (!out->curves || !out->histograms || !out->own) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count; i++) out->own[out->strata.of_pair[i]]++;
    for (size_t c = 0; c < cells; c++) {
        const fp_measurement *measurement = outcome->measurements + c / strata;
        FP_TRY(fp_stratum_histogram(corpus, &out->strata, c % strata, measurement->distances, out->histograms + c, error));
        FP_TRY(fp_curve_make(out->histograms + c, arena, out->curves + c, error));
    }
    return FP_OK;
}

void fp_strata_outcome_free(fp_strata_outcome *out) {
    for (size_t c = 0; out->histograms && c < out->outcome->count * out->strata.count; c++) fp_histogram_free(out->histograms + c);
}

static void add_names(fp_table *table, const fp_strata_outcome *of, size_t cell) {
    const fp_measurement *measurement = of->outcome->measurements + cell / of->strata.count;
    fp_table_text(table, of->outcome->corpus->name);
    fp_table_text(table, fp_arm_name(measurement->arm));
    fp_table_text(table, of->strata.by);
    fp_table_text(table, of->strata.names[cell % of->strata.count]);
    fp_table_text(table, measurement->arm->instance.layout.scale);
}

fp_table *fp_strata_summary(const fp_strata_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|arm|by|stratum|scale|>pairs|>positives|>negatives|>average_precision|>best_f1|>best_threshold|note", arena);
    for (size_t i = 0; table && i < count; i++) {
        const fp_strata_outcome *of = outcomes + i;
        for (size_t c = 0; c < of->outcome->count * of->strata.count; c++) {
            const fp_curve *curve = of->curves + c;
            size_t own = of->own[c % of->strata.count];
            if (own == 0) continue;
            bool integral = of->outcome->measurements[c / of->strata.count].arm->instance.layout.integral;
            add_names(table, of, c);
            fp_table_count(table, own);
            fp_table_count(table, curve->positives);
            fp_table_count(table, curve->negatives);
            fp_table_real(table, curve->average_precision, 4);
            fp_table_real(table, curve->best_f1, 4);
            fp_table_real(table, curve->best_threshold, integral ? 0 : 2);
            fp_table_text(table, own < FP_STRATUM_SMALL ? "too small" : "");
        }
    }
    return table;
}

fp_table *fp_strata_thresholds(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|arm|by|stratum|scale|>threshold|" FP_RESULT_FIGURES, arena);
    for (size_t i = 0; table && i < results->count; i++) {
        const fp_strata_outcome *of = outcomes + i;
        for (size_t c = 0; c < of->outcome->count * of->strata.count; c++) {
            for (int64_t h = results->first_threshold; of->own[c % of->strata.count] && h <= results->last_threshold; h++) {
                add_names(table, of, c);
                fp_table_count(table, (uint64_t)h);
                fp_results_add_figures(table, fp_confusion_at(of->histograms + c, (double)h), results->confidence);
            }
        }
    }
    return table;
}
