/* SPDX-License-Identifier: GPL-3.0-or-later
 * McNemar's test: worked figures for independent pairs, other tests that it must agree with for units. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "tests/support.h"

#include "eval/statistics/difference.h"
#include "tests/eval/made_pairs.h"

/* Fagerland, Lydersen, Laake, BMC Medical Research Methodology 13:91, 2013: airway hyper-responsiveness before and
 * after transplantation, 1 against 7 discordant children: exact p 0.0703. 6 against 16 by hand: 220112/2²². */
static void exact_examples(void **state) {
    (void)state;
    assert_true(near(fp_mcnemar_exact(1, 7), 0.0703, 5e-5) && fp_mcnemar_exact(1, 7) == fp_mcnemar_exact(7, 1));
    assert_true(near(fp_mcnemar_exact(6, 16), 220112.0 / 4194304, 1e-12));
    assert_true(fp_mcnemar_exact(0, 0) == 1 && fp_mcnemar_exact(5, 5) == 1);
    assert_true(fp_mcnemar_exact(100000000, 100100000) < 1e-6 && fp_mcnemar_exact(100000000, 100000100) > 0.9);
}

typedef struct trial {
    fp_arena *arena;
    set *from;
    fp_resample resample;
    bool first[2000], second[2000];
    fp_mcnemar test;
} trial;

static trial *open_trial(void) {
    fp_arena *arena = fp_arena_new();
    trial *on = fp_arena_alloc(arena, 1, sizeof *on);
    on->arena = arena;
    on->from = fp_arena_alloc(arena, 1, sizeof *on->from);
    return on;
}

static void test(trial *on) {
    ASSERT_GOOD(fp_mcnemar_of(&on->resample, on->first, on->second, on->arena, &on->test, &test_error));
}

/* Independent pairs: the exact p of the two counts, and said to be that. */
static void independent_pairs_are_exact(void **state) {
    (void)state;
    trial *on = open_trial();
    make_set(on->from, APART, 300, 0, 13);
    resample_set(on->from, NULL, FP_SAMPLING_AUTO, on->arena, &on->resample);
    for (size_t i = 0; i < 300; i++) { /* only the first right: 60, only the second: 30 */
        on->first[i] = i % 10 < 6;
        on->second[i] = i % 10 < 4 || i % 10 == 9;
    }
    test(on);
    assert_true(on->test.exact && on->test.only_first == 60 && on->test.only_second == 30);
    assert_true(near(on->test.p, 2 * gsl_cdf_binomial_P(30, 0.5, 90), 1e-12));
    fp_arena_free(on->arena);
}

/* Units alike, no pair across two: Student's test of the sums of the units, here from their mean and their spread. 12
 * units of ten documents and nine pairs, with sums of −2 … 4. */
static void units_alike_have_the_t_test(void **state) {
    (void)state;
    enum { UNITS = 12, SIZE = 9 };
    static const int SUM[UNITS] = {3, -2, 4, 1, 2, -2, 3, 4, -1, 2, -2, 3};
    trial *on = open_trial();
    make_set(on->from, STARS, UNITS * SIZE, 0, 14);
    for (size_t i = 0; i < UNITS * SIZE; i++) on->from->pairs[i].label = 1;
    resample_set(on->from, NULL, FP_SAMPLING_AUTO, on->arena, &on->resample);
    assert_true(on->resample.unit == FP_SAMPLING_COMPONENT && on->resample.unit_count == UNITS);
    double mean = 0, spread = 0, fourths = 0, squares = 0;
    for (int u = 0; u < UNITS; u++) {
        for (int k = 0; k < SIZE; k++) { /* two pairs that one arm alone judges rightly on either side change nothing */
            on->first[u * SIZE + k] = SUM[u] > 0 ? k < SUM[u] || k == 7 : k == 7;
            on->second[u * SIZE + k] = SUM[u] < 0 ? k < -SUM[u] || k == 8 : k == 8;
        }
        mean += SUM[u] / (double)UNITS;
    }
    for (int u = 0; u < UNITS; u++) {
        spread += pow(SUM[u] - mean, 2) / (UNITS - 1);
        squares += SUM[u] * SUM[u];
        fourths += pow(SUM[u], 4);
    }
    assert_true(3 * squares * squares / fourths >= UNITS); /* alike: no degree of freedom is taken off */
    test(on);
    double t = mean / sqrt(spread / UNITS);
    assert_true(!on->test.exact && t > 1 && t < 3);
    assert_true(near(on->test.p, 2 * gsl_cdf_tdist_Q(t, UNITS - 1), 1e-12));
    fp_arena_free(on->arena);
}

/* One large unit among small ones: fewer degrees of freedom, a larger p than the t test has. */
static void one_unit_is_no_evidence(void **state) {
    (void)state;
    enum { UNITS = 40, SIZE = 9 };
    trial *on = open_trial();
    make_set(on->from, STARS, UNITS * SIZE, 0, 14);
    for (size_t i = 0; i < UNITS * SIZE; i++) on->from->pairs[i].label = 1;
    resample_set(on->from, NULL, FP_SAMPLING_AUTO, on->arena, &on->resample);
    for (size_t i = 0; i < SIZE; i++) on->first[i] = true;
    test(on);
    assert_true(on->test.only_first == SIZE && on->test.p > 0.3);
    assert_true(fp_mcnemar_exact(SIZE, 0) < 0.005); /* what it would say */
    /* Two that agree are no better than two throws of a coin, however many pairs they have. */
    for (size_t i = SIZE; i < 2 * SIZE; i++) on->first[i] = true;
    test(on);
    assert_true(on->test.p >= 0.5);
    /* None at all. */
    memset(on->first, 0, sizeof on->first);
    test(on);
    assert_true(on->test.p == 1 && !on->test.exact);
    fp_arena_free(on->arena);
}

/* Sums of units that cancel make no variance: it is no less than that of independent dyads. A ring of 40 units whose
 * pairs across two speak for either arm in turn, so that every sum of these is 0, and six pairs inside a unit that
 * speak for the first: Σ s² is 6, Σ e² is 46. By hand, with the formulas of difference.h. */
static void variance_has_a_least(void **state) {
    (void)state;
    enum { UNITS = 40, INSIDE = 6, COUNT = UNITS + INSIDE };
    trial *on = open_trial();
    on->from->count = COUNT;
    on->from->documents = 2 * UNITS;
    for (uint32_t i = 0; i < 2 * UNITS; i++) on->from->group[i] = i / 2;
    for (uint32_t u = 0; u < UNITS; u++) {
        on->from->pairs[u] = (fp_pair){2 * u, (2 * u + 2) % (2 * UNITS), 0};
        on->first[u] = u % 2;
        on->second[u] = !(u % 2);
    }
    for (uint32_t k = 0; k < INSIDE; k++) {
        on->from->pairs[UNITS + k] = (fp_pair){10 * k, 10 * k + 1, 1};
        on->first[UNITS + k] = true;
    }
    resample_set(on->from, on->from->group, FP_SAMPLING_GROUP, on->arena, &on->resample);
    test(on);
    double squared = INSIDE * INSIDE / (double)COUNT, most = UNITS / ((4.0 * UNITS + INSIDE) / COUNT);
    double t = sqrt(squared * (most - 1) / (most - squared)), freedom = 2 * UNITS * most / (UNITS + most) - 1;
    assert_true(near(on->test.p, 2 * gsl_cdf_tdist_Q(t, freedom), 1e-12) && on->test.p > 0.3);
    fp_arena_free(on->arena);
}

/* The order of the pairs and of the arms is no matter; a pair across two units counts in both. */
static void order_is_no_matter(void **state) {
    (void)state;
    trial *on = open_trial();
    make_set(on->from, GROUPED, 900, 150, 5);
    resample_set(on->from, on->from->group, FP_SAMPLING_AUTO, on->arena, &on->resample);
    assert_true(on->resample.crossing);
    for (size_t i = 0; i < 900; i++) {
        on->first[i] = fp_mix(i, 1) % 10 < 8;
        on->second[i] = fp_mix(i, 2) % 10 < 7;
    }
    test(on);
    double p = on->test.p;
    assert_true(p > 0 && p < 1);
    for (size_t i = 0; i < 900; i++) {
        bool kept = on->first[i];
        on->first[i] = on->second[i];
        on->second[i] = kept;
    }
    test(on);
    assert_true(near(on->test.p, p, 1e-12));
    set *turned = fp_arena_alloc(on->arena, 1, sizeof *turned);
    memcpy(turned, on->from, sizeof *turned);
    bool first[900], second[900];
    for (size_t i = 0; i < 900; i++) {
        turned->pairs[i] = on->from->pairs[899 - i];
        first[i] = on->first[899 - i];
        second[i] = on->second[899 - i];
    }
    memcpy(on->first, first, sizeof first);
    memcpy(on->second, second, sizeof second);
    resample_set(turned, turned->group, FP_SAMPLING_AUTO, on->arena, &on->resample);
    test(on);
    assert_true(near(on->test.p, p, 1e-9));
    fp_arena_free(on->arena);
}

/* Of one unit there is nothing to compare it with; of two, which agree, no more than two throws of a coin. */
static void one_unit_says_nothing(void **state) {
    (void)state;
    for (size_t units = 1; units <= 2; units++) {
        trial *on = open_trial();
        make_set(on->from, STARS, 9 * units, 0, 14);
        for (size_t i = 0; i < 9 * units; i++) on->from->pairs[i].label = 1;
        resample_set(on->from, NULL, FP_SAMPLING_PART, on->arena, &on->resample);
        assert_int_equal(on->resample.unit_count, units);
        for (size_t i = 0; i < 9 * units; i++) on->first[i] = i % 9 < 4;
        test(on);
        assert_true(units == 1 ? isnan(on->test.p) : on->test.p >= 0.5 && on->test.p <= 1);
        assert_int_equal(on->test.only_first, 4 * units);
        fp_arena_free(on->arena);
    }
}

/* The formulas of difference.h over every two pairs, with no sums of units: Σ s² less what dyads across units count
 * twice is the sum of d·d' over all that share a unit, and the least V that over all of one dyad. */
typedef struct by_pairs {
    double all, touching, same, fourths, touched, discordant;
    size_t units, active;
} by_pairs;

static by_pairs sum_over_pairs(const trial *on) {
    const fp_resample *of = &on->resample;
    by_pairs sum = {.units = of->unit_count};
    for (size_t i = 0; i < of->pair_count; i++) {
        double d = (double)on->first[i] - (double)on->second[i];
        uint32_t a = of->first[i], b = of->second[i];
        sum.all += d;
        sum.discordant += fabs(d);
        sum.touched += fabs(d) * (a == b ? 1 : 4);
        for (size_t k = 0; k < of->pair_count; k++) {
            double product = d * ((double)on->first[k] - (double)on->second[k]);
            uint32_t x = of->first[k], y = of->second[k];
            if (a == x || a == y || b == x || b == y) sum.touching += product;
            if ((a == x && b == y) || (a == y && b == x)) sum.same += product;
        }
    }
    for (uint32_t u = 0; u < of->unit_count; u++) {
        double own = 0, discordant = 0;
        for (size_t i = 0; i < of->pair_count; i++) {
            if (of->first[i] != u && of->second[i] != u) continue;
            own += (double)on->first[i] - (double)on->second[i];
            discordant += on->first[i] != on->second[i];
        }
        sum.fourths += pow(own, 4);
        sum.active += discordant > 0;
    }
    return sum;
}

static double p_of(const by_pairs *sum) {
    double units = (double)sum->units, variance = fmax(sum->touching, sum->same);
    double worth = fmin(units, fmax(2, 3 * variance * variance / sum->fourths));
    double most = fmin(worth, fmax(2, units / (sum->touched / sum->discordant))),
           squared = sum->all * sum->all / variance;
    double t = squared < most ? sqrt(squared * (most - 1) / (most - squared)) : INFINITY;
    return fmin(1,
                fmax(2 * gsl_cdf_tdist_Q(t, 2 * worth * most / (worth + most) - 1), pow(0.5, (double)sum->active - 1)));
}

/* Worlds in which units lean to one arm or the other, and some in which hardly a pair is judged differently. */
static void units_by_the_law(void **state) {
    (void)state;
    static const shape SHAPES[] = {SHARED, GROUPED, STARS};
    size_t above = 0, below = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        trial *on = open_trial();
        shape of = SHAPES[seed % 3];
        make_set(on->from, of, 240, 60 + 3 * seed, seed);
        resample_set(on->from, of == GROUPED ? on->from->group : NULL,
                     of == SHARED ? FP_SAMPLING_DOCUMENT : FP_SAMPLING_AUTO, on->arena, &on->resample);
        for (size_t i = 0; i < 240; i++) {
            double lean =
                seed % 2 ? 0.4 * (double)(fp_mix(on->resample.first[i], seed) % 3) - 0.4 + 0.1 * (double)(seed % 4) : 0;
            bool differs = fp_mix(i, seed + 1) % 40 < (seed % 5 ? 10 : 1);
            on->first[i] = (double)(fp_mix(i, seed + 2) % 1000) / 1000 < 0.5 + lean;
            on->second[i] = differs ? !on->first[i] : on->first[i];
        }
        test(on);
        by_pairs sum = sum_over_pairs(on);
        if (sum.discordant > 0) assert_true(near(on->test.p, p_of(&sum), 1e-9));
        above += sum.touching > sum.same;
        below += sum.touching < sum.same;
        fp_arena_free(on->arena);
    }
    if (above <= 10 || below <= 5) fail_msg("%zu above, %zu below", above, below);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_examples),
        cmocka_unit_test(independent_pairs_are_exact),
        cmocka_unit_test(units_alike_have_the_t_test),
        cmocka_unit_test(one_unit_is_no_evidence),
        cmocka_unit_test(variance_has_a_least),
        cmocka_unit_test(order_is_no_matter),
        cmocka_unit_test(one_unit_says_nothing),
        cmocka_unit_test(units_by_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
