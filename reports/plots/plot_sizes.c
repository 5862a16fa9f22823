/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many clusters there are of each size. */
#include <inttypes.h>

#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_tracking.h"

fp_status fp_plot_sizes_read(const char *directory, fp_arena *arena, fp_plot_sizes *sizes, fp_error *error) {
    fp_run_table table;
    *sizes = (fp_plot_sizes){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_CLUSTER_SIZES, arena, &table, error));
    size_t texts = fp_run_table_column(&table, "texts"), clusters = fp_run_table_column(&table, "clusters");
    struct fp_plot_size *rows = fp_arena_alloc(arena, table.row_count + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        FP_TRY(fp_plot_table_count(&table, row, texts, &rows[row].texts, error));
        FP_TRY(fp_plot_table_count(&table, row, clusters, &rows[row].clusters, error));
        if (rows[row].texts == 0 || rows[row].clusters == 0) {
            fp_fail(error, FP_ERROR_SYNTAX, "a cluster has texts, and a size has clusters");
            return fp_run_table_at(&table, row, FP_ERROR_SYNTAX, error);
        }
        sizes->clusters += rows[row].clusters;
        sizes->texts += rows[row].clusters * rows[row].texts;
    }
    sizes->count = table.row_count;
    sizes->rows = rows;
    if (sizes->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "there is no cluster");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

/* The script reads the table itself, which may have thousands of rows. */
static fp_status write_sizes(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error) {
    const fp_plot_sizes *sizes = of;
    uint64_t most_texts = 0, most_clusters = 0;
    (void)error;
    for (size_t i = 0; i < sizes->count; i++) {
        if (sizes->rows[i].texts > most_texts) most_texts = sizes->rows[i].texts;
        if (sizes->rows[i].clusters > most_clusters) most_clusters = sizes->rows[i].clusters;
    }
    fprintf(stream,
            "directory = here.'..'\nstem = '%s'\narms = 1\narray label[1] = ['']\nclusters_in_all = %" PRIu64
            ".\ntexts_in_all = %" PRIu64 ".\nmost_texts = %" PRIu64 ".\nmost_clusters = %" PRIu64 ".\n",
            draw->stem, sizes->clusters, sizes->texts, most_texts, most_clusters);
    return FP_OK;
}

fp_status fp_plot_sizes_save(const fp_gnuplot *draw, const fp_plot_sizes *sizes, fp_error *error) {
    return fp_gnuplot_describe(draw, "sizes", write_sizes, sizes, error);
}
