/* SPDX-License-Identifier: GPL-3.0-or-later
 * The largest sources of sources.tsv. */
#include <inttypes.h>

#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_text.h"
#include "reports/plots/plot_tracking.h"

static fp_status read_source(const fp_run_table *table, size_t row, fp_arena *arena, fp_plot_bar *to, fp_error *error) {
    const struct {
        const char *name;
        uint64_t *count;
    } counts[] = {{"texts", &to->texts},
                  {"duplicates", &to->duplicates},
                  {"from_others", &to->from_others},
                  {"taken_up", &to->taken_up}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        FP_TRY(fp_plot_table_count(table, row, fp_run_table_column(table, counts[i].name), counts[i].count, error));
    to->name = fp_run_table_cell(table, row, fp_run_table_column(table, "source"), arena);
    return to->name.data ? FP_OK : fp_no_memory(error);
}

/* The table has the largest first. */
fp_status fp_plot_sources_read(const char *directory, fp_arena *arena, fp_plot_sources *sources, fp_error *error) {
    fp_run_table table;
    *sources = (fp_plot_sources){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_SOURCES, arena, &table, error));
    size_t texts = fp_run_table_column(&table, "texts"), source = fp_run_table_column(&table, "source"), named = 0;
    fp_plot_bar *shown = fp_arena_alloc(arena, FP_PLOT_MOST_SOURCES, sizeof *shown);
    if (!shown) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        uint64_t count;
        FP_TRY(fp_plot_table_count(&table, row, texts, &count, error));
        sources->texts += count;
        named += fp_run_table_field(&table, row, source).length > 0;
        if (sources->count < FP_PLOT_MOST_SOURCES)
            FP_TRY(read_source(&table, row, arena, shown + sources->count++, error));
    }
    sources->all = table.row_count;
    sources->shown = shown;
    if (named) return FP_OK;
    sources->count = 0;
    fp_fail(error, FP_ERROR_EMPTY, "no text has a source");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

static fp_status write_sources(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error) {
    const fp_plot_sources *sources = of;
    fprintf(stream,
            "stem = '%s'\narms = 1\narray label[1] = ['']\nsources = %zu\nsources_in_all = %zu\ntexts_in_all = %" PRIu64
            ".\n",
            draw->stem, sources->count, sources->all, sources->texts);
    fp_plot_write_counts(stream, "texts", &sources->shown->texts, sources->count, sizeof *sources->shown);
    fp_plot_write_counts(stream, "duplicates", &sources->shown->duplicates, sources->count, sizeof *sources->shown);
    fp_plot_write_counts(stream, "from_others", &sources->shown->from_others, sources->count, sizeof *sources->shown);
    fp_plot_write_counts(stream, "taken_up", &sources->shown->taken_up, sources->count, sizeof *sources->shown);
    return fp_plot_write_texts(stream, "name", &sources->shown->name, sources->count, sizeof *sources->shown,
                               draw->arena, error);
}

fp_status fp_plot_sources_save(const fp_gnuplot *draw, const fp_plot_sources *sources, fp_error *error) {
    return fp_gnuplot_describe(draw, "sources", write_sources, sources, error);
}
