/* SPDX-License-Identifier: GPL-3.0-or-later
 * The slots of minhash agree as independent coins do, each with probability p = J + (1 − J)·2⁻ᵇ: over drawn pairs of
 * sets x is (agrees − p)/√(p(1 − p)) of a slot, which has mean 0, variance 1 and the fourth moment κ. From these follow
 * the means and the standard errors of all sums below, with no limit theorem: bias and variance of the share of
 * agreeing slots, each slot's own mean, and the correlations of slots. The distribution of the share is held to the
 * bound of Dvoretzky, Kiefer, Wolfowitz (with Massart's constant). */
#include "tests/algorithms/draws.h"

enum { MOST_DRAWS = 16384, MOST_SLOTS = 1024 };

typedef struct run {
    const char *spec;
    size_t slots, draws;
    sizes size;
    double chance; /* P[slots of sets that share nothing agree] */
} run;

static const run RUNS[] = {
    {"minhash", 64, 16384, {1, 1, 1}, 0},
    {"minhash", 64, 16384, {1, 0, 1}, 0},
    {"minhash", 64, 16384, {5, 10, 5}, 0},
    {"minhash", 64, 16384, {60, 20, 20}, 0},
    {"minhash", 64, 16384, {450, 25, 25}, 0},
    {"minhash:seed=8", 64, 8192, {100, 800, 100}, 0},
    {"minhash:b=1", 64, 16384, {0, 1, 1}, 0.5},
    {"minhash:b=1", 64, 16384, {0, 40, 40}, 0.5},
    {"minhash:b=1", 64, 16384, {20, 20, 0}, 0.5},
    {"minhash:slots=1024", 1024, 2048, {10, 5, 5}, 0},
    {"weightedminhash:weight=binary", 64, 16384, {6, 3, 3}, 0},
};

static double agreeing(const run *own) { return jaccard_of(own->size) * (1 - own->chance) + own->chance; }

/* Of each slot a bit a draw: whether it agrees. */
static uint64_t bits[MOST_SLOTS][MOST_DRAWS / 64];

static bool slot_agrees(const run *own, const fp_sketch sketch[2], size_t slot) {
    if (own->chance == 0) return ((const uint32_t *)sketch[0].data)[slot] == ((const uint32_t *)sketch[1].data)[slot];
    const uint64_t *a = sketch[0].data, *b = sketch[1].data;
    return !((a[slot / 64] ^ b[slot / 64]) >> slot % 64 & 1);
}

static void draw_agreements(const run *own) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm = test_arm(own->spec, NULL, 0, arena);
    drawn pair[2];
    memset(bits, 0, sizeof bits);
    for (size_t r = 0; r < own->draws; r++) {
        fp_sketch sketch[2];
        fp_arena_reset(scratch);
        draw(fp_mix(SEED + 1, r), own->size, pair);
        for (int i = 0; i < 2; i++) sketch[i] = sketch_of(arm, pair[i].hash, pair[i].weight, pair[i].count, scratch);
        for (size_t i = 0; i < own->slots; i++) bits[i][r / 64] |= (uint64_t)slot_agrees(own, sketch, i) << r % 64;
    }
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

static size_t count_of(const uint64_t *a, const uint64_t *b, size_t draws) {
    size_t sum = 0;
    for (size_t w = 0; w < draws / 64; w++) sum += (size_t)__builtin_popcountll(a[w] & b[w]);
    return sum;
}

static void assert_within(const run *own, const char *what, double found, double mean, double variance) {
    double deviations = (found - mean) / sqrt(variance);
    if (!(fabs(deviations) <= LIMIT))
        fail_msg("%s, J = %.3f: %s is off by %.2f standard errors", own->spec, jaccard_of(own->size), what, deviations);
}

/* ---- The share of agreeing slots ---- */

static void assert_distribution(const run *own, const double *at) {
    double n = (double)own->slots, p = agreeing(own), law = 0, found = 0,
           bound = sqrt(log(2 / 1e-6) / (2 * (double)own->draws));
    for (size_t k = 0; k <= own->slots; k++) {
        double rest = n - (double)k;
        law += exp(lgamma(n + 1) - lgamma((double)k + 1) - lgamma(rest + 1) + (double)k * log(p) + rest * log1p(-p));
        found += at[k] / (double)own->draws;
        if (fabs(found - law) > bound) fail_msg("%s: P[≤ %zu agree] %.4f, law %.4f", own->spec, k, found, law);
    }
}

/* Σ T, T = Σᵢ xᵢ of a draw, has variance n a draw; T² has mean n and variance 2n² + n(κ − 3). */
static void shares_are_binomial(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof RUNS / sizeof *RUNS; k++) {
        const run *own = RUNS + k;
        double p = agreeing(own), q = p * (1 - p), n = (double)own->slots, draws = (double)own->draws, sum = 0,
               squares = 0, fourth = (1 - 3 * q) / q, at[MOST_SLOTS + 1] = {0};
        draw_agreements(own);
        for (size_t r = 0; r < own->draws; r++) {
            size_t agree = 0;
            for (size_t i = 0; i < own->slots; i++) agree += bits[i][r / 64] >> r % 64 & 1;
            double total = ((double)agree - n * p) / sqrt(q);
            sum += total, squares += total * total, at[agree]++;
        }
        assert_within(own, "the mean share", sum, 0, n * draws);
        assert_within(own, "the variance of the share", squares, n * draws, draws * (2 * n * n + n * (fourth - 3)));
        assert_distribution(own, at);
    }
}

/* ---- Slots ---- */

/* z = Σ xᵢxⱼ/√R over R draws has mean 0 and variance 1, two of them are uncorrelated, z² has variance 2 + (κ² − 3)/R,
 * and two z² that share a slot have covariance (κ − 1)/R. The largest of half a million |z| exceeds 7 in one of a
 * million cases where they are normal. */
static void assert_uncorrelated(const run *own, double p, double fourth) {
    double n = (double)own->slots, draws = (double)own->draws, pairs = n * (n - 1) / 2, sum = 0, squares = 0;
    size_t ones[MOST_SLOTS];
    for (size_t i = 0; i < own->slots; i++) ones[i] = count_of(bits[i], bits[i], own->draws);
    for (size_t i = 0; i < own->slots; i++) {
        for (size_t j = 0; j < i; j++) {
            double both = (double)count_of(bits[i], bits[j], own->draws), either = (double)(ones[i] + ones[j]);
            double z = (both - p * either + p * p * draws) / (p * (1 - p) * sqrt(draws));
            if (!(fabs(z) < 7)) fail_msg("%s: slots %zu and %zu: z = %.2f", own->spec, j, i, z);
            sum += z, squares += z * z;
        }
    }
    assert_within(own, "the mean correlation of slots", sum, 0, pairs);
    assert_within(own, "the mean square of correlations", squares, pairs,
                  pairs * (2 + (fourth * fourth - 3) / draws + 2 * (n - 2) * (fourth - 1) / draws));
}

static void slots_are_independent(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof RUNS / sizeof *RUNS; k++) {
        const run *own = RUNS + k;
        double p = agreeing(own), q = p * (1 - p), n = (double)own->slots, draws = (double)own->draws, squares = 0,
               fourth = (1 - 3 * q) / q;
        draw_agreements(own);
        for (size_t i = 0; i < own->slots; i++) {
            double off = (double)count_of(bits[i], bits[i], own->draws) - p * draws;
            squares += off * off / (q * draws);
        }
        assert_within(own, "the mean square of the slots' biases", squares, n, n * (2 + (fourth - 3) / draws));
        assert_uncorrelated(own, p, fourth);
    }
}

/* ---- The lattice of two slots ---- */

/* The modular inverse of an odd number, by Newton: each step doubles the bits that are right. */
static uint64_t inverse(uint64_t odd) {
    uint64_t made = odd;
    for (int i = 0; i < 5; i++) made *= 2 - odd * made;
    return made;
}

/* Two slots map x to (x·a, x·b), a lattice that (1, r) and (0, 2⁶⁴) span, r = b/a. The shortest vector in the largest
 * norm is a best approximation of r/2⁶⁴, hence one of Euclid's steps (Khinchin, Continued fractions, theorem 16). */
static uint64_t shortest(uint64_t r) {
    uint64_t before = 0 - r, rest = r, multiple_before = 1, multiple = 1;
    if (rest > before) { /* 2⁶⁴ = 1·r + (2⁶⁴ − r) */
        before = r, rest = 0 - r;
    }
    while (multiple < rest) {
        uint64_t times = before / rest, next = before % rest, next_multiple = times * multiple + multiple_before;
        before = rest, rest = next, multiple_before = multiple, multiple = next_multiple;
    }
    return multiple < before ? multiple : before;
}

/* The spectral test of two dimensions (Knuth, The Art of Computer Programming 2, 3.3.4): no pair of slots lies on fewer
 * than 2²⁰ lines in the square, so that their smallest values are independent for sets of less than a million. Of
 * random factors some of the half a million pairs would do so with probability 0.06 at most. */
static void no_two_slots_lie_on_few_lines(void **state) {
    (void)state;
    assert_true(shortest(1) == 1 && shortest(3) == 3 && shortest(UINT64_C(0) - 5) == 5);
    assert_true(shortest(inverse(7)) == 7 && shortest(inverse(9) * 4) == 9 && inverse(9) * 9 == 1);
    assert_true(shortest(UINT64_C(1) << 32 | 1) == UINT32_MAX);
    uint64_t least = UINT64_MAX;
    for (uint64_t i = 0; i < MOST_SLOTS; i++) {
        uint64_t own = inverse(fp_mix(i, 1) | 1);
        for (uint64_t j = 0; j < i; j++) {
            uint64_t length = shortest(own * (fp_mix(j, 1) | 1));
            least = length < least ? length : least;
        }
    }
    print_message("on %llu lines or more\n", (unsigned long long)least);
    assert_true(least > 1 << 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_binomial),
        cmocka_unit_test(slots_are_independent),
        cmocka_unit_test(no_two_slots_lie_on_few_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
