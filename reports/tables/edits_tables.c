/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances by length and edits. */
#include "reports/tables/edits_tables.h"

#include <math.h>

#include "eval/analysis/edit_cells.h"
#include "eval/analysis/expected.h"

typedef struct writer {
    fp_table *table;
    const fp_strata_outcome *of;
    const fp_measurement *measurement;
} writer;

static void add_cell(const writer *to, size_t stratum, size_t share, const fp_edit_cell *cell) {
    fp_table *table = to->table;
    const fp_layout *layout = &to->measurement->arm->instance.layout;
    fp_interval interval = cell->measured.interval;
    fp_table_text(table, to->of->outcome->corpus->name);
    fp_table_text(table, fp_arm_name(to->measurement->arm));
    fp_table_text(table, layout->scale);
    fp_table_text(table, to->of->strata.names[stratum]);
    fp_table_count(table, stratum + 1);
    fp_table_real(table, fp_edit_shares[share], 2);
    fp_table_real(table, fp_edit_shares[share + 1], 2);
    fp_table_count(table, cell->pairs);
    fp_table_real(table, cell->mean_share, 4);
    fp_table_real(table, cell->measured.value, 2);
    fp_table_real(table, isnan(interval.low) ? NAN : fmax(0, interval.low), 2);
    fp_table_real(table, isnan(interval.high) ? NAN : fmin(layout->maximum, interval.high), 2);
    fp_table_real(table, cell->expected, 2);
    fp_table_count(table, cell->bounded);
}

static fp_status add_arm(const writer *to, const fp_edits *edits, const fp_measurement *counterpart, double confidence,
                         const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = to->of->outcome->corpus;
    const fp_strata *strata = &to->of->strata;
    double *expected;
    fp_edit_cell *cells;
    FP_TRY(fp_expected_distances(to->measurement->arm, counterpart, corpus->pair_count, progress, arena, &expected,
                                 error));
    FP_TRY(fp_edit_cells_make(corpus, strata, edits, to->measurement->distances, expected, confidence, arena, &cells,
                              error));
    for (size_t c = 0; c < strata->count * FP_EDIT_SHARES; c++)
        if (cells[c].pairs) add_cell(to, c / FP_EDIT_SHARES, c % FP_EDIT_SHARES, cells + c);
    return FP_OK;
}

fp_status fp_results_edits(const fp_results *results, const fp_strata_outcome *outcomes, const fp_progress *progress,
                           fp_arena *arena, fp_table **table, fp_error *error) {
    *table = fp_table_new(
        "corpus|arm|scale|length|>lengths|>share_low|>share_high|>pairs|>mean_share|>measured|>measured_low|>measured_high|"
        ">expected|>bounded",
        arena);
    if (!*table) return fp_no_memory(error);
    for (size_t i = 0; i < results->count; i++) {
        const fp_outcome *outcome = outcomes[i].outcome;
        fp_edits *edits;
        if (outcome->corpus->truth != FP_TRUTH_PAIRS) continue; /* pairs of groups are not listed */
        FP_TRY(fp_edits_of_pairs(outcome->corpus, progress, arena, &edits, error));
        for (size_t arm = 0; arm < outcome->count; arm++) {
            writer to = {*table, outcomes + i, outcome->measurements + arm};
            const fp_measurement *exact = outcome->counterparts ? outcome->counterparts->of_arm[arm] : NULL;
            FP_TRY(add_arm(&to, edits, exact, results->confidence, progress, arena, error));
        }
    }
    return FP_OK;
}
