/* SPDX-License-Identifier: GPL-3.0-or-later
 * pareto.tsv, and what gnuplot is told of it. */
#include "reports/plots/plot_front.h"

#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_text.h"

/* ---- Reading ---- */

static bool is_one(fp_string field) { return field.length == 1 && *field.data == '1'; }

fp_status fp_plot_front_read(const char *directory, fp_arena *arena, fp_plot_front *front, fp_error *error) {
    fp_run_table table;
    *front = (fp_plot_front){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_PARETO, arena, &table, error));
    size_t label = fp_run_table_column(&table, "arm"), is_front = fp_run_table_column(&table, "front"),
           recommended = fp_run_table_column(&table, "recommended");
    fp_plot_front_arm *arms = fp_arena_raw(arena, table.row_count + 1, sizeof *arms);
    if (!arms) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        fp_plot_front_arm arm = {fp_run_table_cell(&table, row, label, arena), row,
                                 is_one(fp_run_table_field(&table, row, is_front)),
                                 is_one(fp_run_table_field(&table, row, recommended))};
        if (!arm.label.data) return fp_no_memory(error);
        if (arm.front || arm.recommended) arms[front->count++] = arm;
    }
    front->arms = arms;
    front->times_told = fp_run_table_column(&table, "microseconds_most") != SIZE_MAX;
    if (front->count == 0) {
        fp_fail(error, FP_ERROR_EMPTY, "no arm is on the front: nothing was called a duplicate");
        return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
    }
    front->corpus = fp_run_table_cell(&table, 0, fp_run_table_column(&table, "corpus"), arena);
    front->objective = fp_run_table_cell(&table, 0, fp_run_table_column(&table, "objective"), arena);
    return front->corpus.data && front->objective.data ? FP_OK : fp_no_memory(error);
}

/* ---- Writing ---- */

static fp_status write_front(FILE *stream, const fp_gnuplot *draw, const fp_plot_front *front, double confidence,
                             fp_error *error) {
    fp_arena *arena = draw->arena;
    const char *corpus = fp_plot_quote_field(front->corpus, arena),
               *objective = fp_plot_quote_field(front->objective, arena);
    if (!corpus || !objective) return fp_no_memory(error);
    fprintf(stream,
            "# The arms of the front, for the figure pareto.gp. Labels may be changed. To draw, in this directory:\n"
            "#   gnuplot %s-front.gp pareto.gp\n"
            "#   gnuplot -e \"format = 'svg'\" %s-front.gp pareto.gp\n",
            draw->stem, draw->stem);
    FP_TRY(fp_gnuplot_head(stream, draw->options, arena, error));
    fprintf(stream, "directory = here.'..'\nstem = '%s'\ncorpus = %s\nobjective = %s\n", draw->stem, corpus, objective);
    fprintf(stream, "confidence = %g # of the intervals; 0: not known\narms = %zu\n", confidence, front->count);
    FP_TRY(fp_plot_write_texts(stream, "label", &front->arms->label, front->count, sizeof *front->arms, arena, error));
    fprintf(stream,
            "# Where they stand in pareto.tsv: rows are counted from 0, the header apart.\narray arm_row[arms] = [");
    for (size_t i = 0; i < front->count; i++) fprintf(stream, "%s%zu", i ? ", " : "", front->arms[i].row);
    fprintf(stream, "]\narray is_recommended[arms] = [");
    for (size_t i = 0; i < front->count; i++) fprintf(stream, "%s%d", i ? ", " : "", front->arms[i].recommended);
    fprintf(stream, "]\ntimes_told = %d # 1: the table has microseconds_most\n", front->times_told);
    return FP_OK;
}

fp_status fp_plot_front_save(const fp_gnuplot *draw, const fp_plot_front *front, double confidence, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = write_front(output.stream, draw, front, confidence, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}
