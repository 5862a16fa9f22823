/* SPDX-License-Identifier: GPL-3.0-or-later
 * What fplab/algorithm.h asks of an algorithm is asked of one that nobody here wrote: a good one with one thing wrong
 * is refused, and the reason names it. */
#include "algorithms/arms/arm.h"

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
    fp_learning learning;
    fp_acceleration acceleration;
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
    to->learning = (fp_learning){0};
    to->acceleration = *to->algorithm.acceleration;
    to->algorithm.learning = &to->learning;
    to->algorithm.acceleration = &to->acceleration;
    to->algorithm.name = "foreign";
    to->algorithm.parameters = to->rows;
    to->algorithm.parameters_size = sizeof(parameters);
}

/* One thing wrong with it; what names it, NULL behind the last. */
static const char *spoil(described *to, size_t number) {
    fp_algorithm *algorithm = &to->algorithm;
    fp_learning *learning = &to->learning;
    fp_acceleration *acceleration = &to->acceleration;
    const fp_learning *simhash = fp_algorithm_find("simhash", NULL)->learning;
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
    case 11: return acceleration->vector = NULL, "only one of vector and joined";
    case 12: return acceleration->joined = NULL, "only one of vector and joined";
    case 13: return learning->begin = simhash->begin, "only some of begin";
    case 14: return learning->read = simhash->read, "only some of begin";
    case 15: return learning->add = simhash->add, "only some of begin";
    case 16: return learning->end = simhash->end, "only some of begin";
    case 17: return learning->write_model = simhash->write_model, "only one of write_model and read_model";
    case 18: return learning->read_model = simhash->read_model, "only one of write_model and read_model";
    case 19: return acceleration->vector = NULL, acceleration->joined = NULL, "joined_many and no joined";
    case 20:
        *learning = *simhash;
        learning->open = fp_algorithm_find("scores", NULL)->learning->open;
        return "both open and begin";
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
    case 36: return algorithm->abi++, "recompile it";
    case 37: return algorithm->abi--, "recompile it";
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
    assert_int_equal(number, 38);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_one_is_taken),
        cmocka_unit_test(one_wrong_thing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
