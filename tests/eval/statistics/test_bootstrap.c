/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a unit is like, counted by hand. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_by_hand),
        cmocka_unit_test(units_without_a_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
