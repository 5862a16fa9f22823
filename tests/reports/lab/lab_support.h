/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_support.h - a lab for all the tests of a program, and what it answers.
 */
#ifndef FP_TEST_LAB_SUPPORT_H
#define FP_TEST_LAB_SUPPORT_H

#include <math.h>

#include "corpora/json.h"
#include "reports/lab/lab.h"
#include "tests/support.h"

static fp_lab *lab;
static fp_arena *arena;

static inline int open_lab(void **state) {
    (void)state;
    lab = fp_lab_open();
    arena = fp_arena_new();
    return lab && arena ? 0 : -1;
}

static inline int close_lab(void **state) {
    (void)state;
    fp_lab_close(lab);
    fp_arena_free(arena);
    return 0;
}

static inline const fp_json *ask(const char *request) {
    size_t length;
    const char *answer = fp_lab_call(lab, request, strlen(request), &length);
    char *kept = fp_string_copy(arena, (fp_string){answer, length});
    const fp_json *value;
    assert_int_equal(answer[length], '\0');
    assert_non_null(kept);
    if (fp_json_parse((fp_string){kept, length}, arena, &value, &test_error) != FP_OK)
        fail_msg("%s: %s: %s", request, test_error.message, kept);
    return value;
}

static inline const fp_json *member(const fp_json *of, const char *name) {
    const fp_json *found = fp_json_member(of, name);
    if (!found) fail_msg("there is no %s", name);
    return found;
}

static inline double number_of(const fp_json *value) {
    double number = NAN;
    ASSERT_GOOD(fp_json_real(value, "answer", &number, &test_error));
    return number;
}

#endif
