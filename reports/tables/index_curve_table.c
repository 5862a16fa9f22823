/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an index brings of pairs of a similarity, as tables. */
#include "reports/tables/index_curve_table.h"

static void add_names(fp_table *table, const fp_index_outcome *of, size_t arm) {
    const fp_recall_loss_arm *from = of->lost->arms + arm;
    fp_table_text(table, of->lost->corpus->name);
    fp_table_text(table, fp_arm_name(from->measurement->arm));
    fp_table_text(table, from->index);
}

static void add_bins(fp_table *table, const fp_index_outcome *of, size_t arm) {
    const fp_index_curve *curve = of->curves + arm;
    for (size_t b = 0; b < curve->bin_count; b++) {
        const fp_index_bin *bin = curve->bins + b;
        add_names(table, of, arm);
        fp_table_real(table, bin->low, 1);
        fp_table_real(table, bin->high, 1);
        fp_table_count(table, bin->pairs);
        fp_table_real(table, bin->similarity, 3);
        fp_table_figure(table, bin->brought.value, bin->brought.interval, 3);
        fp_table_real(table, bin->expected, 3);
    }
}

fp_table *fp_index_table(const fp_index_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|index|>low|>high|>pairs|>similarity|>brought|>brought_low|>brought_high|>expected", arena);
    for (size_t i = 0; table && i < count; i++)
        for (size_t arm = 0; arm < outcomes[i].lost->arm_count; arm++) add_bins(table, outcomes + i, arm);
    return table;
}

static void add_points(fp_table *table, const fp_index_outcome *of, size_t arm) {
    for (size_t i = 0; i < FP_INDEX_POINTS; i++) {
        const fp_index_point *point = of->curves[arm].points + i;
        add_names(table, of, arm);
        fp_table_text(table, fp_arm_measure(of->lost->arms[arm].measurement->arm));
        fp_table_real(table, point->similarity, 3);
        fp_table_real(table, point->expected, 3);
    }
}

fp_table *fp_index_curve_table(const fp_index_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|arm|index|measure|>similarity|>expected", arena);
    for (size_t i = 0; table && i < count; i++)
        for (size_t arm = 0; arm < outcomes[i].lost->arm_count; arm++)
            if (outcomes[i].curves[arm].bin_count) add_points(table, outcomes + i, arm);
    return table;
}
