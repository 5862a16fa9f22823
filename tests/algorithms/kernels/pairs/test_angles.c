/* SPDX-License-Identifier: GPL-3.0-or-later
 * Angles by polynomial: each that is given is the one of the mathematical library in its widest type, rounded; few are
 * not given; and every level gives the same, for every length from 0 to 1025 and addresses aligned to 8 and no more. */
#include <math.h>

#include "algorithms/kernels/distance_kernels.h"
#include "tests/support.h"

enum { MOST = 1025 };

/* From 0 to 1, some of them equal to what divides the cases, or next to it. */
static double draw(size_t i) {
    static const double EDGES[] = {0, 0.5, 0.99, 1, 0x1p-60, 0.25};
    size_t edge = i / 3 % (sizeof EDGES / sizeof *EDGES);
    if (i % 31 == 0) return nextafter(EDGES[edge], (double)(i % 2));
    if (i % 29 == 0) return EDGES[edge];
    return (double)(fp_mix(i, 9) >> 11) * 0x1p-53;
}

static void angles_are_those_of_the_library(void **state) {
    enum { DRAWN = 400000 };
    size_t given = 0, asked = 0;
    (void)state;
    for (size_t i = 0; i < DRAWN; i++) {
        double cosine = draw(i), angle;
        fp_angles_kernels[0](&cosine, 1, &angle);
        if (isnan(angle)) {
            asked += cosine >= 0 && cosine <= 0.99;
            continue;
        }
        assert_true(cosine >= 0 && cosine <= 0.99);
        long double exact = 64 * acosl((long double)cosine) / 3.14159265358979323846264338327950288L * 0x1p32L;
        /* A multiple, and the nearest by a margin that is wider than any error of a double computation. */
        assert_true(angle * 0x1p32 == floor(angle * 0x1p32));
        if (fabsl(exact - (long double)angle * 0x1p32L) > 0.4995L) fail_msg("cosine %.17g: %.17g", cosine, angle);
        given++;
    }
    assert_true(given > 0.95 * DRAWN && asked < DRAWN / 300);
}

static void what_is_no_cosine_is_not_given(void **state) {
    const double NONE[] = {-0x1p-1074, -0.5, -1, 0.9900000000000001, 1, 2, INFINITY, -INFINITY, NAN};
    double angle[sizeof NONE / sizeof *NONE];
    (void)state;
    for (int level = 0; level <= (int)fp_cpu_best(); level++) {
        memset(angle, 0, sizeof angle);
        fp_angles_kernels[level](NONE, sizeof NONE / sizeof *NONE, angle);
        for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) assert_true(isnan(angle[i]));
    }
}

static void levels_agree(void **state) {
    static double cosine[MOST + 1], oracle[MOST + 2], angle[MOST + 2];
    (void)state;
    for (size_t count = 0; count <= MOST; count++) {
        for (size_t i = 0; i < count; i++) cosine[i + 1] = draw(count * 7 + i);
        fp_angles_kernels[0](cosine + 1, count, oracle + 1);
        for (int level = 1; level <= (int)fp_cpu_best(); level++) {
            angle[count + 1] = 7;
            fp_angles_kernels[level](cosine + 1, count, angle + 1);
            for (size_t i = 1; i <= count; i++)
                if (isnan(angle[i]) ? !isnan(oracle[i]) : angle[i] != oracle[i])
                    fail_msg("%s: %.17g", fp_cpu_name((fp_cpu)level), cosine[i]);
            assert_true(angle[count + 1] == 7);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(angles_are_those_of_the_library),
                                       cmocka_unit_test(what_is_no_cosine_is_not_given),
                                       cmocka_unit_test(levels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
