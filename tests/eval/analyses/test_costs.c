/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pools against the max-min formula, envelopes against every threshold tried, gains by hand, sums of shares against the
 * intervals that they come down to. */
#include <math.h>

#include "eval/analyses/cost.h"
#include "tests/support.h"

static bool near(double a, double b) { return fabs(a - b) <= 1e-12; }

enum { BARS = 12, TRIES = 300 };

/* Small counts, so that shares tie; some bars are empty. Falls somewhat. */
static void make_bars(uint64_t seed, fp_bar *bars) {
    for (uint64_t i = 0; i < BARS; i++) {
        bars[i] = (fp_bar){(double)i + 0.5, fp_mix(i, seed) % 4, fp_mix(i, seed + 1000) % (2 + i / 2)};
        if (fp_mix(i, seed + 2000) % 3 == 0) bars[i].positives = bars[i].negatives = 0;
    }
    bars[0].positives++;
    bars[BARS - 1].negatives++;
}

static double share_of(const fp_bar *bars, size_t from, size_t to) {
    double positives = 0, all = 0;
    for (size_t i = from; i <= to; i++) {
        positives += (double)bars[i].positives;
        all += (double)(bars[i].positives + bars[i].negatives);
    }
    return all > 0 ? positives / all : NAN;
}

/* min over a ≤ i of max over b ≥ i of the share from a to b (Robertson, Wright, Dykstra 1988, theorem 1.4.4, turned to
 * falling). */
static double max_min(const fp_bar *bars, size_t at) {
    double least = INFINITY;
    for (size_t a = 0; a <= at; a++) {
        double most = -INFINITY;
        for (size_t b = at; b < BARS; b++) most = fmax(most, share_of(bars, a, b));
        least = fmin(least, most);
    }
    return least;
}

static void pools_are_the_falling_shares_of_least_error(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < TRIES; seed++) {
        fp_bar bars[BARS];
        fp_pool pools[BARS];
        uint64_t positives = 0, all_positives = 0, negatives = 0, all_negatives = 0;
        make_bars(seed, bars);
        size_t count = fp_pools_make(bars, BARS, pools);
        for (size_t i = 0; i < BARS; i++) {
            all_positives += bars[i].positives;
            all_negatives += bars[i].negatives;
            if (bars[i].positives + bars[i].negatives == 0) continue;
            const fp_pool *pool = fp_pool_at(pools, count, bars[i].distance);
            assert_true(pool->from <= bars[i].distance && bars[i].distance <= pool->to);
            double share = (double)pool->positives / (double)(pool->positives + pool->negatives);
            assert_true(near(share, max_min(bars, i)));
        }
        for (size_t p = 0; p < count; p++) {
            positives += pools[p].positives;
            negatives += pools[p].negatives;
            if (p) assert_true(pools[p - 1].to < pools[p].from);
            if (p)
                assert_true(pools[p - 1].positives * pools[p].negatives > pools[p].positives * pools[p - 1].negatives);
        }
        assert_true(positives == all_positives && negatives == all_negatives);
    }
    assert_null(fp_pool_at(NULL, 0, 3));
}

/* The mean of the pools' shares is the share of all, at any prevalence: weights π/P for a positive and (1 − π)/N for
 * the others. */
static void restated_shares_average_to_the_prevalence(void **state) {
    (void)state;
    static const double PREVALENCES[] = {1e-6, 0.01, 0.3, 0.9};
    for (uint64_t seed = 0; seed < TRIES; seed++) {
        fp_bar bars[BARS];
        fp_pool pools[BARS];
        make_bars(seed, bars);
        size_t count = fp_pools_make(bars, BARS, pools);
        double p = 0, n = 0;
        for (size_t i = 0; i < count; i++) p += (double)pools[i].positives, n += (double)pools[i].negatives;
        for (size_t k = 0; k < 4; k++) {
            double mean = 0, pi = PREVALENCES[k];
            for (size_t i = 0; i < count; i++) {
                double positives = (double)pools[i].positives, negatives = (double)pools[i].negatives;
                double share = fp_share_restated(positives / (positives + negatives), p / (p + n), pi);
                mean += share * (positives * pi / p + negatives * (1 - pi) / n);
            }
            assert_true(fabs(mean - pi) <= 1e-12 * pi);
        }
    }
    /* One half among equals is one percent where one percent are duplicates; the odds grow tenfold from 0.1 to 10/19.
     */
    assert_true(near(fp_share_restated(0.5, 0.5, 0.01), 0.01) && near(fp_share_restated(0.2, 0.1, 10.0 / 19), 5.0 / 7));
    assert_true(fp_share_restated(0, 0.3, 0.01) == 0 && fp_share_restated(1, 0.3, 0.01) == 1);
    assert_true(near(fp_share_restated(0.37, 0.2, 0.2), 0.37));
}

/* The least cost over every threshold. */
static double least_cost(const fp_bar *bars, double p, double n, double probability) {
    double least = probability, tp = 0, fp = 0;
    for (size_t i = 0; i < BARS; i++) {
        tp += (double)bars[i].positives;
        fp += (double)bars[i].negatives;
        least = fmin(least, probability * (1 - tp / p) + (1 - probability) * fp / n);
    }
    return least;
}

static void check_envelope(const fp_bar *bars, const fp_cost_corner *corners, size_t count) {
    double p = (double)corners[count - 1].tp, n = (double)corners[count - 1].fp, before = 0;
    for (int step = 0; step <= 100; step++) {
        double probability = step / 100.0;
        const fp_cost_corner *at = fp_cost_least(corners, count, probability);
        double cost = fp_cost_of(at->fnr, at->fpr, probability);
        assert_true(fabs(cost - least_cost(bars, p, n, probability)) <= 1e-12);
        assert_true(at->from <= probability && probability <= at->to && at->threshold >= before - 1);
        before = at->threshold;
    }
    for (size_t i = 0; i < count; i++) { /* a minimum of lines is concave: slopes FNR − FPR fall */
        assert_true(corners[i].from <= corners[i].to && (i == 0 || corners[i].from == corners[i - 1].to));
        if (i) assert_true(corners[i].fnr - corners[i].fpr < corners[i - 1].fnr - corners[i - 1].fpr);
    }
    assert_true(corners[0].from == 0 && corners[count - 1].to == 1);
}

static void envelope_is_the_least_of_all_thresholds(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < TRIES; seed++) {
        fp_bar bars[BARS];
        fp_pool pools[BARS];
        fp_cost_corner corners[BARS + 1];
        make_bars(seed, bars);
        size_t pooled = fp_pools_make(bars, BARS, pools), count = fp_cost_envelope(pools, pooled, corners);
        assert_int_equal(count, pooled + 1);
        check_envelope(bars, corners, count);
        /* PC(+) = 0: no wrong call; 1: nothing is missed. */
        assert_true(fp_cost_least(corners, count, 0)->fp == 0);
        assert_true(fp_cost_of(fp_cost_least(corners, count, 1)->fnr, 0, 1) == 0);
    }
}

/* One who calls where the probability at the prevalence is above 1/(1 + r) calls as the envelope says. */
static void threshold_is_where_the_probability_passes_the_cut(void **state) {
    (void)state;
    static const double RATIOS[] = {0.03, 0.21, 0.9, 1.7, 6.3, 41};
    for (uint64_t seed = 0; seed < TRIES; seed++) {
        fp_bar bars[BARS];
        fp_pool pools[BARS];
        fp_cost_corner corners[BARS + 1];
        make_bars(seed, bars);
        size_t pooled = fp_pools_make(bars, BARS, pools), count = fp_cost_envelope(pools, pooled, corners);
        double p = (double)corners[count - 1].tp, n = (double)corners[count - 1].fp;
        for (size_t k = 0; k < 6; k++) {
            static const double PI = 0.0137;
            double threshold = FP_CALL_NOTHING;
            for (size_t i = 0; i < pooled; i++) {
                double positives = (double)pools[i].positives,
                       share = positives / (positives + (double)pools[i].negatives);
                if (fp_share_restated(share, p / (p + n), PI) > 1 / (1 + RATIOS[k])) threshold = pools[i].to;
            }
            double probability = fp_cost_probability(PI, RATIOS[k]);
            assert_true(fp_cost_least(corners, count, probability)->threshold == threshold);
        }
    }
}

/* By hand: 4 duplicates at 1, 1, 2, 4 and 5 others at 2, 3, 4, 5, 5. Pools: {1}: 2:0; {2}: 1:1; {3, 4}: 1:2; {5}: 0:2.
 * Calling {2} pays from PC(+) = (1/5)/(1/5 + 1/4) = 4/9 on, {3, 4} from (2/5)/(2/5 + 1/4) = 8/13. A tenth duplicates
 * and a miss that costs 9 wrong calls is PC(+) = 1/2: h = 2, FNR 1/4, FPR 1/5, cost 9/40. */
static void envelope_by_hand(void **state) {
    (void)state;
    static const fp_bar BY_HAND[] = {{1, 2, 0}, {2, 1, 1}, {3, 0, 1}, {4, 1, 1}, {5, 0, 2}};
    static const double CORNERS[][6] = {{-1, 0, 0, 0, 0, 0},
                                        {1, 2, 0, 0, 4.0 / 9, 2.0 / 9},
                                        {2, 3, 1, 4.0 / 9, 8.0 / 13, 3.0 / 13},
                                        {4, 4, 3, 8.0 / 13, 1, 0},
                                        {5, 4, 5, 1, 1, 0}};
    fp_pool pools[5];
    fp_cost_corner corners[6];
    assert_int_equal(fp_cost_envelope(pools, fp_pools_make(BY_HAND, 5, pools), corners), 5);
    for (size_t i = 0; i < 5; i++) {
        const double *due = CORNERS[i];
        assert_true(corners[i].threshold == due[0] && (double)corners[i].tp == due[1] &&
                    (double)corners[i].fp == due[2]);
        assert_true(near(corners[i].from, due[3]) && near(corners[i].to, due[4]));
        assert_true(near(fp_cost_of(corners[i].fnr, corners[i].fpr, corners[i].to), due[5]));
    }
    assert_true(near(fp_cost_probability(0.1, 9), 0.5));
    const fp_cost_corner *at = fp_cost_least(corners, 5, 0.5);
    assert_true(at->threshold == 2 && near(fp_cost_of(at->fnr, at->fpr, 0.5), 9.0 / 40));
    assert_int_equal(fp_cost_envelope(pools, 1, corners), 0); /* no others: there is nothing to weigh */
}

/* The same pairs: π = 4/9, so that recall gain is 0 at tp = 16/9, within {1}, where precision is 1. At h = 2 precision
 * is 3/4 and recall 3/4, both gains (3/4 − 4/9)/((5/9)(3/4)) = 11/15; at h = 5 precision gain is 0 and recall gain 1.
 */
static void gains_by_hand(void **state) {
    (void)state;
    static const fp_point POINTS[] = {
        {1, {2, 0, 2, 5}}, {2, {3, 1, 1, 4}}, {3, {3, 2, 1, 3}}, {4, {4, 3, 0, 2}}, {5, {4, 5, 0, 0}}};
    fp_curve curve = {.count = 5, .points = POINTS, .positives = 4, .negatives = 5};
    fp_gain_point points[6];
    assert_int_equal(fp_gain_points(&curve, points), 6);
    assert_true(isnan(points[0].distance) && points[0].recall_gain == 0 && near(points[0].precision_gain, 1));
    assert_true(points[2].distance == 2 && near(points[2].precision_gain, 11.0 / 15) &&
                near(points[2].recall_gain, 11.0 / 15));
    assert_true(points[5].distance == 5 && near(points[5].precision_gain, 0) && near(points[5].recall_gain, 1));
    for (size_t i = 0; i < 6; i++) /* F1 gain is the gain of F1 */
        if (i) {
            fp_confusion of = POINTS[i - 1].confusion;
            assert_true(near(points[i].f1_gain, fp_gain(fp_f1(of), 4.0 / 9)));
        }
    curve.negatives = 0;
    assert_int_equal(fp_gain_points(&curve, points), 0);
}

/* Independent pairs: with one coefficient it is the mid-p interval of the share, and with 1 and −1 what Newcombe's
 * method 10 (Statistics in Medicine 17, 1998) makes of two of them: of 56/70, 0.694226 to 0.881388, and of 48/80,
 * 0.489979 to 0.702900, by binomial sums (SciPy), 0.052431 to 0.336853. */
static void sums_of_shares_are_squared_and_added(void **state) {
    (void)state;
    enum { COUNT = 150 };
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[COUNT];
    bool member[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i < 70};
        member[i] = i < 56 || (i >= 70 && i < 118);
    }
    fp_resample resample;
    fp_classes classes;
    fp_class_shares shares;
    ASSERT_GOOD(fp_resample_make(pairs, COUNT, NULL, 2 * COUNT, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    ASSERT_GOOD(fp_classes_make(&resample, pairs, arena, &classes, &test_error));
    ASSERT_GOOD(fp_class_shares_of(&classes, member, 0.95, arena, &shares, &test_error));
    assert_true(near(shares.positives.value, 0.8) && near(shares.negatives.value, 0.6) && shares.correlation == 0);
    fp_interval difference = fp_class_shares_sum(&shares, 1, -1), back = fp_class_shares_sum(&shares, -1, 1);
    assert_true(fabs(difference.low - 0.052431) < 5e-6 && fabs(difference.high - 0.336853) < 5e-6);
    assert_true(near(back.low, -difference.high) && near(back.high, -difference.low));
    fp_interval one = fp_class_shares_sum(&shares, 2, 0);
    assert_true(near(one.low, 2 * shares.positives.interval.low) && near(one.high, 2 * shares.positives.interval.high));
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_are_the_falling_shares_of_least_error),
        cmocka_unit_test(restated_shares_average_to_the_prevalence),
        cmocka_unit_test(envelope_is_the_least_of_all_thresholds),
        cmocka_unit_test(threshold_is_where_the_probability_passes_the_cut),
        cmocka_unit_test(envelope_by_hand),
        cmocka_unit_test(gains_by_hand),
        cmocka_unit_test(sums_of_shares_are_squared_and_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
