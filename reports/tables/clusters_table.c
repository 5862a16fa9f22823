/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of clusters. */
#include "reports/tables/clusters_table.h"

#include "reports/tables/results.h"

static fp_table *open_table(fp_arena *arena) {
    const char *columns = "corpus|arm|scale|>threshold";
    for (int kind = 0; kind < FP_AGREEMENT_KINDS && columns; kind++) {
        const char *name = fp_agreement_describe((fp_agreement_kind)kind)->name;
        columns = fp_format(arena, "%s|>%s|>low|>high", columns, name);
    }
    return columns ? fp_table_new(columns, arena) : NULL;
}

static void add_cell(fp_table *table, const fp_clusters_outcome *of, size_t position) {
    fp_results_add_names(table, of->outcome, position / of->threshold_count, true);
    fp_table_count(table, (uint64_t)of->thresholds[position % of->threshold_count]);
    for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++) {
        const fp_estimate *estimate = of->cells[position].agreement + kind;
        fp_table_figure(table, estimate->value, estimate->interval, 3);
    }
}

fp_table *fp_clusters_table(const fp_clusters_outcome *outcomes, size_t count, fp_arena *arena) {
    fp_table *table = open_table(arena);
    for (size_t i = 0; table && i < count; i++)
        for (size_t cell = 0; cell < outcomes[i].outcome->count * outcomes[i].threshold_count; cell++)
            add_cell(table, outcomes + i, cell);
    return table;
}

static void define(const fp_definition *row, FILE *stream) { fprintf(stream, "%s: %s\n", row->name, row->definition); }

void fp_results_define(fp_level level, FILE *stream) {
    define(fp_level_describe(level), stream);
    if (level == FP_LEVEL_CLUSTER) {
        for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
            define(fp_agreement_describe((fp_agreement_kind)kind), stream);
        return;
    }
    static const fp_measure_row *const TOLD[] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1,
                                                 &fp_measure_average_precision};
    for (size_t i = 0; i < sizeof TOLD / sizeof *TOLD; i++)
        define(&(fp_definition){TOLD[i]->name, TOLD[i]->definition}, stream);
}
