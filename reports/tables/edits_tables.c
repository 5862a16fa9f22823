/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances by length and edits. */
#include "reports/tables/edits_tables.h"

#include <math.h>

#include "reports/tables/results.h"

static void add_cell(fp_table *table, const fp_edits_outcome *of, size_t arm, size_t position) {
    const fp_edit_cell *cell = of->of_arm[arm] + position;
    const fp_strata_outcome *divided = of->divided;
    const fp_layout *layout = fp_arm_layout(divided->outcome->measurements[arm].arm);
    size_t stratum = position / FP_EDIT_SHARES, share = position % FP_EDIT_SHARES;
    fp_interval interval = cell->measured.interval;
    fp_results_add_names(table, divided->outcome, arm, true);
    fp_table_text(table, divided->strata.names[stratum]);
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

fp_table *fp_edits_table(const fp_edits_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|scale|length|>lengths|>share_low|>share_high|>pairs|>mean_share|>measured|>measured_low|>measured_high|"
        ">expected|>bounded",
        arena);
    for (size_t i = 0; table && i < count; i++) {
        const fp_edits_outcome *of = outcomes + i;
        size_t cells = of->divided->strata.count * FP_EDIT_SHARES;
        for (size_t arm = 0; of->of_arm && arm < of->divided->outcome->count; arm++)
            for (size_t c = 0; c < cells; c++)
                if (of->of_arm[arm][c].pairs) add_cell(table, of, arm, c);
    }
    return table;
}
