/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval of a weighted share from its sums, against the same over a list of all trials. */
#include "eval/statistics/proportion_interval.h"

#include <math.h>

#include "eval/statistics/bootstrap.h"
#include "eval/statistics/dyadic_variance.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_those_of_the_list),
                                       cmocka_unit_test(without_weight_there_is_no_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
