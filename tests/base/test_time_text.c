/* SPDX-License-Identifier: GPL-3.0-or-later
 * Moments: the examples of RFC 3339, section 5.8, with seconds since 1970 by `date -d … +%s`; and what is none. */
#include "base/time_text.h"
#include "tests/support.h"

static int64_t parsed(const char *text) {
    int64_t time = 0;
    if (fp_time_parse(fp_string_of(text), &time, &test_error) != FP_OK) fail_msg("%s: %s", text, test_error.message);
    return time;
}

static void moments_are_read(void **state) {
    (void)state;
    assert_true(parsed("1985-04-12T23:20:50.52Z") == INT64_C(482196050520));
    assert_true(parsed("1996-12-19T16:39:57-08:00") == INT64_C(851042397000));
    assert_true(parsed("1937-01-01T12:00:27.87+00:20") == INT64_C(-1041337172130));
    assert_true(parsed("2024-02-29") == INT64_C(1709164800000));
    assert_true(parsed("2024-05-01 08:30") == INT64_C(1714552200000));
    assert_true(parsed("2024-05-01T08:30+0800") == INT64_C(1714523400000));
    assert_true(parsed("1714523400") == INT64_C(1714523400000));
    assert_true(parsed("1714523400123") == INT64_C(1714523400123));
    assert_true(parsed("253402300799999") == parsed("9999-12-31T23:59:59.999"));
    assert_true(parsed("1000-01-01T00:01+00:01") == INT64_C(-30610224000000));
}

static void what_is_no_moment_is_refused(void **state) {
    (void)state;
    static const char *const NONE[] = {"",
                                       "yesterday",
                                       "2023-02-29",
                                       "2024-02-30",
                                       "2024-13-01",
                                       "2024-00-10",
                                       "2024-5-1",
                                       "20240501",
                                       "2024",
                                       "0999-01-01",
                                       "2024-05-01T",
                                       "2024-05-01T24:00",
                                       "2024-05-01T08:60",
                                       "2024-05-01T08:30:60",
                                       "2024-05-01T08:30+24:00",
                                       "2024-05-01T08:30 ",
                                       "2024-05-01x",
                                       "-1714523400",
                                       "2024-05-01T08:30:15.",
                                       "12345678901234567890",
                                       "253402300800000",
                                       "9999-12-31T23:59:59-00:01",
                                       "1000-01-01T00:00+00:01"};
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++) {
        int64_t time;
        if (fp_time_parse(fp_string_of(NONE[i]), &time, NULL) == FP_OK) fail_msg("\"%s\" was taken", NONE[i]);
    }
}

/* What is written is read as the same moment, over four hundred years. */
static void written_moments_read_back(void **state) {
    (void)state;
    char text[FP_TIME_TEXT];
    uint64_t draw = 1;
    for (int i = 0; i < 20000; i++) {
        draw = fp_mix(draw, 0);
        int64_t time = (int64_t)(draw % 12622780800000) - INT64_C(6311390400000);
        fp_time_write(time, text);
        assert_true(parsed(text) == time);
    }
    fp_time_write(INT64_C(-1), text);
    assert_string_equal(text, "1969-12-31T23:59:59.999Z");
    fp_time_write_day(INT64_C(951782399999), text);
    assert_string_equal(text, "2000-02-28");
    fp_time_write(FP_TIME_NONE, text);
    assert_string_equal(text, "");
}

static void spans_are_read(void **state) {
    (void)state;
    int64_t span;
    assert_true(fp_span_parse("7d", &span) && span == INT64_C(604800000));
    assert_true(fp_span_parse("1.5h", &span) && span == INT64_C(5400000));
    assert_true(fp_span_parse("2w", &span) && span == INT64_C(1209600000));
    assert_false(fp_span_parse("7", &span) || fp_span_parse("d", &span) || fp_span_parse("0d", &span) ||
                 fp_span_parse("-1d", &span) || fp_span_parse("7y", &span) || fp_span_parse("1e99d", &span) ||
                 fp_span_parse("nand", &span));
    assert_true(fp_times_within(5, 15, 10) && fp_times_within(15, 5, 10) && !fp_times_within(5, 16, 10));
    assert_false(fp_times_within(FP_TIME_NONE, FP_TIME_NONE, 10));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_read),
        cmocka_unit_test(what_is_no_moment_is_refused),
        cmocka_unit_test(written_moments_read_back),
        cmocka_unit_test(spans_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
