/* SPDX-License-Identifier: GPL-3.0-or-later
 * The lab behind one function, in the program's own build. What it answers is what the public functions give. */
#include <xxhash.h>

#include "fplab.h"
#include "tests/reports/lab/lab_support.h"

static const fp_json *item(const fp_json *list, size_t i) {
    const fp_json *at = list->first;
    while (at && i--) at = at->next;
    assert_non_null(at);
    return at;
}

static size_t length_of(const fp_json *list) {
    size_t count = 0;
    for (const fp_json *at = list->first; at; at = at->next) count++;
    return count;
}

static const char *text_of(const fp_json *value) { return fp_string_copy(arena, value->text); }

static void says(const char *request, const char *message) {
    assert_string_equal(text_of(member(ask(request), "error")), message);
}

/* ---- Texts ---- */

static void fingerprints_are_the_librarys(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash", "minhash:slots=8", "pinyin", "cosine:weight=tfidf"};
    static const char TEXT[] = "我喜欢看电视，不喜欢看电影。";
    const fp_json *arms = member(ask("{\"op\":\"fingerprint\",\"arms\":[\"simhash\",\"minhash:slots=8\",\"pinyin\","
                                     "\"cosine:weight=tfidf\"],\"texts\":[\"我喜欢看电视，不喜欢看电影。\"]}"),
                                 "arms");
    for (size_t i = 0; i < 4; i++) {
        fp_arm *arm;
        fp_sketch sketch;
        fp_string text = {TEXT, strlen(TEXT)};
        assert_int_equal(fp_arm_parse(SPECS[i], NULL, arena, &arm, NULL), FP_OK);
        if (fp_arm_learns(arm)) assert_int_equal(fp_arm_fit(arm, &text, NULL, 1, NULL, 0, NULL), FP_OK);
        assert_int_equal(fp_arm_sketch(arm, text, arena, &sketch, NULL), FP_OK);
        const fp_json *told = item(member(item(arms, i), "texts"), 0);
        assert_string_equal(text_of(member(told, "fingerprint")), fp_arm_text(arm, sketch, arena));
        assert_string_equal(text_of(member(told, "empty")), "false");
    }
}

static void an_arm_that_fails_leaves_the_others(void **state) {
    (void)state;
    const fp_json *arms =
        member(ask("{\"op\":\"fingerprint\",\"arms\":[\"simhahs\",\"simhash\"],\"texts\":[\"\"]}"), "arms");
    assert_non_null(strstr(text_of(member(item(arms, 0), "error")), "simhash"));
    assert_string_equal(text_of(member(item(member(item(arms, 1), "texts"), 0), "empty")), "true");
}

/* Each once, in the order of the text, with its count as weight; white space is folded. */
static void features_are_columns(void **state) {
    (void)state;
    const fp_json *told =
        ask("{\"op\":\"features\",\"arm\":\"cosine:features=chars:2,weight=tf\",\"text\":\"𠀀A  bA b\"}");
    const fp_json *features = member(told, "features");
    assert_string_equal(text_of(member(told, "normalised")), "𠀀a  ba b");
    static const char *const TERMS[] = {"𠀀a", "a ", " b", "ba"};
    static const double WEIGHT[] = {1, 2, 2, 1};
    assert_int_equal(length_of(member(features, "term")), 4);
    for (size_t i = 0; i < 4; i++) {
        char hash[17];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)XXH3_64bits(TERMS[i], strlen(TERMS[i])));
        assert_string_equal(text_of(item(member(features, "term"), i)), TERMS[i]);
        assert_string_equal(text_of(item(member(features, "hash"), i)), hash);
        assert_true(number_of(item(member(features, "weight"), i)) == WEIGHT[i]);
    }
    told = ask("{\"op\":\"features\",\"arm\":\"simhash:stop=shipped\",\"text\":\"他的话，话\"}");
    features = member(told, "features");
    size_t last = length_of(member(features, "term")) - 1;
    assert_string_equal(text_of(item(member(features, "term"), last)), "话");
    told = ask("{\"op\":\"features\",\"arm\":\"pinyin\",\"text\":\"今天通车\"}");
    assert_string_equal(text_of(member(told, "initials")), "jttc");
}

/* ---- Two texts ---- */

static void places_that_differ_make_the_distance(void **state) {
    (void)state;
    const fp_json *arms =
        member(ask("{\"op\":\"compare\",\"arms\":[\"simhash\",\"simhash:bits=128\",\"minhash\",\"pinyin\"],"
                   "\"a\":\"我是中国人，我喜欢看电视\",\"b\":\"我是中国人啊，我不喜欢看电影\"}"),
               "arms");
    for (size_t i = 0; i < 3; i++) {
        const fp_json *arm = item(arms, i), *differing = member(arm, "differing");
        assert_true((double)length_of(differing) == number_of(member(arm, "distance")));
        if (i == 2) continue;
        const char *a = text_of(member(member(arm, "a"), "bits")), *b = text_of(member(member(arm, "b"), "bits"));
        for (const fp_json *at = differing->first; at; at = at->next) {
            size_t place = (size_t)number_of(at);
            assert_true(a[place] != b[place]);
        }
        /* The highest bit is the first digit's. */
        const char *written = text_of(member(member(arm, "a"), "fingerprint"));
        char first[2] = {written[0], '\0'};
        assert_int_equal(a[0] - '0', strtol(first, NULL, 16) >> 3);
    }
}

/* A new lab gives the same answer as one that was asked before: a walk over texts, there and back, with both orders. */
static void answers_do_not_depend_on_earlier_ones(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"我是中国人", "我是中国人啊", "", "天气很好", "x"};
    double distance[5][5];
    for (int fresh = 1; fresh >= 0; fresh--) {
        for (int step = 0; step < 60; step++) {
            int a = step % 5, b = (step / 5 + step) % 5;
            char request[300];
            if (fresh) {
                fp_lab_close(lab);
                lab = fp_lab_open();
            }
            snprintf(request, sizeof request, "{\"op\":\"compare\",\"arms\":[\"jaccard\"],\"a\":\"%s\",\"b\":\"%s\"}",
                     TEXTS[a], TEXTS[b]);
            double told = number_of(member(item(member(ask(request), "arms"), 0), "distance"));
            if (fresh) distance[a][b] = told;
            assert_true(told == distance[a][b]);
        }
    }
}

static void nothing_is_no_evidence(void **state) {
    (void)state;
    const fp_json *arm =
        item(member(ask("{\"op\":\"compare\",\"arms\":[\"simhash\"],\"a\":\"\",\"b\":\"\"}"), "arms"), 0);
    assert_string_equal(text_of(member(arm, "evidence")), "false");
    assert_true(number_of(member(arm, "distance")) == 64);
    assert_int_equal(member(arm, "similarity")->type, FP_JSON_NULL);
}

static void steps_are_data(void **state) {
    (void)state;
    const fp_json *steps =
        member(ask("{\"op\":\"explain\",\"arm\":\"simhash:bits=8\",\"text\":\"我喜欢看电视\"}"), "steps");
    assert_string_equal(text_of(item(member(item(steps, 0), "columns"), 0)), "term");
    assert_string_equal(text_of(item(item(member(item(steps, 0), "rows"), 0), 0)), "我");
    assert_int_equal(item(item(member(item(steps, 0), "rows"), 0), 1)->type, FP_JSON_NUMBER);
}

/* The words of a class: three hashes of six bits and weights by hand. Sums from the highest bit: 4+1-2, 4-1+2, … */
static void features_may_be_given(void **state) {
    (void)state;
    const fp_json *steps =
        member(ask("{\"op\":\"explain\",\"arm\":\"simhash:bits=6\",\"features\":{\"term\":[\"x\",\"y\",\"z\"],"
                   "\"hash\":[\"38\",\"25\",\"1a\"],\"weight\":[4,1,2]}}"),
               "steps");
    const fp_json *sums = item(item(member(item(steps, 2), "rows"), 0), 0);
    assert_string_equal(text_of(sums), "3 5 5 -5 -3 -5");
    says("{\"op\":\"explain\",\"arm\":\"simhash\",\"features\":{\"term\":[\"x\"],\"hash\":[\"g\"],\"weight\":[1]}}",
         "a hash is up to sixteen hexadecimal digits");
    says("{\"op\":\"explain\",\"arm\":\"simhash\",\"features\":{\"term\":[\"x\"],\"hash\":[],\"weight\":[1]}}",
         "the request's \"features\" have no good column \"hash\"");
}

/* ---- A corpus ---- */

#define DOCUMENTS                                                                                      \
    "\"documents\":[{\"id\":\"a\",\"text\":\"我是中国人，我喜欢看电视\",\"group\":\"g\"}," \
    "{\"id\":\"b\",\"text\":\"我是中国人，我喜欢看电视。\",\"group\":\"g\"},"             \
    "{\"id\":\"c\",\"text\":\"天气很好，去公园散步\",\"group\":\"h\"},"                      \
    "{\"id\":\"d\",\"text\":\"天气很好，去公园走走\",\"group\":\"h\"}]"

/* Four documents in two groups: six pairs, two of them duplicates. */
static void groups_are_evaluated(void **state) {
    (void)state;
    const fp_json *told = ask("{\"op\":\"evaluate\",\"arms\":[\"oracle\",\"constant\"]," DOCUMENTS "}");
    if (fp_json_member(told, "error")) fail_msg("%s", text_of(member(told, "error")));
    assert_true(number_of(member(told, "positives")) == 2 && number_of(member(told, "negatives")) == 4);
    const fp_json *oracle = item(member(told, "arms"), 0), *row = item(member(oracle, "rows"), 2);
    assert_true(number_of(member(row, "threshold")) == 3);
    assert_true(number_of(member(row, "tp")) == 2 && number_of(member(row, "fp")) == 0);
    assert_true(number_of(item(member(row, "precision"), 0)) == 1);
    row = item(member(item(member(told, "arms"), 1), "rows"), 0);
    assert_true(number_of(member(row, "tp")) == 2 && number_of(member(row, "fp")) == 4);
    told = ask("{\"op\":\"pairs\",\"arm\":1,\"cell\":\"fp\",\"threshold\":1,\"most\":3}");
    assert_true(number_of(member(told, "count")) == 4);
    assert_int_equal(length_of(member(member(told, "pairs"), "a")), 3);
}

/* Eighty documents have 3,160 pairs, and cosine as many distances: fewer bars, which hold all pairs. */
static void long_histograms_are_shortened(void **state) {
    (void)state;
    char *request =
        fp_string_copy(arena, fp_string_of("{\"op\":\"evaluate\",\"arms\":[\"projection\"],\"hash_seeds\":1,"
                                           "\"documents\":["));
    for (int i = 0; i < 80; i++)
        request = fp_format(arena, "%s%s{\"id\":\"%d\",\"group\":\"%d\",\"text\":\"天气%d很好%d去公园%d散步\"}",
                            request, i ? "," : "", i, i / 2, i * 7919 % 1000, i * 104729 % 997, i * 31 % 1009);
    const fp_json *told = ask(fp_format(arena, "%s]}", request));
    if (fp_json_member(told, "error")) fail_msg("%s", text_of(member(told, "error")));
    const fp_json *histogram = member(item(member(told, "arms"), 0), "histogram");
    double positives = 0, negatives = 0, last = -1;
    for (const fp_json *at = member(histogram, "positives")->first; at; at = at->next) positives += number_of(at);
    for (const fp_json *at = member(histogram, "negatives")->first; at; at = at->next) negatives += number_of(at);
    assert_true(positives == 40 && negatives == 3160 - 40);
    size_t bars = length_of(member(histogram, "distance"));
    assert_true(bars < 2002 && bars == length_of(member(histogram, "negatives")));
    for (const fp_json *at = member(histogram, "distance")->first; at; at = at->next) {
        assert_true(number_of(at) > last && number_of(at) <= 64);
        last = number_of(at);
    }
}

static void pairs_are_evaluated(void **state) {
    (void)state;
    const fp_json *told =
        ask("{\"op\":\"evaluate\",\"arms\":[\"oracle\",\"nonsense\"],\"pairs\":[[\"a\",\"b\",1],[\"a\",\"c\",0]],"
            "\"thresholds\":[0,2.5]," DOCUMENTS "}");
    assert_true(number_of(member(told, "positives")) == 1 && number_of(member(told, "negatives")) == 1);
    assert_int_equal(length_of(member(item(member(told, "arms"), 0), "rows")), 2);
    assert_string_equal(text_of(member(item(member(told, "failed"), 0), "arm")), "nonsense");
}

static void a_broken_corpus_is_told_in_one_line(void **state) {
    (void)state;
    says("{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[]}", "the corpus has no document");
    says("{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"id\":\"a\",\"text\":\"\"}]}",
         "the corpus has no labels: neither pairs nor groups");
    says(
        "{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"id\":\"a\",\"text\":\"\"},{\"id\":\"a\",\"text\":\"\"}]}",
        "document 2 has the id of document 1, \"a\"");
    says("{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"documents\":[{\"id\":\"a\"}]}",
         "document 1 has no text as its \"text\"");
    says("{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"pairs\":[[\"a\",\"x\",1]]," DOCUMENTS "}",
         "pair 1: there is no document \"x\"");
    says("{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"pairs\":[[\"a\",\"b\",1],[\"b\",\"a\",0]]," DOCUMENTS "}",
         "pair 2 contradicts pair 1");
    says("{\"op\":\"evaluate\",\"arms\":[\"simhash\"],\"pairs\":[[\"a\",\"b\",2]]," DOCUMENTS "}",
         "pair 1 has a label that is neither 0 nor 1");
    says("{\"op\":\"pairs\",\"cell\":\"fp\"}", "nothing was evaluated yet");
}

/* ---- Requests ---- */

static void a_broken_request_is_told_in_one_line(void **state) {
    (void)state;
    says("[]", "the request is no JSON object");
    says("{}", "the request's \"op\" is no text");
    says("{\"op\":\"dance\"}", "the lab knows no operation \"dance\"");
    says("{\"op\":\"compare\",\"a\":\"x\"}", "the request's \"b\" is no text");
    says("{\"op\":\"fingerprint\",\"texts\":[1]}", "text 0 of the request's \"texts\" is no text");
    assert_non_null(fp_json_member(ask("{\"op\":"), "error"));
    assert_non_null(fp_json_member(ask(""), "error"));
    assert_non_null(fp_json_member(ask("{\"op\":\"features\",\"arm\":\"simhash\",\"text\":\"\xff\"}"), "error"));
}

/* One after the other, and again. */
static void many_arms_are_answered(void **state) {
    (void)state;
    for (int round = 0; round < 2; round++)
        for (int slots = 1; slots <= 100; slots++) {
            char request[200];
            snprintf(request, sizeof request,
                     "{\"op\":\"fingerprint\",\"arms\":[\"minhash:slots=%d\"],\"texts\":[\"我是中国人\"]}", slots);
            const fp_json *told = item(member(item(member(ask(request), "arms"), 0), "texts"), 0);
            assert_int_equal(member(told, "fingerprint")->text.length, (size_t)(slots + slots % 2) * 8);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fingerprints_are_the_librarys),
                                       cmocka_unit_test(an_arm_that_fails_leaves_the_others),
                                       cmocka_unit_test(features_are_columns),
                                       cmocka_unit_test(places_that_differ_make_the_distance),
                                       cmocka_unit_test(answers_do_not_depend_on_earlier_ones),
                                       cmocka_unit_test(nothing_is_no_evidence),
                                       cmocka_unit_test(steps_are_data),
                                       cmocka_unit_test(features_may_be_given),
                                       cmocka_unit_test(groups_are_evaluated),
                                       cmocka_unit_test(long_histograms_are_shortened),
                                       cmocka_unit_test(pairs_are_evaluated),
                                       cmocka_unit_test(a_broken_corpus_is_told_in_one_line),
                                       cmocka_unit_test(a_broken_request_is_told_in_one_line),
                                       cmocka_unit_test(many_arms_are_answered)};
    return cmocka_run_group_tests(tests, open_lab, close_lab);
}
