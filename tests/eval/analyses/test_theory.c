/* SPDX-License-Identifier: GPL-3.0-or-later
 * Laws beside measurements: expected counts by fractions on paper, moments from the formulae of the distributions,
 * tests of the fit on cases whose distribution can be written down, and on data that keep or break the law. How often
 * the tests reject is simulated by tests/deep/laws/fit_size.c. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "algorithms/families/sets.h"
#include "eval/analyses/theory.h"
#include "tests/support.h"

static bool near(double a, double b, double by) { return fabs(a - b) <= by; }

/* ---- Laws made for the purpose ---- */

/* Four places that differ with probability 1 − s. */
static double four_places(const fp_instance *self, double similarity, double h) {
    (void)self;
    return h < 0 ? 0 : h >= 4 ? 1 : gsl_cdf_binomial_P((unsigned)h, 1 - similarity, 4);
}

/* A real distance about 40·(1 − s), with a standard deviation of 2. */
static double about(const fp_instance *self, double similarity, double h) {
    (void)self;
    return gsl_cdf_gaussian_P(h - 40 * (1 - similarity), 2);
}

static double not_at_all(const fp_instance *self, double similarity, double h) {
    (void)self;
    return h >= floor(10 * (1 - similarity)) ? 1 : 0;
}

static const fp_algorithm FOUR = {.name = "four", .law = four_places}, ABOUT = {.name = "about", .law = about},
                          CERTAIN = {.name = "certain", .law = not_at_all};

static fp_instance instance_of(const fp_algorithm *algorithm, double maximum, bool integral) {
    return (fp_instance){.algorithm = algorithm, .layout = {.maximum = maximum, .integral = integral}};
}

static const fp_theory_options OPTIONS = {.confidence = 0.95, .replicates = 999, .seed = 1};

static void moments_of_known_laws(void **state) {
    (void)state;
    fp_instance four = instance_of(&FOUR, 4, true), real = instance_of(&ABOUT, 64, false),
                certain = instance_of(&CERTAIN, 10, true);
    for (double s = 0; s <= 1; s += 0.125) {
        fp_moments moments = fp_theory_moments(&four, s);
        assert_true(near(moments.mean, 4 * (1 - s), 1e-9) && near(moments.variance, 4 * s * (1 - s), 1e-9));
    }
    fp_moments normal = fp_theory_moments(&real, 0.25);
    assert_true(near(normal.mean, 30, 1e-6) && near(normal.variance, 4, 1e-6));
    fp_moments sure = fp_theory_moments(&certain, 0.72);
    assert_true(sure.mean == 2 && sure.variance == 0);
    /* MinHash: n(1 − J) and n·J(1 − J). */
    fp_arena *arena = fp_arena_new();
    const fp_arm *arm = test_arm("minhash:slots=200", NULL, 0, arena);
    fp_moments slots = fp_theory_moments(&arm->instance, 0.3);
    assert_true(near(slots.mean, 140, 1e-7) && near(slots.variance, 42, 1e-7));
    /* SimHash at 60°: a third of the bits, and f/3·2/3. */
    arm = test_arm("simhash:bits=64,features=chars:2", NULL, 0, arena);
    fp_moments bits = fp_theory_moments(&arm->instance, 0.5);
    assert_true(near(bits.mean, 64 / 3.0, 1e-7) && near(bits.variance, 128 / 9.0, 1e-7));
    fp_arena_free(arena);
}

/* s = ¾: P[D = 0 … 4] = 81, 108, 54, 12, 1 of 256; s = ½: 1, 4, 6, 4, 1 of 16. Two positives at ¾, one negative at ½.
 */
static void expected_counts_on_paper(void **state) {
    (void)state;
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 0}};
    static const double DISTANCE[] = {0, 2, 2}, SIMILARITY[] = {0.75, 0.75, 0.5};
    fp_arena *arena = fp_arena_new();
    fp_instance instance = instance_of(&FOUR, 4, true);
    fp_theory_pairs pairs = {3, PAIRS, DISTANCE, SIMILARITY, NULL};
    fp_theory theory;
    ASSERT_GOOD(fp_theory_make(&instance, &pairs, &OPTIONS, NULL, arena, &theory, &test_error));
    assert_int_equal(theory.step_count, 5);
    assert_true(theory.positives == 2 && theory.negatives == 1);
    static const double POSITIVE[] = {81, 108, 54, 12, 1}, NEGATIVE[] = {1, 4, 6, 4, 1};
    for (size_t h = 0; h < 5; h++) {
        assert_true(near(theory.steps[h].positives_expected, POSITIVE[h] / 128, 1e-9));
        assert_true(near(theory.steps[h].negatives_expected, NEGATIVE[h] / 16, 1e-9));
        assert_true(theory.steps[h].positives == (h == 0) + (h == 2) && theory.steps[h].negatives == (h == 2));
    }
    fp_theory_counts counts = fp_theory_counts_at(&theory, 1);
    assert_true(counts.tp == 1 && counts.fp == 0);
    assert_true(near(counts.recall_expected, 189 / 256.0, 1e-9));
    assert_true(near(counts.precision_expected, (189 / 128.0) / (189 / 128.0 + 5 / 16.0), 1e-9));
    assert_true(isnan(fp_theory_counts_at(&theory, -1).precision_expected));
    /* Means 1, 1, 2: off by −1, 1, 0; variances ¾, ¾, 1. */
    assert_true(near(theory.shift, 0, 1e-9) && near(theory.spread, 2 / 2.5, 1e-9));
    assert_int_equal(theory.place_count, 0);
    assert_true(isnan(theory.fit.p));
    fp_arena_free(arena);
}

/* Bins by tenths; the law's spread over a bin holds the spread of the means. */
static void bins_of_similarity(void **state) {
    (void)state;
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 0}, {6, 7, 0}};
    static const double DISTANCE[] = {1, 3, 3, 0}, SIMILARITY[] = {0.7, 0.75, 0.6999, 1};
    fp_arena *arena = fp_arena_new();
    fp_instance instance = instance_of(&FOUR, 4, true);
    fp_theory_pairs pairs = {4, PAIRS, DISTANCE, SIMILARITY, NULL};
    fp_theory theory;
    ASSERT_GOOD(fp_theory_make(&instance, &pairs, &OPTIONS, NULL, arena, &theory, &test_error));
    assert_int_equal(theory.bin_count, 3);
    const fp_theory_bin *bin = theory.bins + 1;
    assert_true(near(theory.bins[0].low, 0.6, 1e-12) && near(bin->low, 0.7, 1e-12) && near(bin->high, 0.8, 1e-12));
    assert_true(near(theory.bins[2].high, 1, 1e-12) && theory.bins[2].pairs == 1 &&
                theory.bins[2].variance_by_law < 1e-9);
    assert_true(bin->pairs == 2 && bin->positives == 2);
    assert_true(near(bin->similarity, 0.725, 1e-12) && bin->mean == 2 && near(bin->expected, 1.1, 1e-9) &&
                bin->deviation == 1);
    assert_true(near(bin->variance, (0.04 + 4) / 2, 1e-9) && near(bin->variance_by_law, (0.84 + 0.75) / 2, 1e-9));
    assert_true(near(bin->expected_deviation, sqrt(0.01 + 0.795), 1e-9));
    assert_true(isnan(bin->shift.value));
    fp_arena_free(arena);
}

/* ---- Places ---- */

static void places_add_up_to_the_distance(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:features=chars:2", "simhash:bits=100,features=chars:2",
                                        "minhash:slots=70",         "minhash:slots=70,width=64",
                                        "minhash:slots=70,b=1",     "minhash:slots=130,b=3",
                                        "minhash:slots=64,b=32",    "weightedminhash:slots=33"};
    static const char A[] = "市图书馆本周六延长开放时间，读者可以凭证件入场。",
                      B[] = "市图书馆本周日延长开放时间，读者凭身份证件入场！";
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof SPECS / sizeof *SPECS; i++) {
        const fp_arm *arm = test_arm(SPECS[i], NULL, 0, arena);
        fp_sketch a, b;
        uint64_t differs[8];
        ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(A), arena, &a, &test_error));
        ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(B), arena, &b, &test_error));
        fp_places_differing(&arm->instance, a, b, differs);
        size_t count = 0, places = fp_places(&arm->instance);
        for (size_t j = 0; j < (places + 63) / 64 * 64; j++) count += differs[j / 64] >> j % 64 & 1;
        assert_true(places > 0 && count > 0 && (double)count == fp_arm_distance(arm, a, b));
    }
    assert_int_equal(fp_places(&test_arm("projection", NULL, 0, arena)->instance), 0);
    fp_arena_free(arena);
}

/* ---- Fit ---- */

static fp_fit fit_of(const fp_fit_input *input, size_t replicates) {
    fp_arena *arena = fp_arena_new();
    fp_fit fit;
    ASSERT_GOOD(fp_fit_make(input, 0.95, replicates, 1, arena, &fit, &test_error));
    fp_arena_free(arena);
    return fit;
}

/* One pair, four places, p = ½, of which three differ: the e_j are ½, ½, ½, −½, with mean ¼ and deviation ½, so that t
 * = 1. With three degrees of freedom P[T > 1] = ½ − (√3/4 + π/6)/π. d = 3: (3 − 2)²/1 = 1; under signs (Σ ± ½)² is 4,
 * 1, 0 with probabilities ⅛, ½, ⅜. */
static void one_pair_on_paper(void **state) {
    (void)state;
    uint64_t differs[] = {1, 1, 0, 1};
    double half[] = {0.5};
    fp_fit_input input = {1, 4, differs, half};
    fp_fit fit = fit_of(&input, 20000);
    assert_true(near(fit.shift.value, 1, 1e-12) && near(fit.shift.p, 1 - 2 * (sqrt(3) / 4 + M_PI / 6) / M_PI, 1e-9));
    assert_true(near(fit.shift.interval.high - 1, 3.182446305284263, 1e-9)); /* t(0.975; 3), from tables */
    assert_true(near(fit.spread, 1, 1e-12) && fit.spread_p == 1);
    assert_true(near(fit.spread_by_law.low, 0, 1e-12) && near(fit.spread_by_law.high, 4, 1e-12));
    differs[2] = 1; /* all differ: 4, and as much in ⅛ of the draws */
    fit = fit_of(&input, 20000);
    assert_true(near(fit.spread, 4, 1e-12) && near(fit.spread_p, 0.25, 0.015) && fit.shift.p == 0);
}

/* Where the law leaves nothing to chance there is nothing to test, and what it excludes has probability 0. */
static void nothing_left_to_chance(void **state) {
    (void)state;
    uint64_t differs[8] = {0};
    double never[] = {0};
    fp_fit_input input = {1, 8, differs, never};
    fp_fit fit = fit_of(&input, 99);
    assert_true(fit.shift.value == 0 && isnan(fit.shift.p) && isnan(fit.spread) && isnan(fit.p));
    for (size_t j = 0; j < 8; j++) differs[j] = 1;
    fit = fit_of(&input, 99);
    assert_true(fit.shift.value == 8 && fit.shift.p == 0 && fit.p == 0);
    input.place_count = 1;
    assert_true(isnan(fit_of(&input, 99).p));
}

enum { PAIRS = 150, PLACES = 64, WORDS = (PAIRS + 63) / 64 };

/* Pair i differs in each place with probability p_i·(1 ± wrong), by turns; every place stands `copies` times; three
 * pairs each have their draws in common. */
static void draw(uint64_t differs[PLACES * WORDS], double probability[PAIRS], double wrong, size_t copies,
                 bool regular) {
    memset(differs, 0, PLACES * WORDS * sizeof *differs);
    for (size_t i = 0; i < PAIRS; i++) {
        probability[i] = 0.05 + 0.4 * (double)i / PAIRS;
        double p = probability[i] * (1 + (i % 2 ? wrong : -wrong));
        size_t offset = fp_mix(i / 3, 5) % PLACES;
        for (size_t j = 0; j < PLACES; j++) {
            double u = (double)(fp_mix(i / 3, 1000 + j / copies * copies) >> 11) * 0x1p-53;
            if (regular)
                u = (double)((j + offset) * 37 % PLACES) / PLACES; /* every pair the same share, up to one place */
            if (u < p) differs[j * WORDS + i / 64] |= (uint64_t)1 << i % 64;
        }
    }
}

static fp_fit fit_of_drawn(double wrong, size_t copies, bool regular) {
    static uint64_t differs[PLACES * WORDS];
    static double probability[PAIRS];
    draw(differs, probability, wrong, copies, regular);
    fp_fit_input input = {PAIRS, PLACES, differs, probability};
    return fit_of(&input, 999);
}

static void laws_kept_and_broken(void **state) {
    (void)state;
    fp_fit kept = fit_of_drawn(0, 1, false);
    assert_true(kept.p > 0.05);
    assert_true(kept.spread > kept.spread_by_law.low && kept.spread < kept.spread_by_law.high);
    fp_fit crooked = fit_of_drawn(0.4, 1, false);
    assert_true(crooked.p < 0.01 && crooked.spread > crooked.spread_by_law.high);
    fp_fit copied = fit_of_drawn(0, 8, false); /* places that depend on one another */
    assert_true(copied.p < 0.01 && copied.spread > 3);
    fp_fit regular = fit_of_drawn(0, 1, true); /* and that make up for one another */
    assert_true(regular.spread < 0.2 && regular.spread_p < 0.01);
}

/* The same seed, the same draws; more places than rows of the matrix still give the spread itself. */
static void fits_are_repeatable_and_large(void **state) {
    (void)state;
    enum { MANY = 1500 };
    static uint64_t differs[MANY];
    double probability[40], squares = 0, variance = 0;
    for (size_t i = 0; i < 40; i++) {
        double d = 0;
        probability[i] = 0.1 + 0.01 * (double)i;
        for (size_t j = 0; j < MANY; j++) {
            bool differ = (double)(fp_mix(i, j) >> 11) * 0x1p-53 < probability[i];
            differs[j] |= (uint64_t)differ << i;
            d += differ;
        }
        squares += (d - MANY * probability[i]) * (d - MANY * probability[i]);
        variance += MANY * probability[i] * (1 - probability[i]);
    }
    fp_fit_input input = {40, MANY, differs, probability};
    fp_fit fit = fit_of(&input, 199), again = fit_of(&input, 199);
    assert_memory_equal(&fit, &again, sizeof fit);
    assert_true(near(fit.spread, squares / variance, 1e-9));
    assert_true(fit.p > 0.02);
}

static void shifts_of_some_pairs(void **state) {
    (void)state;
    uint64_t differs[] = {3, 1, 1, 0}, only_second[] = {2}, none[] = {0};
    double probability[] = {0.5, 0.25};
    fp_fit_input input = {2, 4, differs, probability};
    fp_arena *arena = fp_arena_new();
    fp_fit_shift shift;
    ASSERT_GOOD(fp_fit_shift_of(&input, NULL, 0.95, arena, &shift, &test_error));
    assert_true(near(shift.value, 0.5, 1e-12)); /* distances 3 and 1, means 2 and 1 */
    ASSERT_GOOD(fp_fit_shift_of(&input, only_second, 0.95, arena, &shift, &test_error));
    assert_true(near(shift.value, 0, 1e-12) && shift.p == 1);
    ASSERT_GOOD(fp_fit_shift_of(&input, none, 0.95, arena, &shift, &test_error));
    assert_true(isnan(shift.value));
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_of_known_laws), cmocka_unit_test(expected_counts_on_paper),
        cmocka_unit_test(bins_of_similarity),    cmocka_unit_test(places_add_up_to_the_distance),
        cmocka_unit_test(one_pair_on_paper),     cmocka_unit_test(nothing_left_to_chance),
        cmocka_unit_test(laws_kept_and_broken),  cmocka_unit_test(fits_are_repeatable_and_large),
        cmocka_unit_test(shifts_of_some_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
