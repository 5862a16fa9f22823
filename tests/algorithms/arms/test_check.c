/* SPDX-License-Identifier: GPL-3.0-or-later
 * What fplab/algorithm.h asks of an algorithm is asked of one that nobody here wrote: a good one with one thing wrong
 * is refused, and the reason names it. */
#include "algorithms/arms/check.h"

#include <fplab.h>
#include <math.h>

#include "tests/support.h"

typedef struct parameters {
    int64_t slots, kind;
    double share;
    const char *file;
} parameters;

static const char *const KINDS[] = {"plain", "fancy", NULL};
enum { SLOTS, KIND, SHARE, FILES, ROWS };

/* One algorithm, and its table. */
typedef struct described {
    fp_algorithm algorithm;
    fp_parameter rows[ROWS + 1];
} described;

/* Of jaccard, which has a measure and a vector, and learns nothing. */
static void describe(described *to) {
    to->algorithm = *fp_algorithm_find("jaccard", NULL);
    const fp_parameter rows[ROWS + 1] = {
        [SLOTS] = {"slots", FP_INTEGER, "slots", "how many", "64", 1, 4096, NULL, offsetof(parameters, slots)},
        [KIND] = {"kind", FP_CHOICE, "", "which", "fancy", 0, 0, KINDS, offsetof(parameters, kind)},
        [SHARE] = {"share", FP_REAL, "", "how much", "0.5", 0, 1, NULL, offsetof(parameters, share)},
        [FILES] = {"file", FP_FILE, "", "from where", "x", 0, 0, NULL, offsetof(parameters, file)},
    };
    memcpy(to->rows, rows, sizeof rows);
    to->algorithm.name = "foreign";
    to->algorithm.parameters = to->rows;
    to->algorithm.parameters_size = sizeof(parameters);
}

/* One thing wrong with it; what names it, NULL behind the last. */
static const char *spoil(described *to, size_t number) {
    fp_algorithm *algorithm = &to->algorithm;
    const fp_algorithm *simhash = fp_algorithm_find("simhash", NULL), *scores = fp_algorithm_find("scores", NULL);
    fp_parameter *rows = to->rows;
    switch (number) {
    case 0: return algorithm->name = NULL, "not of the form [a-z0-9_]+";
    case 1: return algorithm->name = "", "not of the form [a-z0-9_]+";
    case 2: return algorithm->name = "For-eign", "not of the form [a-z0-9_]+";
    case 3: return algorithm->summary = NULL, "foreign lacks summary";
    case 4: return algorithm->citation = NULL, "foreign lacks citation";
    case 5: return algorithm->features = NULL, "foreign lacks features";
    case 6: return algorithm->layout = NULL, "foreign lacks layout";
    case 7: return algorithm->sketch = NULL, "foreign lacks sketch";
    case 8: return algorithm->distance = NULL, "foreign lacks distance";
    case 9: return algorithm->measure = NULL, "only one of measure and similarity";
    case 10: return algorithm->similarity = NULL, "only one of measure and similarity";
    case 11: return algorithm->vector = NULL, "only one of vector and joined";
    case 12: return algorithm->joined = NULL, "only one of vector and joined";
    case 13: return algorithm->learn_begin = simhash->learn_begin, "only some of learn_begin";
    case 14: return algorithm->learn_read = simhash->learn_read, "only some of learn_begin";
    case 15: return algorithm->learn_add = simhash->learn_add, "only some of learn_begin";
    case 16: return algorithm->learn_end = simhash->learn_end, "only some of learn_begin";
    case 17: return algorithm->model_write = simhash->model_write, "only one of model_write and model_read";
    case 18: return algorithm->model_read = simhash->model_read, "only one of model_write and model_read";
    case 19:
        algorithm->joined_many = fp_algorithm_find("cosine", NULL)->joined_many;
        return algorithm->vector = NULL, algorithm->joined = NULL, "joined_many and no joined";
    case 20:
        algorithm->learn_begin = simhash->learn_begin, algorithm->learn_read = simhash->learn_read;
        algorithm->learn_add = simhash->learn_add, algorithm->learn_end = simhash->learn_end;
        return algorithm->open = scores->open, "both open and learn_begin";
    case 21:
        algorithm->measure = NULL, algorithm->similarity = NULL;
        return algorithm->counterpart = "cosine", "a counterpart and no measure";
    case 22: return rows[SLOTS].name = "Slots", "lacks its name, unit, help or default";
    case 23: return rows[SLOTS].unit = NULL, "lacks its name, unit, help or default";
    case 24: return rows[SHARE].help = NULL, "lacks its name, unit, help or default";
    case 25: return rows[SHARE].initial = NULL, "lacks its name, unit, help or default";
    case 26: return rows[KIND].type = (fp_type)(FP_FILE + 1), "kind has an unknown type";
    case 27: return rows[FILES].offset = sizeof(parameters), "file lies outside the parameter struct";
    case 28: return rows[SLOTS].offset = sizeof(parameters) + 1, "slots lies outside the parameter struct";
    case 29: return rows[KIND].choices = NULL, "kind has no choices";
    case 30: return rows[KIND].choices = KINDS + 2, "kind has no choices";
    case 31: return rows[SLOTS].maximum = 0, "slots has a minimum above its maximum";
    case 32: return rows[SHARE].minimum = NAN, "share has a minimum above its maximum";
    case 33: return rows[SLOTS].initial = "4097", "the default of slots breaks its own bounds";
    case 34: return rows[SHARE].initial = "much", "the default of share breaks its own bounds";
    case 35: return rows[KIND].initial = "odd", "the default of kind breaks its own bounds";
    default: return NULL;
    }
}

static void a_good_one_is_taken(void **state) {
    (void)state;
    described good;
    describe(&good);
    ASSERT_GOOD(fp_algorithm_check(&good.algorithm, NULL, &test_error));
    good.algorithm.parameters = NULL; /* an algorithm may have none */
    good.algorithm.parameters_size = 0;
    ASSERT_GOOD(fp_algorithm_check(&good.algorithm, NULL, &test_error));
}

static void one_wrong_thing_is_named(void **state) {
    (void)state;
    size_t number = 0;
    for (;; number++) {
        described bad;
        describe(&bad);
        const char *words = spoil(&bad, number);
        if (!words) break;
        assert_int_not_equal(fp_algorithm_check(&bad.algorithm, NULL, &test_error), FP_OK);
        if (!strstr(test_error.message, words)) fail_msg("%zu: \"%s\", not \"%s\"", number, test_error.message, words);
    }
    assert_int_equal(number, 36);
}

/* Of an older version the slots of later ones are not read: here they are no functions at all. */
static void older_versions_end_earlier(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    described old;
    const fp_algorithm *whole;
    describe(&old);
    old.algorithm.abi = FP_ABI_VERSION;
    ASSERT_GOOD(fp_algorithm_adopt(&old.algorithm, arena, &whole, &test_error));
    assert_ptr_equal(whole, &old.algorithm);
    old.algorithm.abi = FP_ABI_OLDEST;
    memset((char *)&old.algorithm + offsetof(fp_algorithm, model_write), 0x55,
           sizeof old.algorithm - offsetof(fp_algorithm, model_write));
    ASSERT_GOOD(fp_algorithm_adopt(&old.algorithm, arena, &whole, &test_error));
    assert_null(whole->model_write);
    assert_null(whole->open);
    assert_ptr_equal(whole->sketch, old.algorithm.sketch);
    ASSERT_GOOD(fp_algorithm_check(whole, arena, &test_error));
    old.algorithm.abi = FP_ABI_VERSION + 1;
    assert_int_equal(fp_algorithm_adopt(&old.algorithm, arena, &whole, &test_error), FP_ERROR_ABI);
    old.algorithm.abi = FP_ABI_OLDEST - 1;
    assert_int_equal(fp_algorithm_adopt(&old.algorithm, arena, &whole, &test_error), FP_ERROR_ABI);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_one_is_taken),
        cmocka_unit_test(one_wrong_thing_is_named),
        cmocka_unit_test(older_versions_end_earlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
