/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals of shares: against binomial sums, published examples, limits that are known, and laws. */
#include "eval/statistics/proportion_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"
#include "tests/eval/share_law.h"
#include "tests/eval/whole_trials.h"

static double uniform(uint64_t i, uint64_t seed) { return ((double)(fp_mix(i, seed) >> 11) + 0.5) * 0x1p-53; }

static bool alike(fp_interval a, fp_interval b, double within) {
    return near(a.low, b.low, within) && near(a.high, b.high, within);
}

/* ---- Independent trials ---- */

static void whole_trials_are_binomial(void **state) {
    (void)state;
    static const uint64_t TRIALS[] = {1, 2, 3, 10, 29, 148, 2000};
    static const double CONFIDENCE[] = {0.8, 0.95, 0.999};
    for (size_t i = 0; i < 7; i++) {
        uint64_t n = TRIALS[i];
        for (uint64_t x = 0; x <= n; x += n > 200 ? 97 : 1)
            for (size_t c = 0; c < 3; c++) {
                double share = (double)x / (double)n;
                assert_true(alike(fp_binomial_interval(share, (double)n, CONFIDENCE[c], false),
                                  mid_p_of(x, n, CONFIDENCE[c]), 1e-9));
                assert_true(alike(fp_binomial_interval(share, (double)n, CONFIDENCE[c], true),
                                  clopper_pearson_of(x, n, CONFIDENCE[c]), 1e-9));
            }
    }
    assert_true(isnan(fp_binomial_interval(0.5, 0, 0.95, false).low) &&
                isnan(fp_binomial_interval(NAN, 5, 0.95, true).high));
}

/* Up to the skewness and the trial more, of the order of 1/n. Also counts for which GSL's own inverse of the beta
 * distribution gives up, or the distribution itself. */
static void many_trials_are_normal(void **state) {
    (void)state;
    for (double trials = 1e6; trials < 1e14; trials *= 7) {
        for (double share = 0.0625; share < 1; share += 0.0625) {
            double half = 1.959963984540054 * sqrt(share * (1 - share) / trials);
            fp_interval normal = {share - half, share + half};
            assert_true(alike(fp_binomial_interval(share, trials, 0.95, false), normal, 5 / trials));
            assert_true(alike(fp_binomial_interval(share, trials, 0.95, true), normal, 5 / trials));
        }
        fp_interval none = fp_binomial_interval(0, trials, 0.95, false),
                    all = fp_binomial_interval(1, trials, 0.95, true);
        /* Half of (1 − p)ⁿ is 0.025: p = 1 − 0.05^(1/n); and all of it. */
        assert_true(none.low == 0 && near(none.high * trials, -log(0.05), 1e-4));
        assert_true(all.high == 1 && near((1 - all.low) * trials, -log(0.025), 1e-3 + 1e-15 * trials));
    }
}

/* Ten in ten thousand million: Poisson's law. */
static void rare_successes_are_poissons(void **state) {
    (void)state;
    for (double trials = 1e8; trials < 1e11; trials *= 10) {
        fp_interval found = fp_binomial_interval(10 / trials, trials, 0.95, false);
        double low = found.low * trials, high = found.high * trials;
        assert_true(near(gsl_cdf_poisson_Q(10, low) + gsl_ran_poisson_pdf(10, low) / 2, 0.025, 1e-5));
        assert_true(near(gsl_cdf_poisson_P(9, high) + gsl_ran_poisson_pdf(10, high) / 2, 0.025, 1e-5));
    }
}

/* ---- Any spread ---- */

/* A share that errs in clusters: `trials` ≥ 0.5 at least, a deff of 1 to 20, weights of units up to a half. */
static double made_spread(uint64_t i, fp_share_spread *spread) {
    double share = i % 10 == 0 ? 0 : i % 10 == 1 ? 1 : i % 10 == 2 ? 1e-9 : uniform(i, 1);
    double trials = exp(10 * uniform(i, 2)), clustered = i % 3 ? 1 + 19 * uniform(i, 3) : 1;
    *spread = (fp_share_spread){.variance = share * (1 - share) / trials,
                                .independent = i % 7 ? share * (1 - share) / (trials * clustered) : 0,
                                .wider = 1 + uniform(i, 4) / 2,
                                .wrong = (0.5 + uniform(i, 5)) / (1 + trials),
                                .right = (0.5 + uniform(i, 6)) / (1 + trials)};
    return share;
}

static void limits_are_quantiles_of_the_laws(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 3000; i++) {
        fp_share_spread spread;
        double share = made_spread(i, &spread), confidence = i % 2 ? 0.95 : 0.8;
        fp_interval found = fp_share_interval(share, &spread, confidence, i % 4 == 3),
                    expected = share_by_law(share, &spread, confidence, i % 4 == 3);
        if (!alike(found, expected, 1e-9))
            fail_msg("%u: %.12g %.12g, not %.12g %.12g", (unsigned)i, found.low, found.high, expected.low,
                     expected.high);
    }
}

static void limits_hold_the_share_and_turn_with_it(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        fp_share_spread spread;
        double share = made_spread(i, &spread);
        fp_share_spread turned = spread;
        turned.wrong = spread.right;
        turned.right = spread.wrong;
        fp_interval middle = fp_share_interval(share, &spread, 0.95, false),
                    exact = fp_share_interval(share, &spread, 0.95, true),
                    other = fp_share_interval(1 - share, &turned, 0.95, false);
        if (!(middle.low <= share && share <= middle.high))
            fail_msg("%u: %.12g to %.12g without %.12g", (unsigned)i, middle.low, middle.high, share);
        assert_true(0 <= exact.low && exact.low <= middle.low + 1e-12 && middle.high <= exact.high + 1e-12 &&
                    exact.high <= 1);
        assert_true(alike(middle, (fp_interval){1 - other.high, 1 - other.low}, 1e-9));
        assert_true((share > 0 || middle.low == 0) && (share < 1 || middle.high == 1));
    }
}

/* The same share of the same pairs: the more its errors cluster, the longer. */
static void clustered_errors_are_longer(void **state) {
    (void)state;
    static const double SHARES[] = {0.02, 0.3, 0.5, 0.97};
    for (size_t i = 0; i < 4; i++) {
        double q = SHARES[i], length = 0;
        for (double clustered = 1; clustered < 40; clustered *= 1.5) {
            fp_share_spread spread = {.variance = clustered * q * (1 - q) / 900,
                                      .independent = q * (1 - q) / 900,
                                      .wider = 1,
                                      .wrong = clustered / 900,
                                      .right = clustered / 900};
            fp_interval found = fp_share_interval(q, &spread, 0.95, false);
            assert_true(found.high - found.low > length);
            length = found.high - found.low;
        }
    }
}

/* ---- Shares of pairs in units ---- */

static fp_proportion share_of_stars(size_t stars, size_t wrong, bool spread_out) {
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_proportion share;
    double weight[1998];
    bool success[1998];
    make_set(from, STARS, 9 * stars, 0, 1);
    for (size_t i = 0; i < 9 * stars; i++) {
        weight[i] = 1;
        success[i] = spread_out ? i % 9 != 0 || i / 9 >= wrong : i >= wrong;
    }
    resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
    ASSERT_GOOD(fp_proportion_of(&resample, weight, success, 0.95, arena, &share, &test_error));
    fp_arena_free(arena);
    return share;
}

/* Of none nothing is known; weights are relative, so that one trial of any weight is the share that it
 * is, and two of a quarter each are half. */
static void a_share_begins_with_its_first_trial(void **state) {
    (void)state;
    static const double WEIGHTS[] = {0.25, 1, 3};
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    make_set(from, STARS, 18, 0, 1);
    resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
    double *weight = fp_arena_alloc(arena, resample.pair_count, sizeof *weight);
    bool *success = fp_arena_alloc(arena, resample.pair_count, sizeof *success);
    success[4] = true;
    for (size_t w = 0; w < 3; w++) {
        fp_proportion share;
        weight[4] = weight[5] = 0;
        for (size_t trials = 0; trials < 3; trials++) {
            if (trials) weight[3 + trials] = WEIGHTS[w];
            ASSERT_GOOD(fp_proportion_of(&resample, weight, success, 0.95, arena, &share, &test_error));
            assert_true(trials ? share.value == 1.0 / (double)trials : isnan(share.value));
        }
    }
    fp_arena_free(arena);
}

/* Nine wrong pairs in one star, or one in each of nine. */
static void wrong_stars_are_longer_than_wrong_pairs(void **state) {
    (void)state;
    fp_interval together = share_of_stars(100, 9, false).interval, apart = share_of_stars(100, 9, true).interval;
    assert_true(together.low < apart.low && together.high > apart.high);
}

/* Where the first pair goes wrong the lower limit falls, by less than a unit weighs. */
static void the_first_error_is_no_jump(void **state) {
    (void)state;
    for (size_t stars = 20; stars <= 220; stars += 50) {
        fp_interval none = share_of_stars(stars, 0, false).interval, one = share_of_stars(stars, 1, false).interval;
        assert_true(none.high == 1 && one.high < 1);
        assert_true(fabs(none.low - one.low) < 1 / (double)stars);
    }
}

/* Without an error the stars are units of which one more may be wrong: a law with the mean 1/(U + 1), wider by
 * Student's t. */
static void no_error_in_stars_is_one_more_star(void **state) {
    (void)state;
    for (size_t stars = 4; stars <= 200; stars += 28) {
        double units = (double)stars, wider = gsl_cdf_tdist_Pinv(0.975, units - 1) / 1.959963984540054;
        fp_interval found = share_of_stars(stars, 0, false).interval;
        assert_true(found.high == 1 &&
                    near(gsl_cdf_beta_P(1 - found.low, 1 / (wider * wider), units / (wider * wider)), 0.95, 1e-9));
    }
    assert_true(isnan(share_of_stars(1, 0, false).interval.low) && share_of_stars(1, 0, false).value == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_trials_are_binomial),
        cmocka_unit_test(many_trials_are_normal),
        cmocka_unit_test(rare_successes_are_poissons),
        cmocka_unit_test(limits_are_quantiles_of_the_laws),
        cmocka_unit_test(limits_hold_the_share_and_turn_with_it),
        cmocka_unit_test(clustered_errors_are_longer),
        cmocka_unit_test(a_share_begins_with_its_first_trial),
        cmocka_unit_test(wrong_stars_are_longer_than_wrong_pairs),
        cmocka_unit_test(the_first_error_is_no_jump),
        cmocka_unit_test(no_error_in_stars_is_one_more_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
