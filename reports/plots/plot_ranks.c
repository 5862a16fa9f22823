/* SPDX-License-Identifier: GPL-3.0-or-later
 * ranks.tsv, and what gnuplot is told of it. */
#include "reports/plots/plot_ranks.h"

#include "reports/plots/plot_text.h"

/* ---- Reading ---- */

/* The arm stands first; the script finds the others by name. */
static fp_status check_header(fp_string header, fp_error *error) {
    static const char *const columns[] = {
        "arm", "average_precision", "mean_rank", "corpora", "critical_difference", "friedman_p", NULL};
    fp_string rest = header, first = {"", 0};
    const char *lacks = fp_plot_lacks(header, columns);
    if (lacks) return fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s", lacks);
    if (fp_next_field(&rest, '\t', &first) && fp_string_equal(first, fp_string_of(columns[0]))) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the first column is not %s", columns[0]);
}

fp_status fp_plot_ranks_read(const char *directory, fp_arena *arena, fp_plot_ranks *ranks, fp_error *error) {
    fp_string rest, line = {"", 0};
    *ranks = (fp_plot_ranks){0};
    const char *path = fp_format(arena, "%s/ranks.tsv", directory);
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_read_file(path, arena, &rest, error));
    fp_string *labels = fp_arena_alloc(arena, fp_plot_lines(rest) + 1, sizeof *labels);
    if (!labels) return fp_no_memory(error);
    fp_next_line(&rest, &line);
    fp_status status = check_header(line, error);
    if (status != FP_OK) return fp_at(error, status, path, 1, SIZE_MAX);
    while (fp_next_line(&rest, &line)) fp_next_field(&line, '\t', labels + ranks->count++);
    ranks->labels = labels;
    if (ranks->count >= 2) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "fewer than two arms");
    return fp_at(error, FP_ERROR_EMPTY, path, SIZE_MAX, SIZE_MAX);
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
