/* SPDX-License-Identifier: GPL-3.0-or-later
 * ranks.tsv, and what gnuplot is told of it. */
#include "reports/plots/plot_ranks.h"

#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_text.h"

/* ---- Reading ---- */

fp_status fp_plot_ranks_read(const char *directory, fp_arena *arena, fp_plot_ranks *ranks, fp_error *error) {
    fp_run_table table;
    *ranks = (fp_plot_ranks){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_RANKS, arena, &table, error));
    fp_string *labels = fp_arena_alloc(arena, table.row_count + 1, sizeof *labels);
    if (!labels) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        labels[row] = fp_run_table_cell(&table, row, 0, arena);
        if (!labels[row].data) return fp_no_memory(error);
    }
    *ranks = (fp_plot_ranks){table.row_count, labels};
    if (ranks->count >= 2) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "fewer than two arms");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

/* ---- Writing ---- */

static fp_status write_ranks(FILE *stream, const fp_gnuplot *draw, const fp_plot_ranks *ranks, fp_error *error) {
    fprintf(
        stream,
        "# The arms of ranks.tsv, row by row, for the figure ranks.gp. Labels may be changed. To draw, in this directory:\n"
        "#   gnuplot %s-order.gp ranks.gp\n"
        "#   gnuplot -e \"format = 'svg'\" %s-order.gp ranks.gp\n",
        draw->stem, draw->stem);
    FP_TRY(fp_gnuplot_head(stream, draw->options, draw->arena, error));
    fprintf(stream, "directory = here.'..'\nstem = '%s'\narms = %zu\n", draw->stem, ranks->count);
    return fp_plot_write_texts(stream, "label", ranks->labels, ranks->count, sizeof *ranks->labels, draw->arena, error);
}

fp_status fp_plot_ranks_save(const fp_gnuplot *draw, const fp_plot_ranks *ranks, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = write_ranks(output.stream, draw, ranks, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}
