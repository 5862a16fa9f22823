/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was just written of a run goes to its pictures and its page from memory: files that were damaged since are not
 * looked at, and the bytes are those of a run that was read again. */
#include "reports/page/page.h"
#include "tests/reports/plots/plot_support.h"

static const char *const TABLES[] = {"results", "summary", "curves", "histograms"};
enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES };

static const char RUN[] =
    "{\n  \"program\": \"fplab\",\n  \"version\": \"1\",\n  \"commit\": \"c\",\n  \"date\": \"2026-01-01T00:00:00Z\",\n"
    "  \"directory\": \"/\",\n  \"command\": [\"eval\"],\n  \"corpora\": [{\"name\": \"news\", \"path\": \"/news\", "
    "\"sha256\": {\"documents\": \"d\"}}],\n  \"arms\": [{\"name\": \"a\", \"spec\": \"simhash\"}, {\"name\": \"b\", "
    "\"spec\": \"minhash\"}],\n  \"definitions\": {\"confidence\": 0.9}\n}\n";

/* The table of that file, as a command has it in memory. */
static const fp_table *table_of(const place *it, const char *path) {
    fp_run_table read;
    ASSERT_GOOD(fp_run_table_read(path, it->arena, &read, &test_error));
    char *columns = fp_string_copy(it->arena, read.header);
    for (char *at = columns; (at = strchr(at, '\t'));) *at = '|';
    fp_table *table = fp_table_new(columns, it->arena);
    for (size_t cell = 0; cell < read.row_count * read.column_count; cell++)
        fp_table_string(table, fp_run_table_cell(&read, cell / read.column_count, cell % read.column_count));
    return table;
}

/* The run in the directory `written`: its files, and what is kept of them. */
static fp_run_content write_run(const place *it) {
    fp_run_content run = {.directory = fp_format(it->arena, "%s/written", it->directory), .arena = it->arena};
    fp_memory_stream memory;
    ASSERT_GOOD(fp_make_directory(run.directory, &test_error));
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        const char *file = fp_format(it->arena, "%s.tsv", TABLES[i]);
        ASSERT_GOOD(fp_run_put_table(&run, TABLES[i], table_of(it, in_place(it, file)), &test_error));
        assert_true(fp_string_equal(content_of(it, file), content_of(it, fp_format(it->arena, "written/%s", file))));
    }
    ASSERT_GOOD(fp_memory_stream_open(&memory, &test_error));
    fputs(RUN, memory.stream);
    ASSERT_GOOD(fp_run_put_json(&run, &memory, FP_OK, &test_error));
    assert_true(fp_string_equal(content_of(it, "written/run.json"), fp_string_of(RUN)));
    return run;
}

/* Each has a row too much, which is no row; gnuplot asks for others. */
static void damage(const place *it) {
    for (size_t i = 0; i < TABLE_COUNT; i++)
        append(it, fp_format(it->arena, "written/%s.tsv", TABLES[i]), "", "x\ty\n");
    append(it, "written/run.json", "", "no JSON\n");
}

static void check_pictures(const place *it, const fp_run_content *run) {
    const fp_plot_options kept = {.formats = 1u << FP_PICTURE_SVG, .run = run};
    ASSERT_GOOD(fp_plot_draw(run->directory, USUAL, &kept, &test_error));
    for (size_t f = 0; f < USUAL_COUNT; f++) {
        const char *read = fp_format(it->arena, "plots/news-%s.svg", USUAL[f]);
        assert_true(fp_string_equal(content_of(it, read), content_of(it, fp_format(it->arena, "written/%s", read))));
    }
    assert_int_equal(fp_plot_draw(run->directory, USUAL, &AS_SVG, &test_error), FP_ERROR_SYNTAX);
}

static fp_string page_of(const place *it, const fp_page_run *run, const char *name) {
    const fp_page_options options = {.languages = FP_PAGE_EN};
    bool whole = false;
    ASSERT_GOOD(fp_page_write(run, 1, &options, in_place(it, name), it->arena, &whole, &test_error));
    assert_true(whole);
    return content_of(it, name);
}

static void check_page(const place *it, const fp_run_content *run, fp_string before) {
    fp_recorded kept;
    ASSERT_GOOD(fp_recorded_of(run, it->arena, &kept, &test_error));
    assert_string_equal(kept.arms[1].name, "b");
    fp_page_run of = {.run = &kept, .written = run, .figures = run->directory};
    fp_string page = page_of(it, &of, "second.html");
    assert_true(fp_string_equal(page, before));
    assert_non_null(memmem(page.data, page.length, "90%", 3));
    assert_int_equal(fp_recorded_describe(run->directory, it->arena, &kept, &test_error), FP_ERROR_SYNTAX);
}

static void files_are_not_read(void **state) {
    place *it = *state;
    add_arm(it, "news", "a", "bits of 64", NO_GAPS);
    add_arm(it, "news", "b", "slots of 64", "x.........");
    append(it, "run.json", "", "%s", RUN);
    fp_run_content run = write_run(it);
    fp_recorded kept;
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, &AS_SVG, &test_error));
    ASSERT_GOOD(fp_recorded_of(&run, it->arena, &kept, &test_error));
    fp_string before =
        page_of(it, &(fp_page_run){.run = &kept, .written = &run, .figures = it->directory}, "first.html");
    damage(it);
    check_pictures(it, &run);
    check_page(it, &run, before);
}

/* A table that was not written is not there, whatever the directory holds. */
static void only_what_was_written_counts(void **state) {
    place *it = *state;
    const fp_run_content nothing = {.directory = it->directory, .arena = it->arena, .json = {RUN, sizeof RUN - 1}};
    add_arm(it, "news", "a", "bits of 64", NO_GAPS);
    assert_true(fp_run_has_table(NULL, it->directory, "results"));
    assert_false(fp_run_has_table(&nothing, it->directory, "results"));
    const fp_plot_options kept = {.formats = 1u << FP_PICTURE_SVG, .run = &nothing};
    assert_int_equal(fp_plot_draw(it->directory, ONLY("histograms"), &kept, &test_error), FP_ERROR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(files_are_not_read),
        PLACED(only_what_was_written_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
