/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * support.h - what several tests need. Include it last.
 */
#ifndef FP_TEST_SUPPORT_H
#define FP_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "algorithms/arms/arm.h"

/* Fails with the error's message when a call did. */
#define ASSERT_GOOD(call)                                                   \
    do {                                                                    \
        if ((call) != FP_OK) fail_msg("%s: %s", #call, test_error.message); \
    } while (0)

/* Leaves this test out with a reason, printf-style, which tests/run tells and counts. */
#define SKIP_BECAUSE(...)           \
    do {                            \
        print_message("skipped: "); \
        print_message(__VA_ARGS__); \
        print_message("\n");        \
        skip();                     \
    } while (0)

/* The error that calls under ASSERT_GOOD write to. */
static fp_error test_error;

/* An arm, fitted to the texts when it learns. */
static inline fp_arm *test_arm(const char *spec, const fp_string *texts, size_t count, fp_arena *arena) {
    fp_arm *arm;
    if (fp_arm_parse(spec, NULL, arena, &arm, &test_error) != FP_OK) fail_msg("%s: %s", spec, test_error.message);
    if (fp_arm_learns(arm)) ASSERT_GOOD(fp_arm_fit(arm, texts, NULL, count, NULL, 0, &test_error));
    return arm;
}

/* The sketch of a document that has these features. */
static inline fp_sketch test_sketch_of(const fp_arm *arm, const uint64_t *hash, const double *weight, size_t count,
                                       fp_arena *arena) {
    fp_sketch made;
    fp_document document = {.features = {count, hash, weight, NULL, count, hash}};
    ASSERT_GOOD(arm->instance.algorithm->sketch(&arm->instance, &document, arena, &made, &test_error));
    return made;
}

/* The distance of two texts under an arm. */
static inline double test_distance(const char *spec, const char *a, const char *b, fp_arena *arena) {
    fp_string texts[2] = {fp_string_of(a), fp_string_of(b)};
    fp_arm *arm = test_arm(spec, texts, 2, arena);
    fp_sketch sketch[2];
    for (int i = 0; i < 2; i++) ASSERT_GOOD(fp_arm_sketch(arm, texts[i], arena, sketch + i, &test_error));
    return arm->instance.algorithm->distance(&arm->instance, sketch[0], sketch[1]);
}

#endif
