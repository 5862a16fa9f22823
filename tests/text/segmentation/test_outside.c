/* SPDX-License-Identifier: GPL-3.0-or-later
 * Segmenters from outside: chosen by name beside the registered ones, and refused where they break their promises. */
#include <fplab.h>

#include "tests/support.h"

/* Cuts as its state says: the tokens that the test wants. */
static fp_tokens wanted;

static fp_status cut_wanted(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    (void)state;
    (void)text;
    (void)scratch;
    (void)error;
    *tokens = wanted;
    return FP_OK;
}

static const fp_segmenter OWN = {"own", "what the test wants", NULL, cut_wanted};

static fp_status parse(const char *spec, const fp_segmenter *first, const fp_segmenter *second, fp_arena *arena,
                       fp_arm **arm, fp_error *error) {
    const fp_segmenter **list = fp_arena_alloc(arena, 3, sizeof *list);
    list[0] = first;
    list[1] = second;
    const fp_extensions more = {.size = sizeof more, .segmenters = list};
    return fp_arm_parse(spec, &more, arena, arm, error);
}

static void an_arm_chooses_it_by_name(void **state) {
    (void)state;
    static const fp_token TOKENS[] = {{0, 3}, {3, 9}};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm, *exact;
    fp_features features;
    wanted = (fp_tokens){TOKENS, 2};
    ASSERT_GOOD(parse("simhash:segmenter=own,features=words,weight=tf", &OWN, NULL, arena, &arm, &test_error));
    ASSERT_GOOD(fp_arm_features(arm, fp_string_of("看电视"), arena, &features, &test_error));
    assert_int_equal(features.count, 2);
    assert_true(fp_string_equal(fp_features_term(&features, 1), fp_string_of("电视")));
    assert_non_null(strstr(fp_arm_spec(arm), "segmenter=own"));
    assert_string_equal(fp_arm_compared(arm, arena), "words tf segmenter=own");
    /* The exact arm on the same features knows it, too. */
    ASSERT_GOOD(fp_arm_counterpart(arm, arena, &exact, &test_error));
    assert_non_null(strstr(fp_arm_spec(exact), "segmenter=own"));
    ASSERT_GOOD(parse("simhash:segmenter=icu", &OWN, NULL, arena, &arm, &test_error));
    fp_arena_free(arena);
}

static void names_are_told_apart(void **state) {
    (void)state;
    static const fp_segmenter JIEBA = {"jieba", "another", NULL, cut_wanted}, BAD = {"my own", "", NULL, cut_wanted};
    static const fp_segmenter EMPTY = {"empty", "", NULL, NULL};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    assert_int_equal(parse("simhash", &JIEBA, NULL, arena, &arm, NULL), FP_ERROR_DUPLICATE);
    assert_int_equal(parse("simhash", &OWN, &OWN, arena, &arm, NULL), FP_ERROR_DUPLICATE);
    assert_int_equal(parse("simhash", &BAD, NULL, arena, &arm, NULL), FP_ERROR_RANGE);
    assert_int_equal(parse("simhash", &EMPTY, NULL, arena, &arm, NULL), FP_ERROR_RANGE);
    assert_int_equal(parse("simhash:segmenter=owm", &OWN, NULL, arena, &arm, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "did you mean own?"));
    assert_int_equal(fp_arm_parse("simhash:segmenter=own", NULL, arena, &arm, NULL), FP_ERROR_RANGE);
    /* A program that was compiled when there were no segmenters in it. */
    const fp_segmenter *const list[] = {&OWN, NULL};
    const fp_extensions older = {.size = offsetof(fp_extensions, segmenters), .segmenters = list};
    assert_int_equal(fp_arm_parse("simhash:segmenter=own", &older, arena, &arm, NULL), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* Of 看a电: 3, 1 and 3 bytes. */
static void broken_promises_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t count;
        fp_token token[3];
        bool good;
    } CASES[] = {
        {3, {{0, 3}, {3, 4}, {4, 7}}, true},  {2, {{0, 4}, {3, 7}}, true},  /* overlapping */
        {3, {{0, 3}, {3, 4}, {4, 8}}, false},                               /* behind the end */
        {2, {{0, 3}, {3, 4}}, false},                                       /* not all */
        {2, {{0, 3}, {4, 7}}, false},                                       /* a gap */
        {2, {{1, 3}, {3, 7}}, false},                                       /* inside a character */
        {2, {{0, 5}, {5, 7}}, false},         {2, {{3, 7}, {0, 3}}, false}, /* out of order */
        {3, {{0, 3}, {3, 3}, {3, 7}}, false},                               /* empty */
        {2, {{0, 7}, {6, 4}}, false},         {0, {{0, 0}}, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm;
        fp_sketch sketch;
        fp_error error = {0};
        wanted = (fp_tokens){CASES[i].token, CASES[i].count};
        ASSERT_GOOD(parse("simhash:segmenter=own,features=words", &OWN, NULL, arena, &arm, &test_error));
        fp_status status = fp_arm_sketch(arm, fp_string_of("看a电"), arena, &sketch, &error);
        if (status != (CASES[i].good ? FP_OK : FP_ERROR_RANGE)) fail_msg("case %zu: %d %s", i, status, error.message);
        if (!CASES[i].good) assert_non_null(strstr(error.message, "the segmenter own "));
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_chooses_it_by_name),
        cmocka_unit_test(names_are_told_apart),
        cmocka_unit_test(broken_promises_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
