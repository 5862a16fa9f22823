/* SPDX-License-Identifier: GPL-3.0-or-later
 * Consistent weighted samples one by one, against the algorithm as consistent.h has it, in double precision. */
#include <math.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "tests/support.h"

enum { FEATURES = 60, SLOTS = 67 };

/* u·u', two uniform numbers of 23 bits each, from the halves of a word; −ln of it is Gamma(2, 1). */
static double gamma_of(uint64_t word) {
    double first = ((double)(word >> 41) + 0.5) / 8388608, second = ((double)((uint32_t)word >> 9) + 0.5) / 8388608;
    return -log(first * second);
}

/* Nine bits of either half. */
static double beta_of(uint64_t word) { return (double)((word >> 32 & 0x1ff) << 9 | (word & 0x1ff)) / (1 << 18); }

typedef struct draw {
    double log_a, t, to_next; /* ln a; t; how near x = ln S/r + β is to another whole number */
} draw;

static draw draw_of(uint64_t value, double weight, size_t slot) {
    uint64_t word = fp_mix(value, 2 * slot);
    double r = gamma_of(word), beta = beta_of(word), c = gamma_of(fp_mix(value, 2 * slot + 1));
    double x = log(weight) / r + beta, t = floor(x);
    return (draw){log(c) - r * (t - beta + 1), t, fmin(x - t, t + 1 - x)};
}

/* Where single precision could decide otherwise, either answer is good; which is seldom. */
static bool check(int level, const uint64_t *value, const double *weight, size_t values, size_t slot, uint64_t found) {
    double least = INFINITY, second = INFINITY;
    size_t chosen = 0;
    bool clear = true;
    for (size_t f = 0; f < values; f++) {
        draw of = draw_of(value[f], weight[f], slot);
        clear &= of.to_next > 1e-4;
        if (of.log_a < least) second = least, least = of.log_a, chosen = f;
        else second = fmin(second, of.log_a);
    }
    if (!clear || second - least < 1e-3) return false;
    double t = draw_of(value[chosen], weight[chosen], slot).t;
    if (found != fp_mix(fp_mix(value[chosen], 2 * slot), (uint64_t)(int64_t)t))
        fail_msg("%s: slot %zu of %zu features", fp_cpu_name((fp_cpu)level), slot, values);
    return true;
}

static void samples_are_those_of_the_algorithm(void **state) {
    (void)state;
    size_t checked = 0, all = 0;
    for (size_t values = 1; values <= FEATURES; values++) {
        uint64_t value[FEATURES], sample[SLOTS];
        double weight[FEATURES], spread = values % 3 ? 4 : 40;
        float level[FEATURES];
        for (size_t f = 0; f < values; f++) {
            value[f] = fp_mix(20261122 + values, f);
            weight[f] =
                values % 4 ? exp(spread * ((double)(fp_mix(values, f) >> 11) * 0x1p-53 - 0.5)) : (double)(f % 9 + 1);
        }
        fp_consistent_levels(weight, values, level);
        for (int cpu = 0; cpu <= (int)fp_cpu_best(); cpu++) {
            fp_consistent_kernels[cpu](value, level, values, sample, SLOTS);
            for (size_t slot = 0; slot < SLOTS; slot++, all++)
                checked += check(cpu, value, weight, values, slot, sample[slot]);
        }
    }
    if (checked < all * 9 / 10) fail_msg("%zu of %zu are clear", checked, all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_those_of_the_algorithm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
