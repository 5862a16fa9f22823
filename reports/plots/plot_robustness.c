/* SPDX-License-Identifier: GPL-3.0-or-later
 * robustness.tsv, and what gnuplot is told of it. */
#include "reports/plots/plot_robustness.h"

#include "corpora/corruption/corruption.h"
#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_text.h"

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
