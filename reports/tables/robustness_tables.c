/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of arms against corruptions. */
#include "reports/tables/results.h"

#include <string.h>

static void add_cell(fp_table *table, const fp_robustness *of, size_t arm, size_t cell) {
    FP_TABLE_TEXTS(table, fp_arm_name(of->arms[arm]), of->cells[cell].kind);
    fp_table_put(table, of->cells[cell].rate);
}

fp_table *fp_robustness_table(const fp_robustness *of, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_ROBUSTNESS, arena);
    for (size_t i = 0; i < of->arm_count * of->cell_count; i++) {
        const fp_robust_cell *row = of->results + i;
        add_cell(table, of, row->arm, row->cell);
        FP_TABLE_PUT(table, (double)row->changes / (double)row->sites, (double)of->corpus_count, (double)row->positives,
                     (double)row->negatives);
        FP_TABLE_FIGURE(table, row->f1);
        FP_TABLE_FIGURE(table, row->recall);
    }
    return table;
}

fp_table *fp_robustness_parts_table(const fp_robustness *of, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_ROBUSTNESS_PARTS, arena);
    for (size_t i = 0; i < of->part_count; i++) {
        const fp_robust_part *row = of->parts + i;
        add_cell(table, of, row->arm, row->cell);
        fp_table_text(table, of->corpora[row->corpus]);
        FP_TABLE_PUT(table, (double)(row->hash_seed + 1), row->f1, row->recall);
    }
    return table;
}

fp_table *fp_robustness_thresholds_table(const fp_robustness *of, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_ROBUSTNESS_THRESHOLDS, arena);
    for (size_t i = 0; i < of->threshold_count; i++) {
        const fp_robust_threshold *row = of->thresholds + i;
        FP_TABLE_TEXTS(table, fp_arm_name(of->arms[row->arm]), of->arms[row->arm]->instance.layout.scale,
                       of->corpora[row->corpus]);
        FP_TABLE_PUT(table, (double)(row->hash_seed + 1), (double)(row->fold + 1), row->threshold);
    }
    return table;
}

/* ---- Readable table ---- */

/* Number of rates of the first kind; all kinds have the same rates. */
static size_t count_rates(const fp_robustness *of) {
    size_t count = 1;
    while (count < of->cell_count && strcmp(of->cells[count].kind, of->cells[0].kind) == 0) count++;
    return count;
}

fp_table *fp_robustness_short(const fp_robustness *of, fp_arena *arena) {
    size_t rates = count_rates(of), kinds = of->cell_count / rates;
    const char *columns = "arm";
    for (size_t r = 0; r < rates; r++) columns = fp_format(arena, "%s|>%.3g", columns, of->cells[r].rate);
    columns = fp_format(arena, "%s|worst at %.3g|>F1", columns, of->cells[rates - 1].rate);
    fp_table *table = fp_table_new(columns, arena);
    for (size_t a = 0; a < of->arm_count; a++) {
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
