/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures of tracking and of clusters: what they are told adds up to the tables, in spans of time that follow from
 * the calendar; names stand in them as they are; and what is not there, or is wrong, is said. */
#include "reports/plots/plot_parts.h"
#include "tests/reports/plots/plot_support.h"

static const char DAYS[] = "day\ttexts\tduplicates\tshare\n";
static const char SOURCES[] = "source\ttexts\tduplicates\tshare\tfrom_others\ttaken_up\n";

static fp_status read_days(const place *it, const char **told) {
    const fp_plot_context of = {.directory = it->directory, .arena = it->arena};
    fp_plot_whole whole;
    const fp_figure *figure;
    ASSERT_GOOD(fp_plot_figure_find("by_day", &figure, &test_error));
    fp_status status = fp_plot_whole_read(&of, figure, &whole, &test_error);
    *told = whole.data;
    return status;
}

static uint64_t sum_of(const char *told, const char *array, uint64_t *first) {
    char name[32], *end;
    uint64_t sum = 0;
    snprintf(name, sizeof name, "array %s[", array);
    const char *at = strchr(strstr(told, name), '=') + 3;
    *first = strtoull(at, NULL, 10);
    for (; *at && *at != ']' && *at != '\n'; at = end + strcspn(end, "0123456789]")) sum += strtoull(at, &end, 10);
    return sum;
}

static void days_have_gaps(void **state) {
    place *it = *state;
    const char *told;
    append(it, "by-day.tsv", DAYS, "2024-02-27\t3\t1\t0.333\n2024-03-01\t5\t5\t1\n\t7\t2\t0.3\n");
    ASSERT_GOOD(read_days(it, &told));
    /* 2024 was a leap year. */
    assert_non_null(strstr(told, "unit = 'day'\ntimeless = 7. # texts without a time\nspans = 4\n"));
    assert_non_null(strstr(told, "array texts[4] = [3., 0., 0., 5.]\narray duplicates[4] = [1., 0., 0., 5.]\n"));
    assert_non_null(
        strstr(told, "'2024-02-27', \\\n    '2024-02-28', \\\n    '2024-02-29', \\\n    '2024-03-01' \\\n]"));
}

/* By hand: 2024-01-01 was a Monday, 2023-12-31 a Sunday. */
static void longer_spans_where_days_are_many(void **state) {
    static const struct {
        const char *last, *unit, *first_name, *last_name;
        size_t count;
    } CASES[] = {
        {"2024-04-28", "day", "2023-12-31", "2024-04-28", 120}, {"2024-04-29", "week", "2023-12-25", "2024-04-29", 19},
        {"2033-11-30", "month", "2023-12", "2033-11", 120},     {"2033-12-01", "year", "2023", "2033", 11},
        {"2300-01-01", "decade", "2020s", "2300s", 29},         {"9999-12-31", "century", "2000s", "9900s", 80}};
    place *it = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *told;
        char spans[64], names[2][32];
        uint64_t first;
        remove(in_place(it, "by-day.tsv"));
        append(it, "by-day.tsv", DAYS, "%s\t1\t1\t1\n2023-12-31\t4\t2\t0.5\n", CASES[i].last);
        ASSERT_GOOD(read_days(it, &told));
        snprintf(spans, sizeof spans, "unit = '%s'\ntimeless = 0. # texts without a time\nspans = %zu\n", CASES[i].unit,
                 CASES[i].count);
        snprintf(names[0], sizeof names[0], "[ \\\n    '%s',", CASES[i].first_name);
        snprintf(names[1], sizeof names[1], "'%s' \\\n]", CASES[i].last_name);
        assert_non_null(strstr(told, spans));
        assert_non_null(strstr(told, names[0]));
        assert_non_null(strstr(told, names[1]));
        assert_int_equal(sum_of(told, "duplicates", &first), 3);
        assert_int_equal(sum_of(told, "texts", &first), 5);
        assert_int_equal(first, 4);
    }
}

static void sources_by_name(void **state) {
    place *it = *state;
    append(it, "by-day.tsv", DAYS, "2024-02-27\t120\t30\t0.25\n");
    append(it, "by-source.tsv", SOURCES, "新华网 'A\"\\n`date`\t100\t20\t0.2\t5\t7\n\t10\t10\t1\t10\t0\n");
    for (int i = 0; i < 25; i++) append(it, "by-source.tsv", SOURCES, "来源%d\t1\t0\t0\t0\t0\n", i);
    ASSERT_GOOD(fp_plot_draw(it->directory, NULL, NULL, &test_error));
    assert_png(content_of(it, "plots/tracking-by_day.png"));
    assert_png(content_of(it, "plots/tracking-by_source.png"));
    fp_string svg = content_of(it, "plots/tracking-by_source.svg");
    assert_non_null(strstr(svg.data, "新华网 'A\"\\n`date`"));
    assert_non_null(strstr(svg.data, "without a source 无来源"));
    assert_non_null(strstr(svg.data, "the 20 largest of 27 sources 最大来源, 95% of the texts"));
    assert_non_null(strstr(svg.data, ">100, 20%<"));
    assert_non_null(strstr(svg.data, "来源17"));
    assert_null(strstr(svg.data, "来源18"));
    fp_string days = content_of(it, "plots/tracking-by_day.svg");
    assert_non_null(strstr(days.data, "120 texts 文本, 30 duplicates 重复 (25.0%)"));
    assert_non_null(strstr(days.data, "2024-02-27: 25.0%"));
}

/* As in an evaluation, whose by-source.tsv is another table. */
static void without_a_time_or_a_source(void **state) {
    static const char *const NAMES[] = {"by_day", NULL};
    place *it = *state;
    append(it, "by-day.tsv", DAYS, "\t7\t2\t0.3\n");
    append(it, "by-source.tsv", SOURCES, "\t7\t2\t0.3\t0\t0\n");
    assert_int_equal(fp_plot_draw(it->directory, NULL, NULL, &test_error), FP_ERROR_EMPTY);
    assert_int_equal(fp_plot_draw(it->directory, NAMES, NULL, &test_error), FP_ERROR_EMPTY);
    assert_non_null(strstr(test_error.message, "no text has a time"));
}

static void what_is_no_day(void **state) {
    static const char *const ROWS[] = {"2024-02-30\t1\t1\t1\n", "today\t1\t1\t1\n", "2024-02-27\t-1\t1\t1\n",
                                       "2024-02-27\t1\t0.5\t1\n"};
    place *it = *state;
    const char *told;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        remove(in_place(it, "by-day.tsv"));
        append(it, "by-day.tsv", DAYS, "2024-02-01\t1\t0\t0\n%s", ROWS[i]);
        assert_int_equal(read_days(it, &told), FP_ERROR_SYNTAX);
        assert_int_equal(test_error.line, 3);
    }
}

static void clusters_by_size(void **state) {
    place *it = *state;
    append(it, "cluster-sizes.tsv", "texts\tclusters\n", "2\t1000\n20\t100\n200\t10\n2000\t1\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, NULL, NULL, &test_error));
    assert_png(content_of(it, "plots/cluster-sizes.png"));
    fp_string svg = content_of(it, "plots/cluster-sizes.svg");
    spot dot[8];
    assert_int_equal(find_marks(svg, ROUND, BLUE, dot, 8), 4);
    for (int i = 1; i < 3; i++) { /* a decade is as wide as the next, and as high */
        assert_true(fabs((dot[i + 1].x - dot[i].x) - (dot[i].x - dot[i - 1].x)) < 1);
        assert_true(fabs((dot[i + 1].y - dot[i].y) - (dot[i].y - dot[i - 1].y)) < 1);
    }
    assert_non_null(strstr(svg.data, "1111 clusters 簇, 8000 texts 文本"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(days_have_gaps),  PLACED(longer_spans_where_days_are_many),
        PLACED(sources_by_name), PLACED(without_a_time_or_a_source),
        PLACED(what_is_no_day),  PLACED(clusters_by_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
