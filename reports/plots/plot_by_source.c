/* SPDX-License-Identifier: GPL-3.0-or-later
 * The largest sources of by-source.tsv. */
#include <inttypes.h>

#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_text.h"
#include "reports/plots/plot_tracking.h"

/* The table has the largest first. */
fp_status fp_plot_by_source_read(const char *directory, fp_arena *arena, fp_plot_by_source *sources, fp_error *error) {
    fp_run_table table;
    *sources = (fp_plot_by_source){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_BY_SOURCE, arena, &table, error));
    size_t named = 0, name = fp_run_table_column(&table, "source");
    fp_plot_bar *shown = fp_arena_alloc(arena, FP_PLOT_MOST_SOURCES, sizeof *shown);
    if (!shown) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        fp_plot_bar bar;
        FP_TRY(fp_plot_bar_read(&table, row, true, &bar, error));
        sources->texts += bar.texts;
        named += fp_run_table_field(&table, row, name).length > 0;
        if (sources->count == FP_PLOT_MOST_SOURCES) continue;
        bar.name = fp_run_table_cell(&table, row, name, arena);
        if (!bar.name.data) return fp_no_memory(error);
        shown[sources->count++] = bar;
    }
    sources->all = table.row_count;
    sources->shown = shown;
    if (named) return FP_OK;
    sources->count = 0;
    fp_fail(error, FP_ERROR_EMPTY, "no text has a source");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

static fp_status write_by_source(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error) {
    const fp_plot_by_source *sources = of;
    fprintf(stream,
            "stem = '%s'\narms = 1\narray label[1] = ['']\nsources = %zu\nsources_in_all = %zu\ntexts_in_all = %" PRIu64
            ".\n",
            draw->stem, sources->count, sources->all, sources->texts);
    fp_plot_write_counts(stream, "from_others", &sources->shown->from_others, sources->count, sizeof *sources->shown);
    fp_plot_write_counts(stream, "taken_up", &sources->shown->taken_up, sources->count, sizeof *sources->shown);
    return fp_plot_bars_write(stream, sources->shown, sources->count, draw->arena, error);
}

fp_status fp_plot_by_source_save(const fp_gnuplot *draw, const fp_plot_by_source *sources, fp_error *error) {
    return fp_gnuplot_describe(draw, "by_source", write_by_source, sources, error);
}
