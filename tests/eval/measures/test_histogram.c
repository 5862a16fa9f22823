/* SPDX-License-Identifier: GPL-3.0-or-later
 * Histograms of more distances than their limit, which go over to a grid, and of several parts. */
#include <math.h>

#include "eval/measures/histogram.h"
#include "tests/eval/same_histogram.h"

static double draw_distance(size_t i) { return (double)(fp_mix(i, 3) >> 11) * 0x1p-53 * 64; }
static bool draw_label(size_t i) { return (double)(fp_mix(i, 4) >> 11) * 0x1p-53 * 64 > 8 + draw_distance(i); }

enum { DRAWN = 100000 };

/* Pairs i ≡ part (mod parts). */
static void draw_into(fp_histogram *to, size_t part, size_t parts) {
    for (size_t i = part; i < DRAWN; i += parts)
        ASSERT_GOOD(fp_histogram_add(to, draw_distance(i), draw_label(i), &test_error));
}

/* Whole thresholds and multiples of the step are exact; the pairs' order and division change nothing. */
static void grids_are_exact_at_their_steps(void **state) {
    (void)state;
    fp_histogram exact = {0}, grid = {.limit = 5000}, merged = {.limit = 5000};
    draw_into(&exact, 0, 1);
    draw_into(&grid, 0, 1);
    for (size_t part = 3; part-- > 0;) {
        fp_histogram own = {.limit = 5000};
        draw_into(&own, part, 3);
        ASSERT_GOOD(fp_histogram_merge(&merged, &own, &test_error));
        fp_histogram_free(&own);
    }
    fp_histogram_finish(&exact);
    fp_histogram_finish(&grid);
    fp_histogram_finish(&merged);
    assert_true(exact.step == 0 && exact.count > 99000);
    /* 64·2⁶ + 1 = 4097 multiples are within 5000, 64·2⁷ + 1 are not. */
    assert_true(grid.step == 0x1p-6 && grid.count <= 4097);
    assert_true(merged.step == grid.step);
    assert_same("merged", &grid, &merged);
    for (double h = 0; h <= 64; h += 0x1p-6) {
        fp_confusion a = fp_confusion_at(&exact, h), b = fp_confusion_at(&grid, h);
        assert_true(a.tp == b.tp && a.fp == b.fp && a.fn == b.fn && a.tn == b.tn);
    }
    fp_histogram_free(&exact);
    fp_histogram_free(&grid);
    fp_histogram_free(&merged);
}

/* The bounds that histogram.h states, against the exact distances. */
static void grids_keep_their_bounds(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_histogram exact = {0}, grid = {.limit = 600};
    fp_curve fine, coarse;
    draw_into(&exact, 0, 1);
    draw_into(&grid, 0, 1);
    fp_histogram_finish(&exact);
    fp_histogram_finish(&grid);
    ASSERT_GOOD(fp_curve_make(&exact, arena, &fine, &test_error));
    ASSERT_GOOD(fp_curve_make(&grid, arena, &coarse, &test_error));
    double low = 0, high = 0, tied = 0, best = 0, before_p = 0, before_n = 0, all = (double)fine.positives;
    for (size_t i = 0; i < grid.count; i++) {
        double p = (double)grid.bars[i].positives, n = (double)grid.bars[i].negatives;
        low += p / all * (before_p + 1) / (before_p + 1 + before_n + n);
        if (p > 0) high += p / all * (before_p + p) / (before_p + p + before_n);
        tied += p * n / 2;
        best = fmax(best, 2 * (before_p + p) / (before_p + p + before_n + all));
        before_p += p, before_n += n;
    }
    assert_true(low <= fine.average_precision && fine.average_precision <= high);
    assert_true(low <= coarse.average_precision && coarse.average_precision <= high && high - low < 0.02);
    assert_true(fabs(fine.roc_area - coarse.roc_area) <= tied / (all * (double)fine.negatives));
    assert_true(coarse.best_f1 <= fine.best_f1 && fine.best_f1 <= best);
    fp_histogram_free(&exact);
    fp_histogram_free(&grid);
    fp_arena_free(arena);
}

static void histograms_go_on_after_they_are_finished(void **state) {
    (void)state;
    fp_histogram whole = {0}, halves = {0};
    draw_into(&whole, 0, 1);
    draw_into(&halves, 0, 2);
    fp_histogram_finish(&halves);
    draw_into(&halves, 1, 2);
    ASSERT_GOOD(fp_histogram_add(&halves, -0.0, true, &test_error));
    ASSERT_GOOD(fp_histogram_add(&whole, 0, true, &test_error));
    ASSERT_GOOD(fp_histogram_add_many(&whole, 99, 0, 0, &test_error));
    fp_histogram_finish(&whole);
    fp_histogram_finish(&halves);
    assert_same("halves", &whole, &halves);
    fp_histogram_free(&whole);
    fp_histogram_free(&halves);
}

/* Many negatives at once, in pieces of any length, are as many one by one: exact, on a grid that has been reached or is
 * reached on the way, with 0 and what lies far beyond among them, and after others were added. */
static void negatives_at_once_are_as_many_one_by_one(void **state) {
    (void)state;
    static const size_t LIMITS[] = {0, 65, 700, 5000};
    enum { MANY = 20000 };
    static double distances[MANY];
    for (size_t k = 0; k < sizeof LIMITS / sizeof *LIMITS; k++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            fp_histogram at_once = {.limit = LIMITS[k]}, one_by_one = {.limit = LIMITS[k]};
            for (size_t i = 0; i < MANY; i++)
                distances[i] = i % 50 == 0 ? 0 : seed % 2 && i % 3 ? floor(draw_distance(i + seed)) : draw_distance(i);
            if (seed == 2) distances[777] = 1e12;
            for (size_t from = 0, piece = 1; from < MANY; from += piece, piece = piece * 3 % 4099 + 1) {
                if (piece > MANY - from) piece = MANY - from;
                ASSERT_GOOD(fp_histogram_add_negatives(&at_once, distances + from, piece, &test_error));
                ASSERT_GOOD(fp_histogram_add_many(&at_once, distances[from], 2, 0, &test_error));
                ASSERT_GOOD(fp_histogram_add_many(&one_by_one, distances[from], 2, 0, &test_error));
                for (size_t i = from; i < from + piece; i++)
                    ASSERT_GOOD(fp_histogram_add(&one_by_one, distances[i], false, &test_error));
            }
            fp_histogram_finish(&at_once);
            fp_histogram_finish(&one_by_one);
            assert_true(at_once.step == one_by_one.step && (LIMITS[k] == 0) == (at_once.step == 0));
            assert_same("at once", &one_by_one, &at_once);
            fp_histogram_free(&at_once);
            fp_histogram_free(&one_by_one);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_are_exact_at_their_steps),
        cmocka_unit_test(grids_keep_their_bounds),
        cmocka_unit_test(histograms_go_on_after_they_are_finished),
        cmocka_unit_test(negatives_at_once_are_as_many_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
