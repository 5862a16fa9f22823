/* SPDX-License-Identifier: GPL-3.0-or-later
 * Worked figures of published articles, and laws, through the public interface. The known answers of tests/vectors are
 * checked elsewhere; here is what is not one row of a table. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/explanation.h"
#include "eval/measures/histogram.h"
#include "tests/support.h"

/* The step of an explanation with that title. */
static const fp_explain_step_data *step_called(const fp_explanation *explanation, const char *title) {
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next)
        if (strncmp(step->title, title, strlen(title)) == 0) return step;
    fail_msg("no step %s", title);
    return NULL;
}

static void explain_features(const char *spec, const fp_features *features, fp_explanation *out, fp_arena *arena) {
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    fp_document document = {.features = *features};
    *out = (fp_explanation){.arena = arena};
    ASSERT_GOOD(arm->instance.algorithm->explain(&arm->instance, &document, arena, out, &test_error));
    assert_false(out->failed);
}

/* 美国(4) = 100101 and 51区(5) = 101011 sum to 9 -9 1 -1 1 9, which reduces to 101011; the implied hyperplanes are r1 =
 * (1,1), r2 = (-1,-1), r3 = (-1,1), r4 = (1,-1), r5 = (-1,1), r6 = (1,1). */
static void simhash_sums_of_two_words(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    uint64_t hash[] = {37, 43};
    double weight[] = {4, 5};
    fp_string term[] = {fp_string_of("美国"), fp_string_of("51区")};
    fp_features features = {2, hash, weight, term, 2, hash};
    fp_explanation told;
    explain_features("simhash:bits=6", &features, &told, arena);
    assert_string_equal(fp_explain_at(step_called(&told, "1-2."), 0, 2), "100101");
    assert_string_equal(fp_explain_at(step_called(&told, "1-2."), 1, 2), "101011");
    assert_string_equal(fp_explain_at(step_called(&told, "3."), 0, 2), "4 -4 -4 4 -4 4");
    assert_string_equal(fp_explain_at(step_called(&told, "3."), 1, 2), "5 -5 5 -5 5 5");
    assert_string_equal(fp_explain_at(step_called(&told, "4."), 0, 0), "9 -9 1 -1 1 9");
    assert_string_equal(fp_explain_at(step_called(&told, "5."), 0, 0), "101011");
    static const char *const PLANES[] = {"(1,1)", "(-1,-1)", "(-1,1)", "(1,-1)", "(-1,1)", "(1,1)"};
    for (size_t i = 0; i < 6; i++) assert_string_equal(fp_explain_at(step_called(&told, "implied"), i, 1), PLANES[i]);
    fp_arena_free(arena);
}

/* 12306(5) = 10011100 and 服务器(4) = 01110101 sum to 1 -1 -1 9 1 9 -9 -1. */
static void simhash_sums_of_eight_bits(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    uint64_t hash[] = {0x9c, 0x75};
    double weight[] = {5, 4};
    fp_features features = {2, hash, weight, NULL, 2, hash};
    fp_explanation told;
    explain_features("simhash:bits=8", &features, &told, arena);
    assert_string_equal(fp_explain_at(step_called(&told, "4."), 0, 0), "1 -1 -1 9 1 9 -9 -1");
    fp_arena_free(arena);
}

/* ---- Laws ---- */

/* Two features sets of `size` hashes that share `common`; drawn anew for every seed. */
static void draw_sets(uint64_t seed, size_t size, size_t common, uint64_t *a, uint64_t *b) {
    for (size_t i = 0; i < size; i++) {
        a[i] = fp_mix(seed, i);
        b[i] = i < common ? a[i] : fp_mix(seed, size + i);
    }
}

static double distance_of_features(const fp_arm *arm, const uint64_t *a, const uint64_t *b, const double *weight,
                                   size_t count, fp_arena *arena) {
    fp_sketch sketch[2];
    const uint64_t *hash[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        fp_document document = {.features = {count, hash[i], weight, NULL, count, hash[i]}};
        ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &document, arena, sketch + i, &test_error));
    }
    return fp_arm_distance(arm, sketch[0], sketch[1]);
}

enum { SIZE = 300, REPEATS = 400 };

/* Mean distance over REPEATS drawn pairs of sets with `common` of SIZE features in both. */
static double mean_distance(const char *spec, size_t common) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    uint64_t a[SIZE], b[SIZE];
    double weight[SIZE], sum = 0;
    for (size_t i = 0; i < SIZE; i++) weight[i] = 1;
    for (uint64_t repeat = 0; repeat < REPEATS; repeat++) {
        fp_arena_reset(scratch);
        draw_sets(fp_mix(20261120, repeat), SIZE, common, a, b);
        sum += distance_of_features(arm, a, b, weight, SIZE, scratch);
    }
    fp_arena_free(arena);
    fp_arena_free(scratch);
    return sum / REPEATS;
}

/* The mean of REPEATS·n Bernoulli places with probability p lies within 4.5 standard errors with probability 1 −
 * 7·10⁻⁶. */
static void assert_share(double mean, double places, double p) {
    double error = sqrt(p * (1 - p) / (places * REPEATS));
    if (fabs(mean / places - p) > 4.5 * error)
        fail_msg("share %.5f, law %.5f, standard error %.5f", mean / places, p, error);
}

/* P[slots agree] = J (Broder 1997). */
static void minhash_agreement_tends_to_jaccard(void **state) {
    (void)state;
    for (size_t common = 30; common < SIZE; common += 90) {
        double jaccard = (double)common / (2.0 * SIZE - (double)common);
        assert_share(mean_distance("minhash:slots=64", common), 64, 1 - jaccard);
        assert_share(mean_distance("minhash:slots=128,width=64,seed=7", common), 128, 1 - jaccard);
    }
}

/* P[bits differ] = θ/π (Charikar 2002). The places of one pair are independent given the hashes' bits. */
static void simhash_bits_tend_to_the_angle(void **state) {
    (void)state;
    for (size_t common = 30; common < SIZE; common += 90) {
        double angle = acos((double)common / SIZE) / M_PI;
        /* The central limit of 300 signs leaves a bias below 0.002. */
        double mean = mean_distance("simhash:bits=64", common) / 64;
        double error = sqrt(angle * (1 - angle) / (64.0 * REPEATS));
        if (fabs(mean - angle) > 4.5 * error + 0.002) fail_msg("share %.5f, law %.5f", mean, angle);
    }
}

/* The laws are the binomial distribution of those shares. */
static void laws_are_binomial(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_arm *minhash = test_arm("minhash:slots=64", NULL, 0, arena),
                 *simhash = test_arm("simhash", NULL, 0, arena);
    const fp_instance *m = &minhash->instance, *s = &simhash->instance;
    assert_true(fabs(m->algorithm->law(m, 0.9, 3) - gsl_cdf_binomial_P(3, 0.1, 64)) < 1e-12);
    assert_true(fabs(s->algorithm->law(s, cos(M_PI * 0.05), 3) - gsl_cdf_binomial_P(3, 0.05, 64)) < 1e-12);
    assert_true(m->algorithm->law(m, 0.5, -1) == 0 && m->algorithm->law(m, 0.5, 64) == 1);
    fp_arena_free(arena);
}

/* MD5 and SHA-1 of 我是中国人 and 我是中国人啊 share nothing; a good fingerprint is closer for closer texts. */
static void closer_texts_are_closer(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const char *const ARMS[] = {"simhash:features=chars:2", "minhash:features=chars:2",
                                       "jaccard:features=chars:2", "cosine"};
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        double near = test_distance(ARMS[i], "我是中国人", "我是中国人啊", arena);
        double far = test_distance(ARMS[i], "我是中国人", "今天下午有雨", arena);
        assert_true(near < far);
        assert_true(near > 0 || strcmp(ARMS[i], "cosine") == 0);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simhash_sums_of_two_words),
        cmocka_unit_test(simhash_sums_of_eight_bits),
        cmocka_unit_test(minhash_agreement_tends_to_jaccard),
        cmocka_unit_test(simhash_bits_tend_to_the_angle),
        cmocka_unit_test(laws_are_binomial),
        cmocka_unit_test(closer_texts_are_closer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
