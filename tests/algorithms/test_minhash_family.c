/* SPDX-License-Identifier: GPL-3.0-or-later
 * The laws of the minhash family on drawn sets: means against the truth, variances against their formulas,
 * distributions against the law. */
#include "tests/algorithms/draws.h"

/* The standard error is that of the true variance under the kurtosis that was found: draws that vary too little by
 * accident have too small an error as well. */
static void assert_variance(const char *what, statistics found, double truth) {
    double error = found.variance_error * truth / found.variance;
    if (!(fabs(found.variance - truth) <= LIMIT * error))
        fail_msg("%s: variance %.3g, law %.3g, standard error %.2g", what, found.variance, truth, error);
}

/* ---- Means ---- */

static void means_are_the_jaccard_coefficient(void **state) {
    (void)state;
    static const char *const ARMS[] = {
        "minhash",
        "minhash:slots=100,width=64,seed=7",
        "minhash:slots=256,b=1",
        "minhash:b=2",
        "minhash:b=8",
        "minhash:b=32",
        "oneperm",
        "oneperm:slots=32,seed=3",
        "oneperm:slots=200",
        "oneperm:slots=128,b=4",
        "cminhash",
        "cminhash:slots=128,b=2",
        "superminhash",
        "superminhash:slots=256,b=1",
        "superminhash:slots=33",
        "weightedminhash:weight=binary",
        "weightedminhash:weight=binary,slots=128,b=3",
        "fracminhash",
        "fracminhash:scaled=1000",
        "fracminhash:scaled=2,seed=5",
    };
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        for (size_t c = 0; c < CASE_COUNT; c++) {
            size_t repeats = strncmp(ARMS[a], "weighted", 8) == 0 ? REPEATS / 4 : REPEATS;
            /* Two features of cminhash share a position of 2^20 once in 2^20 times. */
            double bias = strncmp(ARMS[a], "cminhash", 8) == 0 ? (double)union_of(CASES[c]) * 0x1p-21 : 0;
            assert_mean(ARMS[a], measure(ARMS[a], CASES[c], repeats, NULL), jaccard_of(CASES[c]), bias);
        }
    }
}

/* ---- Variances ---- */

/* Of the estimate from n slots that differ independently with probability p, whose share is read as 1 − share/chance.
 */
static double binomial_variance(double p, double n, double chance) { return p * (1 - p) / n / (chance * chance); }

static void minhash_varies_as_a_binomial(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        double slots, chance;
    } ARMS[] = {{"minhash", 64, 1},
                {"minhash:slots=100,width=64", 100, 1},
                {"minhash:b=1", 64, 0.5},
                {"minhash:b=2", 64, 0.75},
                {"minhash:slots=256,b=4", 256, 0.9375},
                {"weightedminhash:slots=16,weight=binary", 16, 1}};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        for (size_t c = 0; c < CASE_COUNT; c++) {
            double differs = (1 - jaccard_of(CASES[c])) * ARMS[a].chance;
            assert_variance(ARMS[a].spec, measure(ARMS[a].spec, CASES[c], REPEATS, NULL),
                            binomial_variance(differs, ARMS[a].slots, ARMS[a].chance));
        }
    }
}

/* α(n, f) of Ertl 2017, with every power divided by n^f and (n − 1)^f. */
static double superminhash_factor(double n, double f) {
    double sum = 0;
    for (double l = 1; l < n; l++)
        sum += pow(l / n, f) * (pow((l + 1) / (n - 1), f) + pow((l - 1) / (n - 1), f) - 2 * pow(l / (n - 1), f));
    return 1 - sum * (n - 1) / (f - 1);
}

static void superminhash_varies_less(void **state) {
    (void)state;
    static const double SLOTS[] = {8, 64, 200};
    /* By whole permutations in another program: 0.379 ± 0.005 for n = 8, f = 2; 0.658 ± 0.012 for n = 16, f = 40. */
    assert_true(fabs(superminhash_factor(8, 2) - 0.375) < 1e-9 && fabs(superminhash_factor(16, 40) - 0.670) < 1e-3);
    for (size_t s = 0; s < 3; s++) {
        char spec[64];
        snprintf(spec, sizeof spec, "superminhash:slots=%.0f", SLOTS[s]);
        for (size_t c = 0; c < CASE_COUNT; c++) {
            double j = jaccard_of(CASES[c]), alpha = superminhash_factor(SLOTS[s], (double)union_of(CASES[c]));
            assert_true(alpha > 0 && alpha < 1);
            assert_variance(spec, measure(spec, CASES[c], REPEATS, NULL),
                            binomial_variance(1 - j, SLOTS[s], 1) * alpha);
        }
    }
}

/* E[S] of the comment of oneperm: slot i agrees as its bin does, or as the bin that it copies. With m of n bins filled,
 * a bin speaks for 1 + B slots, B ~ Binomial(n − m, 1/m); the squares of these numbers sum to S on average. Two bins
 * agree together with probability J·(a − 1)/(f − 1), being drawn from the union without replacement. */
static double oneperm_variance(size_t n, sizes size) {
    double filled[MOST + 1] = {1}, squares = 0, bins = (double)n, f = (double)union_of(size), j = jaccard_of(size);
    for (size_t ball = 0; ball < union_of(size); ball++) {
        for (size_t m = n + 1; m-- > 0;)
            filled[m] = filled[m] * (double)m / bins + (m ? filled[m - 1] * (bins - (double)m + 1) / bins : 0);
    }
    for (size_t k = 1; k <= n; k++) {
        double m = (double)k;
        squares += filled[k] * ((bins - m) * (1 - 1 / m) + bins * bins / m);
    }
    double together = j * ((double)size.common - 1) / (f - 1);
    return (squares * j + (bins * bins - squares) * together - bins * bins * j * j) / (bins * bins);
}

/* The same arm under many seeds: the formulas of oneperm and cminhash are means over what a seed fixes, who copies whom
 * and the permutations. */
enum { SEEDS = 200 };
static void seeded_arms(const char *spec, const fp_arm *arm[SEEDS], fp_arena *arena) {
    for (size_t seed = 0; seed < SEEDS; seed++)
        arm[seed] = test_arm(fp_format(arena, "%s,seed=%zu", spec, seed), NULL, 0, arena);
}

static void oneperm_varies_as_derived(void **state) {
    (void)state;
    static const size_t SLOTS[] = {8, 64, 200};
    for (size_t s = 0; s < 3; s++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        const fp_arm *arm[SEEDS];
        seeded_arms(fp_format(arena, "oneperm:slots=%zu", SLOTS[s]), arm, arena);
        for (size_t c = 0; c < CASE_COUNT; c++) {
            double value[REPEATS];
            drawn pair[2];
            for (size_t r = 0; r < REPEATS; r++) {
                fp_arena_reset(scratch);
                draw(fp_mix(SEED, r), CASES[c], pair);
                value[r] = distance_of(arm[r % SEEDS], pair, scratch) / (double)SLOTS[s];
            }
            assert_variance(fp_arm_spec(arm[0]), summarise(value, REPEATS), oneperm_variance(SLOTS[s], CASES[c]));
        }
        fp_arena_free(arena);
        fp_arena_free(scratch);
    }
    /* Below minhash's for a union of many features, above it for few. */
    sizes many = {150, 150, 150}, few = {1, 1, 1};
    assert_true(oneperm_variance(64, many) < 0.9 * binomial_variance(2.0 / 3, 64, 1));
    assert_true(oneperm_variance(64, few) > 1.5 * binomial_variance(2.0 / 3, 64, 1));
}

/* Draws pairs until no two features share a position, so that the Jaccard coefficient of the positions is that of the
 * sets. The position is as the comment of cminhash defines it; `own` is the arm's seed. */
static void draw_apart(uint64_t seed, uint64_t own, unsigned universe, sizes size, drawn pair[2]) {
    for (bool apart = false; !apart; seed = fp_mix(seed, 5)) {
        bool taken[MOST] = {false};
        draw(seed, size, pair);
        apart = true;
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = side ? size.common : 0; i < pair[side].count; i++) {
                uint64_t position = fp_mix(pair[side].hash[i] ^ fp_mix(own, 0), 0) >> (64 - universe);
                apart = apart && !taken[position];
                taken[position] = true;
            }
        }
    }
}

/* Smaller than minhash's (Li and Li 2022), by factors that were found with true permutations, shuffled lists in another
 * program, over 10 000 draws or more. */
static void cminhash_varies_less(void **state) {
    (void)state;
    static const struct {
        unsigned universe;
        size_t slots;
        sizes size;
        double factor, error;
    } RUNS[] = {{8, 256, {6, 3, 3}, 0.4601, 0.0066},
                {8, 128, {3, 8, 8}, 0.7695, 0.0115},
                {8, 256, {14, 2, 2}, 0.4615, 0.0067},
                {6, 64, {4, 3, 3}, 0.4413, 0.0045},
                {10, 64, {20, 20, 20}, 0.9656, 0.0139}};
    for (size_t run = 0; run < sizeof RUNS / sizeof *RUNS; run++) {
        enum { MANY = 4000 };
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        const fp_arm *arm[SEEDS];
        seeded_arms(fp_format(arena, "cminhash:slots=%zu,universe=%u", RUNS[run].slots, RUNS[run].universe), arm,
                    arena);
        double value[MANY], j = jaccard_of(RUNS[run].size),
                            minhash = binomial_variance(1 - j, (double)RUNS[run].slots, 1);
        drawn pair[2];
        for (size_t r = 0; r < MANY; r++) {
            fp_arena_reset(scratch);
            draw_apart(fp_mix(SEED, r), r % SEEDS, RUNS[run].universe, RUNS[run].size, pair);
            value[r] = 1 - distance_of(arm[r % SEEDS], pair, scratch) / (double)RUNS[run].slots;
        }
        statistics found = summarise(value, MANY);
        assert_mean(fp_arm_spec(arm[0]), found, j, 0);
        double factor = found.variance / minhash, error = hypot(found.variance_error / minhash, RUNS[run].error);
        if (fabs(factor - RUNS[run].factor) > LIMIT * error)
            fail_msg("%s: %.3f of minhash's variance, not %.3f", fp_arm_spec(arm[0]), factor, RUNS[run].factor);
        fp_arena_free(arena);
        fp_arena_free(scratch);
    }
}

/* ---- Laws ---- */

/* The empirical distribution of n draws leaves the true one by more than √(ln(2/q)/2n) with probability q at most
 * (Dvoretzky, Kiefer, Wolfowitz; Massart). */
static void distances_follow_the_law(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static const char *const ARMS[] = {"minhash",
                                       "minhash:b=1",
                                       "minhash:b=3",
                                       "weightedminhash:weight=binary",
                                       "probminhash:weight=binary",
                                       "supershingles:groups=16,size=2"};
    static const sizes SIZES[] = {{3, 2, 2}, {60, 10, 10}};
    double bound = sqrt(log(2 / 1e-6) / (2.0 * MANY)), *similarity = calloc(MANY, sizeof *similarity);
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        for (size_t s = 0; s < 2; s++) {
            fp_arena *arena = fp_arena_new();
            const fp_instance *instance = &test_arm(ARMS[a], NULL, 0, arena)->instance;
            measure(ARMS[a], SIZES[s], MANY, similarity);
            for (double h = 0; h <= instance->layout.maximum; h++) {
                double within = 0, read = instance->algorithm->similarity(instance, h) - 1e-9;
                for (size_t r = 0; r < MANY; r++) within += similarity[r] >= read;
                double law = instance->algorithm->law(instance, jaccard_of(SIZES[s]), h);
                if (fabs(within / MANY - law) > bound)
                    fail_msg("%s: P[d ≤ %g] is %.4f, law %.4f", ARMS[a], h, within / MANY, law);
            }
            fp_arena_free(arena);
        }
    }
    free(similarity);
}

/* The estimate of query=real is the Jaccard coefficient, also of sets of different sizes; for those of one size its
 * variance is the law's, and its distribution the law but for what a beta distribution of two moments leaves: most
 * where few slots differ. */
static void real_queries_follow_their_law(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static const char *const ARMS[] = {"minhash:query=real,b=1", "minhash:query=real,b=2", "minhash:query=real,b=4",
                                       "minhash:query=real,b=8", "minhash:query=real"};
    static const sizes SIZES[] = {{40, 280, 280}, {120, 180, 180}, {200, 100, 100}, {240, 40, 40},
                                  {300, 5, 5},    {100, 50, 200},  {100, 0, 150},   {50, 350, 0}};
    double *similarity = calloc(MANY, sizeof *similarity);
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES; s++) {
            fp_arena *arena = fp_arena_new();
            const fp_instance *self = &test_arm(ARMS[a], NULL, 0, arena)->instance;
            double j = jaccard_of(SIZES[s]), chance = 1 - self->algorithm->similarity(self, 64);
            bool level = SIZES[s].only_a == SIZES[s].only_b;
            statistics found = measure(ARMS[a], SIZES[s], MANY, similarity);
            assert_mean(ARMS[a], found, j, level ? 0.004 : 0.01);
            double worst = 0, mean = 0, square = 0, step = 0.125;
            for (double h = 0; h < 64; h += step) { /* E[d] = Σ P[d > h]·step, E[d²] = Σ 2h·P[d > h]·step */
                double law = self->algorithm->law(self, j, h + step / 2), within = 0;
                mean += (1 - law) * step, square += 2 * (h + step / 2) * (1 - law) * step;
                for (size_t r = 0; r < MANY; r++)
                    within += similarity[r] >= self->algorithm->similarity(self, h + step / 2);
                worst = fmax(worst, fabs(within / MANY - law));
            }
            double variance = (square - mean * mean) * chance * chance / 4096,
                   bound = LIMIT * found.variance_error / variance + (j < 0.1 ? 0.1 : 0.04);
            if (level && fabs(found.variance / variance - 1) > bound)
                fail_msg("%s, J = %.3f: %.3f of the law's variance", ARMS[a], j, found.variance / variance);
            if (level && worst > 2.4 / sqrt(MANY) + (j > 0.9 ? 0.06 : 0.02))
                fail_msg("%s, J = %.3f: the law is off by %.3f", ARMS[a], j, worst);
            fp_arena_free(arena);
        }
    }
    free(similarity);
}

/* ---- Weights ---- */

static double weighted_jaccard(const drawn pair[2], size_t common) {
    double low = 0, high = 0;
    for (size_t i = 0; i < common; i++) {
        low += fmin(pair[0].weight[i], pair[1].weight[i]);
        high += fmax(pair[0].weight[i], pair[1].weight[i]);
    }
    for (size_t side = 0; side < 2; side++)
        for (size_t i = common; i < pair[side].count; i++) high += pair[side].weight[i];
    return low / high;
}

/* 1 … 5 occurrences, or weights over six orders of magnitude. */
static double drawn_weight(uint64_t random, bool occurrences) {
    return occurrences ? 1 + (double)(random % 5) : exp(14 * (double)random * 0x1p-64 - 7);
}

static void weighted_minhash_tends_to_the_weighted_coefficient(void **state) {
    (void)state;
    static const sizes SIZES[] = {{1, 0, 0}, {1, 1, 1}, {5, 2, 0}, {60, 20, 20}};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    /* Copies of whole weights; samples of these; samples of others. */
    fp_arm *copies = test_arm("weightedminhash", NULL, 0, arena),
           *samples = test_arm("weightedminhash:weight=logtf", NULL, 0, arena),
           *exact = test_arm("jaccard:measure=weighted", NULL, 0, arena);
    for (size_t s = 0; s < 12; s++) {
        fp_arm *arm = s % 3 == 0 ? copies : samples;
        double off[REPEATS], squares = 0;
        drawn pair[2];
        for (size_t r = 0; r < REPEATS; r++) {
            fp_arena_reset(scratch);
            draw(fp_mix(SEED, r), SIZES[s / 3], pair);
            for (size_t side = 0; side < 2; side++)
                for (size_t i = 0; i < pair[side].count; i++)
                    pair[side].weight[i] = drawn_weight(fp_mix(r, 2 * i + side), s % 3 < 2);
            double truth = weighted_jaccard(pair, SIZES[s / 3].common);
            assert_true(fabs(distance_of(exact, pair, scratch) - 64 * (1 - truth)) < 1e-8);
            off[r] = 1 - distance_of(arm, pair, scratch) / 64 - truth;
            squares += off[r] * off[r] - truth * (1 - truth) / 64;
        }
        statistics found = summarise(off, REPEATS);
        assert_mean("weightedminhash", found, 0, 0);
        /* The law is binomial for every pair, so that the squares sum to the sum of its variances. */
        if (fabs(squares / REPEATS) > LIMIT * found.variance_error)
            fail_msg("weightedminhash: squares off by %.3g", squares / REPEATS);
    }
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_the_jaccard_coefficient),
        cmocka_unit_test(minhash_varies_as_a_binomial),
        cmocka_unit_test(superminhash_varies_less),
        cmocka_unit_test(oneperm_varies_as_derived),
        cmocka_unit_test(cminhash_varies_less),
        cmocka_unit_test(distances_follow_the_law),
        cmocka_unit_test(real_queries_follow_their_law),
        cmocka_unit_test(weighted_minhash_tends_to_the_weighted_coefficient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
