/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pictures that cannot be drawn: gnuplot, the font or the tables are not what they should be; nothing is left behind.
 */
#include <fcntl.h>

#include "reports/plots/plot_parts.h"
#include "tests/reports/plots/plot_support.h"

static void without_gnuplot_nothing_is_left(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    assert_int_equal(mkdir(in_place(it, "empty"), 0700), 0);
    setenv("PATH", in_place(it, "empty"), 1);
    assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), FP_ERROR_TOOL);
    assert_non_null(strstr(test_error.message, "gnuplot-nox"));
    assert_false(is_there(it, "plots"));
}

/* A font nobody has, one without Chinese, and what is no name at all. */
static void without_the_font_nothing_is_left(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    static const char *const fonts[] = {"No Such Font", "DejaVu Sans"};
    for (size_t i = 0; i < 2; i++) {
        setenv("FPLAB_FONT", fonts[i], 1);
        assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), FP_ERROR_TOOL);
        assert_non_null(strstr(test_error.message, "fonts-wqy-microhei"));
        assert_non_null(strstr(test_error.message, fonts[i]));
        assert_false(is_there(it, "plots"));
    }
    static const char *const names[] = {"", "A:lang=en", "A,12", "A\"B", "x'; system('exit')"};
    for (size_t i = 0; i < 5; i++) {
        setenv("FPLAB_FONT", names[i], 1);
        assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), FP_ERROR_RANGE);
        assert_false(is_there(it, "plots"));
    }
}

/* A gnuplot of our own in front of PATH. */
static void put_gnuplot(const place *it, const char *script) {
    mkdir(in_place(it, "bin"), 0700);
    int file = open(in_place(it, "bin/gnuplot"), O_WRONLY | O_CREAT | O_TRUNC, 0700);
    assert_true(file >= 0);
    assert_int_equal(write(file, script, strlen(script)), (ssize_t)strlen(script));
    close(file);
    setenv("PATH", fp_format(it->arena, "%s:%s", in_place(it, "bin"), it->path), 1);
}

static size_t pictures_in(const place *it) {
    const char *const arguments[] = {"find", in_place(it, "plots"), "-type", "f", "!", "-name", "*.gp", NULL};
    fp_tool tool = {.arguments = arguments, .package = "findutils"};
    ASSERT_GOOD(fp_tool_run(&tool, it->arena, &test_error));
    return count_of(tool.output, "\n");
}

static void a_gnuplot_that_fails_is_quoted(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    put_gnuplot(it,
                "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'gnuplot 5.4 patchlevel 4'; exit; }\n"
                "case \"$3\" in *png*) echo half ;; esac\n"
                "printf '\\nplot nonsense\\n     ^\\n\"thresholds.gp\" line 7: undefined variable\\n' >&2\nexit 1\n");
    assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), FP_ERROR_TOOL);
    assert_non_null(strstr(test_error.message, "\"thresholds.gp\" line 7: undefined variable"));
    assert_null(strchr(test_error.message, '\n'));
    assert_int_equal(pictures_in(it), 0);
    put_gnuplot(it, "#!/bin/sh\n[ \"$1\" = --version ] && echo 'gnuplot 5.4 patchlevel 4'\nexit 0\n");
    assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error),
                     FP_ERROR_TOOL); /* says it is well, and drew nothing */
    put_gnuplot(it, "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'gnuplot 5.4 patchlevel 4'; exit; }\nkill -9 $$\n");
    assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), FP_ERROR_TOOL);
    put_gnuplot(it, "#!/bin/sh\necho 'gnuplot 5.2 patchlevel 8'\n");
    assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), FP_ERROR_TOOL);
    assert_non_null(strstr(test_error.message, "5.4"));
}

static void expect_bad_table(place *it, fp_status status, const char *file, size_t line) {
    assert_int_equal(fp_plot_draw(it->directory, USUAL, NULL, &test_error), status);
    assert_non_null(strstr(test_error.file, file));
    assert_int_equal(test_error.line, line);
    assert_false(is_there(it, "plots"));
}

static void a_table_that_is_not_ours_is_named(void **state) {
    place *it = *state;
    expect_bad_table(it, FP_ERROR_IO, "results.tsv", SIZE_MAX);
    append(it, "results.tsv", "corpus\tarm\tscale\n", "c\ta\tbits\n");
    expect_bad_table(it, FP_ERROR_SYNTAX, "results.tsv", 1);
    assert_int_equal(unlink(in_place(it, "results.tsv")), 0);
    add_arm(it, "c", "a", "bits of 64", NO_GAPS);
    append(it, "curves.tsv", CURVES, "c\tb\t1\t1\t1\n");
    expect_bad_table(it, FP_ERROR_UNKNOWN, "curves.tsv", 5);
    append(it, "results.tsv", RESULTS, "\n");
    expect_bad_table(it, FP_ERROR_SYNTAX, "results.tsv", 12);
}

static void rows_of_an_arm_stand_together(void **state) {
    place *it = *state;
    add_arm(it, "c", "a", "bits of 64", NO_GAPS);
    add_arm(it, "c", "b", "bits of 64", NO_GAPS);
    append(it, "histograms.tsv", HISTOGRAMS, "c\ta\tbits of 64\t3\t4\t1\t1\n");
    expect_bad_table(it, FP_ERROR_DUPLICATE, "histograms.tsv", 8);
    append(it, "results.tsv", RESULTS, "c\ta\tbits of 64\t3\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n");
    expect_bad_table(it, FP_ERROR_DUPLICATE, "results.tsv", 22);
}

static void an_arm_without_histogram_is_named(void **state) {
    place *it = *state;
    append(it, "results.tsv", RESULTS, "c\ta\tbits of 64\t3\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n");
    append(it, "summary.tsv", SUMMARY, "%s", "");
    expect_bad_table(it, FP_ERROR_EMPTY, "summary.tsv", SIZE_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(without_gnuplot_nothing_is_left), PLACED(without_the_font_nothing_is_left),
        PLACED(a_gnuplot_that_fails_is_quoted),  PLACED(a_table_that_is_not_ours_is_named),
        PLACED(rows_of_an_arm_stand_together),   PLACED(an_arm_without_histogram_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
