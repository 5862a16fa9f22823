/* SPDX-License-Identifier: GPL-3.0-or-later
 * SimHash, hyperplanes, bit samples, projections: the laws that they obey, by drawing. Draws are seeded, so that a test
 * that passes once passes always; bounds are 4.5 standard errors (one in 150,000) or a distribution's own. */
#include <math.h>

#include "algorithms/families/law.h"
#include "algorithms/families/signs.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "tests/support.h"

enum { SIZE = 160, REPEATS = 600 };
static const uint64_t SEED = 20261120;

/* ---- Directions ---- */

/* The series against the mathematical library, on the same words. */
static void gaussians_are_box_and_muller(void **state) {
    (void)state;
    for (uint64_t hash = 0; hash < 2000; hash++) {
        double made[FP_DIRECTION_BLOCK];
        size_t block = hash % 3;
        fp_directions_of(FP_DIRECTION_GAUSSIAN, 7, hash, block, made);
        for (size_t i = 0; i < 32; i++) {
            uint64_t word = fp_mix(fp_mix(hash, 7), block * 32 + i);
            double radius = (word & 1 ? -1 : 1) * sqrt(-2 * log(((double)(word >> 33) + 0.5) / 2147483648.0));
            double angle = M_PI * (((double)(word >> 1 & 0x7fffffff) + 0.5) / 2147483648.0 - 0.5);
            assert_true(fabs(made[i] - radius * cos(angle)) < 1e-14 &&
                        fabs(made[32 + i] - radius * sin(angle)) < 1e-14);
        }
    }
}

/* Every level of the processor gives the bytes of the portable one. */
static void gaussians_are_the_same_at_every_level(void **state) {
    (void)state;
    for (uint64_t key = 0; key < 5000; key++) {
        double expected[FP_GAUSSIANS], made[FP_GAUSSIANS];
        fp_gaussian_kernels[FP_CPU_PORTABLE](fp_mix(SEED, key), key, expected);
        for (int level = 1; level <= (int)fp_cpu_best(); level++) {
            fp_gaussian_kernels[level](fp_mix(SEED, key), key, made);
            assert_memory_equal(made, expected, sizeof made);
        }
    }
}

/* The table in closed form: both signs of every size are as likely, so that odd moments are 0; the even ones are the
 * sums over its sizes. The law of large tables: 1 and 3 for the normal distribution. */
static void tabulated_moments_are_those_of_the_table(void **state) {
    (void)state;
    extern const int16_t fp_table_gaussian[];
    enum { SIZES = 1 << 15 };
    double two = 0, four = 0;
    for (size_t i = 0; i < SIZES; i++) {
        double size = fp_table_gaussian[i] * 0x1p-12;
        two += size * size, four += size * size * size * size;
        assert_true(i == 0 || fp_table_gaussian[i] >= fp_table_gaussian[i - 1]);
    }
    assert_true(fabs(two / SIZES - 1) < 1e-4);
    assert_true(fabs(four / SIZES - 3) < 2e-3);
    /* P[|x| < 1] of the normal distribution. */
    size_t within = 0;
    for (size_t i = 0; i < SIZES; i++) within += fp_table_gaussian[i] < 1 << 12;
    assert_true(fabs((double)within / SIZES - 0.682689492137086) < 2e-4);
}

/* Every level against the portable one and that against the definition, for whole weights and others. */
static void tabulated_sums_are_sums(void **state) {
    (void)state;
    extern const int16_t fp_table_gaussian[];
    enum { MOST = 70 };
    uint64_t key[MOST];
    double weight[MOST];
    for (size_t count = 0; count <= MOST; count++) {
        double expected[FP_TABULATED_SUMS], made[FP_TABULATED_SUMS];
        for (size_t i = 0; i < count; i++) {
            key[i] = fp_mix(SEED + count, i);
            weight[i] = count % 2 ? (double)(1 + i % 5) : exp(0.1 * (double)i - 3);
        }
        for (size_t j = 0; j < FP_TABULATED_SUMS; j++) {
            expected[j] = (double)j;
            for (size_t i = 0; i < count; i++) {
                uint64_t word = fp_mix(key[i], count * 16 + j % 32 / 2) >> (j % 2 * 32 + j / 32 * 16);
                double size = fp_table_gaussian[word & 0x7fff];
                expected[j] += weight[i] * 0x1p-12 * (word & 0x8000 ? -size : size);
            }
        }
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            for (size_t j = 0; j < FP_TABULATED_SUMS; j++) made[j] = (double)j;
            fp_tabulated_kernels[level](key, weight, count, count, made);
            assert_memory_equal(made, expected, sizeof made);
        }
    }
}

/* Mean 0, variance 1, fourth moment as given, no correlation of neighbouring directions or terms. */
static void directions_have_their_moments(void **state) {
    (void)state;
    static const double FOURTH[] = {3, 1, 3, 3}, EIGHTH[] = {105, 1, 27, 105};
    enum { TERMS = 4000 };
    for (fp_direction kind = FP_DIRECTION_GAUSSIAN; kind <= FP_DIRECTION_TABULATED; kind++) {
        double one = 0, two = 0, four = 0, beside = 0, below = 0, before[FP_DIRECTION_BLOCK] = {0},
               made[FP_DIRECTION_BLOCK];
        for (uint64_t hash = 0; hash < TERMS; hash++) {
            fp_directions_of(kind, SEED, hash, 1, made);
            for (size_t j = 0; j < FP_DIRECTION_BLOCK; j++) {
                double square = made[j] * made[j];
                one += made[j], two += square, four += square * square;
                beside += made[j] * made[(j + 1) % FP_DIRECTION_BLOCK];
                below += made[j] * before[j];
                before[j] = made[j];
            }
        }
        double n = TERMS * FP_DIRECTION_BLOCK, bound = 4.5 / sqrt(n);
        assert_true(fabs(one / n) < bound);
        assert_true(fabs(two / n - 1) <= bound * sqrt(FOURTH[kind] - 1) + 1e-12);
        assert_true(fabs(four / n - FOURTH[kind]) <= bound * sqrt(EIGHTH[kind] - FOURTH[kind] * FOURTH[kind]) + 1e-12);
        assert_true(fabs(beside / n) < bound && fabs(below / n) < bound);
    }
}

/* The kernels against their definition, to the last bit, for every count from 0 to 130. */
static void lanes_are_signed_weights(void **state) {
    (void)state;
    enum { MOST = 130 };
    uint64_t signs[MOST];
    double weight[MOST];
    for (size_t count = 0; count <= MOST; count++) {
        double start[FP_SIGNED_SUMS], slow[FP_SIGNED_SUMS], fast[FP_SIGNED_SUMS];
        for (size_t i = 0; i < count; i++) {
            signs[i] = i < 2 ? (uint64_t)0 - i : fp_mix(fp_mix(SEED, i), count);
            weight[i] = (double)(fp_mix(i, count) >> 11) * 0x1p-40;
        }
        for (size_t j = 0; j < FP_SIGNED_SUMS; j++) start[j] = slow[j] = (double)j / 3;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < FP_SIGNED_SUMS; j++) slow[j] += signs[i] >> j & 1 ? weight[i] : -weight[i];
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            memcpy(fast, start, sizeof fast);
            fp_signed_sum_kernels[level](signs, weight, count, fast);
            assert_memory_equal(fast, slow, sizeof fast);
        }
    }
}

/* ---- Laws ---- */

/* Two documents of SIZE terms; the first `common` are in both. Weights from 1 to 2 keep sums from ties. */
typedef struct pair {
    uint64_t hash[2][SIZE];
    double weight[SIZE];
} pair;

static void draw_pair(uint64_t seed, size_t common, pair *to) {
    for (size_t i = 0; i < SIZE; i++) {
        to->hash[0][i] = fp_mix(seed, i);
        to->hash[1][i] = i < common ? to->hash[0][i] : fp_mix(seed, SIZE + i);
        to->weight[i] = 1 + (double)(fp_mix(i, SEED) >> 11) * 0x1p-53;
    }
}

static double cosine_of(size_t common) {
    pair any;
    double shared = 0, all = 0;
    draw_pair(0, common, &any);
    for (size_t i = 0; i < SIZE; i++)
        all += any.weight[i] * any.weight[i], shared += i < common ? any.weight[i] * any.weight[i] : 0;
    return shared / all;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* REPEATS distances, ascending, of pairs drawn anew. */
static void draw_distances(const fp_arm *arm, size_t common, double distance[REPEATS]) {
    fp_arena *scratch = fp_arena_new();
    for (uint64_t repeat = 0; repeat < REPEATS; repeat++) {
        pair drawn;
        fp_arena_reset(scratch);
        draw_pair(fp_mix(SEED, repeat), common, &drawn);
        fp_sketch a = test_sketch_of(arm, drawn.hash[0], drawn.weight, SIZE, scratch);
        distance[repeat] = fp_arm_distance(arm, a, test_sketch_of(arm, drawn.hash[1], drawn.weight, SIZE, scratch));
    }
    qsort(distance, REPEATS, sizeof *distance, ascending);
    fp_arena_free(scratch);
}

/* The largest gap between the drawn distribution and `law` stays below 2.4/√n: probability 10⁻⁵ (Kolmogorov; less for
 * whole distances). `slack`: what the law itself leaves open. */
static void assert_law(const fp_arm *arm, double cosine, const double *distance, double slack) {
    const fp_instance *instance = &arm->instance;
    for (size_t i = 0; i < REPEATS; i++) {
        if (i + 1 < REPEATS && distance[i + 1] == distance[i]) continue;
        double drawn = (double)(i + 1) / REPEATS, law = instance->algorithm->law(instance, cosine, distance[i]);
        if (fabs(drawn - law) > 2.4 / sqrt(REPEATS) + slack)
            fail_msg("%s: P[d <= %g]: drawn %.4f, law %.4f", fp_arm_name(arm), distance[i], drawn, law);
    }
}

/* Mean and variance of the differing bits against the binomial law with p = θ/π. `bias` of the share: what the
 * central limit of SIZE signs leaves. */
static void assert_binomial(const char *spec, double bias) {
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    double bits = (double)fp_arm_layout(arm)->bits, distance[REPEATS];
    for (size_t common = 0; common <= SIZE; common += SIZE / 4) {
        double cosine = cosine_of(common), p = acos(fmin(1, cosine)) / M_PI, expected = bits * p * (1 - p), sum = 0,
               squares = 0;
        draw_distances(arm, common, distance);
        for (size_t i = 0; i < REPEATS; i++) sum += distance[i];
        double mean = sum / REPEATS;
        for (size_t i = 0; i < REPEATS; i++) squares += (distance[i] - mean) * (distance[i] - mean);
        double variance = squares / (REPEATS - 1), excess = expected > 0 ? (1 - 6 * p * (1 - p)) / expected : 0;
        double mean_bound = 4.5 * sqrt(expected / REPEATS) + bias * bits;
        double variance_bound = expected * (4.5 * sqrt((2 + excess) / REPEATS) + 4 * bias);
        if (fabs(mean - bits * p) > mean_bound)
            fail_msg("%s, cosine %.3f: mean %.3f, law %.3f", spec, cosine, mean, bits * p);
        if (fabs(variance - expected) > variance_bound)
            fail_msg("%s, cosine %.3f: variance %.3f, law %.3f", spec, cosine, variance, expected);
        assert_law(arm, fmin(1, cosine), distance, 0.5 * bias * sqrt(bits));
    }
    fp_arena_free(arena);
}

/* Exact for Gaussian directions; for ±1 the distribution of 160 weighted signs is normal up to about 1/160 in the
 * share of differing bits. */
static void hyperplane_bits_are_binomial(void **state) {
    (void)state, assert_binomial("hyperplane", 0), assert_binomial("hyperplane:bits=32,seed=5", 0);
}
static void rademacher_bits_are_binomial(void **state) {
    (void)state, assert_binomial("hyperplane:kind=rademacher", 0.004);
}
static void simhash_bits_are_binomial(void **state) {
    (void)state, assert_binomial("simhash", 0.004), assert_binomial("simhash:bits=128", 0.004);
}
static void sampled_bits_are_binomial(void **state) {
    (void)state, assert_binomial("bitsample", 0.004), assert_binomial("bitsample:bits=32,of=4096", 0.004);
}

/* Signs against sums, both directions averaged: drawn, against the law, its mean and its variance to the order 1/n, in
 * the share X that differing bits have of the sizes. The last bound is what the beta distribution leaves. */
static void sums_against_signs_obey_their_law(void **state) {
    (void)state;
    enum { PAIRS = 20000, BITS = 64 };
    static const double COSINES[] = {0.999, 0.99, 0.95, 0.8, 0.5, 0.2, 0, -0.6};
    static double share[PAIRS], drawn[PAIRS];
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm = test_arm("hyperplane:query=real", NULL, 0, arena);
    const fp_instance *self = &arm->instance;
    for (size_t c = 0; c < sizeof COSINES / sizeof *COSINES; c++) {
        double rho = COSINES[c], theta = acos(rho), p = (1 - rho) / 2, total = 0, squares = 0, fourth = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            double gauss[2][BITS], sum[2][FP_SIGNS_MOST];
            fp_sketch sketch[2];
            for (int s = 0; s < 2; s++)
                fp_directions_of(FP_DIRECTION_GAUSSIAN, SEED + c, 2 * i + (size_t)s, 0, gauss[s]);
            for (int b = 0; b < BITS; b++) {
                sum[0][b] = gauss[0][b];
                sum[1][b] = 3 * (rho * gauss[0][b] + sin(theta) * gauss[1][b]); /* lengths do not matter */
            }
            fp_arena_reset(scratch);
            for (int s = 0; s < 2; s++)
                ASSERT_GOOD(fp_signs_sketch(self, sum[s], FP_TIE_ZERO, scratch, sketch + s, &test_error));
            drawn[i] = fp_arm_distance(arm, sketch[0], sketch[1]);
            share[i] = (1 - cos(M_PI * drawn[i] / BITS)) / 2;
            total += share[i];
        }
        double mean = total / PAIRS, squared = (theta - sin(theta) * rho) / M_PI,
               crossed = (sin(theta) - theta * rho) / M_PI,
               all = 2 + 4 / M_PI * (sin(theta) + (M_PI / 2 - theta) * rho),
               expected = p + M_PI / (2 * BITS) * (p - squared),
               variance = M_PI / (8 * BITS) * (2 * (squared + crossed) * rho + p * p * all);
        for (size_t i = 0; i < PAIRS; i++) squares += pow(share[i] - mean, 2), fourth += pow(share[i] - mean, 4);
        /* 4.5 standard errors, and what the order 1/n² leaves: 3·Var|s|/(n·E²|s|). */
        double sampled = squares / PAIRS,
               bound = 4.5 * sqrt((fourth / PAIRS / sampled / sampled - 1) / PAIRS) + 3 * (M_PI / 2 - 1) / BITS;
        if (fabs(mean - expected) > 4.5 * sqrt(variance / PAIRS) + 0.5 * p / BITS / BITS)
            fail_msg("cosine %g: mean %.6f, law %.6f", rho, mean, expected);
        if (fabs(sampled / variance - 1) > bound)
            fail_msg("cosine %g: variance %.3g, law %.3g within %.3f", rho, sampled, variance, bound);
        qsort(drawn, PAIRS, sizeof *drawn, ascending);
        for (size_t i = 0; i + 1 < PAIRS; i++) {
            if (drawn[i + 1] == drawn[i]) continue;
            double law = self->algorithm->law(self, rho, drawn[i]), gap = fabs((double)(i + 1) / PAIRS - law);
            if (gap > 2.4 / sqrt(PAIRS) + 0.02)
                fail_msg("cosine %g: P[d <= %g]: drawn %.4f, law %.4f", rho, drawn[i], (double)(i + 1) / PAIRS, law);
        }
    }
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

/* By definition, and by what it must do: a plain loop over the bits; sums of length 1; a query of ties alone. */
static void weighted_distances_are_plain_sums(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (size_t bits = 4; bits <= 200; bits = bits * 3 / 2 + 1) {
        fp_arm *arm = test_arm(fp_format(arena, "hyperplane:query=real,bits=%zu", bits), NULL, 0, arena);
        double sum[2][FP_SIGNS_MOST], part[2] = {0}, whole[2] = {0}, one[2];
        fp_sketch sketch[2];
        for (int s = 0; s < 2; s++)
            for (size_t b = 0; b < bits; b++)
                sum[s][b] = (double)(int64_t)(fp_mix(b, bits + 77 * (size_t)s) % 2001) - 1000;
        sum[0][0] = 0;
        for (size_t b = 0; b < bits; b++)
            for (int s = 0; s < 2; s++) {
                whole[s] += fabs(sum[s][b]);
                if ((sum[0][b] > 0) != (sum[1][b] > 0)) part[s] += fabs(sum[s][b]);
            }
        for (int s = 0; s < 2; s++)
            ASSERT_GOOD(fp_signs_sketch(&arm->instance, sum[s], FP_TIE_ZERO, arena, sketch + s, &test_error));
        for (int s = 0; s < 2; s++) {
            fp_sketches other = {.count = 1, .stride = sketch[0].size, .data = sketch[1 - s].data};
            fp_arm_query_distances(arm, sketch[s], &other, 0, 1, INFINITY, one + s);
            assert_true(fabs(one[s] - (double)bits / M_PI * acos(1 - 2 * part[s] / whole[s])) < 1e-6);
        }
        double mean = (part[0] / whole[0] + part[1] / whole[1]) / 2;
        assert_true(fabs(fp_arm_distance(arm, sketch[0], sketch[1]) - (double)bits / M_PI * acos(1 - 2 * mean)) < 1e-6);
    }
    /* All sums 0: every bit weighs the same. */
    fp_arm *arm = test_arm("simhash:query=real,bits=8", NULL, 0, arena);
    double none[8] = {0}, half[8] = {1, 1, 1, 1, -1, -1, -1, -1}, distance;
    fp_sketch tied, other;
    ASSERT_GOOD(fp_signs_sketch(&arm->instance, none, FP_TIE_ZERO, arena, &tied, &test_error));
    ASSERT_GOOD(fp_signs_sketch(&arm->instance, half, FP_TIE_ZERO, arena, &other, &test_error));
    fp_sketches many = {.count = 1, .stride = other.size, .data = other.data};
    fp_arm_query_distances(arm, tied, &many, 0, 1, INFINITY, &distance);
    assert_true(distance == 4 && fp_arm_distance(arm, tied, tied) == 0);
    fp_arena_free(arena);
}

/* The angle of projections: its distribution against the law, and its error against 1/√k: the standard deviation of
 * the angle tends to sin θ/√k. */
static void projections_tend_to_the_angle(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        double k;
    } ARMS[] = {{"projection:coordinates=1", 1},
                {"projection:coordinates=2", 2},
                {"projection:coordinates=16", 16},
                {"projection:coordinates=64,kind=rademacher", 64},
                {"projection:coordinates=64,kind=sparse", 64},
                {"projection:coordinates=128", 128}};
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ARMS[i].spec, NULL, 0, arena);
        double distance[REPEATS];
        for (size_t common = 0; common < SIZE; common += SIZE / 4) {
            double cosine = cosine_of(common), theta = acos(cosine), squares = 0;
            draw_distances(arm, common, distance);
            assert_law(arm, cosine, distance, strstr(ARMS[i].spec, "kind") ? 0.02 : 0);
            for (size_t d = 0; d < REPEATS; d++) squares += pow(distance[d] * M_PI / 64 - theta, 2);
            double error = sqrt(squares / REPEATS), expected = sin(theta) / sqrt(ARMS[i].k);
            /* Relative standard error 1/√(2·REPEATS), and a term of order 1/k that the limit leaves out. */
            if (ARMS[i].k >= 16 && fabs(error / expected - 1) > 4.5 / sqrt(2 * REPEATS) + 2 / ARMS[i].k)
                fail_msg("%s, cosine %.3f: error %.4f, law %.4f", ARMS[i].spec, cosine, error, expected);
        }
        fp_arena_free(arena);
    }
}

/* Closed forms: one coordinate is a sign; two give at right angles a uniform angle, three its cosine uniform
 * (Archimedes); far from θ nothing is left. */
static void projection_law_has_its_closed_forms(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_arm *one = test_arm("projection:coordinates=1", NULL, 0, arena),
                 *two = test_arm("projection:coordinates=2", NULL, 0, arena);
    const fp_arm *three = test_arm("projection:coordinates=3", NULL, 0, arena),
                 *many = test_arm("projection:coordinates=4096", NULL, 0, arena);
    for (double h = 1; h < 64; h++) {
        assert_true(fabs(one->instance.algorithm->law(&one->instance, cos(0.3 * M_PI), h) - 0.7) < 1e-12);
        assert_true(fabs(two->instance.algorithm->law(&two->instance, 0, h) - h / 64) < 1e-6);
        assert_true(fabs(three->instance.algorithm->law(&three->instance, 0, h) - (1 - cos(M_PI * h / 64)) / 2) < 1e-9);
    }
    double theta = 0.25 * M_PI, deviation = sin(theta) / 64;
    for (double z = -3; z <= 3; z += 0.5) { /* near a normal distribution with that deviation */
        double law = many->instance.algorithm->law(&many->instance, cos(theta), 64 / M_PI * (theta + z * deviation));
        assert_true(fabs(law - 0.5 * erfc(-z / sqrt(2))) < 0.005);
    }
    assert_true(many->instance.algorithm->law(&many->instance, 1, 0) == 1 &&
                many->instance.algorithm->law(&many->instance, -1, 63) == 0);
    fp_arena_free(arena);
}

/* Computed in Python by another road, a double integral by the midpoint rule (error below 3·10⁻⁶): with λ = ρ/√(1 −
 * ρ²) the angle is at most a when λ·χ_k + Z ≥ cot a · χ_{k−1}, three independent variables, since v has ρ|u| + sZ
 * along u and s·χ_{k−1} across it, |u| = χ_k. */
static void projection_law_is_the_double_integral(void **state) {
    (void)state;
    static const struct {
        int k;
        double cosine, h, law;
    } ROWS[] = {{2, 0.5, 10, 0.3257276},
                {3, 0.8, 20, 0.8188565},
                {2, 0.9, 5, 0.4538343},
                {6, -0.3, 40, 0.5530135},
                {16, 0.6, 16, 0.2605159}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        fp_arena *arena = fp_arena_new();
        const fp_arm *arm = test_arm(fp_format(arena, "projection:coordinates=%d", ROWS[i].k), NULL, 0, arena);
        double law = arm->instance.algorithm->law(&arm->instance, ROWS[i].cosine, ROWS[i].h);
        if (fabs(law - ROWS[i].law) > 4e-6) fail_msg("k = %d: %.9f, expected %.7f", ROWS[i].k, law, ROWS[i].law);
        fp_arena_free(arena);
    }
}

/* ---- The sample of bits ---- */

/* Every position is drawn equally often: a term whose word has one bit set shows up in the fingerprint when that bit
 * is sampled. */
static void samples_are_even(void **state) {
    (void)state;
    enum { SEEDS = 1500, OF = 16, BITS = 4 };
    unsigned seen[OF] = {0};
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(fp_format(arena, "bitsample:bits=%d,of=%d,seed=%u", BITS, OF, seed), NULL, 0, arena);
        unsigned total = 0;
        for (unsigned p = 0; p < OF; p++) {
            uint64_t hash = UINT64_C(1) << p;
            double weight = 1;
            bool sampled = *(const uint64_t *)test_sketch_of(arm, &hash, &weight, 1, arena).data != 0;
            seen[p] += sampled, total += sampled;
        }
        assert_int_equal(total, BITS);
        fp_arena_free(arena);
    }
    double share = (double)BITS / OF, bound = 4.5 * sqrt(share * (1 - share) * SEEDS);
    for (unsigned p = 0; p < OF; p++) assert_true(fabs(seen[p] - share * SEEDS) < bound);
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    assert_int_equal(fp_arm_parse("bitsample:bits=64,of=63", NULL, arena, &arm, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* The tails on both sides of the angle add up to 1 without being normalised by their sum: the constant in closed form,
 * (k − 1)Γ(k)/(√(2π)Γ(k + ½)) of Hotelling (1953). */
static void projections_have_the_whole_probability(void **state) {
    (void)state;
    static const unsigned COORDINATES[] = {2, 3, 4, 5, 16, 64, 1000, 4096};
    static const double COSINE[] = {-0.99, -0.5, 0, 0.3, 0.8, 0.99};
    for (size_t c = 0; c < sizeof COSINE / sizeof *COSINE; c++)
        for (size_t k = 0; k < sizeof COORDINATES / sizeof *COORDINATES; k++) {
            double angle = fp_law_angle(COSINE[c]), near = 1e-15,
                   below = fp_law_projected(angle - near, COSINE[c], COORDINATES[k]),
                   above = fp_law_projected(angle + near, COSINE[c], COORDINATES[k]);
            assert_true(below > 0.2 && above < 0.8);
            assert_true(fabs(above - below) < 1e-11);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussians_are_box_and_muller),
        cmocka_unit_test(gaussians_are_the_same_at_every_level),
        cmocka_unit_test(tabulated_moments_are_those_of_the_table),
        cmocka_unit_test(tabulated_sums_are_sums),
        cmocka_unit_test(directions_have_their_moments),
        cmocka_unit_test(lanes_are_signed_weights),
        cmocka_unit_test(hyperplane_bits_are_binomial),
        cmocka_unit_test(rademacher_bits_are_binomial),
        cmocka_unit_test(simhash_bits_are_binomial),
        cmocka_unit_test(sampled_bits_are_binomial),
        cmocka_unit_test(sums_against_signs_obey_their_law),
        cmocka_unit_test(weighted_distances_are_plain_sums),
        cmocka_unit_test(projections_tend_to_the_angle),
        cmocka_unit_test(projection_law_has_its_closed_forms),
        cmocka_unit_test(projection_law_is_the_double_integral),
        cmocka_unit_test(projections_have_the_whole_probability),
        cmocka_unit_test(samples_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
