/* SPDX-License-Identifier: GPL-3.0-or-later
 * Statuses and errors: what failed is told by the status as well, with an error or without. */
#include "tests/support.h"

static void a_place_keeps_the_status(void **state) {
    (void)state;
    for (int code = FP_OK; code <= FP_ERROR_CANCELLED; code++) {
        fp_error error = {0};
        assert_int_equal(fp_fail(NULL, (fp_status)code, "%d", code), code);
        assert_int_equal(fp_at(NULL, (fp_status)code, "file", 1, 2), code);
        assert_int_equal(fp_at(&error, fp_fail(&error, (fp_status)code, "%d", code), "file", 1, 2), code);
        assert_int_equal(error.code, code);
        assert_string_equal(error.file, "file");
        assert_true(error.line == 1 && error.byte == 2);
    }
}

/* Files that are wrong in the ways that each status names. */
static void calls_without_an_error_fail_with_the_same_status(void **state) {
    (void)state;
    static const struct {
        const char *spec, *content;
        fp_status status;
    } CASES[] = {
        {"simhash:stop=%s", NULL, FP_ERROR_IO},
        {"simhash:stop=%s", "\xff\n", FP_ERROR_ENCODING},
        {"simhash:weight=idf,idf=%s", "term\t1\n", FP_ERROR_SYNTAX},
        {"simhash:weight=idf,idf=%s", "documents\t9\nterm\t1\nterm\t2\n", FP_ERROR_DUPLICATE},
        {"simhash:userdict=%s", "a b c d\n", FP_ERROR_SYNTAX},
        {"simhash:weight=table,terms=%s", "", FP_ERROR_EMPTY},
        {"simhash:stop=%s,bits=3", "", FP_ERROR_RANGE},
        {"simhush:stop=%s", "", FP_ERROR_UNKNOWN},
        {"simhash:stop=%s,bits=8,bits=8", "", FP_ERROR_DUPLICATE},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char path[] = "/tmp/fplab-status-XXXXXX", spec[200];
        int file = mkstemp(path);
        assert_true(file >= 0);
        if (CASES[i].content)
            assert_int_equal(write(file, CASES[i].content, strlen(CASES[i].content)), strlen(CASES[i].content));
        else unlink(path);
        close(file);
        snprintf(spec, sizeof spec, CASES[i].spec, path);
        fp_arena *arena = fp_arena_new();
        fp_arm *arm;
        fp_error error = {0};
        assert_int_equal(fp_arm_parse(spec, NULL, arena, &arm, &error), CASES[i].status);
        assert_int_equal(error.code, CASES[i].status);
        assert_int_equal(fp_arm_parse(spec, NULL, arena, &arm, NULL), CASES[i].status);
        fp_arena_free(arena);
        unlink(path);
    }
    const fp_algorithm *algorithm;
    fp_arena *arena = fp_arena_new();
    assert_int_equal(fp_plugin_load("/dev/null", arena, &algorithm, NULL), FP_ERROR_IO);
    fp_arena_free(arena);
}

static void versions_are_those_of_the_headers(void **state) {
    (void)state;
    assert_string_equal(fp_version(), FP_VERSION);
    assert_int_equal(fp_abi_version(), FP_ABI_VERSION);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_keeps_the_status),
        cmocka_unit_test(calls_without_an_error_fail_with_the_same_status),
        cmocka_unit_test(versions_are_those_of_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
