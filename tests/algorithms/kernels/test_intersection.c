/* SPDX-License-Identifier: GPL-3.0-or-later
 * Common elements of sorted sets: every level against marks in a table, for every length from 0 to 1025, sets that
 * share all, some and nothing, that lie inside and beside one another, from addresses aligned to 8 and no more. */
#include "algorithms/kernels/distance_kernels.h"
#include "tests/support.h"

enum { LONGEST = 1025, UNIVERSE = 1 << 13 };

/* `count` of the multiples of 2⁵¹ from place `from` on, one of `thin` or so; the place of each is marked. */
static size_t made_set(uint64_t seed, size_t from, size_t count, uint64_t thin, uint64_t *set, unsigned char *marks) {
    size_t made = 0;
    memset(marks, 0, UNIVERSE);
    for (size_t place = from; place < UNIVERSE && made < count; place++) {
        if (fp_mix(seed, place) % thin) continue;
        marks[place] = 1;
        set[made++] = (uint64_t)place << 51 | 5;
    }
    return made;
}

static void common_elements_are_counted(void **state) {
    (void)state;
    static uint64_t a[LONGEST + 2], b[LONGEST + 2];
    static unsigned char in_a[UNIVERSE], in_b[UNIVERSE];
    for (size_t count = 0; count <= LONGEST; count++) {
        size_t a_count = made_set(count % 5, count % 64, count, 1 + count % 6, a + 1, in_a);
        size_t b_count =
            made_set(count % 3, count % 7 * 100, LONGEST - count * count % LONGEST, 1 + count % 4, b + 1, in_b);
        size_t expected = 0;
        for (size_t place = 0; place < UNIVERSE; place++) expected += in_a[place] & in_b[place];
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            size_t one = fp_intersection_kernels[level](a + 1, a_count, b + 1, b_count),
                   other = fp_intersection_kernels[level](b + 1, b_count, a + 1, a_count),
                   own = fp_intersection_kernels[level](a + 1, a_count, a + 1, a_count);
            if (one != expected || other != expected || own != a_count)
                fail_msg("%s: %zu and %zu, not %zu, of %zu and %zu", fp_cpu_name((fp_cpu)level), one, other, expected,
                         a_count, b_count);
        }
    }
}

/* Large values are not negative ones. */
static void the_highest_bit_is_a_bit(void **state) {
    (void)state;
    uint64_t a[32], b[32];
    for (size_t i = 0; i < 32; i++) a[i] = i * (UINT64_MAX / 32), b[i] = i % 2 ? a[i] : a[i] + 1;
    for (int level = 0; level <= (int)fp_cpu_best(); level++)
        assert_int_equal(fp_intersection_kernels[level](a, 32, b, 32), 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_elements_are_counted),
        cmocka_unit_test(the_highest_bit_is_a_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
