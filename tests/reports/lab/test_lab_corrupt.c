/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts changed by the lab behind a page: as fp_corrupt changes them, with the places in UTF-16 units. */
#include "corpora/corruption/corruption.h"
#include "tests/reports/lab/lab_support.h"

static const fp_json *corrupt(const char *kind, const char *rate, const char *text) {
    char request[800];
    snprintf(request, sizeof request,
             "{\"op\":\"corrupt\",\"kind\":\"%s\",\"rate\":%s,\"seed\":5,\"copy\":2,\"text\":\"%s\"}", kind, rate,
             text);
    return ask(request);
}

static void as_the_library(void **state) {
    (void)state;
    static const char TEXT[] = "👍银行在重庆发展很快。";
    fp_corruption kind;
    fp_corrupted made;
    fp_error error = {0};
    fp_corruption_means means = {.seed = 5};
    fp_corruption_text of = {.copy = 2, .text = fp_string_of(TEXT)};
    assert_int_equal(fp_corruption_parse(fp_string_of("substitute"), &kind, &error), FP_OK);
    assert_int_equal(fp_corrupt(&kind, 0.5, &means, &of, arena, &made, &error), FP_OK);
    const fp_json *answer = corrupt("substitute", "0.5", TEXT);
    assert_true(fp_string_equal(fp_json_member(answer, "text")->text, made.text));
    assert_int_equal(number_of(member(answer, "changes")), made.steps[0].changes);
    assert_int_equal(number_of(member(answer, "sites")), 9);
}

/* The thumb is two units, each of the nine characters behind it one. */
static void places_are_units(void **state) {
    (void)state;
    const fp_json *answer = corrupt("substitute", "1", "👍银行在重庆发展很快。"),
                  *edits = fp_json_member(answer, "edits");
    double at = 2;
    assert_int_equal(number_of(member(answer, "changes")), 9);
    const fp_json *end = fp_json_member(edits, "end")->first;
    for (const fp_json *start = fp_json_member(edits, "start")->first; start;
         start = start->next, end = end->next, at++) {
        double from, to;
        fp_error error = {0};
        assert_int_equal(fp_json_real(start, "start", &from, &error), FP_OK);
        assert_int_equal(fp_json_real(end, "end", &to, &error), FP_OK);
        assert_true(from == at && to == at + 1);
    }
    assert_true(at == 11);
}

static void nothing_changes_at_rate_zero(void **state) {
    (void)state;
    static const char *const KINDS[] = {"substitute", "homophone", "lookalike",        "words",
                                        "sentences",  "synonym",   "substitute+digits"};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        const fp_json *answer = corrupt(KINDS[i], "0", "银行在重庆，发展很快。很好！");
        assert_true(
            fp_string_equal(fp_json_member(answer, "text")->text, fp_string_of("银行在重庆，发展很快。很好！")));
        assert_int_equal(number_of(member(answer, "changes")), 0);
    }
}

static void mistakes_are_told(void **state) {
    (void)state;
    static const char *const WRONG[][3] = {{"nothing", "0.1", "nothing"},
                                           {"substitute", "1.5", "rate"},
                                           {"splice", "0.1", "splice takes from other texts"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        const fp_json *error = fp_json_member(corrupt(WRONG[i][0], WRONG[i][1], "文"), "error");
        assert_non_null(error);
        char *text = fp_string_copy(arena, error->text);
        if (!text || !strstr(text, WRONG[i][2])) fail_msg("%s: %s", WRONG[i][0], text ? text : "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_library), cmocka_unit_test(places_are_units),
                                       cmocka_unit_test(nothing_changes_at_rate_zero),
                                       cmocka_unit_test(mistakes_are_told)};
    return cmocka_run_group_tests(tests, open_lab, close_lab);
}
