/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval of a weighted share from its sums, against the same over a list of all trials. */
#include "eval/statistics/proportion_interval.h"

#include <math.h>

#include "eval/statistics/measure_interval.h"
#include "eval/statistics/dyadic_variance.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"
#include "tests/eval/whole_trials.h"

enum { PAIRS = 120 };

typedef struct world {
    fp_arena *arena;
    set *from;
    fp_resample resample;
    double weight[PAIRS];
    bool success[PAIRS];
} world;

static world make_world(uint64_t seed) {
    world in = {.arena = fp_arena_new()};
    in.from = make_units(seed, PAIRS, 30 + 3 * seed, in.arena, &in.resample);
    for (size_t i = 0; i < PAIRS; i++) {
        in.weight[i] = seed % 3 ? (double)(fp_mix(i, seed) % 4) : 1; /* some have none */
        in.success[i] = seed % 5 == 4 || fp_mix(in.resample.first[i] + i % 3, seed + 1) % 10 < 2 * (seed % 5 + 1);
    }
    return in;
}

static bool touches(const fp_resample *of, size_t i, uint32_t unit) {
    return of->first[i] == unit || of->second[i] == unit;
}

/* A share is Σ w over the right trials by Σ w over all, w(s − q)/Σw its influence; units are the trials squared by the
 * number of every two that share one. */
static void check(const world *in, uint64_t seed) {
    const fp_resample *of = &in->resample;
    double all = 0, right = 0, trials = 0, sharing = 0, influence[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
        all += in->weight[i], right += in->success[i] ? in->weight[i] : 0;
        trials += in->weight[i] > 0;
        for (size_t k = 0; k < PAIRS; k++)
            sharing += in->weight[i] > 0 && in->weight[k] > 0 &&
                       (touches(of, k, of->first[i]) || touches(of, k, of->second[i]));
    }
    double q = right / all, units = of->unit == FP_SAMPLING_PAIR ? trials : trials * trials / sharing;
    for (size_t i = 0; i < PAIRS; i++) influence[i] = in->weight[i] * (in->success[i] - q) / all;
    fp_dyadic spread;
    ASSERT_GOOD(fp_dyadic_of(of, influence, NULL, in->arena, &spread, &test_error));
    /* What a unit brings that errs, met by its size: Σ s²/Σ s of the weights that err in each. */
    double sum[2] = {0, 0}, squares[2] = {0, 0};
    for (uint32_t u = 0; u < of->unit_count; u++) {
        double own[2] = {0, 0};
        for (size_t i = 0; i < PAIRS; i++)
            if (touches(of, i, u)) own[in->success[i]] += in->weight[i];
        for (size_t k = 0; k < 2; k++) sum[k] += own[k], squares[k] += own[k] * own[k];
    }
    bool pairs = of->unit == FP_SAMPLING_PAIR;
    fp_share_spread wanted = {.variance = pairs ? spread.variance : spread.variance * units / fmax(1, units - 1),
                              .independent = spread.independent,
                              .wider = pairs ? 1 : fp_by_student(units - 1, 0.95),
                              .wrong = fmax(sum[0] > 0 ? squares[0] / sum[0] / all : 0, 1 / units),
                              .right = fmax(sum[1] > 0 ? squares[1] / sum[1] / all : 0, 1 / units)};
    fp_interval limits = fp_share_interval(q, &wanted, 0.95, false);
    fp_proportion found;
    ASSERT_GOOD(fp_proportion_of(of, in->weight, in->success, 0.95, in->arena, &found, &test_error));
    double expected = q * (1 - q) / spread.variance;
    if (!near(found.value, q, 1e-12) || !near(found.interval.low, limits.low, 1e-7) ||
        !near(found.interval.high, limits.high, 1e-7))
        fail_msg("world %u: %g (%g to %g), not %g (%g to %g)", (unsigned)seed, found.value, found.interval.low,
                 found.interval.high, q, limits.low, limits.high);
    if (q > 0 && q < 1) assert_true(near(found.trials / expected, 1, 1e-6));
}

static void shares_are_those_of_the_list(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        world in = make_world(seed);
        check(&in, seed);
        fp_arena_free(in.arena);
    }
}

static void without_weight_there_is_no_share(void **state) {
    (void)state;
    world in = make_world(6);
    fp_proportion none;
    for (size_t i = 0; i < PAIRS; i++) in.weight[i] = 0;
    ASSERT_GOOD(fp_proportion_of(&in.resample, in.weight, in.success, 0.95, in.arena, &none, &test_error));
    assert_true(isnan(none.value) && isnan(none.interval.low));
    fp_arena_free(in.arena);
}

/* Pairs without a document in common and weights of 1: the plain mid-p interval. */
static void a_plain_share_is_binomial(void **state) {
    (void)state;
    enum { COUNT = 50 };
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[COUNT];
    double weight[COUNT];
    bool success[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 2};
        weight[i] = i < 40;
        success[i] = i < 31 || i > 44;
    }
    fp_resample resample;
    fp_proportion share;
    ASSERT_GOOD(fp_resample_make(pairs, COUNT, NULL, 2 * COUNT, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    ASSERT_GOOD(fp_proportion_of(&resample, weight, success, 0.95, arena, &share, &test_error));
    assert_true(near(share.value, 31.0 / 40, 1e-15));
    assert_true(near(share.trials, 40, 1e-9));
    fp_interval plain = mid_p_of(31, 40, 0.95);
    assert_true(near(share.interval.low, plain.low, 1e-9));
    assert_true(near(share.interval.high, plain.high, 1e-9));
    /* Failures that weigh four: 31/(31 + 36). */
    for (size_t i = 31; i < 40; i++) weight[i] = 4;
    ASSERT_GOOD(fp_proportion_of(&resample, weight, success, 0.95, arena, &share, &test_error));
    assert_true(near(share.value, 31.0 / 67, 1e-15));
    /* q(1 − q)/V with V = Σ w²(success − q)²/(Σ w)². */
    double q = 31.0 / 67, variance = (31 * (1 - q) * (1 - q) + 9 * 16 * q * q) / (67 * 67);
    assert_true(near(share.trials, q * (1 - q) / variance, 1e-9));
    /* All right: nothing varies, and the number of trials is not defined. */
    for (size_t i = 0; i < 40; i++) success[i] = true;
    ASSERT_GOOD(fp_proportion_of(&resample, weight, success, 0.95, arena, &share, &test_error));
    assert_true(share.value == 1 && isnan(share.trials));
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_those_of_the_list),
                                       cmocka_unit_test(without_weight_there_is_no_share),
                                       cmocka_unit_test(a_plain_share_is_binomial)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
