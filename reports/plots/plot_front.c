/* SPDX-License-Identifier: GPL-3.0-or-later
 * pareto.tsv, and what gnuplot is told of it. */
#include "reports/plots/plot_front.h"

#include "reports/plots/plot_text.h"

enum { CORPUS, ARM, OBJECTIVE, FRONT, RECOMMENDED, VALUE, LOW, HIGH, BYTES, TIME, COLUMNS };

static const char *const names[COLUMNS] = {"corpus",
                                           "arm",
                                           "objective",
                                           "front",
                                           "recommended",
                                           "held_out",
                                           "held_out_low",
                                           "held_out_high",
                                           "bytes_per_document",
                                           "microseconds_per_document"};

/* ---- Reading ---- */

static fp_status find_columns(fp_string header, size_t *column, fp_error *error) {
    for (size_t c = 0; c < COLUMNS; c++) column[c] = SIZE_MAX;
    fp_string field;
    for (size_t at = 0; fp_next_field(&header, '\t', &field); at++)
        for (size_t c = 0; c < COLUMNS; c++)
            if (fp_string_equal(field, fp_string_of(names[c]))) column[c] = at;
    for (size_t c = 0; c < COLUMNS; c++)
        if (column[c] == SIZE_MAX) return fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s", names[c]);
    return FP_OK;
}

static bool is_one(fp_string field) { return field.length == 1 && *field.data == '1'; }

static fp_status read_rows(fp_string rest, const char *path, fp_arena *arena, fp_plot_front *front, fp_error *error) {
    fp_string line = {"", 0};
    size_t column[COLUMNS], row = 0;
    fp_plot_front_arm *arms = fp_arena_raw(arena, fp_plot_lines(rest), sizeof *arms);
    if (!arms) return fp_no_memory(error);
    fp_next_line(&rest, &line);
    fp_status status = find_columns(line, column, error);
    if (status != FP_OK) return fp_at(error, status, path, 1, SIZE_MAX);
    for (; fp_next_line(&rest, &line); row++) {
        fp_plot_front_arm arm = {fp_plot_field(line, column[ARM]), row, is_one(fp_plot_field(line, column[FRONT])),
                                 is_one(fp_plot_field(line, column[RECOMMENDED]))};
        if (row == 0)
            front->corpus = fp_plot_field(line, column[CORPUS]),
            front->objective = fp_plot_field(line, column[OBJECTIVE]);
        if (arm.front || arm.recommended) arms[front->count++] = arm;
    }
    front->arms = arms;
    if (front->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "no arm is on the front: nothing was called a duplicate");
    return fp_at(error, FP_ERROR_EMPTY, path, SIZE_MAX, SIZE_MAX);
}

fp_status fp_plot_front_read(const char *directory, fp_arena *arena, fp_plot_front *front, fp_error *error) {
    fp_string content;
    *front = (fp_plot_front){0};
    const char *path = fp_format(arena, "%s/pareto.tsv", directory);
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_read_file(path, arena, &content, error));
    return read_rows(content, path, arena, front, error);
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
    fprintf(stream, "]\narray on_front[arms] = [");
    for (size_t i = 0; i < front->count; i++) fprintf(stream, "%s%d", i ? ", " : "", front->arms[i].front);
    fprintf(stream, "]\narray is_recommended[arms] = [");
    for (size_t i = 0; i < front->count; i++) fprintf(stream, "%s%d", i ? ", " : "", front->arms[i].recommended);
    fprintf(stream, "]\n");
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
