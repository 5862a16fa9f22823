/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bars of texts and duplicates, as a table of tracking has them and as gnuplot is told of them. */
#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_text.h"
#include "reports/plots/plot_tracking.h"

fp_status fp_plot_bar_read(const fp_run_table *table, size_t row, bool between, fp_plot_bar *bar, fp_error *error) {
    *bar = (fp_plot_bar){0};
    const struct {
        const char *name;
        uint64_t *count;
    } counts[] = {{"texts", &bar->texts},
                  {"duplicates", &bar->duplicates},
                  {"from_others", &bar->from_others},
                  {"taken_up", &bar->taken_up}};
    for (size_t i = 0; i < (between ? 4 : 2); i++)
        FP_TRY(fp_plot_table_count(table, row, fp_run_table_column(table, counts[i].name), counts[i].count, error));
    if (bar->duplicates <= bar->texts) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "more duplicates than texts");
    return fp_run_table_at(table, row, FP_ERROR_SYNTAX, error);
}

fp_status fp_plot_bars_write(FILE *stream, const fp_plot_bar *bars, size_t count, fp_arena *arena, fp_error *error) {
    fp_plot_write_counts(stream, "texts", &bars->texts, count, sizeof *bars);
    fp_plot_write_counts(stream, "duplicates", &bars->duplicates, count, sizeof *bars);
    return fp_plot_write_texts(stream, "name", &bars->name, count, sizeof *bars, arena, error);
}
