/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision against prevalence. */
#include "reports/tables/prevalence_table.h"

#include <math.h>

#include "eval/statistics/best_threshold.h"

static void add_rows(fp_table *table, const fp_prevalence_outcome *of, size_t arm, size_t threshold) {
    for (size_t i = 0; i < of->prevalence_count; i++) {
        const fp_prevalence_point *point = of->arms[arm].points + threshold * of->prevalence_count + i;
        fp_results_add_names(table, of->outcome, arm, true);
        fp_table_exact(table, of->thresholds[threshold]);
        fp_table_count(table, threshold == of->arms[arm].best);
        fp_table_exact(table, point->prevalence);
        fp_table_count(table, i == of->stated);
        fp_table_figure(table, point->precision.value, point->precision.interval, 4);
    }
}

fp_table *fp_prevalence_table(const fp_prevalence_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = fp_table_new(
        "corpus|arm|scale|>threshold|>best|>prevalence|>stated|>precision|>precision_low|>precision_high", arena);
    for (size_t i = 0; table && i < count; i++) {
        const fp_prevalence_outcome *of = outcomes + i;
        for (size_t cell = 0; cell < of->outcome->count * of->threshold_count; cell++) {
            size_t arm = cell / of->threshold_count, threshold = cell % of->threshold_count;
            bool listed = fp_threshold_position(of->list, of->listed, of->thresholds[threshold]) < of->listed;
            if (listed || of->arms[arm].best == threshold) add_rows(table, of, arm, threshold);
        }
    }
    return table;
}

static void add_short(fp_table *table, const fp_estimate *estimate) {
    fp_table_interval(table, estimate->value, estimate->interval, 3);
}

fp_table *fp_prevalence_short(const fp_prevalence_outcome *of, fp_arena *arena) {
    const fp_curve *curve = of->outcome->curves;
    double own = (double)curve->positives / (double)(curve->positives + curve->negatives);
    const char *columns =
        fp_format(arena, "arm|>threshold|>at %.3g (the set)|>at %g", own, of->prevalences[of->stated]);
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (size_t arm = 0; table && arm < of->outcome->count; arm++) {
        const fp_prevalence_arm *measures = of->arms + arm;
        const fp_measurement *measurement = of->outcome->measurements + arm;
        bool any = measures->best < of->threshold_count;
        fp_table_text(table, fp_arm_name(measurement->arm));
        fp_table_real(table, any ? of->thresholds[measures->best] : NAN,
                      measurement->arm->instance.layout.integral ? 0 : 2);
        add_short(table, &measures->own);
        fp_estimate none = {.value = NAN};
        add_short(table, any ? &measures->points[measures->best * of->prevalence_count + of->stated].precision : &none);
    }
    return table;
}
