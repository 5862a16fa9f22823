/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an index brings of pairs of a similarity, as tables. */
#include "reports/tables/index_curve_table.h"

#include <math.h>
#include <string.h>

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
        fp_table_real(table, bin->brought.value, 3);
        fp_table_real(table, bin->brought.interval.low, 3);
        fp_table_real(table, bin->brought.interval.high, 3);
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

/* A cosine's points lie evenly over the angle, since the curve is steep near 1. */
static void add_points(fp_table *table, const fp_index_outcome *of, size_t arm) {
    enum { POINTS = 200 };
    const fp_recall_loss_arm *from = of->lost->arms + arm;
    const char *measure = fp_arm_measure(from->measurement->arm);
    bool angle = strcmp(measure, "cosine") == 0;
    for (int i = 0; i <= POINTS; i++) {
        double share = (double)i / POINTS, similarity = i == 0 ? 0 : angle ? cos(M_PI / 2 * (1 - share)) : share;
        add_names(table, of, arm);
        fp_table_text(table, measure);
        fp_table_real(table, similarity, 3);
        fp_table_real(table, fp_index_curve_at(from, similarity), 3);
    }
}

fp_table *fp_index_curve_table(const fp_index_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new("corpus|arm|index|measure|>similarity|>expected", arena);
    for (size_t i = 0; table && i < count; i++)
        for (size_t arm = 0; arm < outcomes[i].lost->arm_count; arm++)
            if (outcomes[i].curves[arm].bin_count) add_points(table, outcomes + i, arm);
    return table;
}
