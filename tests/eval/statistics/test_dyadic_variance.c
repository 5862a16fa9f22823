/* SPDX-License-Identifier: GPL-3.0-or-later
 * The variance over units, against its definition over every two pairs; means over units from it. */
#include "eval/statistics/dyadic_variance.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/proportion_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

enum { PAIRS = 150 };

typedef struct world {
    fp_arena *arena;
    set *from;
    fp_resample resample;
    double value[PAIRS];
    bool counted[PAIRS];
} world;

/* Shapes in turn, with values that lean with their unit, do not, cancel, or are alike in all units. */
static world make_world(uint64_t seed) {
    world in = {.arena = fp_arena_new()};
    in.from = make_units(seed, PAIRS, 12 + 3 * seed, in.arena, &in.resample);
    for (size_t i = 0; i < PAIRS; i++) {
        double own = (double)(fp_mix(i, seed) % 1000) / 500 - 1,
               lean = (double)(fp_mix(in.resample.first[i], seed) % 100) / 25 - 2;
        in.value[i] = seed % 5 == 0   ? own
                      : seed % 5 == 1 ? own + lean
                      : seed % 5 == 2 ? lean
                      : seed % 5 == 3 ? (double)(i % 2) - 0.5
                                      : i % 7 == 0;
        in.counted[i] = fp_mix(i, seed + 1) % 3 > 0;
    }
    return in;
}

/* ---- The definition ---- */

typedef struct by_pairs {
    double touching, same, inside, squares; /* Σ e·e' over all two that share a unit, or both, or lie inside one */
} by_pairs;

static by_pairs sum_pairs(const world *in, const double *e) {
    const fp_resample *of = &in->resample;
    by_pairs sum = {0};
    for (size_t i = 0; i < PAIRS; i++) {
        uint32_t a = of->first[i], b = of->second[i];
        sum.squares += e[i] * e[i];
        for (size_t k = 0; k < PAIRS; k++) {
            uint32_t x = of->first[k], y = of->second[k];
            bool same = (a == x && b == y) || (a == y && b == x);
            if (a == x || a == y || b == x || b == y) sum.touching += e[i] * e[k];
            if (same) sum.same += e[i] * e[k];
            if (same && a == b) sum.inside += e[i] * e[k];
        }
    }
    return sum;
}

/* s_u and h_u. */
static void sum_unit(const world *in, const double *e, uint32_t unit, double *sum, double *share) {
    double all = 0;
    *sum = *share = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        bool touches = in->resample.first[i] == unit || in->resample.second[i] == unit;
        all += in->counted[i];
        *sum += touches ? e[i] : 0;
        *share += touches && in->counted[i];
    }
    *share /= fmax(1, all);
}

static fp_dyadic by_definition(const world *in, const double *e, bool shares) {
    by_pairs pairs = sum_pairs(in, e);
    double units = (double)in->resample.unit_count, total = 0, squares = 0, cubes = 0, fourths = 0, without = 0,
           held = 0, held_squares = 0, across = pairs.same - pairs.inside;
    fp_dyadic want = {.units = in->resample.unit_count, .independent = pairs.squares};
    for (uint32_t u = 0; u < in->resample.unit_count; u++) {
        double sum, share;
        sum_unit(in, e, u, &sum, &share);
        total += sum;
        want.rise = fmax(want.rise, sum), want.fall = fmax(want.fall, -sum);
    }
    for (uint32_t u = 0; u < in->resample.unit_count; u++) {
        double sum, share;
        sum_unit(in, e, u, &sum, &share);
        double c = sum - total / units;
        squares += c * c, cubes += c * c * c, fourths += c * c * c * c;
        without += pow(c / (1 - fmin(share, 0.5)), 2) * (units - 1) / units;
        held += share, held_squares += share * share;
    }
    double centre = total * total / units;
    want.variance = fmax(fmax(pairs.touching - centre, (pairs.same - centre) / 2), pairs.squares / 2);
    if (shares) want.variance = fmax(want.variance, without - across);
    want.resampled = fmax(0, pairs.touching + 2 * across - centre);
    want.effective = shares ? held * held / held_squares : units;
    bool varies = squares > 1e-12 * pairs.squares;
    want.freedom = varies ? fmax(1, 2 / (fourths / (squares * squares) - 1 / units)) : INFINITY;
    want.acceleration = varies ? cubes / (6 * pow(squares, 1.5)) : 0;
    return want;
}

static void assert_near(const char *what, uint64_t seed, double found, double wanted, double scale) {
    if (isinf(found) && isinf(wanted)) return;
    if (!(fabs(found - wanted) <= 1e-8 * (scale + fabs(wanted))))
        fail_msg("world %u: %s is %.17g, not %.17g", (unsigned)seed, what, found, wanted);
}

static void spreads_are_their_definition(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        world in = make_world(seed);
        for (int counts = 0; counts < 2; counts++) {
            fp_dyadic found;
            bool shares = counts && in.resample.unit != FP_SAMPLING_PAIR;
            ASSERT_GOOD(
                fp_dyadic_of(&in.resample, in.value, counts ? in.counted : NULL, in.arena, &found, &test_error));
            fp_dyadic want = by_definition(&in, in.value, shares);
            assert_near("variance", seed, found.variance, want.variance, want.independent);
            assert_near("resampled", seed, found.resampled, want.resampled, want.independent);
            assert_near("independent", seed, found.independent, want.independent, 0);
            assert_near("rise", seed, found.rise, want.rise, 1);
            assert_near("fall", seed, found.fall, want.fall, 1);
            assert_near("effective", seed, found.effective, want.effective, 0);
            assert_near("freedom", seed, found.freedom, want.freedom, 1);
            assert_near("acceleration", seed, found.acceleration, want.acceleration, 1);
            assert_int_equal(found.units, want.units);
        }
        fp_arena_free(in.arena);
    }
}

/* ---- Means ---- */

/* Student's interval with that variance and U − 1 degrees of freedom, or 5 more than units show where that is fewer. */
static void means_have_the_interval_of_their_units(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        world in = make_world(seed);
        double influence[PAIRS], mean = 0;
        fp_mean found;
        for (size_t i = 0; i < PAIRS; i++) mean += in.value[i] / PAIRS, in.counted[i] = true;
        for (size_t i = 0; i < PAIRS; i++) influence[i] = (in.value[i] - mean) / PAIRS;
        ASSERT_GOOD(fp_mean_of(&in.resample, in.value, 0.9, in.arena, &found, &test_error));
        bool pairs = in.resample.unit == FP_SAMPLING_PAIR;
        fp_dyadic spread = by_definition(&in, influence, !pairs);
        double units = (double)in.resample.unit_count,
               freedom = pairs ? units - 1 : fmin(units - 1, spread.freedom + 5);
        if (pairs) spread.variance *= units / (units - 1);
        double half = gsl_cdf_tdist_Pinv(0.95, freedom) * sqrt(spread.variance);
        assert_near("mean", seed, found.value, mean, 1);
        assert_near("low", seed, found.interval.low, mean - half, 1);
        assert_near("high", seed, found.interval.high, mean + half, 1);
        assert_int_equal(found.units, in.resample.unit_count);
        fp_arena_free(in.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spreads_are_their_definition),
                                       cmocka_unit_test(means_have_the_interval_of_their_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
