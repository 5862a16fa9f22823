/* SPDX-License-Identifier: GPL-3.0-or-later
 * What stands for GSL and nettle where their libraries are not (reports/lab/wasm/), beside those libraries: the laws to
 * 10⁻¹⁰, the draws as far as GSL's tables have digits, the digests the same. */
#include <math.h>
#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Ours under other names: the headers of the libraries are in already. */
#define gsl_ran_ugaussian_pdf our_ran_ugaussian_pdf
#define gsl_cdf_ugaussian_Q our_cdf_ugaussian_Q
#define gsl_cdf_ugaussian_P our_cdf_ugaussian_P
#define gsl_cdf_ugaussian_Qinv our_cdf_ugaussian_Qinv
#define gsl_cdf_ugaussian_Pinv our_cdf_ugaussian_Pinv
#define gsl_cdf_beta_P our_cdf_beta_P
#define gsl_ran_beta_pdf our_ran_beta_pdf
#define gsl_cdf_gamma_P our_cdf_gamma_P
#define gsl_cdf_binomial_P our_cdf_binomial_P
#define gsl_cdf_tdist_Q our_cdf_tdist_Q
#define gsl_cdf_tdist_Qinv our_cdf_tdist_Qinv
#define gsl_integration_qk15 our_integration_qk15
#define gsl_rng_mt19937 our_rng_mt19937
#define gsl_rng_set our_rng_set
#define gsl_rng_uniform_int our_rng_uniform_int
#define gsl_ran_shuffle our_ran_shuffle
#define gsl_ran_gaussian_ziggurat our_ran_gaussian_ziggurat
#define gsl_sort our_sort
#define gsl_sort_index our_sort_index
#define gsl_stats_quantile_from_sorted_data our_stats_quantile
#define gsl_stats_select our_stats_select
#undef md5_init
#undef md5_update
#undef md5_digest
#undef sha1_init
#undef sha1_update
#undef sha1_digest
#define md5_init our_md5_init
#define md5_update our_md5_update
#define md5_digest our_md5_digest
#define sha1_init our_sha1_init
#define sha1_update our_sha1_update
#define sha1_digest our_sha1_digest
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "reports/lab/wasm/digests.c"
#include "reports/lab/wasm/distributions.c"
#include "reports/lab/wasm/random.c"
#include "reports/lab/wasm/sorting.c"
#undef gsl_ran_ugaussian_pdf
#undef gsl_cdf_ugaussian_Q
#undef gsl_cdf_ugaussian_P
#undef gsl_cdf_ugaussian_Qinv
#undef gsl_cdf_ugaussian_Pinv
#undef gsl_cdf_beta_P
#undef gsl_ran_beta_pdf
#undef gsl_cdf_gamma_P
#undef gsl_cdf_binomial_P
#undef gsl_cdf_tdist_Q
#undef gsl_cdf_tdist_Qinv
#undef gsl_integration_qk15
#undef gsl_rng_mt19937
#undef gsl_rng_set
#undef gsl_rng_uniform_int
#undef gsl_ran_shuffle
#undef gsl_ran_gaussian_ziggurat
#undef gsl_sort
#undef gsl_sort_index
#undef gsl_stats_quantile_from_sorted_data
#undef gsl_stats_select

/* ---- Laws ---- */

static void within(double bound, const char *law, double ours, double theirs) {
    if (fabs(ours - theirs) <= bound * fmax(fabs(theirs), 1e-6)) return;
    fail_msg("%s: %.17g, and GSL has %.17g", law, ours, theirs);
}

static void same(const char *law, double ours, double theirs) { within(1e-10, law, ours, theirs); }

static void the_normal_law(void **state) {
    (void)state;
    for (double x = -9; x < 9; x += 0.0173) {
        same("ugaussian_P", our_cdf_ugaussian_P(x), gsl_cdf_ugaussian_P(x));
        same("ugaussian_Q", our_cdf_ugaussian_Q(x), gsl_cdf_ugaussian_Q(x));
        same("ugaussian_pdf", our_ran_ugaussian_pdf(x), gsl_ran_ugaussian_pdf(x));
    }
    for (double q = 1e-12; q < 1; q += 0.0013) {
        same("ugaussian_Qinv", our_cdf_ugaussian_Qinv(q), gsl_cdf_ugaussian_Qinv(q));
        same("ugaussian_Pinv", our_cdf_ugaussian_Pinv(q), gsl_cdf_ugaussian_Pinv(q));
    }
    assert_true(isinf(our_cdf_ugaussian_Qinv(0)) && isinf(our_cdf_ugaussian_Qinv(1)));
}

static void the_beta_law(void **state) {
    (void)state;
    for (double a = 0.5; a < 3000; a *= 1.7)
        for (double b = 0.5; b < 3000; b *= 1.7)
            for (double x = 0.001; x < 1; x += 0.037) {
                same("beta_P", our_cdf_beta_P(x, a, b), gsl_cdf_beta_P(x, a, b));
                same("beta_pdf", our_ran_beta_pdf(x, a, b), gsl_ran_beta_pdf(x, a, b));
            }
    for (unsigned n = 1; n < 200; n += 7)
        for (unsigned k = 0; k <= n; k++)
            for (double p = 0.05; p < 1; p += 0.1)
                same("binomial_P", our_cdf_binomial_P(k, p, n), gsl_cdf_binomial_P(k, p, n));
}

/* From tails of 10⁻⁶ on: eight standard deviations on either side. */
static void the_gamma_law(void **state) {
    (void)state;
    for (double a = 0.5; a < 10000; a *= 1.7)
        for (double x = 0.01; x < a + 8 * sqrt(a) + 8; x += sqrt(a) / 3)
            same("gamma_P", our_cdf_gamma_P(2 * x, a, 2), gsl_cdf_gamma_P(2 * x, a, 2));
}

static void students_law(void **state) {
    (void)state;
    for (double nu = 1; nu < 5000; nu *= 1.3) {
        for (double x = -8; x < 8; x += 0.31) same("tdist_Q", our_cdf_tdist_Q(x, nu), gsl_cdf_tdist_Q(x, nu));
        for (double q = 0.0001; q < 1; q += 0.013)
            same("tdist_Qinv", our_cdf_tdist_Qinv(q, nu), gsl_cdf_tdist_Qinv(q, nu));
    }
}

static double wave(double x, void *nothing) { return (void)nothing, exp(x) * sin(7 * x); }

static void kronrods_rule(void **state) {
    (void)state;
    gsl_function function = {wave, NULL};
    double ours, theirs, error, magnitude, deviation;
    for (double to = 0.1; to < 3; to += 0.1) {
        our_integration_qk15(&function, -1, to, &ours, &error, &magnitude, &deviation);
        gsl_integration_qk15(&function, -1, to, &theirs, &error, &magnitude, &deviation);
        same("qk15", ours, theirs);
    }
}

/* ---- Draws ---- */

static void the_same_draws(void **state) {
    (void)state;
    gsl_rng *ours = gsl_rng_alloc(our_rng_mt19937), *theirs = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long from = 0; from < 3; from++) {
        our_rng_set(ours, from * 77);
        gsl_rng_set(theirs, from * 77);
        for (int i = 0; i < 100000; i++) {
            assert_int_equal(our_rng_uniform_int(ours, 1 + (unsigned long)i),
                             gsl_rng_uniform_int(theirs, 1 + (unsigned long)i));
            /* GSL's boxes have twelve digits. */
            within(1e-9, "ziggurat", our_ran_gaussian_ziggurat(ours, 2), gsl_ran_gaussian_ziggurat(theirs, 2));
        }
        uint32_t one[1000], other[1000];
        for (uint32_t i = 0; i < 1000; i++) one[i] = other[i] = i;
        our_ran_shuffle(ours, one, 1000, sizeof *one);
        gsl_ran_shuffle(theirs, other, 1000, sizeof *other);
        assert_memory_equal(one, other, sizeof one);
    }
    gsl_rng_free(ours);
    gsl_rng_free(theirs);
}

static void the_same_order(void **state) {
    (void)state;
    double value[999], sorted[999], theirs[999];
    size_t order[999];
    for (size_t i = 0; i < 999; i++) sorted[i] = theirs[i] = value[i] = (double)(i * 7919 % 331);
    our_sort(sorted, 1, 999);
    gsl_sort(theirs, 1, 999);
    assert_memory_equal(sorted, theirs, sizeof sorted);
    our_sort_index(order, value, 1, 999);
    for (size_t i = 0; i < 999; i++)
        assert_true(value[order[i]] == sorted[i] && (!i || sorted[i] > sorted[i - 1] || order[i] > order[i - 1]));
    for (double share = 0; share <= 1; share += 0.01)
        same("quantile", our_stats_quantile(sorted, 1, 999, share),
             gsl_stats_quantile_from_sorted_data(sorted, 1, 999, share));
    for (size_t k = 0; k < 999; k += 37) {
        double copy[999];
        memcpy(copy, value, sizeof copy);
        assert_true(our_stats_select(copy, 1, 999, k) == sorted[k]);
    }
    our_sort_index(order, value, 1, 0);
}

/* ---- Digests ---- */

static void the_same_digests(void **state) {
    (void)state;
    uint8_t data[300], ours[20], theirs[20];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 37);
    for (size_t length = 0; length <= sizeof data; length++) {
        struct md5_ctx md5, their_md5;
        struct sha1_ctx sha1, their_sha1;
        our_md5_init(&md5), nettle_md5_init(&their_md5);
        our_sha1_init(&sha1), nettle_sha1_init(&their_sha1);
        /* In two parts. */
        our_md5_update(&md5, length / 3, data), our_md5_update(&md5, length - length / 3, data + length / 3);
        our_sha1_update(&sha1, length / 3, data), our_sha1_update(&sha1, length - length / 3, data + length / 3);
        nettle_md5_update(&their_md5, length, data);
        nettle_sha1_update(&their_sha1, length, data);
        our_md5_digest(&md5, 16, ours), nettle_md5_digest(&their_md5, 16, theirs);
        assert_memory_equal(ours, theirs, 16);
        our_sha1_digest(&sha1, 20, ours), nettle_sha1_digest(&their_sha1, 20, theirs);
        assert_memory_equal(ours, theirs, 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_normal_law), cmocka_unit_test(the_beta_law),
                                       cmocka_unit_test(the_gamma_law),  cmocka_unit_test(students_law),
                                       cmocka_unit_test(kronrods_rule),  cmocka_unit_test(the_same_draws),
                                       cmocka_unit_test(the_same_order), cmocka_unit_test(the_same_digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
