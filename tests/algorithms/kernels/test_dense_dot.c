/* SPDX-License-Identifier: GPL-3.0-or-later
 * Products of dense vectors: every level against the definition, for every length from 0 to 1025, from addresses
 * aligned to 4 and no more. */
#include "algorithms/kernels/distance_kernels.h"
#include "tests/support.h"

enum { MOST = 1025 };

static float draw(size_t i, uint64_t stream) { return (float)((double)(fp_mix(i, stream) >> 11) * 0x1p-52 - 1); }

static double defined(const float *a, const float *b, size_t count) {
    double sum[FP_DOT_LANES] = {0};
    for (size_t i = 0; i < count; i++) sum[i % FP_DOT_LANES] += (double)a[i] * (double)b[i];
    for (size_t half = FP_DOT_LANES / 2; half; half /= 2)
        for (size_t lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
    return sum[0];
}

static void products_are_the_same_on_every_level(void **state) {
    (void)state;
    static float a[MOST + 1], b[MOST + 1];
    for (size_t i = 0; i <= MOST; i++) a[i] = draw(i, 1), b[i] = draw(i, 2);
    for (int level = 0; level <= (int)fp_cpu_best(); level++)
        for (size_t count = 0; count <= MOST; count++) {
            double got = fp_dense_dot_kernels[level](a + 1, b, count), wanted = defined(a + 1, b, count);
            if (memcmp(&got, &wanted, sizeof got)) fail_msg("%s: %zu", fp_cpu_name((fp_cpu)level), count);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_the_same_on_every_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
