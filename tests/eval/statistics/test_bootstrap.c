/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a unit is like, and where replicates are drawn to, by hand. */
#include "eval/statistics/measure_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

static const uint32_t GROUP[] = {0, 0, 0, 1, 1, 2};
/* Group 0 has three duplicates and group 1 has one; groups 0 and 1 have three pairs that are none, groups 0 and 2 one.
 */
static const fp_pair PAIRS[] = {{3, 4, 1}, {0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {0, 3, 0}, {0, 4, 0}, {1, 3, 0}, {5, 0, 0}};
enum { POSITIVES = 4, PAIR_COUNT = sizeof PAIRS / sizeof *PAIRS };

static void run_pairs(size_t first, size_t count, fp_arena *arena, fp_bootstrap *bootstrap) {
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample *resample = fp_arena_alloc(arena, 1, sizeof *resample);
    from->count = count;
    from->documents = sizeof GROUP / sizeof *GROUP;
    for (size_t i = 0; i < count; i++) from->pairs[i] = PAIRS[first + i];
    resample_set(from, GROUP, FP_SAMPLING_GROUP, arena, resample);
    run_set(from, resample, 200, arena, bootstrap);
}

static void units_by_hand(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_bootstrap bootstrap;
    run_pairs(0, PAIR_COUNT, arena, &bootstrap);
    assert_true(bootstrap.unit_positives == 2 && bootstrap.dyad_negatives == 2);
    assert_true(near(bootstrap.effective_units, 1.6, 1e-12)); /* (3 + 1)²/(3² + 1²) */
    run_pairs(1, PAIR_COUNT - 2, arena, &bootstrap);          /* of one unit, and of one dyad */
    assert_true(bootstrap.unit_positives == 3 && bootstrap.dyad_negatives == 3 && bootstrap.effective_units == 1);
    fp_arena_free(arena);
}

/* Nobody knows how many there are in a unit where there are none: one. */
static void units_without_a_label(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_bootstrap bootstrap;
    run_pairs(0, POSITIVES, arena, &bootstrap);
    assert_true(bootstrap.unit_positives == 2 && bootstrap.dyad_negatives == 1);
    run_pairs(POSITIVES, PAIR_COUNT - POSITIVES, arena, &bootstrap);
    assert_true(bootstrap.unit_positives == 1 && bootstrap.dyad_negatives == 2);
    assert_true(bootstrap.effective_units == (double)bootstrap.resample->unit_count);
    fp_arena_free(arena);
}

/* A unit like the others has half of the duplicates: average precision falls by that share, the best F1 by half of it
 * and the ROC area by a quarter (measure.h, `lost`). Where one unit has them all, all of it falls. */
static void what_a_unit_loses(void **state) {
    (void)state;
    static const fp_measure AP = {.row = &fp_measure_average_precision}, F1 = {.row = &fp_measure_best_f1},
                            AREA = {.row = &fp_measure_roc_area};
    fp_arena *arena = fp_arena_new();
    fp_bootstrap bootstrap;
    run_pairs(0, PAIR_COUNT, arena, &bootstrap);
    assert_true(near(fp_measure_unit(&bootstrap, 0, AP), 0.5, 1e-12));
    assert_true(near(fp_measure_unit(&bootstrap, 0, F1), 0.25, 1e-12));
    assert_true(near(fp_measure_unit(&bootstrap, 0, AREA), 0.125, 1e-12));
    run_pairs(1, PAIR_COUNT - 2, arena, &bootstrap);
    assert_true(near(fp_measure_unit(&bootstrap, 0, AP), 1, 1e-12));
    run_pairs(POSITIVES - 1, PAIR_COUNT - POSITIVES + 1, arena, &bootstrap); /* one duplicate */
    assert_true(near(fp_measure_unit(&bootstrap, 0, AP), 1, 1e-12));
    fp_arena_free(arena);
}

/* As far from what was observed as the spread is to that of the units that are drawn, √((1/16)/(1/4)); where those do
 * not vary, as they are. */
static void replicates_drawn_by_hand(void **state) {
    (void)state;
    double values[] = {1, NAN, 5}, still[] = {1, 5};
    fp_replicates found;
    fp_replicates_draw(values, 3, 3, &(fp_dyadic){.variance = 1. / 16, .resampled = 1. / 4}, &found);
    assert_true(found.count == 2 && found.undefined == 1 && found.observed == 3);
    assert_true(found.drawn[0] == 2 && found.drawn[1] == 4);
    fp_replicates_draw(still, 2, 3, &(fp_dyadic){.variance = 0, .resampled = 0}, &found);
    assert_true(found.count == 2 && found.drawn[0] == 1 && found.drawn[1] == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_by_hand),
        cmocka_unit_test(units_without_a_label),
        cmocka_unit_test(what_a_unit_loses),
        cmocka_unit_test(replicates_drawn_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
