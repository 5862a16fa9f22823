/* SPDX-License-Identifier: GPL-3.0-or-later
 * What gnuplot is told of a banding: it draws the curves from the formula. */
#include "reports/plots/plot_plan.h"

#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_script.h"

/* ---- Reading ---- */

static fp_status read_count(const fp_run_table *table, size_t row, const char *column, unsigned *count,
                            fp_error *error) {
    enum { DIGITS = 12 };
    char text[DIGITS];
    int64_t value = 0;
    fp_string field = fp_run_table_field(table, row, fp_run_table_column(table, column));
    snprintf(text, sizeof text, "%.*s", (int)(field.length < DIGITS ? field.length : DIGITS), field.data);
    if (field.length < DIGITS && fp_parse_integer(text, &value) && value >= 1 && value <= INT32_MAX) {
        *count = (unsigned)value;
        return FP_OK;
    }
    fp_fail(error, FP_ERROR_SYNTAX, "%s is not a count", column);
    return fp_run_table_at(table, row, FP_ERROR_SYNTAX, error);
}

fp_status fp_plot_banding_read(const char *directory, fp_arena *arena, fp_plot_banding *banding, fp_error *error) {
    fp_run_table table;
    *banding = (fp_plot_banding){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_BANDING, arena, &table, error));
    fp_banding *choices = fp_arena_alloc(arena, table.row_count + 1, sizeof *choices);
    if (!choices) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        FP_TRY(read_count(&table, row, "bands", &choices[row].bands, error));
        FP_TRY(read_count(&table, row, "rows", &choices[row].rows, error));
    }
    banding->count = table.row_count;
    banding->choices = choices;
    if (banding->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "no choice of bands and rows");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

/* A number that may be null, then 0. */
static fp_status read_number(const fp_json *definitions, const char *name, double *number, fp_error *error) {
    const fp_json *value = fp_json_member(definitions, name);
    *number = 0;
    if (!value) return fp_fail(error, FP_ERROR_SYNTAX, "definitions lack %s, which the figure banding needs", name);
    return value->type == FP_JSON_NULL ? FP_OK : fp_json_real(value, name, number, error);
}

fp_status fp_plot_banding_define(fp_plot_banding *banding, const fp_json *definitions, fp_error *error) {
    double slots, slot_bits;
    fp_banding_goal *goal = &banding->goal;
    FP_TRY(read_number(definitions, "slots", &slots, error));
    FP_TRY(read_number(definitions, "slot_bits", &slot_bits, error));
    FP_TRY(read_number(definitions, "similarity", &goal->similarity, error));
    FP_TRY(read_number(definitions, "recall", &goal->recall, error));
    if (!(slots >= 1 && slots <= INT32_MAX && slot_bits >= 0 && slot_bits <= 64))
        return fp_fail(error, FP_ERROR_RANGE, "definitions have no banding: %g slots of %g bits", slots, slot_bits);
    goal->slots = (unsigned)slots;
    goal->slot_bits = (unsigned)slot_bits;
    return FP_OK;
}

/* ---- Writing ---- */

static void write_counts(FILE *stream, const char *name, const fp_banding *choices, size_t count, bool rows) {
    fprintf(stream, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%u", i ? ", " : "", rows ? choices[i].rows : choices[i].bands);
    fprintf(stream, "]\n");
}

static fp_status write_choices(FILE *stream, const fp_gnuplot *draw, const fp_plot_banding *banding, fp_error *error) {
    const fp_banding_goal *goal = &banding->goal;
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
    write_counts(stream, "bands", banding->choices, banding->count, false);
    write_counts(stream, "rows", banding->choices, banding->count, true);
    return FP_OK;
}

fp_status fp_plot_banding_save(const fp_gnuplot *draw, const fp_plot_banding *banding, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = write_choices(output.stream, draw, banding, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}

/* ---- designs.tsv, and what gnuplot is told of it ---- */

/* ---- Reading ---- */

static bool is_one(fp_string field) { return field.length == 1 && *field.data == '1'; }

fp_status fp_plot_designs_read(const char *directory, fp_arena *arena, fp_plot_designs *designs, fp_error *error) {
    fp_run_table table;
    *designs = (fp_plot_designs){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_DESIGNS, arena, &table, error));
    size_t label = fp_run_table_column(&table, "design"), front = fp_run_table_column(&table, "front"),
           recommended = fp_run_table_column(&table, "recommended");
    fp_plot_design *rows = fp_arena_alloc(arena, table.row_count + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    for (size_t row = 0; row < table.row_count; row++) {
        rows[row] = (fp_plot_design){fp_run_table_cell(&table, row, label, arena),
                                     is_one(fp_run_table_field(&table, row, front)),
                                     is_one(fp_run_table_field(&table, row, recommended))};
        if (!rows[row].label.data) return fp_no_memory(error);
    }
    designs->count = table.row_count;
    designs->rows = rows;
    if (designs->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "no design of an index");
    return fp_at(error, FP_ERROR_EMPTY, table.path, SIZE_MAX, SIZE_MAX);
}

/* A number that may be null, then 0. */
static fp_status read_design_number(const fp_json *definitions, const char *name, double *number, fp_error *error) {
    const fp_json *value = fp_json_member(definitions, name);
    *number = 0;
    if (!value) return fp_fail(error, FP_ERROR_SYNTAX, "definitions lack %s, which the figure designs needs", name);
    return value->type == FP_JSON_NULL ? FP_OK : fp_json_real(value, name, number, error);
}

fp_status fp_plot_designs_define(fp_plot_designs *designs, const fp_json *definitions, fp_error *error) {
    FP_TRY(read_design_number(definitions, "bits", &designs->bits, error));
    FP_TRY(read_design_number(definitions, "distance", &designs->distance, error));
    FP_TRY(read_design_number(definitions, "fingerprints", &designs->fingerprints, error));
    return read_design_number(definitions, "most_bytes", &designs->most_bytes, error);
}

/* ---- Writing ---- */

static void write_flags(FILE *stream, const char *name, const fp_plot_designs *designs, bool recommended) {
    fprintf(stream, "array %s[arms] = [", name);
    for (size_t i = 0; i < designs->count; i++)
        fprintf(stream, "%s%d", i ? ", " : "", recommended ? designs->rows[i].recommended : designs->rows[i].front);
    fprintf(stream, "]\n");
}

static fp_status write_designs(FILE *stream, const fp_gnuplot *draw, const fp_plot_designs *designs, fp_error *error) {
    fprintf(stream,
            "# The rows of designs.tsv, for the figure designs.gp. Labels may be changed. To draw, in this directory:\n"
            "#   gnuplot %s-rows.gp designs.gp\n"
            "#   gnuplot -e \"format = 'svg'\" %s-rows.gp designs.gp\n",
            draw->stem, draw->stem);
    FP_TRY(fp_gnuplot_head(stream, draw->options, draw->arena, error));
    fprintf(stream,
            "directory = here.'..'\nstem = '%s'\nbits = %.17g\ndistance = %.17g\nfingerprints = %.17g\n"
            "most_bytes = %.17g # 0: no limit\narms = %zu\n",
            draw->stem, designs->bits, designs->distance, designs->fingerprints, designs->most_bytes, designs->count);
    FP_TRY(fp_plot_write_texts(stream, "label", &designs->rows->label, designs->count, sizeof *designs->rows,
                               draw->arena, error));
    write_flags(stream, "on_front", designs, false);
    write_flags(stream, "is_recommended", designs, true);
    return FP_OK;
}

fp_status fp_plot_designs_save(const fp_gnuplot *draw, const fp_plot_designs *designs, fp_error *error) {
    const char *path = fp_format(draw->arena, "%s/%s", draw->directory, draw->arms);
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_output_open(&output, path, error));
    fp_status status = write_designs(output.stream, draw, designs, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}
