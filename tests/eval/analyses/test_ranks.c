/* SPDX-License-Identifier: GPL-3.0-or-later
 * Several corpora at once: Demšar's worked example, published quantiles, ties worked by hand. */
#include <math.h>

#include "eval/analyses/ranks.h"
#include "tests/support.h"

#define NEAR(value, expected, tolerance)                                         \
    do {                                                                         \
        double near_value = (value), near_expected = (expected);                 \
        if (!(fabs(near_value - near_expected) <= (tolerance)))                  \
            fail_msg("%s is %.6f, not %.6f", #value, near_value, near_expected); \
    } while (0)

static int open_arena(void **state) { return (*state = fp_arena_new()) ? 0 : -1; }
static int close_arena(void **state) { return fp_arena_free(*state), 0; }

/* Ranks of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets, after Demšar 2006, table 6. Only their averages enter
 * the tests, and those are checked against the published ones. */
static const double DEMSAR[14][4] = {{4, 3, 2, 1}, {1, 2, 3, 4},         {4, 1, 2, 3},     {4, 1, 3, 2},
                                     {4, 2, 3, 1}, {1, 2.5, 4, 2.5},     {3, 2, 4, 1},     {2.5, 2.5, 4, 1},
                                     {4, 3, 2, 1}, {2.5, 2.5, 2.5, 2.5}, {4, 2.5, 1, 2.5}, {3, 2, 4, 1},
                                     {4, 1, 2, 3}, {3, 1, 4, 2}};

/* Section 3.2.2: average ranks, χ²_F = 9.28, F_F = 3.69 with 3 and 39 degrees of freedom, CD = 1.25; the average ranks
 * of C4.5 and C4.5+m+cf differ by 1.179, so Nemenyi's test finds no difference at 0.05. */
static void demsar_worked_example(void **state) {
    double values[14][4];
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 4; j++) values[i][j] = 1 - DEMSAR[i][j] / 10;
    fp_ranks ranks;
    ASSERT_GOOD(fp_ranks_make(values[0], 14, 4, 0.95, *state, &ranks, &test_error));
    static const double published[] = {3.143, 2.000, 2.893, 1.964};
    for (int j = 0; j < 4; j++) NEAR(ranks.arms[j].rank, published[j], 0.0005);
    static const size_t order[] = {3, 1, 2, 0};
    assert_memory_equal(ranks.order, order, sizeof order);
    /* The published figures leave the ties out: four corpora tie two arms (6 each, one of them also two others), one
     * all four (60). With them, scipy 1.10: friedmanchisquare of the columns, and F from it. */
    NEAR(ranks.ties, 1 - (3 * 6 + 60) / 840.0, 1e-12);
    double untied = ranks.chi_square * ranks.ties;
    NEAR(untied, 9.28, 0.005);
    NEAR(13 * untied / (14 * 3 - untied), 3.69, 0.005);
    NEAR(ranks.chi_square, 10.228346456692925, 1e-9);
    NEAR(ranks.chi_square_p, 0.016721580328441323, 1e-9);
    NEAR(ranks.f, 4.1851301115241695, 1e-9);
    NEAR(ranks.f_p, 0.011620659515310954, 1e-9);
    NEAR(ranks.critical_difference, 1.25, 0.005);
    assert_true(ranks.f_p < 0.05 && ranks.chi_square_p < 0.05);
    assert_int_equal(ranks.clique_count, 1);
    assert_int_equal(ranks.cliques[0].first, 0);
    assert_int_equal(ranks.cliques[0].last, 3);
}

/* Twelve homeowners rank four grasses (Conover, Practical Nonparametric Statistics, 3rd edition 1999, section 5.8,
 * example 1): T₁ = 8.097, T₂ = 3.19 with 3 and 33 degrees of freedom; p by scipy 1.10. */
static void conover_grasses(void **state) {
    static const double RANK[12][4] = {{4, 3, 2, 1},     {4, 2, 3, 1}, {3, 1.5, 1.5, 4}, {3, 1, 2, 4},
                                       {4, 2, 1, 3},     {2, 2, 2, 4}, {1, 3, 2, 4},     {2, 4, 1, 3},
                                       {3.5, 1, 2, 3.5}, {4, 1, 3, 2}, {4, 2, 3, 1},     {3.5, 1, 2, 3.5}};
    double values[12][4];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 4; j++) values[i][j] = 1 - RANK[i][j] / 10;
    fp_ranks ranks;
    ASSERT_GOOD(fp_ranks_make(values[0], 12, 4, 0.95, *state, &ranks, &test_error));
    static const double sums[] = {38, 23.5, 24.5, 34};
    for (int j = 0; j < 4; j++) NEAR(ranks.arms[j].rank * 12, sums[j], 1e-9);
    NEAR(ranks.chi_square, 8.097, 0.0005);
    NEAR(ranks.f, 3.19, 0.005);
    NEAR(ranks.chi_square_p, 0.04404213782167815, 1e-9);
    NEAR(ranks.f_p, 0.036215474643259665, 1e-9);
}

/* Demšar's table 5 for 0.05, from tables of three decimals and so right to 0.001. */
static void demsar_table_5(void **state) {
    (void)state;
    static const double published[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    for (size_t k = 2; k <= 10; k++) NEAR(fp_nemenyi_quantile(k, 0.05), published[k - 2], 0.00101);
    static const double tenth[] = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
    for (size_t k = 2; k <= 10; k++) NEAR(fp_nemenyi_quantile(k, 0.10), tenth[k - 2], 0.00101);
}

/* Upper 5 % points of the studentised range with infinitely many degrees of freedom, as printed in the standard tables
 * (Harter 1960). */
static void studentised_range(void **state) {
    (void)state;
    static const struct {
        size_t count;
        double point;
    } published[] = {{2, 2.772},  {3, 3.314},  {4, 3.633},  {5, 3.858},  {6, 4.030},  {7, 4.170},  {8, 4.286},
                     {9, 4.387},  {10, 4.474}, {11, 4.552}, {12, 4.622}, {13, 4.685}, {14, 4.743}, {15, 4.796},
                     {16, 4.845}, {17, 4.891}, {18, 4.934}, {19, 4.974}, {20, 5.012}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        NEAR(fp_nemenyi_quantile(published[i].count, 0.05) * sqrt(2), published[i].point, 0.00051);
}

/* Worked by hand. First corpus: one best, two share ranks 2 and 3, the last. Second: all alike. Third: two share ranks
 * 1 and 2. The fourth has a hole. */
static void ties_by_hand(void **state) {
    double values[4][4] = {{0.5, 0.9, 0.5, 0.1}, {0.3, 0.3, 0.3, 0.3}, {0.8, 0.2, 0.8, 0.4}, {0.9, 0.9, NAN, 0.9}};
    fp_ranks ranks;
    ASSERT_GOOD(fp_ranks_make(values[0], 4, 4, 0.95, *state, &ranks, &test_error));
    assert_int_equal(ranks.corpus_count, 3);
    assert_int_equal(ranks.left_out, 1);
    static const double sums[] = {2.5 + 2.5 + 1.5, 1 + 2.5 + 4, 2.5 + 2.5 + 1.5, 4 + 2.5 + 3};
    static const double means[] = {1.6 / 3, 1.4 / 3, 1.6 / 3, 0.8 / 3};
    for (int j = 0; j < 4; j++) NEAR(ranks.arms[j].rank, sums[j] / 3, 1e-12);
    for (int j = 0; j < 4; j++) NEAR(ranks.arms[j].mean, means[j], 1e-12);
    static const size_t order[] = {0, 2, 1, 3};
    assert_memory_equal(ranks.order, order, sizeof order);
    /* Rank sums 6.5, 7.5, 6.5, 9.5 of 3 corpora: 12/(3·4·5)·(42.25 + 56.25 + 42.25 + 90.25) − 3·3·5 = 46.2 − 45; ties
     * of 2, 4 and 2: 1 − (6 + 60 + 6)/(3·4·15) = 0.6. */
    NEAR(ranks.ties, 0.6, 1e-9);
    NEAR(ranks.chi_square, 1.2 / 0.6, 1e-9);
    NEAR(ranks.f, 2 * 2 / (9.0 - 2), 1e-9);
}

/* Ranks 1, 2, 3 on each of 14 corpora: CD = 2.3437·√(12/84) = 0.886 < 1, so every arm stands alone; on 4 corpora it
 * is 1.657, which joins neighbours but not the ends. χ² = N(k − 1), where F is infinite. */
static void cliques_by_hand(void **state) {
    double values[14][3];
    for (int i = 0; i < 14; i++) values[i][0] = 0.5, values[i][1] = 0.9, values[i][2] = 0.7;
    fp_ranks ranks;
    ASSERT_GOOD(fp_ranks_make(values[0], 14, 3, 0.95, *state, &ranks, &test_error));
    assert_int_equal(ranks.clique_count, 0);
    NEAR(ranks.chi_square, 28, 1e-9);
    NEAR(ranks.chi_square_p, exp(-14), 1e-12); /* two degrees of freedom */
    assert_true(isinf(ranks.f));
    assert_true(ranks.f_p == 0);
    ASSERT_GOOD(fp_ranks_make(values[0], 4, 3, 0.95, *state, &ranks, &test_error));
    assert_int_equal(ranks.clique_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ranks.cliques[i].first, i);
        assert_int_equal(ranks.cliques[i].last, i + 1);
    }
}

/* numpy 1.24, scipy 1.10: m = x.mean(); v = x.var(ddof=1)/N; n = m(1 − m)/v·(norm.ppf(.975)/t.ppf(.975, N − 1))², or N
 * where v is 0; a = m·n, b = n − a; brentq on the mean of beta.cdf(p, a, b + 1) and beta.cdf(p, a + 1, b), at .025 and
 * .975. */
static void intervals_over_corpora(void **state) {
    double values[2][2] = {{0.2, 0.6}, {0.4, 0.6}}, many[40][2], same[3][2] = {{1, 0.1}, {1, 0.1}, {1, 0.1}};
    fp_ranks ranks;
    ASSERT_GOOD(fp_ranks_make(values[0], 2, 2, 0.95, *state, &ranks, &test_error));
    NEAR(ranks.arms[0].interval.low, 1.3684246119382395e-09, 1e-15);
    NEAR(ranks.arms[0].interval.high, 0.9998410636387297, 1e-9);
    NEAR(ranks.arms[1].interval.low, 0.04737427659364901, 1e-9);
    NEAR(ranks.arms[1].interval.high, 0.9897499247800813, 1e-9);
    for (int i = 0; i < 40; i++) many[i][0] = (double)i / 39, many[i][1] = 0.5;
    ASSERT_GOOD(fp_ranks_make(many[0], 40, 2, 0.95, *state, &ranks, &test_error));
    NEAR(ranks.arms[0].interval.low, 0.4047853132801545, 1e-9);
    NEAR(ranks.arms[0].interval.high, 0.5952146867198456, 1e-9);
    ASSERT_GOOD(fp_ranks_make(same[0], 3, 2, 0.95, *state, &ranks, &test_error));
    NEAR(ranks.arms[0].interval.low, 0.3684031498640386, 1e-9);
    NEAR(ranks.arms[0].interval.high, 1, 1e-12);
    assert_true(ranks.arms[1].interval.low < 0.05 && ranks.arms[1].interval.high > 0.5); /* equal but for rounding */
}

/* Nothing to order: no evidence, not 0/0. */
static void all_tied(void **state) {
    double values[3][3] = {{.5, .5, .5}, {.25, .25, .25}, {1, 1, 1}};
    fp_ranks ranks;
    ASSERT_GOOD(fp_ranks_make(values[0], 3, 3, 0.95, *state, &ranks, &test_error));
    assert_true(ranks.chi_square == 0 && ranks.f == 0);
    assert_true(ranks.chi_square_p == 1 && ranks.f_p == 1);
}

static void too_little(void **state) {
    double values[] = {0.1, 0.2, NAN, 0.3};
    fp_ranks ranks;
    assert_int_equal(fp_ranks_make(values, 2, 2, 0.95, *state, &ranks, &test_error), FP_ERROR_EMPTY);
    assert_int_equal(fp_ranks_make(values, 2, 1, 0.95, *state, &ranks, &test_error), FP_ERROR_EMPTY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(demsar_worked_example),  cmocka_unit_test(conover_grasses), cmocka_unit_test(demsar_table_5),
        cmocka_unit_test(studentised_range),      cmocka_unit_test(ties_by_hand),    cmocka_unit_test(cliques_by_hand),
        cmocka_unit_test(intervals_over_corpora), cmocka_unit_test(all_tied),        cmocka_unit_test(too_little)};
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
