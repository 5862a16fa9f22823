/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of analyses: names stand once, figures are drawn from tables that there are and have a script, and a page
 * that shows a table has something to call it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fplab/tables.h"
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

/* ---- Failed allocations ---- */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* glibc's own, under its names for those who replace malloc. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);

static atomic_size_t asked;
static size_t fail_at; /* from 1; 0: none */

/* Counts large pieces alone, such as the blocks of arenas: few, so that each can fail. */
static bool fails(size_t size) { return size >= 2048 && atomic_fetch_add(&asked, 1) + 1 == fail_at; }

void *malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(count * size) ? NULL : __libc_calloc(count, size); }

static fp_status evaluate(const fp_corpus *corpus, const fp_setting *settings, size_t count, fp_error *error) {
    static const char *const ARMS[] = {"simhash", "minhash"};
    fp_tables *tables = NULL;
    fp_status status = fp_evaluate(&corpus, 1, ARMS, 2, NULL, settings, count, &tables, NULL, error);
    fp_tables_free(tables);
    return status;
}

/* One allocation fails at a time, spread over an evaluation: it ends with FP_ERROR_MEMORY, or in spite of it. */
static void allocations_fail(void **state) {
    static const fp_setting SETTINGS[][2] = {{{"bytes", "8..32"}},  {{"prevalence", "0.01"}}, {{"costs", NULL}},
                                             {{"calibrate", NULL}}, {{"gain", NULL}},         {{"theory", NULL}},
                                             {{"lost", NULL}},      {{"retrieval", NULL}},    {{"level", "cluster"}}};
    enum { TEXTS = 8, LONG = 40, EVERY = 60, MOST_FAILED = 16 };
    static char data[TEXTS * LONG], id[TEXTS];
    int64_t offset[TEXTS + 1], id_offset[TEXTS + 1];
    fp_pair pairs[TEXTS * TEXTS];
    size_t pair_count = 0;
    fp_corpus *corpus;
    for (int i = 0; i <= TEXTS; i++) offset[i] = i * LONG, id_offset[i] = i;
    for (int i = 0; i < TEXTS; i++) {
        id[i] = (char)('a' + i);
        for (int at = 0; at < LONG; at++) data[i * LONG + at] = (char)('a' + (i / 2 * 7 + at * (i / 2 + 3)) % 26);
        if (i % 2) data[i * LONG + 5 * i] = '!';
        for (int k = 0; k < i; k++)
            pairs[pair_count++] = (fp_pair){.a = (uint32_t)k, .b = (uint32_t)i, .label = i / 2 == k / 2};
    }
    const fp_text_column texts = {.count = TEXTS, .data = data, .offset = offset},
                         ids = {.count = TEXTS, .data = id, .offset = id_offset};
    const fp_corpus_columns columns = {.size = sizeof columns,
                                       .name = "small",
                                       .texts = &texts,
                                       .ids = &ids,
                                       .pairs = pairs,
                                       .pair_count = pair_count};
    (void)state;
    setenv("OMP_NUM_THREADS", "1", 1);
    ASSERT_GOOD(fp_corpus_of_columns(&columns, NULL, &corpus, &test_error));
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        fp_setting settings[] = {{"replicates", "200"}, SETTINGS[i][0]};
        fail_at = 0;
        ASSERT_GOOD(evaluate(corpus, settings, 2, &test_error));
        asked = 0;
        ASSERT_GOOD(evaluate(corpus, settings, 2, &test_error));
        size_t all = asked, step = all / MOST_FAILED + 1, failed = 0;
        for (size_t at = 1; at <= all; at += at < EVERY ? 1 : step) {
            fp_error error = {0};
            asked = 0;
            fail_at = at;
            fp_status status = evaluate(corpus, settings, 2, &error);
            fail_at = 0;
            if (status != FP_OK && status != FP_ERROR_MEMORY) fail_msg("%s: %s", settings[1].name, error.message);
            failed += status != FP_OK;
        }
        print_message("%s: %zu allocations, %zu refused\n", settings[1].name, all, failed);
        assert_true(failed > 0);
    }
    fp_corpus_close(corpus);
}
#else
static void allocations_fail(void **state) {
    (void)state;
    skip();
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_once),         cmocka_unit_test(figures_have_tables_and_scripts),
        cmocka_unit_test(shown_tables_have_titles), cmocka_unit_test(columns_are_written_well),
        cmocka_unit_test(columns_are_documented),   cmocka_unit_test(allocations_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
