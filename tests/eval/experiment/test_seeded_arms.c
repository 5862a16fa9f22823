/* SPDX-License-Identifier: GPL-3.0-or-later
 * How many seeds an evaluation has, and where the arms under them stand. */
#include "eval/experiment/arm_list.h"
#include "tests/support.h"

static size_t seeds_on(fp_truth truth, size_t documents, size_t asked) {
    fp_corpus corpus = {.name = "made", .truth = truth, .document_count = documents};
    size_t count;
    ASSERT_GOOD(fp_hash_seeds_for(&corpus, &(fp_hash_seeds){.count = asked}, &count, &test_error));
    return count;
}

static fp_status refused(fp_truth truth, size_t asked) {
    fp_corpus corpus = {.name = "made", .truth = truth, .document_count = 10};
    size_t count;
    return fp_hash_seeds_for(&corpus, &(fp_hash_seeds){.count = asked}, &count, &test_error);
}

/* What arm_list.h says: ten where nothing is asked and the pairs of up to 50,000 documents are listed. */
static void numbers_of_seeds(void **state) {
    (void)state;
    assert_int_equal(seeds_on(FP_TRUTH_PAIRS, 1, 0), 10);
    assert_int_equal(seeds_on(FP_TRUTH_PAIRS, 50000, 0), 10);
    assert_int_equal(seeds_on(FP_TRUTH_PAIRS, 50001, 0), 1);
    assert_int_equal(seeds_on(FP_TRUTH_GROUPS, 100, 0), 1);
    assert_int_equal(seeds_on(FP_TRUTH_GROUPS, 100, 1), 1);
    assert_int_equal(seeds_on(FP_TRUTH_PAIRS, 60000, 2), 2);
    assert_int_equal(seeds_on(FP_TRUTH_PAIRS, 10, 1000), 1000);
    assert_int_equal(refused(FP_TRUTH_PAIRS, 1001), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "1001"));
    assert_int_equal(refused(FP_TRUTH_GROUPS, 2), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "made"));
}

enum { COUNT = 5 };

static void make_arms(fp_arena *arena, fp_arm **arms) {
    static const char *const SPECS[COUNT] = {"minhash", NULL, "cosine", "simhash:seed=5", "hyperplane"};
    for (size_t i = 0; i < COUNT; i++) {
        arms[i] = NULL;
        if (SPECS[i]) ASSERT_GOOD(fp_arm_parse(SPECS[i], NULL, arena, arms + i, &test_error));
    }
}

static void assert_seed(const fp_arm *arm, const char *name, uint64_t seed) {
    assert_string_equal(arm->instance.algorithm->name, name);
    assert_int_equal(fp_arm_own_seed(arm), seed);
}

/* Only minhash and hyperplane leave their seed open: the arms stand first, then the further seeds of each. */
static void lanes_are_in_order(void **state) {
    (void)state;
    for (size_t seeds = 1; seeds <= 4; seeds++) {
        for (int from = 0; from < 2; from++) {
            fp_arena *arena = fp_arena_new();
            fp_arm *arms[COUNT];
            fp_seeded_arms made;
            make_arms(arena, arms);
            uint64_t first[2] = {fp_arm_own_seed(arms[0]), fp_arm_own_seed(arms[4])};
            fp_hash_seeds asked = {.count = seeds, .from = from, .first = 7000};
            if (from) first[0] = first[1] = 7000;
            ASSERT_GOOD(fp_seeded_arms_make(arms, COUNT, &asked, arena, &made, &test_error));
            assert_int_equal(made.count, COUNT);
            assert_int_equal(made.lane_count, COUNT + 2 * (seeds - 1));
            for (size_t i = 1; i < 4; i++) {
                assert_ptr_equal(made.lanes[i], arms[i]);
                assert_int_equal(made.further[i].count, 0);
            }
            for (size_t i = 0; i < 2; i++) {
                const char *name = i ? "hyperplane" : "minhash";
                const fp_further_seeds *further = made.further + 4 * i;
                assert_int_equal(further->count, seeds - 1);
                assert_int_equal(further->first, COUNT + i * (seeds - 1));
                assert_seed(made.lanes[4 * i], name, first[i]);
                for (size_t k = 1; k < seeds; k++) assert_seed(made.lanes[further->first + k - 1], name, first[i] + k);
                if (!from) assert_ptr_equal(made.lanes[4 * i], arms[4 * i]);
            }
            fp_arena_free(arena);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_seeds), cmocka_unit_test(lanes_are_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
