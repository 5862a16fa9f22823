/* SPDX-License-Identifier: GPL-3.0-or-later
 * What gnuplot is told of a banding: it draws the curves from the formula. */
#include "reports/plots/plot_banding.h"

#include <math.h>

static void write_counts(FILE *stream, const char *name, const fp_banding_choice *choices, size_t count, bool rows) {
    fprintf(stream, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%u", i ? ", " : "", rows ? choices[i].banding.rows : choices[i].banding.bands);
    fprintf(stream, "]\n");
}

static fp_status write_choices(FILE *stream, const fp_gnuplot *draw, const fp_banding_goal *goal,
                               const fp_banding_choice *choices, size_t count, fp_error *error) {
    fprintf(
        stream,
        "# A choice of bands and rows, and those that come close, for the figure banding.gp. To draw, in this directory:\n"
        "#   gnuplot %s-choice.gp banding.gp\n"
        "#   gnuplot -e \"format = 'svg'\" %s-choice.gp banding.gp\n",
        draw->stem, draw->stem);
    FP_TRY(fp_gnuplot_head(stream, draw->options, draw->arena, error));
    fprintf(stream,
            "stem = '%s'\narms = 1\narray label[1] = ['']\n"
            "target = %.17g # similarity\nrecall = %.17g # least, at the target; 0: none was asked for\n"
            "chance = %.17g # that slots of sets that share nothing agree\nslots = %u # at most\n",
            draw->stem, goal->similarity, goal->recall, fp_banding_slot(0, goal->slot_bits), goal->slots);
    write_counts(stream, "bands", choices, count, false);
    write_counts(stream, "rows", choices, count, true);
    return FP_OK;
}

fp_status fp_plot_banding_save(const fp_gnuplot *draw, const fp_banding_goal *goal, const fp_banding_choice *choices,
                               size_t count, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = write_choices(output.stream, draw, goal, choices, count, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}
