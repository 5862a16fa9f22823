/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of analyses: names stand once, figures are drawn from tables that there are and have a script, and a page
 * that shows a table has something to call it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/analyses/analyses.h"
#include "reports/plots/plot_script.h"
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
        for (const fp_analysis_table *table = (*it)->tables; table->name; table++)
            assert_new(tables, &table_count, table->name);
        for (size_t i = 0; i < FP_ANALYSIS_OPTIONS && (*it)->options[i].name; i++) {
            assert_new(options, &option_count, (*it)->options[i].name);
            assert_true(i == 0 || (*it)->options[i].says); /* said when the first is missing */
        }
    }
    for (size_t i = 0; (figure = fp_plot_figure_at(i)); i++) assert_new(figures, &figure_count, figure->name);
    assert_true(table_count > 15 && figure_count > 25);
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
        for (const fp_analysis_table *table = (*it)->tables; table->name; table++) {
            bool shown = table->whole;
            for (const fp_column *of = table->columns; of->name; of++) shown |= of->is & FP_SHOWN;
            assert_true(!shown || table == (*it)->tables || (table->title.en && table->title.zh));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_stand_once),
                                       cmocka_unit_test(figures_have_tables_and_scripts),
                                       cmocka_unit_test(shown_tables_have_titles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
