/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests that the lab cannot meet, each with the reason that it gives and nothing else; and the pairs behind each
 * count: all of them, in four cells that share none, the worst mistakes first. */
#include "fplab.h"
#include "tests/reports/lab/lab_support.h"

#define TWO \
    "{\"id\":\"a\",\"group\":\"1\",\"text\":\"今天通车\"},{\"id\":\"b\",\"group\":\"1\",\"text\":\"今天不通车\"}"
#define EVALUATE "{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[" TWO ",{\"id\":\"c\",\"text\":\"狐狸\"}]"
#define GIVEN(columns) "{\"op\":\"explain\",\"arm\":\"simhash:bits=8\",\"features\":" columns "}"

static const char *const REFUSED[][2] = {
    {"", ""},
    {"[]", "the request is no JSON object"},
    {"{}", "op"},
    {"{\"op\":7}", "op"},
    {"{\"op\":\"dance\"}", "the lab knows no operation \"dance\""},
    {"{\"op\":\"normalise\",\"text\":\"a\"}", "the lab knows no operation \"normalise\""},
    {"{\"op\":\"features\",\"arm\":\"simhash\"}", "text"},
    {"{\"op\":\"explain\",\"arm\":\"simhash\",\"text\":null}", "text"},
    {"{\"op\":\"features\",\"arm\":\"nosuch\",\"text\":\"a\"}", "unknown algorithm nosuch"},
    {"{\"op\":\"fingerprint\",\"arms\":\"simhash\",\"texts\":[\"a\"]}", "arms"},
    {"{\"op\":\"fingerprint\",\"arms\":[\"simhash\"]}", "texts"},
    {"{\"op\":\"fingerprint\",\"arms\":[\"simhash\"],\"texts\":[7]}", ""},
    {"{\"op\":\"pairs\",\"cell\":\"tp\"}", "nothing was evaluated yet"},
    {GIVEN("7"), "no good column \"term\""},
    {GIVEN("{\"term\":\"a\"}"), "no good column \"term\""},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[\"1\",\"2\"],\"weight\":[1]}"), "no good column \"hash\""},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[1],\"weight\":[1]}"), "no good column \"hash\""},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[\"1\"],\"weight\":[\"1\"]}"), "no good column \"weight\""},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[\"1g\"],\"weight\":[1]}"), "a hash is up to sixteen hexadecimal digits"},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[\"12345678901234567\"],\"weight\":[1]}"),
     "a hash is up to sixteen hexadecimal digits"},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[\"1\\u0000\"],\"weight\":[1]}"), "a hash is up to sixteen hexadecimal digits"},
    {GIVEN("{\"term\":[\"a\"],\"hash\":[\"1\"],\"weight\":[0]}"), "a weight is more than 0"},
    {"{\"op\":\"explain\",\"arm\":\"exact\",\"features\":{\"term\":[],\"hash\":[],\"weight\":[]}}",
     "exact explains no steps from features alone"},
    {EVALUATE ",\"thresholds\":[]}", "the request takes 1 to 1000 thresholds"},
    {EVALUATE ",\"thresholds\":7}", "thresholds"},
    {EVALUATE ",\"thresholds\":[\"x\"]}", "thresholds"},
    {EVALUATE ",\"thresholds\":[3,2]}", ""},
    {EVALUATE ",\"confidence\":2}", "confidence"},
    {EVALUATE ",\"replicates\":-1}", "replicates"},
    {EVALUATE ",\"pairs\":[[\"a\",\"b\"]]}", "pair 1 has a label that is neither 0 nor 1"},
    {EVALUATE ",\"pairs\":[[\"a\",\"b\",2]]}", "pair 1 has a label that is neither 0 nor 1"},
    {EVALUATE ",\"pairs\":[[\"a\",\"b\",\"1\"]]}", "pair 1 has a label that is neither 0 nor 1"},
    {EVALUATE ",\"pairs\":[[\"a\",\"b\",1],[\"a\",7,0]]}", "pair 2 has no two ids"},
    {EVALUATE ",\"pairs\":[[\"a\",\"b\",1],7]}", "pair 2 has no two ids"},
    {EVALUATE ",\"pairs\":[[\"a\",\"z\",1]]}", "pair 1: there is no document \"z\""},
    {EVALUATE ",\"pairs\":[[\"a\",\"a\",1]]}", "pair 1 has the same id twice"},
    {EVALUATE ",\"pairs\":[[\"a\",\"b\",1],[\"b\",\"a\",1]]}", "pair 2 repeats pair 1"},
    {"{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[" TWO "," TWO "]}",
     "document 3 has the id of document 1, \"a\""},
    {"{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"id\":\"a\"}]}", "document 1"},
    {"{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"text\":\"a\"}]}", "document 1"},
    {"{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"id\":1,\"text\":\"a\"}]}", "document 1"},
    {"{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"id\":\"a\",\"group\":1,\"text\":\"a\"}]}",
     "document 1"},
    {"{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":7}", "documents"},
    {"{\"op\":\"corrupt\",\"kind\":\"nosuch\",\"rate\":0.5,\"text\":\"a\"}", "nosuch"},
    {"{\"op\":\"corrupt\",\"kind\":\"delete\",\"rate\":2,\"text\":\"a\"}", "rate"},
};

static void each_refusal_has_its_reason(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        const fp_json *told = ask(REFUSED[i][0]), *error = fp_json_member(told, "error");
        if (!error || !strstr(fp_string_copy(arena, error->text), REFUSED[i][1])) {
            size_t length;
            fail_msg("%s: %s", REFUSED[i][0], fp_lab_call(lab, REFUSED[i][0], strlen(REFUSED[i][0]), &length));
        }
        assert_non_null(fp_json_member(told, "status"));
        assert_null(told->first->next->next); /* and nothing of what was written before */
    }
}

/* Six documents in three groups: 3 positives and 12 negatives. */
static void the_cells_hold_each_pair_once(void **state) {
    (void)state;
    static const char REQUEST[] =
        "{\"op\":\"evaluate\",\"arms\":[\"jaccard:features=chars:1\"],\"documents\":["
        "{\"id\":\"a\",\"group\":\"1\",\"text\":\"今天下午大桥通车\"},{\"id\":\"b\",\"group\":\"1\",\"text\":\"今天大桥通车\"},"
        "{\"id\":\"c\",\"group\":\"2\",\"text\":\"大桥今天不通车\"},{\"id\":\"d\",\"group\":\"2\",\"text\":\"一只狐狸\"},"
        "{\"id\":\"e\",\"group\":\"3\",\"text\":\"一只小狐狸过桥\"},{\"id\":\"f\",\"group\":\"3\",\"text\":\"股市大跌\"}]}";
    static const char *const CELLS[] = {"tp", "fp", "fn", "tn"};
    for (int threshold = 0; threshold <= 64; threshold += 8) {
        bool seen[6][6] = {{false}};
        size_t pairs = 0, positives = 0;
        if (fp_json_member(ask(REQUEST), "error")) fail_msg("no evaluation");
        for (size_t cell = 0; cell < 4; cell++) {
            const fp_json *told =
                              ask(fp_format(arena, "{\"op\":\"pairs\",\"cell\":\"%s\",\"threshold\":%d,\"most\":100}",
                                            CELLS[cell], threshold)),
                          *of = fp_json_member(told, "pairs");
            if (!of) fail_msg("%s: no pairs", CELLS[cell]);
            const fp_json *a = fp_json_member(of, "a")->first, *b = fp_json_member(of, "b")->first,
                          *at = fp_json_member(of, "distance")->first;
            double before = cell % 2 ? -1 : 1e9, distance, one,
                   other; /* of duplicates the furthest comes first, of others the nearest */
            size_t count = 0;
            for (; a; a = a->next, b = b->next, at = at->next, count++) {
                ASSERT_GOOD(fp_json_real(a, "a", &one, &test_error));
                ASSERT_GOOD(fp_json_real(b, "b", &other, &test_error));
                ASSERT_GOOD(fp_json_real(at, "distance", &distance, &test_error));
                bool same = (int)one / 2 == (int)other / 2;
                assert_true(same == (cell % 2 == 0) && (distance <= threshold) == (cell < 2));
                assert_true(cell % 2 ? distance >= before : distance <= before);
                assert_false(seen[(int)one][(int)other] || seen[(int)other][(int)one]);
                seen[(int)one][(int)other] = true;
                before = distance;
                positives += same;
            }
            assert_true(number_of(member(told, "count")) == (double)count);
            pairs += count;
        }
        assert_true(pairs == 15 && positives == 3);
    }
    const fp_json *error = fp_json_member(ask("{\"op\":\"pairs\",\"cell\":\"all\"}"), "error");
    assert_true(error && strstr(fp_string_copy(arena, error->text), "none of tp, fp, fn, tn"));
    error = fp_json_member(ask("{\"op\":\"pairs\",\"cell\":\"tp\",\"arm\":1}"), "error");
    assert_true(error && strstr(fp_string_copy(arena, error->text), "arm"));
}

static void watch(void *context, const char *stage, size_t done, size_t total) {
    assert_true(stage && *stage && done <= total);
    ++*(size_t *)context;
}

static void an_evaluation_tells_how_far_it_is(void **state) {
    (void)state;
    size_t told = 0;
    fp_lab_watch(lab, watch, &told);
    if (fp_json_member(ask(EVALUATE "}"), "error")) fail_msg("no evaluation");
    assert_true(told > 0);
    size_t before = told;
    fp_lab_watch(lab, NULL, NULL);
    if (fp_json_member(ask(EVALUATE "}"), "error")) fail_msg("no evaluation");
    assert_int_equal(told, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_refusal_has_its_reason, open_lab, close_lab),
        cmocka_unit_test_setup_teardown(the_cells_hold_each_pair_once, open_lab, close_lab),
        cmocka_unit_test_setup_teardown(an_evaluation_tells_how_far_it_is, open_lab, close_lab)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
