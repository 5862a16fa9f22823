/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of joined values: every level against an addition at a time, for every length from 0 to 1025, from addresses
 * aligned to 8 and no more. */
#include "algorithms/kernels/distance_kernels.h"
#include "tests/support.h"

enum { MOST = 1025 };

static double draw(size_t i, uint64_t stream) {
    return i % 5 == 0 ? 0 : (double)(fp_mix(i, stream) >> 11) * 0x1p-53 + 0x1p-60;
}

static double joined(double value, double other, bool product) {
    if (product) return value * other;
    return value < other ? value : other;
}

static void check(fp_dense_kernel kernel, fp_cpu level, bool product) {
    static double values[MOST + 1], sum[MOST + 2], expected[MOST + 2];
    for (size_t count = 0; count <= MOST; count++) {
        double value = draw(count, 3);
        for (size_t i = 0; i < MOST + 2; i++) sum[i] = expected[i] = draw(i, count);
        for (size_t i = 0; i < count; i++) values[i + 1] = draw(i, count + 7);
        for (size_t i = 0; i < count; i++) expected[i + 1] += joined(value, values[i + 1], product);
        kernel(value, values + 1, count, sum + 1);
        if (memcmp(sum, expected, sizeof sum) != 0) fail_msg("%s: %zu sums", fp_cpu_name(level), count);
    }
}

static void sums_are_the_same_on_every_level(void **state) {
    (void)state;
    for (int level = 0; level <= (int)fp_cpu_best(); level++) {
        check(fp_dense_product_kernels[level], (fp_cpu)level, true);
        check(fp_dense_minimum_kernels[level], (fp_cpu)level, false);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_are_the_same_on_every_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
