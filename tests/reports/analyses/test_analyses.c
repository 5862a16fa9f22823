/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of analyses: names stand once, figures are drawn from tables that there are and have a script, and a page
 * that shows a table has something to call it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analyses/analyses.h"
#include "reports/plots/plot_parts.h"
#include "tests/support.h"

enum { MOST = 256 };

static void assert_new(const char **names, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++) assert_string_not_equal(names[i], name);
    assert_true(*count < MOST);
    names[(*count)++] = name;
}

static void names_stand_once(void **state) {
    const char *tables[MOST], *figures[MOST], *options[MOST];
    size_t table_count = 0, figure_count = 0, option_count = 0;
    const fp_figure *figure;
    (void)state;
    for (const fp_analysis *const *it = fp_analyses; *it; it++) {
        assert_true((*it)->tables->name && (*it)->title.en && (*it)->title.zh && (*it)->example);
        assert_true((*it)->options->name || (*it)->level);
        for (size_t i = 0; i < FP_ANALYSIS_OPTIONS && (*it)->options[i].name; i++) {
            assert_new(options, &option_count, (*it)->options[i].name);
            assert_true(i == 0 || (*it)->options[i].does); /* said when the first is missing */
        }
    }
    for (int i = 0; fp_schema_at(i); i++) assert_new(tables, &table_count, fp_schema_at(i)->name);
    for (size_t i = 0; (figure = fp_plot_figure_at(i)); i++) assert_new(figures, &figure_count, figure->name);
    assert_true(table_count > 40 && table_count <= FP_PLOT_TABLES && figure_count > 25);
}

static void figures_have_tables_and_scripts(void **state) {
    char directory[] = "/tmp/fp_analyses_XXXXXX", path[512];
    const fp_figure *figure;
    (void)state;
    assert_non_null(mkdtemp(directory));
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; (figure = fp_plot_figure_at(i)); i++) {
        size_t named = 1, found = 0;
        for (const char *at = figure->tables; *at; at++) named += *at == ',';
        for (uint64_t left = fp_plot_tables_of(figure); left; left &= left - 1) found++;
        assert_int_equal(found, named);
        ASSERT_GOOD(fp_plot_scripts_save(directory, (const char *const[]){figure->name, NULL}, arena, &test_error));
        snprintf(path, sizeof path, "%s/%s.gp", directory, figure->name);
        assert_int_equal(access(path, R_OK), 0);
    }
    fp_arena_free(arena);
    snprintf(path, sizeof path, "rm -rf %s", directory);
    assert_int_equal(system(path), 0);
}

/* The section of the first table has the title of the analysis; another table has one of its own. */
static void shown_tables_have_titles(void **state) {
    (void)state;
    for (const fp_analysis *const *it = fp_analyses; *it; it++)
        for (const fp_schema *table = (*it)->tables; table->name; table++) {
            bool shown = table->whole;
            fp_column column;
            for (fp_string rest = fp_string_of(table->columns); fp_column_next(&rest, &column);)
                shown |= column.is & FP_SHOWN;
            assert_true(!shown || table == (*it)->tables || (table->title.en && table->title.zh));
        }
}

/* A mark that there is not would be another one. */
static void columns_are_written_well(void **state) {
    fp_column column;
    (void)state;
    for (int i = 0; fp_schema_at(i); i++)
        for (fp_string rest = fp_string_of(fp_schema_at(i)->columns), field = rest; fp_column_next(&rest, &column);
             field = rest) {
            const char *mark = memchr(field.data, ';', strcspn(field.data, "|"));
            assert_true(*column.name &&
                        strspn(column.name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(column.name));
            if (mark) assert_int_equal(strspn(mark + 1, "els%dDt0123456789"), strcspn(mark + 1, "|"));
            assert_true(column.number || !(column.is & (FP_EXACT | FP_LIMITS | FP_SHARE)));
            assert_true(column.is & FP_LIMITS || !(column.is & FP_LIMITS_DRAWN));
            assert_int_equal(*column.low != '\0', (column.is & FP_LIMITS) != 0);
        }
}

/* "- `ranks.tsv`: *arm*, average_precision, low, high, …" */
static const char *describe(const fp_schema *schema, fp_arena *arena) {
    const char *line = fp_format(arena, "- `%s.tsv`: ", schema->name), *between = "";
    fp_column column;
    for (fp_string rest = fp_string_of(schema->columns); line && fp_column_next(&rest, &column); between = ", ") {
        const char *mark = column.number ? "" : "*";
        line = fp_format(arena, "%s%s%s%s%s", line, between, mark, column.name, mark);
        if (line && *column.low) line = fp_format(arena, "%s, %s, %s", line, column.low, column.high);
    }
    return line ? fp_format(arena, "%s\n", line) : NULL;
}

/* What docs/formats.md says of the files is what they have; on failure the lines that it lacks are printed. */
static void columns_are_documented(void **state) {
    fp_arena *arena = fp_arena_new();
    fp_string docs;
    size_t missing = 0;
    (void)state;
    ASSERT_GOOD(fp_read_file("docs/formats.md", arena, &docs, &test_error));
    for (int i = 0; fp_schema_at(i); i++) {
        const char *line = describe(fp_schema_at(i), arena);
        assert_non_null(line);
        if (strstr(docs.data, line)) continue;
        print_message("docs/formats.md lacks: %s", line);
        missing++;
    }
    assert_int_equal(missing, 0);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_once), cmocka_unit_test(figures_have_tables_and_scripts),
        cmocka_unit_test(shown_tables_have_titles), cmocka_unit_test(columns_are_written_well),
        cmocka_unit_test(columns_are_documented)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
