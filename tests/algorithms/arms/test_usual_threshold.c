/* SPDX-License-Identifier: GPL-3.0-or-later
 * A usual threshold is the largest distance at which an arm stands for the similarity that its measure's source names:
 * there it does, and a little farther it does not. For every registered algorithm; the values are worked out by hand.
 */
#include "algorithms/arms/arm.h"

#include <math.h>

#include "tests/support.h"
#include "tests/arm_files.h"

static double named_similarity(const char *measure) {
    if (strcmp(measure, "equality") == 0) return 1;
    if (strcmp(measure, "cosine") == 0) return cos(3 * acos(-1) / 64);
    return strcmp(measure, "Jaccard") == 0 || strcmp(measure, "weighted Jaccard") == 0 ? 0.8 : NAN;
}

static void check(const char *spec, fp_arena *arena) {
    fp_arm *arm;
    fp_error error = {0};
    if (fp_arm_parse(spec, NULL, arena, &arm, &error) != FP_OK) return; /* wants a file */
    const fp_instance *instance = &arm->instance;
    fp_usual_threshold usual = fp_arm_usual_threshold(arm);
    double wanted = instance->algorithm->similarity ? named_similarity(fp_arm_measure(arm)) : NAN;
    assert_int_equal(isnan(usual.distance), isnan(wanted));
    assert_int_equal(*usual.source == '\0', isnan(wanted));
    if (isnan(wanted)) return;
    double step = instance->layout.integral ? 1 : 1e-6;
    assert_true(usual.distance >= 0 && usual.distance <= instance->layout.maximum);
    assert_true(instance->algorithm->similarity(instance, usual.distance) >= wanted - 1e-9);
    if (usual.distance + step <= instance->layout.maximum)
        assert_true(instance->algorithm->similarity(instance, usual.distance + step) < wanted);
}

static void it_is_the_largest_distance_that_stands_for_enough(void **state) {
    static const char *const FURTHER[] = {"simhash:bits=128",         "simhash:bits=6",
                                          "minhash:slots=100",        "minhash:b=1",
                                          "jaccard:measure=weighted", "jaccard:measure=containment"};
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; fp_algorithm_at(i); i++) check(fp_algorithm_at(i)->name, arena);
    for (size_t i = 0; i < sizeof FURTHER / sizeof *FURTHER; i++) check(FURTHER[i], arena);
    fp_arena_free(arena);
}

/* 3 of 64 bits are 6 of 128; of 64 slots 12 differ at Jaccard 52/64 = 0.8125, and 13 at 51/64 = 0.797. Of one bit a
 * slot, half agree by chance: 1 − 2·6/64 = 0.8125. */
static void worked_values(void **state) {
    static const struct {
        const char *spec;
        double distance;
    } KNOWN[] = {{"exact", 0}, {"simhash", 3}, {"simhash:bits=128", 6}, {"minhash", 12}, {"minhash:b=1", 6}};
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        fp_arm *arm;
        ASSERT_GOOD(fp_arm_parse(KNOWN[i].spec, NULL, arena, &arm, &test_error));
        assert_true(fp_arm_usual_threshold(arm).distance == KNOWN[i].distance);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_largest_distance_that_stands_for_enough),
        cmocka_unit_test(worked_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
