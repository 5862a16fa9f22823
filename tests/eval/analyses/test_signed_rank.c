/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signed-rank tests: published examples, every sign tried, closed forms, and draws made elsewhere. */
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

/* AUC of C4.5 and C4.5+m on 14 data sets (Demšar, JMLR 7, 2006, table 2). */
static const double BEFORE[] = {.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957},
                    AFTER[] = {.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978};
enum { SETS = sizeof BEFORE / sizeof *BEFORE };

static fp_signed_rank test_of(const double *difference, size_t count, fp_arena *arena) {
    fp_signed_rank test = {0};
    ASSERT_GOOD(fp_signed_rank_of(difference, count, arena, &test, &test_error));
    return test;
}

/* Published rank sums are 93 and 12, with the ranks of the two zeros (1.5 each) shared; without them 91.5 and 10.5.
 * AFTER − BEFORE has ties as decimals that it has not as doubles. p: all 2^12 signs counted by a program in Python. */
static void demsar_table_2(void **state) {
    double difference[SETS];
    for (size_t i = 0; i < SETS; i++) difference[i] = AFTER[i] - BEFORE[i];
    fp_signed_rank test = test_of(difference, SETS, *state);
    assert_int_equal(test.zeros, 2);
    NEAR(test.above, 93 - 1.5, 1e-12);
    NEAR(test.below, 12 - 1.5, 1e-12);
    NEAR(test.p, 32.0 / 4096, 1e-12);
}

/* Depression scores at two visits (Hollander, Wolfe, Nonparametric Statistical Methods, 1973, page 29): V = 40,
 * one-sided p 10/512. A tenth of them, to be differences of shares. */
static void hollander_wolfe(void **state) {
    static const double DIFFERENCE[] = {.0952, -.0147, .1022, .043, .062, .059, .049, -.008, .001};
    fp_signed_rank test = test_of(DIFFERENCE, 9, *state);
    NEAR(test.above, 40, 1e-12);
    NEAR(test.below, 5, 1e-12);
    NEAR(test.p, 20.0 / 512, 1e-12);
}

static void fill(double *difference, int count) {
    for (int i = 0; i < count; i++) difference[i] = ((i * 7919) % 1000 - 420) / 1000.0 + i * 1e-6;
}

/* scipy 1.10: wilcoxon(difference, method='exact') of 60, method='approx', correction=False of 150. */
static void as_scipy_has_it(void **state) {
    double difference[150];
    fill(difference, 60);
    NEAR(test_of(difference, 60, *state).p, 0.04841883411667523, 1e-12);
    fill(difference, 150);
    fp_signed_rank test = test_of(difference, 150, *state);
    NEAR(fmin(test.above, test.below), 4126, 1e-9);
    NEAR(test.p, 0.003941051143104212, 1e-12);
}

/* Every sign tried, for small whole differences with many ties and zeros. */
static void every_sign(void **state) {
    for (uint64_t trial = 0; trial < 300; trial++) {
        double difference[8];
        size_t count = 1 + fp_mix(trial, 0) % 8, hits = 0, others = 0;
        for (size_t i = 0; i < count; i++) difference[i] = ((double)(fp_mix(trial, i + 1) % 7) - 3) / 10;
        fp_signed_rank test = test_of(difference, count, *state);
        double ranks[8], total = 0;
        for (size_t i = 0; i < count; i++) {
            ranks[i] = 0.5;
            for (size_t j = 0; j < count; j++)
                ranks[i] += fabs(difference[j]) < fabs(difference[i])    ? 1
                            : fabs(difference[j]) == fabs(difference[i]) ? 0.5
                                                                         : 0;
            if (difference[i] == 0) ranks[i] = 0, others++;
            total += ranks[i];
        }
        for (unsigned signs = 0; signs < 1u << count; signs++) {
            double sum = 0;
            for (size_t i = 0; i < count; i++) sum += signs >> i & 1 ? ranks[i] : 0;
            hits += sum <= fmin(test.above, test.below);
        }
        assert_int_equal(test.zeros, others);
        NEAR(test.above + test.below, total, 1e-12);
        NEAR(test.p, fmin(1, 2 * (double)hits / (double)(1u << count)), 1e-12);
    }
    static const double SAME[3] = {0};
    NEAR(test_of(SAME, 3, *state).p, 1, 0);
    NEAR(fp_signed_rank_least(5), 0.0625, 0);
}

/* ---- Bayesian ---- */

static fp_posterior posterior_of(const double *difference, size_t count, double margin, size_t draws, fp_arena *arena) {
    fp_posterior posterior = {0};
    fp_bayes_options options = {.margin = margin, .seed = 1, .draws = draws};
    ASSERT_GOOD(fp_bayes_signed_ranks(difference, 1, count, &options, arena, &posterior, &test_error));
    NEAR(posterior.above + posterior.within + posterior.below, 1, 1e-12);
    return posterior;
}

/* One difference z, weights w of it and 1 − w of the prior's 0, 1 − w ~ Beta(½, 1), whose distribution function is √x.
 * z above twice the margin: θ_within = (1 − w)², so it loses with probability √√½. z between once and twice the margin:
 * θ_above = w², which wins where 1 − w < 1 − √½. z within: never. */
static void one_difference(void **state) {
    static const struct {
        double z, above;
    } CASES[] = {{0.05, 0.8408964152537145}, {0.03, 0.5411961001461969}, {0.01, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_posterior up = posterior_of(&CASES[i].z, 1, 0.02, 200000, *state);
        double z = -CASES[i].z;
        fp_posterior down = posterior_of(&z, 1, 0.02, 200000, *state);
        NEAR(up.above, CASES[i].above, 4 * up.error);
        NEAR(up.below, 0, 0);
        NEAR(down.below, up.above, 0); /* the same draws */
    }
}

/* numpy 1.24: 400,000 draws of rng.dirichlet([1]*14 + [.5]), the double sums of the definition as they are written. */
static void as_numpy_draws_it(void **state) {
    static const struct {
        double margin, above;
    } CASES[] = {{0.01, 0.6712025}, {0.02, 0.1049375}, {0.005, 0.9501075}, {0, 0.9989975}};
    double difference[SETS];
    for (size_t i = 0; i < SETS; i++) difference[i] = rint((AFTER[i] - BEFORE[i]) * 1000) / 1000;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_posterior found = posterior_of(difference, SETS, CASES[i].margin, FP_BAYES_DRAWS, *state);
        NEAR(found.above, CASES[i].above, 4 * found.error);
        assert_true(found.error > 0 && found.error <= 0.5 / sqrt(FP_BAYES_DRAWS) * 1.001);
    }
}

/* ---- Every two arms ---- */

static void pairs_of_arms(void **state) {
    static const double VALUES[6][3] = {{.5, .9, .7},   {.4, .8, .71}, {.5, .85, .72},
                                        {.45, .87, .7}, {.4, .9, .69}, {.3, .9, .6}};
    fp_ranks ranks;
    fp_rank_pairs pairs;
    fp_bayes_options options = {.margin = 0.02, .seed = 1, .draws = 5000};
    ASSERT_GOOD(fp_ranks_make(VALUES[0], 6, 3, 0.95, *state, &ranks, &test_error));
    ASSERT_GOOD(fp_rank_pairs_make(&ranks, &options, *state, &pairs, &test_error));
    static const size_t FIRST[] = {1, 1, 2}, SECOND[] = {2, 0, 0};
    assert_int_equal(pairs.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const fp_rank_pair *pair = pairs.pairs + i;
        assert_true(pair->first == FIRST[i] && pair->second == SECOND[i]);
        NEAR(pair->mean, ranks.arms[pair->first].mean - ranks.arms[pair->second].mean, 1e-12);
        NEAR(pair->test.p, 1.0 / 32, 1e-12); /* all six of one sign */
        NEAR(pair->adjusted, 3.0 / 32, 1e-12);
        assert_true(pair->posterior.above > 0.9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(demsar_table_2),  cmocka_unit_test(hollander_wolfe),
                                       cmocka_unit_test(as_scipy_has_it), cmocka_unit_test(every_sign),
                                       cmocka_unit_test(one_difference),  cmocka_unit_test(as_numpy_draws_it),
                                       cmocka_unit_test(pairs_of_arms)};
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
