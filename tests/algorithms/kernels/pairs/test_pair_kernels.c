/* SPDX-License-Identifier: GPL-3.0-or-later
 * Kernels between sums and counts, on every level and every length 0 … 1025, unaligned. The oracle is the formula, one
 * by one. */
#include <math.h>

#include "algorithms/kernels/distance_kernels.h"
#include "tests/support.h"

enum { MOST = 1025 };

static double uniform(size_t i, uint64_t stream) { return (double)(fp_mix(i, stream) >> 11) * 0x1p-53; }

/* ---- Places on a grid ---- */

/* Multiples of the step, what is next to them on both sides, and what lies between; beyond both ends; not a number. */
static double distance_at(size_t i) {
    double edge = (double)(fp_mix(i, 1) % 65537) * 0x1p-10;
    switch (i % 8) {
    case 0: return edge;
    case 1: return nextafter(edge, -INFINITY);
    case 2: return nextafter(edge, INFINITY);
    case 3: return i % 3 ? 64 : -0.0;
    case 4: return i % 3 ? 1e300 : -1e300;
    case 5: return i % 3 ? INFINITY : NAN;
    default: return 64 * uniform(i, 2);
    }
}

static uint32_t place_of(double distance, double by_step, uint32_t last) {
    double up = ceil(distance * by_step);
    return up <= 0 ? 0 : up < last ? (uint32_t)up : last;
}

static void grids_round_up(void **state) {
    (void)state;
    static double distance[MOST + 1];
    static uint32_t place[MOST + 1];
    for (size_t i = 0; i < MOST + 1; i++) distance[i] = distance_at(i);
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_best(); level++) {
        for (size_t count = 0; count <= MOST; count++) {
            size_t at = count % 2;
            place[count] = 7;
            fp_grid_kernels[level](distance + at, count - (count == MOST), 0x1p10, 65536, place);
            for (size_t i = 0; i < count - (count == MOST); i++)
                if (place[i] != place_of(distance[at + i], 0x1p10, 65536))
                    fail_msg("%s: %.17g is at %u", fp_cpu_name(level), distance[at + i], place[i]);
            if (count < MOST) assert_int_equal(place[count], 7);
        }
    }
}

/* ---- Ratios ---- */

static void ratios_are_the_formula(void **state) {
    (void)state;
    static double size[MOST + 1], shared[MOST + 1], got[MOST + 1];
    double own = 419;
    for (size_t i = 0; i < MOST + 1; i++) {
        size[i] = (double)(1 + fp_mix(i, 3) % 900);
        shared[i] = floor(uniform(i, 4) * (fmin(own, size[i]) + 1));
    }
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_best(); level++) {
        for (size_t count = 0; count <= MOST; count++) {
            memcpy(got, shared, sizeof got);
            fp_set_ratio_kernels[level](own, size + 1, count, got + 1);
            assert_true(got[0] == shared[0]);
            for (size_t i = 1; i <= count; i++)
                assert_true(got[i] == 64 * (1 - shared[i] / (own + size[i] - shared[i])));
        }
    }
}

/* ---- Sums of bits ---- */

/* Lists of all densities, among them no bit and every bit. */
static uint64_t word_of(size_t list, size_t word) {
    uint64_t bits = fp_mix(list, word);
    return list % 5 == 0   ? bits
           : list % 5 == 1 ? bits & fp_mix(list + 1, word + 1)
           : list % 5 == 2 ? bits | fp_mix(list + 2, word)
           : list % 5 == 3 ? 0
                           : UINT64_MAX;
}

/* Bit b of each FP_BIT_SUMS_PLACES is the place b/8 of its row of 64, the row being b mod 8. */
static bool has_place(const uint64_t *list, size_t place) {
    size_t block = place / 512, row = place % 512 / 64, column = place % 64, bit = 512 * block + 8 * column + row;
    assert_int_equal(fp_bit_of_place(place), bit);
    return list[bit / 64] >> bit % 64 & 1;
}

/* List i weighs 2^(i mod weights). */
static void check_bit_sums(fp_cpu level, size_t count, size_t words, size_t weights) {
    uint64_t *data = malloc((count * words + 1) * sizeof *data);
    const uint64_t **list = malloc((weights * count + 1) * sizeof *list);
    uint16_t *got = malloc((64 * words + 1) * sizeof *got);
    fp_bit_lists lists = {0};
    assert_true(data && list && got);
    for (size_t w = 0; w < weights; w++) lists.list[w] = list + w * count;
    for (size_t i = 0; i < count; i++) {
        for (size_t w = 0; w < words; w++) data[1 + i * words + w] = word_of(i, w);
        lists.list[i % weights][lists.count[i % weights]++] = data + 1 + i * words;
    }
    for (size_t i = 0; i <= 64 * words; i++) got[i] = (uint16_t)(i % 3);
    fp_bit_sums_kernels[level](&lists, words, got);
    for (size_t i = 0; i < 64 * words; i++) {
        size_t expected = i % 3;
        for (size_t l = 0; l < count; l++) expected += (size_t)has_place(data + 1 + l * words, i) << l % weights;
        if (got[i] != expected) fail_msg("%s: %zu lists, bit %zu", fp_cpu_name(level), count, i);
    }
    assert_int_equal(got[64 * words], 64 * words % 3);
    free(got);
    free(list);
    free(data);
}

static void bits_are_counted(void **state) {
    (void)state;
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_best(); level++) {
        for (size_t count = 0; count <= 70; count++) check_bit_sums(level, count, FP_BIT_SUMS_WORDS * (count % 3), 1);
        for (size_t count = 250; count <= 260; count++) check_bit_sums(level, count, FP_BIT_SUMS_WORDS, 1);
        check_bit_sums(level, 5000, FP_BIT_SUMS_WORDS, 1);
        check_bit_sums(level, FP_BIT_SUMS_MOST - 2, FP_BIT_SUMS_WORDS, 1);
    }
}

/* The largest sums: 5 lists of each weight below 2¹³, and one list of each. */
static void bits_are_weighed(void **state) {
    (void)state;
    for (fp_cpu level = FP_CPU_PORTABLE; level <= fp_cpu_best(); level++) {
        for (size_t weights = 1; weights <= 13; weights++)
            for (size_t count = 0; count <= 5 * weights; count++)
                check_bit_sums(level, count, FP_BIT_SUMS_WORDS * (count % 3), weights);
        check_bit_sums(level, 350, 2 * FP_BIT_SUMS_WORDS, 7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_round_up),
        cmocka_unit_test(ratios_are_the_formula),
        cmocka_unit_test(bits_are_counted),
        cmocka_unit_test(bits_are_weighed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
