/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The levels of the pinyin fingerprint, on initials drawn here: what a level means at every length, and the
 * thermometer.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tests/support.h"
#include "text/segmentation/pinyin.h"

enum { LETTERS = 20, LONGEST = 20000 };

static gsl_rng *random_source;

/* A text of `length` initials. Its own letter frequencies are a Dirichlet draw around the reference with the
 * concentration 199, so that two initials of one text have the correlation 1/(199 + 1) = 0.005; the initials follow
 * those frequencies. Vowels are the 21st letter. */
static fp_string drawn(size_t length, char *to) {
    const double *reference = fp_pinyin_reference();
    double shape[LETTERS + 1], frequency[LETTERS + 1], vowels = 1;
    for (size_t x = 0; x < LETTERS; x++) {
        shape[x] = 199 * reference[x];
        vowels -= reference[x];
    }
    shape[LETTERS] = 199 * vowels;
    unsigned count[LETTERS + 1];
    gsl_ran_dirichlet(random_source, LETTERS + 1, shape, frequency);
    gsl_ran_multinomial(random_source, LETTERS + 1, (unsigned)length, frequency, count);
    size_t made = 0;
    for (size_t x = 0; x <= LETTERS; x++)
        for (unsigned i = 0; i < count[x]; i++) to[made++] = x < LETTERS ? fp_pinyin_letters[x] : 'a';
    return (fp_string){to, made};
}

/* The fingerprint's digits. */
static const char *digits_of(const fp_arm *arm, fp_string initials, fp_arena *arena, fp_sketch *sketch) {
    fp_document document = {.initials = initials};
    ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &document, arena, sketch, &test_error));
    return fp_arm_text(arm, *sketch, arena);
}

/* How often each level occurs, over the letters of many texts of one length. */
static void shares(const char *spec, size_t length, double share[10]) {
    enum { TEXTS = 400 };
    static char initials[LONGEST];
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    for (size_t v = 0; v < 10; v++) share[v] = 0;
    for (int i = 0; i < TEXTS; i++) {
        fp_sketch sketch;
        const char *digit = digits_of(arm, drawn(length, initials), arena, &sketch);
        for (size_t x = 0; x < LETTERS; x++) share[digit[x] - '0'] += 1.0 / (TEXTS * LETTERS);
    }
    fp_arena_free(arena);
}

/* By the definition of a quantile: each of L levels holds 1/L of ordinary text, whatever its length. The Dirichlet is
 * a little skewed where the normal distribution is not, hence the margin. */
static void levels_are_equally_frequent_at_any_length(void **state) {
    (void)state;
    static const size_t LENGTHS[] = {300, 2000, LONGEST};
    for (int i = 0; i < 3; i++) {
        double share[10];
        shares("pinyin:levels=4", LENGTHS[i], share);
        for (int v = 0; v < 4; v++)
            if (!(share[v] > 0.19 && share[v] < 0.31)) fail_msg("%zu: level %d of 4: %g", LENGTHS[i], v, share[v]);
        shares("pinyin:levels=8", LENGTHS[i], share);
        for (int v = 0; v < 8; v++)
            if (!(share[v] > 0.07 && share[v] < 0.18)) fail_msg("%zu: level %d of 8: %g", LENGTHS[i], v, share[v]);
    }
}

/* What `deviation` does instead, as its help says: its z grows with the root of the length. */
static void deviation_saturates(void **state) {
    (void)state;
    double share[10];
    shares("pinyin:levels=8,normalise=deviation", LONGEST, share);
    assert_true(share[0] + share[7] > 0.7);
}

/* Distances are sums of level differences: of the digits, and, bits being a thermometer, of the codes. Granules too. */
static void distances_are_sums_of_level_differences(void **state) {
    (void)state;
    static const char *const LEVELS[] = {"10", "8", "4", "2"};
    static char left[LONGEST], right[LONGEST];
    for (int i = 0; i < 4; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *whole = test_arm(fp_format(arena, "pinyin:levels=%s", LEVELS[i]), NULL, 0, arena);
        fp_arm *granules = test_arm(fp_format(arena, "pinyin:levels=%s,granule=500", LEVELS[i]), NULL, 0, arena);
        for (int round = 0; round < 20; round++) {
            fp_sketch a, b, c, d;
            fp_string first = drawn(500, left), second = drawn(500, right);
            const char *x = digits_of(whole, first, arena, &a), *y = digits_of(whole, second, arena, &b);
            assert_string_equal(digits_of(granules, first, arena, &c), x);
            digits_of(granules, second, arena, &d);
            int sum = 0;
            for (size_t k = 0; k < LETTERS; k++) sum += abs(x[k] - y[k]);
            assert_true(fp_arm_distance(whole, a, b) == sum && fp_arm_distance(granules, c, d) == sum);
        }
        fp_arena_free(arena);
    }
}

static int open_random(void **state) {
    (void)state;
    random_source = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random_source, 20);
    return 0;
}

static int close_random(void **state) {
    (void)state;
    gsl_rng_free(random_source);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_equally_frequent_at_any_length),
        cmocka_unit_test(deviation_saturates),
        cmocka_unit_test(distances_are_sums_of_level_differences),
    };
    return cmocka_run_group_tests(tests, open_random, close_random);
}
