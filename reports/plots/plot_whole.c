/* SPDX-License-Identifier: GPL-3.0-or-later
 * A figure of a whole run: which reader, which name, which script. */
#include "reports/plots/plot_whole.h"

#include "corpora/corruption/corruption.h"
#include "reports/plots/plot_script.h"
#include "reports/plots/plot_tables.h"

fp_status fp_plot_whole_read(fp_plot_whole *whole, int table, const char *directory, fp_arena *arena, fp_error *error) {
    switch (table) {
    case FP_PLOT_RANKS: return fp_plot_ranks_read(directory, arena, &whole->ranks, error);
    case FP_PLOT_PARETO: return fp_plot_front_read(directory, arena, &whole->front, error);
    case FP_PLOT_BANDING: return fp_plot_banding_read(directory, arena, &whole->banding, error);
    case FP_PLOT_DESIGNS: return fp_plot_designs_read(directory, arena, &whole->designs, error);
    case FP_PLOT_BY_DAY: return fp_plot_by_day_read(directory, arena, &whole->days, error);
    case FP_PLOT_BY_SOURCE: return fp_plot_by_source_read(directory, arena, &whole->sources, error);
    case FP_PLOT_CLUSTER_SIZES: return fp_plot_sizes_read(directory, arena, &whole->sizes, error);
    default: return fp_plot_robustness_read(directory, arena, &whole->robustness, error);
    }
}

bool fp_plot_whole_is_empty(const fp_plot_whole *whole, int table) {
    switch (table) {
    case FP_PLOT_RANKS: return whole->ranks.count < 2;
    case FP_PLOT_PARETO: return whole->front.count == 0;
    case FP_PLOT_BY_DAY: return whole->days.count == 0;
    case FP_PLOT_BY_SOURCE: return whole->sources.count == 0;
    case FP_PLOT_CLUSTER_SIZES: return whole->sizes.count == 0;
    case FP_PLOT_ROBUSTNESS: return whole->robustness.arm_count == 0;
    default: return false;
    }
}

fp_status fp_plot_whole_define(fp_plot_whole *whole, const fp_json *definitions, fp_error *error) {
    if (whole->banding.count) FP_TRY(fp_plot_banding_define(&whole->banding, definitions, error));
    return whole->designs.count ? fp_plot_designs_define(&whole->designs, definitions, error) : FP_OK;
}

/* Files of a corpus end in -arms.gp or -front.gp and a figure of arms, so its name may be the same. */
static fp_status name(const fp_plot_whole *whole, int table, fp_gnuplot *draw, fp_error *error) {
    static const struct {
        const char *stem, *arms;
    } NAMES[FP_PLOT_TABLES] = {
        [FP_PLOT_RANKS] = {"corpora", "corpora-order.gp"},
        [FP_PLOT_BANDING] = {"plan", "plan-choice.gp"},
        [FP_PLOT_DESIGNS] = {"plan", "plan-rows.gp"},
        [FP_PLOT_BY_DAY] = {"tracking", "tracking-spans.gp"},
        [FP_PLOT_BY_SOURCE] = {"tracking", "tracking-largest.gp"},
        [FP_PLOT_CLUSTER_SIZES] = {"cluster", "cluster-counts.gp"},
        [FP_PLOT_ROBUSTNESS] = {"study", "study-cells.gp"},
    };
    draw->stem = NAMES[table].stem;
    draw->arms = NAMES[table].arms;
    if (draw->stem) return FP_OK;
    draw->stem = fp_plot_stem(whole->front.corpus, draw->arena);
    draw->arms = draw->stem ? fp_format(draw->arena, "%s-front.gp", draw->stem) : NULL;
    return draw->arms ? FP_OK : fp_no_memory(error);
}

static fp_status save(const fp_plot_whole *whole, int table, const fp_gnuplot *draw, double confidence,
                      fp_error *error) {
    switch (table) {
    case FP_PLOT_RANKS: return fp_plot_ranks_save(draw, &whole->ranks, error);
    case FP_PLOT_BANDING: return fp_plot_banding_save(draw, &whole->banding, error);
    case FP_PLOT_DESIGNS: return fp_plot_designs_save(draw, &whole->designs, error);
    case FP_PLOT_BY_DAY: return fp_plot_by_day_save(draw, &whole->days, error);
    case FP_PLOT_BY_SOURCE: return fp_plot_by_source_save(draw, &whole->sources, error);
    case FP_PLOT_CLUSTER_SIZES: return fp_plot_sizes_save(draw, &whole->sizes, error);
    case FP_PLOT_ROBUSTNESS: return fp_plot_robustness_save(draw, &whole->robustness, error);
    default: return fp_plot_front_save(draw, &whole->front, confidence, error);
    }
}

fp_status fp_plot_whole_draw(const fp_plot_whole *whole, fp_gnuplot *draw, const fp_figure *figure, double confidence,
                             fp_error *error) {
    int table = FP_PLOT_ARM_TABLES;
    while (table < FP_PLOT_TABLES - 1 && !(fp_plot_tables_of(figure) >> table & 1)) table++;
    FP_TRY(name(whole, table, draw, error));
    FP_TRY(save(whole, table, draw, confidence, error));
    return fp_gnuplot_draw(draw, figure->name, error);
}

/* ---- pareto.tsv, and what gnuplot is told of it ---- */

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

/* ---- ranks.tsv, and what gnuplot is told of it ---- */

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

/* ---- robustness.tsv, and what gnuplot is told of it ---- */

/* ---- Reading ---- */

/* How long the run of equal fields of a column is from `row` on, in steps of `step` rows. */
static size_t distinct(const fp_run_table *table, size_t column, size_t step, size_t end) {
    size_t count = 1;
    fp_string first = fp_run_table_field(table, 0, column);
    while (count * step < end && !fp_string_equal(fp_run_table_field(table, count * step, column), first)) count++;
    return count;
}

static fp_status check_order(const fp_run_table *table, const fp_plot_robustness *of, const size_t column[3],
                             fp_error *error) {
    for (size_t row = 0; row < table->row_count; row++) {
        size_t rate = row % of->rate_count, block = row - rate, kind = block / of->rate_count % of->kind_count;
        size_t of_arm = block - kind * of->rate_count;
        const size_t same[3] = {of_arm, kind * of->rate_count, rate};
        for (int i = 0; i < 3; i++) {
            if (fp_string_equal(fp_run_table_field(table, row, column[i]),
                                fp_run_table_field(table, same[i], column[i])))
                continue;
            fp_fail(error, FP_ERROR_SYNTAX, "not every arm has every kind at every rate, in one order");
            return fp_run_table_at(table, row, FP_ERROR_SYNTAX, error);
        }
    }
    return FP_OK;
}

static fp_string *read_names(const fp_run_table *table, size_t column, size_t step, size_t count, fp_arena *arena) {
    fp_string *names = fp_arena_alloc(arena, count, sizeof *names);
    for (size_t i = 0; names && i < count; i++) {
        names[i] = fp_run_table_cell(table, i * step, column, arena);
        if (!names[i].data) return NULL;
    }
    return names;
}

/* As a person reads them; a mixture has its name alone. */
static bool name_kinds(fp_plot_robustness *of, fp_arena *arena) {
    fp_string *plain = fp_arena_alloc(arena, of->kind_count, sizeof *plain),
              *chinese = fp_arena_alloc(arena, of->kind_count, sizeof *chinese);
    if (!plain || !chinese) return false;
    for (size_t k = 0; k < of->kind_count; k++) {
        plain[k] = chinese[k] = of->kinds[k];
        for (size_t i = 0; fp_corruption_at(i); i++) {
            if (!fp_string_equal(of->kinds[k], fp_string_of(fp_corruption_at(i)->name))) continue;
            plain[k] = fp_string_of(fp_corruption_at(i)->label);
            chinese[k] = fp_string_of(fp_corruption_at(i)->label_zh);
        }
    }
    of->kinds = plain;
    of->kinds_zh = chinese;
    return true;
}

fp_status fp_plot_robustness_read(const char *directory, fp_arena *arena, fp_plot_robustness *robustness,
                                  fp_error *error) {
    fp_run_table table;
    *robustness = (fp_plot_robustness){0};
    FP_TRY(fp_plot_table_read(directory, FP_PLOT_ROBUSTNESS, arena, &table, error));
    if (!table.row_count)
        return fp_at(error, fp_fail(error, FP_ERROR_EMPTY, "there is no row"), table.path, SIZE_MAX, SIZE_MAX);
    const size_t column[3] = {fp_run_table_column(&table, "arm"), fp_run_table_column(&table, "kind"),
                              fp_run_table_column(&table, "rate")};
    fp_plot_robustness of = {.rate_count = distinct(&table, column[2], 1, table.row_count)};
    of.kind_count = distinct(&table, column[1], of.rate_count, table.row_count);
    of.arm_count = table.row_count / (of.rate_count * of.kind_count);
    if (of.arm_count * of.kind_count * of.rate_count != table.row_count) {
        fp_fail(error, FP_ERROR_SYNTAX, "not every arm has every kind at every rate");
        return fp_run_table_at(&table, table.row_count - 1, FP_ERROR_SYNTAX, error);
    }
    FP_TRY(check_order(&table, &of, column, error));
    of.arms = read_names(&table, column[0], of.kind_count * of.rate_count, of.arm_count, arena);
    of.kinds = read_names(&table, column[1], of.rate_count, of.kind_count, arena);
    of.rates = read_names(&table, column[2], 1, of.rate_count, arena);
    if (!of.arms || !of.kinds || !of.rates || !name_kinds(&of, arena)) return fp_no_memory(error);
    *robustness = of;
    return FP_OK;
}

/* ---- Writing ---- */

static fp_status write_robustness(FILE *stream, const fp_gnuplot *draw, const void *robustness, fp_error *error) {
    const fp_plot_robustness *of = robustness;
    fprintf(stream,
            "directory = here.'..'\nstem = '%s'\narms = 1\narray label[1] = ['']\nschemes = %zu\nkinds = %zu\nrates = "
            "%zu\n",
            draw->stem, of->arm_count, of->kind_count, of->rate_count);
    FP_TRY(fp_plot_write_texts(stream, "scheme", of->arms, of->arm_count, sizeof *of->arms, draw->arena, error));
    FP_TRY(fp_plot_write_texts(stream, "kind", of->kinds, of->kind_count, sizeof *of->kinds, draw->arena, error));
    FP_TRY(
        fp_plot_write_texts(stream, "kind_zh", of->kinds_zh, of->kind_count, sizeof *of->kinds_zh, draw->arena, error));
    return fp_plot_write_texts(stream, "rate", of->rates, of->rate_count, sizeof *of->rates, draw->arena, error);
}

fp_status fp_plot_robustness_save(const fp_gnuplot *draw, const fp_plot_robustness *robustness, fp_error *error) {
    return fp_gnuplot_describe(draw, "robustness", write_robustness, robustness, error);
}
