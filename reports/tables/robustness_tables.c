/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms against corruptions, as rows. */
#include "reports/tables/robustness_tables.h"

#include <string.h>

static void add_value(fp_table *table, fp_robust_value value) {
    fp_table_figure(table, value.value, (fp_interval){value.low, value.high}, 4);
}

static void add_cell(fp_table *table, const fp_robustness *of, size_t arm, size_t cell) {
    fp_table_text(table, fp_arm_name(of->arms[arm]));
    fp_table_text(table, of->cells[cell].kind);
    fp_table_exact(table, of->cells[cell].rate);
}

fp_table *fp_robustness_table(const fp_robustness *of, fp_arena *arena) {
    fp_table *table = fp_table_new("arm|kind|>rate|>measured|>corpora|>positives|>negatives|>f1|>f1_low|>f1_high|"
                                   ">recall_at_precision|>recall_at_precision_low|>recall_at_precision_high",
                                   arena);
    for (size_t i = 0; table && i < of->arm_count * of->cell_count; i++) {
        const fp_robust_cell *row = of->results + i;
        add_cell(table, of, row->arm, row->cell);
        fp_table_real(table, (double)row->changes / (double)row->sites, 4);
        fp_table_count(table, of->corpus_count);
        fp_table_count(table, row->positives);
        fp_table_count(table, row->negatives);
        add_value(table, row->f1);
        add_value(table, row->recall);
    }
    return table;
}

fp_table *fp_robustness_parts_table(const fp_robustness *of, fp_arena *arena) {
    fp_table *table = fp_table_new("arm|kind|>rate|corpus|>hash_seed|>f1|>recall_at_precision", arena);
    for (size_t i = 0; table && i < of->part_count; i++) {
        const fp_robust_part *row = of->parts + i;
        add_cell(table, of, row->arm, row->cell);
        fp_table_text(table, of->corpora[row->corpus]);
        fp_table_count(table, row->hash_seed + 1);
        fp_table_real(table, row->f1, 6);
        fp_table_real(table, row->recall, 6);
    }
    return table;
}

fp_table *fp_robustness_thresholds_table(const fp_robustness *of, fp_arena *arena) {
    fp_table *table = fp_table_new("arm|scale|corpus|>hash_seed|>fold|>threshold", arena);
    for (size_t i = 0; table && i < of->threshold_count; i++) {
        const fp_robust_threshold *row = of->thresholds + i;
        fp_table_text(table, fp_arm_name(of->arms[row->arm]));
        fp_table_text(table, of->arms[row->arm]->instance.layout.scale);
        fp_table_text(table, of->corpora[row->corpus]);
        fp_table_count(table, row->hash_seed + 1);
        fp_table_count(table, row->fold + 1);
        fp_table_exact(table, row->threshold);
    }
    return table;
}

/* ---- For a person ---- */

/* The rates of the first kind; all kinds have the same. */
static size_t count_rates(const fp_robustness *of) {
    size_t count = 1;
    while (count < of->cell_count && strcmp(of->cells[count].kind, of->cells[0].kind) == 0) count++;
    return count;
}

static fp_table *open_short(const fp_robustness *of, size_t rates, fp_arena *arena) {
    char *columns = fp_format(arena, "arm");
    for (size_t r = 0; columns && r < rates; r++) columns = fp_format(arena, "%s|>%.3g", columns, of->cells[r].rate);
    if (columns) columns = fp_format(arena, "%s|worst at %.3g|>F1", columns, of->cells[rates - 1].rate);
    return columns ? fp_table_new(columns, arena) : NULL;
}

fp_table *fp_robustness_short(const fp_robustness *of, fp_arena *arena) {
    size_t rates = count_rates(of), kinds = of->cell_count / rates;
    fp_table *table = open_short(of, rates, arena);
    for (size_t a = 0; table && a < of->arm_count; a++) {
        const fp_robust_cell *rows = of->results + a * of->cell_count, *worst = rows + rates - 1;
        fp_table_text(table, fp_arm_name(of->arms[a]));
        for (size_t r = 0; r < rates; r++) {
            double sum = 0;
            for (size_t k = 0; k < kinds; k++) sum += rows[k * rates + r].f1.value;
            fp_table_real(table, sum / (double)kinds, 3);
        }
        for (size_t k = 0; k < kinds; k++)
            if (rows[k * rates + rates - 1].f1.value < worst->f1.value) worst = rows + k * rates + rates - 1;
        fp_table_text(table, of->cells[worst->cell].kind);
        fp_table_real(table, worst->f1.value, 3);
    }
    return table;
}
