/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probabilities against definitions taken at their word, forecasts against pairs looked up one by one, scores by hand.
 */
#include <math.h>

#include "eval/analyses/isotonic.h"
#include "tests/support.h"

static bool near(double a, double b) { return fabs(a - b) <= 1e-12; }

/* ---- Guarded pools ---- */

enum { BARS = 10, TRIES = 200 };

static void make_bars(uint64_t seed, fp_bar *bars) {
    for (uint64_t i = 0; i < BARS; i++) {
        bars[i] = (fp_bar){(double)i, fp_mix(i, seed) % 4 * (fp_mix(i, 7) % 2), fp_mix(i, seed + 1) % (1 + i)};
        if (fp_mix(i, seed + 2) % 4 == 0) bars[i].positives = bars[i].negatives = 0;
    }
    bars[0].positives += 2; /* not empty: the half pairs are added at the ends */
    bars[BARS - 1].negatives += 3;
}

/* With the half pairs. */
static double positives_of(const fp_bar *bars, size_t i) {
    return (double)bars[i].positives + (i == BARS - 1 ? 0.5 : 0);
}
static double all_of(const fp_bar *bars, size_t i) {
    return positives_of(bars, i) + (double)bars[i].negatives + (i == 0 ? 0.5 : 0);
}

static double max_min(const fp_bar *bars, size_t at) {
    double least = INFINITY;
    for (size_t a = 0; a <= at; a++) {
        double most = -INFINITY;
        for (size_t b = at; b < BARS; b++) {
            double positives = 0, all = 0;
            for (size_t i = a; i <= b; i++) positives += positives_of(bars, i), all += all_of(bars, i);
            if (all > 0) most = fmax(most, positives / all);
        }
        least = fmin(least, most);
    }
    return least;
}

static void guarded_pools_are_pools_of_half_a_pair_more(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < TRIES; seed++) {
        fp_bar bars[BARS];
        fp_pool pools[BARS];
        double positives = 0, all = 0;
        make_bars(seed, bars);
        size_t count = fp_pools_guarded(bars, BARS, pools);
        for (size_t i = 0; i < BARS; i++) {
            positives += positives_of(bars, i);
            all += all_of(bars, i);
            if (all_of(bars, i) == 0) continue;
            double share = fp_pool_share(fp_pool_at(pools, count, (double)i));
            assert_true(near(share, max_min(bars, i)) && share > 0 && share < 1);
            assert_true(fp_pools_share_at(pools, count, (double)i) == share);
        }
        assert_true(near(fp_pools_share(pools, count), positives / all));
        /* The probabilities average to the prevalence, whatever it is. */
        double mean = 0, own = positives / all, stated = 0.003;
        for (size_t i = 0; i < count; i++) {
            double p = fp_share_restated(fp_pool_share(pools + i), own, stated);
            if (i) assert_true(fp_pool_share(pools + i) < fp_pool_share(pools + i - 1));
            mean += p * (stated * (double)pools[i].positives / (2 * positives) +
                         (1 - stated) * (double)pools[i].negatives / (2 * (all - positives)));
        }
        assert_true(fabs(mean - stated) < 1e-12);
    }
}

/* Shares of 4/5 up to a distance of 2 and 1/5 from 6 on; at 3 a quarter of the way down, and beyond either end no
 * further. Only what lies inside a pool has one. */
static void shares_are_interpolated_where_no_pair_lies(void **state) {
    (void)state;
    static const fp_pool POOLS[] = {{1, 2, 8, 2}, {6, 6, 2, 8}};
    static const struct {
        double distance, share;
        int pool;
    } CASES[] = {{0, 0.8, -1},  {1, 0.8, 0},   {1.5, 0.8, 0}, {2, 0.8, 0},
                 {3, 0.65, -1}, {5, 0.35, -1}, {6, 0.2, 1},   {9, 0.2, -1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_true(near(fp_pools_share_at(POOLS, 2, CASES[i].distance), CASES[i].share));
        assert_ptr_equal(fp_pool_at(POOLS, 2, CASES[i].distance), CASES[i].pool < 0 ? NULL : POOLS + CASES[i].pool);
    }
    assert_true(isnan(fp_pools_share_at(NULL, 0, 1)));
}

/* ---- Forecasts ---- */

enum { COUNT = 400, DOCUMENTS = 120, FOLDS = 4 };

typedef struct made {
    fp_pair pairs[COUNT];
    double distances[COUNT];
    uint8_t fold[DOCUMENTS];
} made;

static void make_pairs(uint64_t seed, made *to) {
    for (uint32_t i = 0; i < DOCUMENTS; i++) to->fold[i] = (uint8_t)(fp_mix(i, seed) % FOLDS);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t random = fp_mix(i, seed + 9);
        uint32_t a = (uint32_t)(random >> 8) % DOCUMENTS,
                 b = (a + 1 + (uint32_t)(random >> 40) % (DOCUMENTS - 1)) % DOCUMENTS;
        to->pairs[i] = (fp_pair){a, b, random % 3 == 0};
        to->distances[i] = (double)(fp_mix(i, seed + 5) % 12 + (to->pairs[i].label ? 0 : 4)) / 2;
    }
}

static bool touches(const made *of, fp_pair pair, uint8_t fold) {
    return of->fold[pair.a] == fold || of->fold[pair.b] == fold;
}

/* From the pairs that touch no fold of this one. */
static double forecast_of(const made *of, size_t pair, double prevalence) {
    fp_bar bars[20] = {{0}};
    fp_pool pools[20];
    fp_pair held = of->pairs[pair];
    for (size_t i = 0; i < 20; i++) bars[i].distance = (double)i / 2;
    for (size_t i = 0; i < COUNT; i++) {
        if (touches(of, of->pairs[i], of->fold[held.a]) || touches(of, of->pairs[i], of->fold[held.b])) continue;
        fp_bar *bar = bars + (size_t)(2 * of->distances[i]);
        ++*(of->pairs[i].label ? &bar->positives : &bar->negatives);
    }
    size_t count = fp_pools_guarded(bars, 20, pools);
    return fp_share_restated(fp_pools_share_at(pools, count, of->distances[pair]), fp_pools_share(pools, count),
                             prevalence);
}

static void no_fold_has_a_say_in_its_own_forecast(void **state) {
    (void)state;
    static made of;
    static const double PREVALENCE = 0.05;
    fp_arena *arena = fp_arena_new();
    make_pairs(3, &of);
    fp_split split = {.fold_count = FOLDS, .document_count = DOCUMENTS, .fold = of.fold};
    fp_ranking ranking;
    fp_forecasts forecasts;
    ASSERT_GOOD(fp_ranking_make(of.distances, of.pairs, COUNT, NULL, 0, arena, &ranking, &test_error));
    ASSERT_GOOD(fp_forecasts_make(&ranking, of.pairs, &split, PREVALENCE, arena, &forecasts, &test_error));
    uint64_t total = 0;
    for (size_t i = 0; i < COUNT; i++)
        assert_true(near(forecasts.each[forecasts.of[i]].probability, forecast_of(&of, i, PREVALENCE)));
    for (size_t i = 0; i < forecasts.count; i++) {
        total += forecasts.each[i].positives + forecasts.each[i].negatives;
        if (i) assert_true(forecasts.each[i].probability > forecasts.each[i - 1].probability);
    }
    assert_int_equal(total, COUNT);
    fp_arena_free(arena);
}

/* ---- Scores ---- */

/* `each` copies of eight pairs: four with the forecast `low`, of which one is a duplicate, and four with `high`, of
 * which three are. */
static void score_eight(double low, double high, size_t each, double prevalence, fp_reliability *to) {
    fp_arena *arena = fp_arena_new();
    size_t count = 8 * each;
    fp_pair *pairs = fp_arena_alloc(arena, count, sizeof *pairs);
    uint32_t *of = fp_arena_alloc(arena, count, sizeof *of);
    for (uint32_t i = 0; i < count; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 8 < 1 || i % 8 > 4};
        of[i] = i % 8 >= 4;
    }
    fp_forecast two[] = {{low, each, 3 * each}, {high, 3 * each, each}};
    fp_forecasts forecasts = {2, two, of};
    fp_resample resample;
    ASSERT_GOOD(fp_resample_make(pairs, count, NULL, 2 * count, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    ASSERT_GOOD(fp_reliability_of(&resample, pairs, &forecasts, prevalence, 0.95, arena, to, &test_error));
    fp_arena_free(arena);
}

static void scores_by_hand(void **state) {
    (void)state;
    fp_reliability of;
    /* Forecasts that hold: (3·(1/4)² + (3/4)²)/4 = 3/16 of both. */
    score_eight(0.25, 0.75, 100, 0.5, &of);
    assert_true(near(of.brier, 3.0 / 16) && near(of.miscalibration, 0) && near(of.discrimination, 1.0 / 16));
    assert_true(near(of.uncertainty, 0.25) && of.calibration_error == 0 && of.bin_count == 2);
    /* Too high by 0.15: the square of that is the miscalibration. Of the mean square of what bins are off by, the
     * variance (1/4)(3/4)/n of a share goes off. */
    score_eight(0.4, 0.9, 100, 0.5, &of);
    assert_true(near(of.brier, 3.0 / 16 + 0.0225) && near(of.miscalibration, 0.0225) &&
                near(of.discrimination, 1.0 / 16));
    assert_true(fabs(of.calibration_error - sqrt(0.0225 - 3.0 / 16 / 400)) < 1e-9);
    assert_true(near(of.bins[0].predicted, 0.4) && near(of.bins[0].observed, 0.25) && near(of.bins[1].observed, 0.75));
    /* The mid-p interval of 100 in 400, from binomial sums (SciPy): 0.209404 to 0.294203. */
    assert_true(fabs(of.bins[0].interval.low - 0.209404) < 1e-5 && fabs(of.bins[0].interval.high - 0.294203) < 1e-5);
    score_eight(0.4, 0.9, 1, 0.5, &of); /* so few that chance explains it */
    assert_true(of.calibration_error == 0);
}

/* At another prevalence shares are Bayes's: odds of 1/3 and 3 become 1/27 and 1/3 where one in ten is a duplicate. */
static void scores_are_those_of_the_prevalence(void **state) {
    (void)state;
    fp_reliability of;
    score_eight(1.0 / 28, 0.25, 100, 0.1, &of);
    assert_true(near(of.bins[0].observed, 1.0 / 28) && near(of.bins[1].observed, 0.25));
    assert_true(near(of.miscalibration, 0) && of.calibration_error == 0 && near(of.uncertainty, 0.09));
    assert_true(near(of.bins[0].weight, 0.1 / 4 + 0.9 * 3 / 4) && near(of.bins[0].weight + of.bins[1].weight, 1));
    assert_true(near(of.brier, 0.7 * (1.0 / 28) * (27.0 / 28) + 0.3 * 0.25 * 0.75));
    assert_true(near(of.brier, of.miscalibration - of.discrimination + of.uncertainty));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guarded_pools_are_pools_of_half_a_pair_more),
        cmocka_unit_test(shares_are_interpolated_where_no_pair_lies),
        cmocka_unit_test(no_fold_has_a_say_in_its_own_forecast),
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(scores_are_those_of_the_prevalence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
