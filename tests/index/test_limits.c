/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bounds that the headers of index/ state: what lies at them is taken, what lies one behind is FP_ERROR_RANGE, with
 * the number in the reason. */
#include <math.h>

#include "pairs/banding.h"
#include "pairs/block_design.h"
#include "tests/support.h"

static void expect(fp_status got, fp_status wanted, const char *says, const char *what) {
    if (got != wanted || (wanted != FP_OK && !strstr(test_error.message, says)))
        fail_msg("%s: %s: %s", what, fp_status_name(got), test_error.message);
}

static void bandings(void **state) {
    (void)state;
    static const struct {
        fp_banding_goal goal;
        const char *says; /* NULL: taken */
    } cases[] = {
        {{64, 0, 0.8, 0, 1, 1}, NULL},
        {{1, 64, 0.8, 0.5, 0, 0}, NULL},
        {{FP_BANDING_SLOTS, 1, 0.8, 0, 0, 1}, NULL},
        {{0, 0, 0.8, 0, 1, 1}, "slots takes 1 to 4096, not 0"},
        {{FP_BANDING_SLOTS + 1, 0, 0.8, 0, 1, 1}, "slots takes 1 to 4096, not 4097"},
        {{64, 65, 0.8, 0, 1, 1}, "bits of a slot takes 0 to 64, not 65"},
        {{64, 0, 0, 0, 1, 1}, "must be above 0 and below 1, not 0"},
        {{64, 0, 1, 0, 1, 1}, "must be above 0 and below 1, not 1"},
        {{64, 0, NAN, 0, 1, 1}, "must be above 0 and below 1, not nan"},
        {{64, 0, 0.8, 1, 1, 1}, "recall must be above 0 and below 1, or 0 for a choice by weights, not 1"},
        {{64, 0, 0.8, -0.1, 1, 1}, "recall must be above 0 and below 1, or 0 for a choice by weights, not -0.1"},
        {{64, 0, 0.8, 0, 0, 0}, "weights"},
        {{64, 0, 0.8, 0, -1, 2}, "weights"},
        {{64, 0, 0.8, 0, INFINITY, 1}, "weights"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(fp_banding_check(&cases[i].goal, &test_error), cases[i].says ? FP_ERROR_RANGE : FP_OK, cases[i].says,
               cases[i].says ? cases[i].says : "a goal");
}

static void blocks(void **state) {
    (void)state;
    static const struct {
        fp_block_design design;
        const char *says;
    } cases[] = {
        {{64, 3, 0, {{0}}}, NULL},
        {{64, 3, 1, {{4, 1}}}, NULL},
        {{1024, 1023, 0, {{0}}}, NULL},
        {{0, 0, 0, {{0}}}, "1 to 1024 bits, not 0"},
        {{1025, 3, 0, {{0}}}, "1 to 1024 bits, not 1025"},
        {{64, 64, 0, {{0}}}, "less than the 64 bits, not 64"},
        {{64, 3, FP_BLOCK_LEVELS + 1, {{4, 1}, {4, 1}}}, "at most 2 levels, not 3"},
        {{64, 4, 1, {{4, 1}}}, "a distance of 4 needs more than 4 blocks"},
        {{64, 3, 1, {{65, 1}}}, "65"},
        {{64, 3, 1, {{4, 0}}}, "at least one block"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(fp_block_design_check(&cases[i].design, &test_error), cases[i].says ? FP_ERROR_RANGE : FP_OK,
               cases[i].says, cases[i].says ? cases[i].says : "a design");
}

/* Each status has a name of its own, and what is none says so. */
static void names_of_statuses(void **state) {
    (void)state;
    static const fp_status all[] = {
        FP_OK,          FP_ERROR_MEMORY,  FP_ERROR_IO,        FP_ERROR_SYNTAX, FP_ERROR_ENCODING,
        FP_ERROR_RANGE, FP_ERROR_UNKNOWN, FP_ERROR_DUPLICATE, FP_ERROR_EMPTY,  FP_ERROR_ABI,
        FP_ERROR_TOOL};
    size_t count = sizeof all / sizeof *all;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) assert_string_not_equal(fp_status_name(all[i]), fp_status_name(all[j]));
    assert_string_equal(fp_status_name((fp_status)1000), "unknown status");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bandings), cmocka_unit_test(blocks),
                                       cmocka_unit_test(names_of_statuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
