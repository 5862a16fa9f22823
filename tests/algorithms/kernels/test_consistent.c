/* SPDX-License-Identifier: GPL-3.0-or-later
 * Consistent weighted samples: the numbers in single precision against the mathematical library, the draws against
 * their distributions, samples against the coefficient, and every level of the processor against the portable one.
 * Bounds are those of 4.5 standard errors, or of Dvoretzky, Kiefer, Wolfowitz and Massart with 10⁻⁶. */
#include <math.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/kernels/consistent_draws.h"
#include "tests/support.h"

enum { MOST = 1025, FEATURES = 40, SLOTS = 4096, GUARD = 0x5a };

/* ---- Numbers ---- */

/* Every mantissa, and every power of two. */
static void logarithms_are_exact_to_a_millionth(void **state) {
    (void)state;
    double worst = 0;
    for (uint32_t bits = 0x3f3504f3; bits < 0x3fb504f3; bits++) {
        float x = fp_float_of_bits(bits);
        double exact = log2((double)x), off = fabs((double)fp_log2_short(x) - exact);
        if (exact != 0) worst = fmax(worst, off / fabs(exact));
        else assert_true(off == 0);
    }
    if (worst > 1.3e-6) fail_msg("off by %.3g", worst);
    for (int power = -126; power < 128; power++) assert_true(fp_log2_short(ldexpf(1, power)) == (float)power);
}

static void levels_are_logarithms(void **state) {
    (void)state;
    double weight[2048 + 7] = {1, 2, 0.37, 5, 3.75, 1e-300, 1e300};
    float level[2048 + 7];
    for (int power = -1022; power < 1024; power++) weight[7 + 1022 + power] = ldexp(1.7, power);
    size_t count = 7 + 2046;
    fp_consistent_levels(weight, count, level);
    for (size_t i = 0; i < count; i++) {
        double exact = log2(weight[i]);
        if (fabs((double)level[i] - exact) > 1.3e-6 * (1 + fabs(exact)))
            fail_msg("log2 %g is %g", weight[i], (double)level[i]);
    }
}

static void floors_are_floors(void **state) {
    (void)state;
    static const float BOUNDS[] = {0,          0.5F,        1,          1.5F,       4194303.5F,  4194304, 4194304.5F,
                                   8388607.5F, 8388607.25F, 8388607.0F, 8388608.0F, 16777216.0F, 6e9F,    1e-30F};
    for (size_t i = 0; i < sizeof BOUNDS / sizeof *BOUNDS; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            float x = BOUNDS[i] != 0 ? (float)sign * BOUNDS[i] : 0;
            assert_true(fp_floor_short(x) == floorf(x));
        }
    for (uint64_t i = 0; i < 2000000; i++) {
        uint64_t random = fp_mix(i, 6);
        float x = ldexpf((float)(int32_t)random, (int)(random >> 60) * 3 - 40);
        if (fp_floor_short(x) != floorf(x)) fail_msg("floor of %.9g", (double)x);
    }
}

/* ---- Draws ---- */

enum { DRAWN = 1 << 20 };

static int ascending(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Sorted numbers against a distribution that is ln 2 in the unit. */
static void check_distribution(const char *name, double *number, double (*below)(double x)) {
    double bound = sqrt(log(2 / 1e-6) / (2.0 * DRAWN)), off = 0;
    qsort(number, DRAWN, sizeof *number, ascending);
    for (size_t i = 0; i < DRAWN; i++) off = fmax(off, fabs(((double)i + 0.5) / DRAWN - below(number[i])));
    if (off > bound) fail_msg("%s is off its distribution by %.3g, more than %.3g", name, off, bound);
}

static double gamma_two(double x) { return 1 - exp(-x) * (1 + x); }
static double uniform(double x) { return x; }
static double exponential(double x) { return 1 - exp(-x); }

static void draws_have_their_distributions(void **state) {
    (void)state;
    double *gamma = malloc(DRAWN * sizeof *gamma), *beta = malloc(DRAWN * sizeof *beta),
           *least = malloc(DRAWN * sizeof *least);
    for (uint64_t i = 0; i < DRAWN; i++) {
        uint64_t word[2] = {fp_mix(i, 0), fp_mix(i, 1)};
        float drawn[2];
        for (size_t w = 0; w < 2; w++) {
            uint32_t high = (uint32_t)(word[w] >> 32), low = (uint32_t)word[w];
            drawn[w] = -fp_log2_short(fp_uniform_short(high) * fp_uniform_short(low));
            assert_true(drawn[w] > 0x1p-24F && drawn[w] < 64);
        }
        gamma[i] = (double)drawn[0] * M_LN2;
        beta[i] = (double)fp_uniform_rest((uint32_t)(word[0] >> 32), (uint32_t)word[0]);
        /* For weight 1, a = c·exp(−r·(1 − β)), which is exponential. */
        least[i] = (double)drawn[1] * M_LN2 * exp(-gamma[i] * (1 - beta[i]));
    }
    check_distribution("r", gamma, gamma_two);
    check_distribution("beta", beta, uniform);
    check_distribution("a", least, exponential);
    free(gamma);
    free(beta);
    free(least);
}

/* The largest random numbers, where r and c are smallest, are finite and above 0. */
static void extreme_draws_are_numbers(void **state) {
    (void)state;
    float most = fp_uniform_short(UINT32_MAX), least = fp_uniform_short(0);
    assert_true(most == 1 - 0x1p-24F && least == 0x1p-24F);
    assert_true(fp_log2_short(most * most) < 0 && -fp_log2_short(most * most) > 0x1p-24F);
    assert_true(fp_log2_short(least * least) == -48);
    assert_true(fp_uniform_rest(0, 0) == 0 && fp_uniform_rest(UINT32_MAX, UINT32_MAX) == 1 - 0x1p-18F);
}

/* ---- Samples ---- */

/* Any level and any length: the same samples, and nothing behind them. */
static void levels_agree(void **state) {
    (void)state;
    uint64_t value[FEATURES], found[MOST + 2], oracle[MOST + 2];
    double weight[FEATURES] = {1, 2, 0.37, 1e-12, 1e12, 5, 3.75, 1e-300, 1e300};
    float level[FEATURES];
    for (size_t i = 0; i < FEATURES; i++) {
        value[i] = fp_mix(20261120, i);
        if (i >= 9) weight[i] = exp(12 * (double)fp_mix(7, i) * 0x1p-64 - 6);
    }
    fp_consistent_levels(weight, FEATURES, level);
    for (size_t slots = 0; slots <= MOST; slots++) {
        size_t from = slots % 13, values = slots % (FEATURES - from + 1);
        memset(oracle, GUARD, sizeof oracle);
        fp_consistent_kernels[0](value + from, level + from, values, oracle, slots);
        for (size_t i = 0; i < slots && values == 0; i++) assert_true(oracle[i] == UINT64_MAX);
        for (int cpu = 1; cpu <= (int)fp_cpu_best(); cpu++) {
            memset(found, GUARD, sizeof found);
            fp_consistent_kernels[cpu](value + from, level + from, values, found, slots);
            assert_memory_equal(found, oracle, sizeof oracle);
        }
    }
}

/* Many features, of which few change a slot: what is left out unseen must be out of the question. */
static void levels_agree_on_many_features(void **state) {
    (void)state;
    enum { MANY = 20000, FEW = 32 };
    uint64_t *value = malloc(MANY * sizeof *value), found[FEW], oracle[FEW];
    double *weight = malloc(MANY * sizeof *weight);
    float *level = malloc(MANY * sizeof *level);
    for (size_t spread = 0; spread < 3; spread++) {
        for (size_t i = 0; i < MANY; i++) {
            value[i] = fp_mix(i, spread);
            weight[i] = exp((double)spread * 20 * ((double)fp_mix(i, 9) * 0x1p-64 - 0.5));
        }
        fp_consistent_levels(weight, MANY, level);
        fp_consistent_kernels[0](value, level, MANY, oracle, FEW);
        for (int cpu = 1; cpu <= (int)fp_cpu_best(); cpu++) {
            fp_consistent_kernels[cpu](value, level, MANY, found, FEW);
            assert_memory_equal(found, oracle, sizeof oracle);
        }
    }
    free(value);
    free(weight);
    free(level);
}

static void assert_share(const char *what, double same, double trials, double share) {
    double error = sqrt(share * (1 - share) / trials);
    if (fabs(same / trials - share) > 4.5 * error + 1e-12)
        fail_msg("%s: %.6f, not %.6f (standard error %.2g)", what, same / trials, share, error);
}

static size_t same_samples(const uint64_t *value, const double *first, const double *second, size_t values) {
    uint64_t samples[2][SLOTS];
    float level[FEATURES];
    size_t same = 0;
    fp_consistent_levels(first, values, level);
    fp_consistent(value, level, values, samples[0], SLOTS);
    fp_consistent_levels(second, values, level);
    fp_consistent(value, level, values, samples[1], SLOTS);
    for (size_t i = 0; i < SLOTS; i++) same += samples[0][i] == samples[1][i];
    return same;
}

/* One feature: the weights w and w' agree with probability min/max, at any scale. Two million slots a pair of weights
 * see 10⁻³ of the probability. */
static void weights_agree_as_their_ratio(void **state) {
    (void)state;
    static const double RATIO[] = {1.01, 1.2, 1.5, 2, 3.7, 10, 100}, SCALE[] = {1e-9, 0.6, 1, 1e9};
    enum { REPEATS = 128 };
    for (size_t r = 0; r < sizeof RATIO / sizeof *RATIO; r++) {
        size_t same = 0;
        for (uint64_t repeat = 0; repeat < REPEATS * 4; repeat++) {
            uint64_t value = fp_mix(repeat, 3 + r);
            double scale = SCALE[repeat % 4], other = scale * RATIO[r];
            same += same_samples(&value, &scale, &other, 1);
        }
        assert_share("one feature", (double)same, 4.0 * REPEATS * SLOTS, 1 / RATIO[r]);
    }
}

/* Sets with weights over some orders of magnitude: Σmin/Σmax. */
static void sets_agree_as_their_coefficient(void **state) {
    (void)state;
    enum { REPEATS = 100 };
    for (size_t spread = 1; spread <= 16; spread *= 4) {
        double low = 0, high = 0, first[FEATURES], second[FEATURES];
        size_t same = 0;
        for (size_t i = 0; i < FEATURES; i++) {
            first[i] = exp((double)spread * (double)fp_mix(i, spread) * 0x1p-64);
            second[i] = i % 3 ? first[i] * (0.5 + (double)fp_mix(i, spread + 1) * 0x1p-64) : first[i];
            low += fmin(first[i], second[i]), high += fmax(first[i], second[i]);
        }
        for (uint64_t repeat = 0; repeat < REPEATS; repeat++) {
            uint64_t value[FEATURES];
            for (size_t i = 0; i < FEATURES; i++) value[i] = fp_mix(fp_mix(repeat, spread), i);
            same += same_samples(value, first, second, FEATURES);
        }
        assert_share("sets", (double)same, (double)REPEATS * SLOTS, low / high);
    }
}

/* A feature is sampled with its share of the weight, among so many light ones that a is far in its tail, and its sample
 * is the same as when it is alone. */
static void heavy_features_are_sampled(void **state) {
    (void)state;
    enum { MANY = 20000, FEW = 1024 };
    uint64_t *value = malloc(MANY * sizeof *value), all[FEW], alone[FEW];
    double *weight = malloc(MANY * sizeof *weight);
    float *level = malloc(MANY * sizeof *level);
    size_t same = 0;
    for (size_t i = 0; i < MANY; i++) value[i] = fp_mix(i, 5), weight[i] = i ? 1 : MANY - 1;
    fp_consistent_levels(weight, MANY, level);
    fp_consistent(value, level, MANY, all, FEW);
    fp_consistent(value, level, 1, alone, FEW);
    for (size_t i = 0; i < FEW; i++) same += all[i] == alone[i];
    assert_share("half of the weight", (double)same, FEW, 0.5);
    free(value);
    free(weight);
    free(level);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_exact_to_a_millionth),
        cmocka_unit_test(levels_are_logarithms),
        cmocka_unit_test(floors_are_floors),
        cmocka_unit_test(draws_have_their_distributions),
        cmocka_unit_test(extreme_draws_are_numbers),
        cmocka_unit_test(levels_agree),
        cmocka_unit_test(levels_agree_on_many_features),
        cmocka_unit_test(weights_agree_as_their_ratio),
        cmocka_unit_test(sets_agree_as_their_coefficient),
        cmocka_unit_test(heavy_features_are_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
