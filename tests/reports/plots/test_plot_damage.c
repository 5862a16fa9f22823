/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables that somebody changed, or that hold nothing to draw: each is named with the row and the reason, before gnuplot
 * is asked. What a row must hold is what `fplab` writes: counts, days, an arm's kinds and rates in one order. */
#include "reports/plots/plot_parts.h"
#include "tests/reports/plots/plot_support.h"

#define ROBUST \
    "arm\tkind\trate\tf1\tf1_low\tf1_high\trecall_at_precision\trecall_at_precision_low\trecall_at_precision_high\n"
#define OF(arm, kind, rate) arm "\t" kind "\t" rate "\t0.5\t0.4\t0.6\t0.5\t0.4\t0.6\n"
#define RANKED "average_precision\tmean_rank\tcorpora\tcritical_difference\tfriedman_p\timan_davenport_p\n"
#define PARETO \
    "corpus\tarm\tobjective\tfront\trecommended\theld_out\theld_out_low\theld_out_high\tbytes_per_document\tmicroseconds_per_document\n"
#define BY_SOURCES "source\ttexts\tduplicates\tfrom_others\ttaken_up\n"

static const struct {
    const char *figure, *file, *table;
    fp_status status;
    size_t line; /* SIZE_MAX: the table as a whole */
    const char *says;
} DAMAGES[] = {
    {"banding", "banding.tsv", "bands\trows\n", FP_ERROR_EMPTY, SIZE_MAX, "no choice of bands and rows"},
    {"banding", "banding.tsv", "bands\trows\n8\t4\n0\t4\n", FP_ERROR_SYNTAX, 3, "bands is not a count"},
    {"banding", "banding.tsv", "bands\trows\n8\t1.5\n", FP_ERROR_SYNTAX, 2, "rows is not a count"},
    {"banding", "banding.tsv", "bands\trows\n8\t123456789012345\n", FP_ERROR_SYNTAX, 2, "rows is not a count"},
    {"banding", "banding.tsv", "bands\trows\n3000000000\t4\n", FP_ERROR_SYNTAX, 2, "bands is not a count"},
    {"banding", "banding.tsv", "bands\n8\n", FP_ERROR_SYNTAX, 1, "rows"},
    {"ranks", "ranks.tsv", "mean_rank\tarm\n1\ta\n", FP_ERROR_SYNTAX, 1, "the header lacks"},
    {"ranks", "ranks.tsv", RANKED "0.5\t1\t2\t1\t1\t1\n", FP_ERROR_SYNTAX, 1, "the header lacks arm"},
    {"ranks", "ranks.tsv", "arm\t" RANKED "a\t0.5\t1\t2\t1\t1\t1\n", FP_ERROR_EMPTY, SIZE_MAX, "fewer than two arms"},
    {"pareto", "pareto.tsv", PARETO, FP_ERROR_EMPTY, SIZE_MAX, "no arm is on the front"},
    {"pareto", "pareto.tsv", PARETO "c\ta\tf1\t0\t0\t0.5\t0.4\t0.6\t8\t1\n", FP_ERROR_EMPTY, SIZE_MAX,
     "no arm is on the front"},
    {"designs", "designs.tsv", "design\tbytes\tnanoseconds\tfront\trecommended\n", FP_ERROR_EMPTY, SIZE_MAX,
     "no design"},
    {"robustness", "robustness.tsv", ROBUST, FP_ERROR_EMPTY, SIZE_MAX, "there is no row"},
    {"robustness", "robustness.tsv", ROBUST OF("a", "delete", "0.1") OF("a", "delete", "0.2") OF("a", "insert", "0.1"),
     FP_ERROR_SYNTAX, 4, "not every arm has every kind at every rate"},
    {"robustness", "robustness.tsv",
     ROBUST OF("a", "delete", "0.1") OF("a", "delete", "0.2") OF("a", "insert", "0.2") OF("a", "insert", "0.1"),
     FP_ERROR_SYNTAX, 5, "not every arm has every kind at every rate"},
    {"robustness", "robustness.tsv",
     ROBUST OF("a", "delete", "0.1") OF("a", "insert", "0.1") OF("b", "delete", "0.1") OF("b", "words", "0.1"),
     FP_ERROR_SYNTAX, 5, "in one order"},
    {"by_day", "by-day.tsv", "day\ttexts\tduplicates\n2024-13-01\t3\t1\n", FP_ERROR_SYNTAX, 2, "2024-13-01 is no day"},
    {"by_day", "by-day.tsv", "day\ttexts\tduplicates\n2024-01-01\t3\t1\n2024-01-01T08:00\t3\t1\n", FP_ERROR_SYNTAX, 3,
     "is no day"},
    {"by_day", "by-day.tsv", "day\ttexts\tduplicates\n2024-01-01\t3\t4\n", FP_ERROR_SYNTAX, 2,
     "more duplicates than texts"},
    {"by_source", "by-source.tsv", BY_SOURCES "x\t1\t1\t2\tmany\n", FP_ERROR_SYNTAX, 2, ""},
    {"by_source", "by-source.tsv", BY_SOURCES "x\t-1\t0\t0\t0\n", FP_ERROR_SYNTAX, 2, ""},
    {"sizes", "cluster-sizes.tsv", "texts\tclusters\n", FP_ERROR_EMPTY, SIZE_MAX, "there is no cluster"},
    {"sizes", "cluster-sizes.tsv", "texts\tclusters\n2\t7\n0\t3\n", FP_ERROR_SYNTAX, 3, "a cluster has texts"},
    {"sizes", "cluster-sizes.tsv", "texts\tclusters\n2\t0\n", FP_ERROR_SYNTAX, 2, "a cluster has texts"},
    {"sizes", "cluster-sizes.tsv", "texts\tclusters\nx\t1\n", FP_ERROR_SYNTAX, 2, ""},
};

static void each_damage_is_reported(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof DAMAGES / sizeof *DAMAGES; i++) {
        void *made;
        fp_plot_whole whole;
        const fp_figure *figure;
        make_place(&made);
        append(made, DAMAGES[i].file, "", "%s", DAMAGES[i].table);
        test_error = (fp_error){.line = SIZE_MAX};
        const place *it = made;
        const fp_plot_context of = {.directory = it->directory, .arena = it->arena};
        ASSERT_GOOD(fp_plot_figure_find(DAMAGES[i].figure, &figure, &test_error));
        fp_status status = fp_plot_whole_read(&of, figure, &whole, &test_error);
        if (status != DAMAGES[i].status || !strstr(test_error.message, DAMAGES[i].says) ||
            test_error.line != DAMAGES[i].line || !strstr(test_error.file, DAMAGES[i].file))
            fail_msg("damage %zu: status %s, %s:%zu: %s", i, fp_status_name(status), test_error.file, test_error.line,
                     test_error.message);
        remove_place(&made);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_damage_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
