/* SPDX-License-Identifier: GPL-3.0-or-later
 * SimHash, its centre, hyperplanes, bit samples, projections, exact hashes: the laws that they obey, by drawing, and
 * what follows from their definitions. Draws are seeded, so that a test that passes once passes always; bounds are
 * 4.5 standard errors (one in 150,000) or a distribution's own. */
#include <math.h>

#include "algorithms/directions.h"
#include "algorithms/kernels/gaussian.h"
#include "algorithms/kernels/lanes.h"
#include "base/explanation.h"
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
            assert_true(fabs(made[i] - radius * cos(angle)) < 1e-14 && fabs(made[32 + i] - radius * sin(angle)) < 1e-14);
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

/* Mean 0, variance 1, fourth moment as given, no correlation of neighbouring directions or terms. */
static void directions_have_their_moments(void **state) {
    (void)state;
    static const double FOURTH[] = {3, 1, 3}, EIGHTH[] = {105, 1, 27};
    enum { TERMS = 4000 };
    for (fp_direction kind = FP_DIRECTION_GAUSSIAN; kind <= FP_DIRECTION_SPARSE; kind++) {
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
        double start[FP_LANES], slow[FP_LANES], fast[FP_LANES];
        for (size_t i = 0; i < count; i++) {
            signs[i] = i < 2 ? (uint64_t)0 - i : fp_mix(fp_mix(SEED, i), count);
            weight[i] = (double)(fp_mix(i, count) >> 11) * 0x1p-40;
        }
        for (size_t j = 0; j < FP_LANES; j++) start[j] = slow[j] = (double)j / 3;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < FP_LANES; j++) slow[j] += signs[i] >> j & 1 ? weight[i] : -weight[i];
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            memcpy(fast, start, sizeof fast);
            fp_lanes_kernels[level](signs, weight, count, fast);
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

static fp_sketch sketch_of(const fp_arm *arm, const uint64_t *hash, const double *weight, size_t count, fp_arena *arena) {
    fp_sketch made;
    fp_document document = {.features = {count, hash, weight, NULL, count, hash}};
    ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &document, arena, &made, &test_error));
    return made;
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
        fp_sketch a = sketch_of(arm, drawn.hash[0], drawn.weight, SIZE, scratch);
        distance[repeat] = fp_arm_distance(arm, a, sketch_of(arm, drawn.hash[1], drawn.weight, SIZE, scratch));
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
            bool sampled = *(const uint64_t *)sketch_of(arm, &hash, &weight, 1, arena).data != 0;
            seen[p] += sampled, total += sampled;
        }
        assert_int_equal(total, BITS);
        fp_arena_free(arena);
    }
    double share = (double)BITS / OF, bound = 4.5 * sqrt(share * (1 - share) * SEEDS);
    for (unsigned p = 0; p < OF; p++) assert_true(fabs(seen[p] - share * SEEDS) < bound);
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    assert_int_equal(fp_arm_parse("bitsample:bits=64,of=63", arena, &arm, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* ---- The centre ---- */

enum { DOCUMENTS = 600, SHARED = 100, OWN = 100, WHOLE = SHARED + OWN };

/* Documents of terms that all share and terms of their own, a template with facts; and a copy of each document with a
 * tenth of its own terms replaced. */
static void draw_documents(uint64_t (*hash)[WHOLE], uint64_t (*copy)[WHOLE]) {
    for (uint64_t d = 0; d < DOCUMENTS; d++)
        for (uint64_t i = 0; i < WHOLE; i++) {
            hash[d][i] = i < SHARED ? fp_mix(SEED, i) : fp_mix(fp_mix(SEED + 1, d), i);
            copy[d][i] = i < WHOLE - OWN / 10 ? hash[d][i] : fp_mix(fp_mix(SEED + 2, d), i);
        }
}

/* Fits the arm to documents of features alone. */
static void fit_features(fp_arm *arm, const fp_document *documents, size_t count) {
    fp_training training = {.document_count = count, .documents = documents};
    ASSERT_GOOD(arm->instance.algorithm->fit(&arm->instance, &training, arm->arena, &arm->instance.model, &test_error));
}

typedef struct centred {
    double unrelated, related; /* mean distances */
} centred;

static centred measure(const char *spec) {
    static uint64_t hash[DOCUMENTS][WHOLE], copy[DOCUMENTS][WHOLE];
    static fp_document documents[DOCUMENTS];
    double weight[WHOLE];
    centred result = {0, 0};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, arena, &arm, &test_error));
    draw_documents(hash, copy);
    for (size_t i = 0; i < WHOLE; i++) weight[i] = 1 + (double)(i % 7) / 10;
    for (size_t d = 0; d < DOCUMENTS; d++)
        documents[d].features = (fp_features){WHOLE, hash[d], weight, NULL, WHOLE, hash[d]};
    if (fp_arm_learns(arm)) fit_features(arm, documents, DOCUMENTS);
    for (size_t d = 0; d < DOCUMENTS; d += 2) {
        fp_sketch one = sketch_of(arm, hash[d], weight, WHOLE, arena),
                  other = sketch_of(arm, hash[d + 1], weight, WHOLE, arena);
        result.unrelated += fp_arm_distance(arm, one, other) / (DOCUMENTS / 2);
        result.related += fp_arm_distance(arm, one, sketch_of(arm, copy[d], weight, WHOLE, arena)) / (DOCUMENTS / 2);
    }
    fp_arena_free(arena);
    return result;
}

/* Half of what unrelated documents hold is shared: their angle is near 60°, their distance near a third of the bits.
 * Without what is shared it is half of them: θ with cos θ = −1/(n − 1), since each document takes part in the mean. A
 * copy of nine tenths stays near: cos θ = 0.9 gives 9.2 of 64 bits. */
static void centring_removes_what_is_shared(void **state) {
    (void)state;
    double error = 4.5 * sqrt(0.25 * 64 / (DOCUMENTS / 2.0)), half = 64 * acos(-1.0 / (DOCUMENTS - 1)) / M_PI;
    centred none = measure("simhash"), mean = measure("simhash:center=mean"), median = measure("simhash:center=median"),
            wide = measure("simhash:bits=128,center=mean");
    assert_true(none.unrelated < 23 && none.unrelated > 19);
    if (fabs(mean.unrelated - half) > error + 0.2) fail_msg("centred: %.2f, expected %.2f", mean.unrelated, half);
    if (fabs(median.unrelated - half) > error + 0.5)
        fail_msg("centred by the median: %.2f, expected %.2f", median.unrelated, half);
    if (fabs(wide.unrelated - 2 * half) > 2 * error + 0.4) fail_msg("128 bits, centred: %.2f", wide.unrelated);
    double copies = 64 * acos(0.9) / M_PI;
    if (fabs(mean.related - copies) > 1.2) fail_msg("copies, centred: %.2f, expected %.2f", mean.related, copies);
    assert_true(mean.related < mean.unrelated / 3 && median.related < median.unrelated / 3 && none.related < mean.related);
}

/* Empty documents do not count; the mean is the mean and the median the median, by their definition on four documents
 * of one term. */
static void centres_are_learned(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const uint64_t HASH[] = {0x0f, 0x1f, 0x3f, 0xff};
    double weight = 3;
    fp_document documents[6] = {{.id = {"", 0}}};
    for (size_t i = 0; i < 4; i++) documents[i].features = (fp_features){1, HASH + i, &weight, NULL, 1, HASH + i};
    /* Quotients of the bits 7 … 0 by document: -1-1-1-1 1 1 1 1 / -1-1-1 1 1 1 1 1 / -1-1 1 1 1 1 1 1 / all 1. */
    static const double MEAN[] = {1, 1, 1, 1, 0.5, 0, -0.5, -0.5}, MEDIAN[] = {1, 1, 1, 1, 1, 0, -1, -1};
    fp_arm *mean, *median;
    ASSERT_GOOD(fp_arm_parse("simhash:bits=8,center=mean", arena, &mean, &test_error));
    ASSERT_GOOD(fp_arm_parse("simhash:bits=8,center=median", arena, &median, &test_error));
    fit_features(mean, documents, 6);
    fit_features(median, documents, 6);
    assert_memory_equal(mean->instance.model, MEAN, sizeof MEAN);
    assert_memory_equal(median->instance.model, MEDIAN, sizeof MEDIAN);
    /* Bits 0–3 lie in the centre: ties. */
    assert_int_equal(*(const uint64_t *)sketch_of(mean, HASH + 1, &weight, 1, arena).data, 0x10);
    assert_int_equal(*(const uint64_t *)sketch_of(median, HASH + 2, &weight, 1, arena).data, 0x20);
    assert_int_equal(*(const uint64_t *)sketch_of(mean, NULL, NULL, 0, arena).data, 0);
    fp_arena_free(arena);
}

static void only_centres_learn(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *plain, *centre;
    fp_sketch made;
    fp_string empty[2] = {{"", 0}, {"", 0}};
    ASSERT_GOOD(fp_arm_parse("simhash", arena, &plain, &test_error));
    ASSERT_GOOD(fp_arm_parse("simhash:center=median", arena, &centre, &test_error));
    assert_false(fp_arm_learns(plain));
    assert_true(fp_arm_learns(centre));
    ASSERT_GOOD(fp_arm_sketch(plain, fp_string_of("我是中国人"), arena, &made, &test_error));
    assert_int_equal(fp_arm_sketch(centre, fp_string_of("我是中国人"), arena, &made, &test_error), FP_ERROR_EMPTY);
    assert_int_equal(fp_arm_fit(centre, empty, 2, &test_error), FP_ERROR_EMPTY);
    fp_arena_free(arena);
}

/* ---- Exact hashes ---- */

/* As xxhsum -H2, PHP's hash("xxh128") and the test suites of other implementations of XXH3 print them. */
static void exact_hashes_are_xxh128(void **state) {
    (void)state;
    static const char *const KNOWN[][2] = {{"", "99aa06d3014798d86001c324468d497f"},
                                           {"a", "a96faf705af16834e6c632b61e964e1f"},
                                           {"abc", "06b05ab6733a618578af5f94892f3950"},
                                           {"hello world", "df8d09e93f874900a99b8775cc15b6c7"}};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("exact", NULL, 0, arena);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        fp_sketch made;
        ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(KNOWN[i][0]), arena, &made, &test_error));
        assert_string_equal(fp_arm_text(arm, made, arena), KNOWN[i][1]);
    }
    fp_arena_free(arena);
}

/* ---- Explanations ---- */

static const fp_explain_step_data *step_called(const fp_explanation *told, const char *title) {
    for (const fp_explain_step_data *step = told->first; step; step = step->next)
        if (strcmp(step->title, title) == 0) return step;
    fail_msg("no step %s", title);
    return NULL;
}

/* systems.md section 3: (7, 3) onto (1, −1). The hashes 3 and 1 have those coordinates under seed 1. */
static void projection_of_two_terms(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("projection:coordinates=1,kind=rademacher", NULL, 0, arena);
    uint64_t hash[] = {3, 1};
    double weight[] = {7, 3};
    fp_document document = {.features = {2, hash, weight, NULL, 2, hash}};
    fp_explanation told = {.arena = arena};
    ASSERT_GOOD(arm->instance.algorithm->explain(&arm->instance, &document, arena, &told, &test_error));
    assert_string_equal(fp_explain_at(step_called(&told, "projection"), 0, 1), "7·1 + 3·(-1)");
    assert_string_equal(fp_explain_at(step_called(&told, "projection"), 0, 2), "4");
    fp_arena_free(arena);
}

static fp_document document_of(const fp_arm *arm, const char *text, fp_arena *arena) {
    fp_text treated;
    fp_document document = {0};
    ASSERT_GOOD(fp_treat(arm->treatment, fp_string_of(text), fp_arm_wants(arm), arena, &treated, &test_error));
    ASSERT_GOOD(fp_arm_document(arm, &treated, NULL, true, arena, &document, &test_error));
    return document;
}

/* Each tells its steps for any text, and as many differing bits as the distance counts, each with the signs that its
 * margins have. */
static void explanations_agree_with_the_sketches(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash",
                                       "simhash:bits=70,center=mean",
                                       "simhash:center=median",
                                       "hyperplane:bits=100",
                                       "hyperplane:kind=rademacher",
                                       "bitsample",
                                       "projection:coordinates=20,kind=sparse",
                                       "exact",
                                       "sentences:k=1"};
    fp_string texts[] = {fp_string_of("我喜欢看电视，不喜欢看电影。他也是！"), fp_string_of("我不喜欢看电视，也不喜欢看电影。"), fp_string_of("")};
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ARMS[i], texts, 3, arena);
        const fp_algorithm *algorithm = arm->instance.algorithm;
        fp_document document[3];
        for (size_t t = 0; t < 3; t++) {
            fp_explanation told = {.arena = arena};
            document[t] = document_of(arm, texts[t].data, arena);
            ASSERT_GOOD(algorithm->explain(&arm->instance, document + t, arena, &told, &test_error));
            assert_true(!told.failed && told.first);
        }
        for (size_t t = 1; t < 3 && algorithm->explain_pair; t++) {
            fp_explanation told = {.arena = arena};
            fp_sketch made[2];
            ASSERT_GOOD(algorithm->explain_pair(&arm->instance, document, document + t, arena, &told, &test_error));
            ASSERT_GOOD(fp_arm_sketch(arm, texts[0], arena, made, &test_error));
            ASSERT_GOOD(fp_arm_sketch(arm, texts[t], arena, made + 1, &test_error));
            const fp_explain_step_data *step = step_called(&told, "bits that differ");
            assert_int_equal(step->cells.count / step->columns.count, (size_t)fp_arm_distance(arm, made[0], made[1]));
            for (size_t row = 0; row < step->cells.count / step->columns.count; row++) {
                assert_int_equal(strcmp(fp_explain_at(step, row, 1), "1") == 0,
                                 strtod(fp_explain_at(step, row, 3), NULL) > 0);
                assert_int_equal(strcmp(fp_explain_at(step, row, 2), "1") == 0,
                                 strtod(fp_explain_at(step, row, 4), NULL) > 0);
                /* A term decides when it pulls towards the side that has the 1. */
                bool towards_a = strcmp(fp_explain_at(step, row, 1), "1") == 0;
                assert_non_null(strstr(fp_explain_at(step, row, 5), towards_a ? "(+" : "(-"));
                assert_null(strstr(fp_explain_at(step, row, 5), towards_a ? "(-" : "(+"));
            }
        }
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussians_are_box_and_muller),        cmocka_unit_test(gaussians_are_the_same_at_every_level),
        cmocka_unit_test(directions_have_their_moments),
        cmocka_unit_test(lanes_are_signed_weights),            cmocka_unit_test(hyperplane_bits_are_binomial),
        cmocka_unit_test(rademacher_bits_are_binomial),        cmocka_unit_test(simhash_bits_are_binomial),
        cmocka_unit_test(sampled_bits_are_binomial),           cmocka_unit_test(projections_tend_to_the_angle),
        cmocka_unit_test(projection_law_has_its_closed_forms), cmocka_unit_test(projection_law_is_the_double_integral),
        cmocka_unit_test(samples_are_even),
        cmocka_unit_test(centring_removes_what_is_shared),     cmocka_unit_test(centres_are_learned),
        cmocka_unit_test(only_centres_learn),                  cmocka_unit_test(exact_hashes_are_xxh128),
        cmocka_unit_test(projection_of_two_terms),             cmocka_unit_test(explanations_agree_with_the_sketches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
