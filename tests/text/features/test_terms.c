/* SPDX-License-Identifier: GPL-3.0-or-later
 * Term tables (terms=FILE): the worked examples of SimHash from the text to the bits, and every way in which a table
 * can be wrong. */
#include "base/explanation.h"
#include "tests/support.h"

/* A table in a file of its own; the path lives in `arena`. */
static const char *table_of(const char *content, fp_arena *arena) {
    char path[] = "/tmp/fplab-terms-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, content, strlen(content)), (ssize_t)strlen(content));
    close(file);
    return fp_string_copy(arena, fp_string_of(path));
}

/* The features of a text under an arm, with their terms. */
static fp_features features_of(const fp_arm *arm, const char *text, fp_arena *arena) {
    fp_text treated;
    fp_document document = {0};
    ASSERT_GOOD(fp_preprocess(arm->preprocessor, fp_string_of(text), fp_arm_wants(arm), arena, &treated, &test_error));
    ASSERT_GOOD(fp_arm_document(arm, &treated, true, arena, &document, &test_error));
    return document.features;
}

static void assert_cell(const fp_explanation *told, const char *title, size_t row, size_t column,
                        const char *expected) {
    for (const fp_explain_step_data *step = told->first; step; step = step->next) {
        if (strncmp(step->title, title, strlen(title)) != 0) continue;
        assert_string_equal(fp_explain_at(step, row, column), expected);
        return;
    }
    fail_msg("no step %s", title);
}

static fp_explanation explained(const char *spec, const char *text, fp_arena *arena) {
    fp_arm *arm = test_arm(spec, NULL, 0, arena);
    fp_document document = {.features = features_of(arm, text, arena)};
    fp_explanation told = {.arena = arena};
    ASSERT_GOOD(arm->instance.algorithm->explain(&arm->instance, &document, arena, &told, &test_error));
    assert_false(told.failed);
    return told;
}

/* The worked figure of the SimHash example: the other words of the headline are not in the table and are dropped. */
static void six_bits_from_the_headline(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_explanation told = explained("simhash:bits=6,features=words,weight=table,terms=tests/data/terms_six_bits.tsv",
                                    "美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人", arena);
    assert_cell(&told, "1-2.", 0, 0, "美国");
    assert_cell(&told, "1-2.", 0, 2, "100101");
    assert_cell(&told, "1-2.", 1, 0, "51区");
    assert_cell(&told, "1-2.", 1, 2, "101011");
    assert_cell(&told, "3.", 0, 2, "4 -4 -4 4 -4 4");
    assert_cell(&told, "3.", 1, 2, "5 -5 5 -5 5 5");
    assert_cell(&told, "4.", 0, 0, "9 -9 1 -1 1 9");
    assert_cell(&told, "5.", 0, 0, "101011");
    fp_arena_free(arena);
}

/* A second worked figure: two terms, and by hand all four: 1 -1 -1 9 1 1 -1 -1. */
static void eight_bits(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const char *spec = "simhash:bits=8,features=words,weight=table,terms=tests/data/terms_eight_bits.tsv";
    fp_explanation two = explained(spec, "12306的服务器", arena),
                   four = explained(spec, "12306的服务器出了故障，没有车次", arena);
    assert_cell(&two, "4.", 0, 0, "1 -1 -1 9 1 9 -9 -1");
    assert_cell(&four, "4.", 0, 0, "1 -1 -1 9 1 1 -1 -1");
    assert_cell(&four, "5.", 0, 0, "10011100");
    fp_arena_free(arena);
}

/* Terms with equal bits stay two features; weights other than the table's count as ever; top keeps the heaviest of
 * what the table knows; the table may be in another script and case than the text. */
static void tables_and_features(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const char *path = table_of("\n# comment\n苹果\t0101\t2\n电视\t0101\t3\r\nＡＢＣ\t1111\t1\n書\t0000\t0.5\n", arena);
    fp_arm *table =
        test_arm(fp_format(arena, "simhash:bits=4,features=words,weight=table,terms=%s", path), NULL, 0, arena);
    fp_features made = features_of(table, "苹果 电视 abc 书 苹果 香蕉", arena);
    assert_int_equal(made.count, 4);
    assert_int_equal(made.length, 5);
    static const double WEIGHT[] = {2, 3, 1, 0.5};
    static const uint64_t BITS[] = {5, 5, 15, 0};
    for (size_t i = 0; i < 4; i++) {
        assert_true(made.weight[i] == WEIGHT[i]);
        assert_int_equal(made.hash[i] & 15, BITS[i]);
    }
    assert_true(made.hash[0] != made.hash[1]);
    assert_true(made.sequence[0] == made.hash[0] && made.sequence[4] == made.hash[0] &&
                made.sequence[3] == made.hash[3]);
    fp_arm *counted =
        test_arm(fp_format(arena, "simhash:bits=4,features=words,weight=tf,terms=%s", path), NULL, 0, arena);
    made = features_of(counted, "苹果 电视 abc 苹果 香蕉", arena);
    assert_true(made.count == 3 && made.weight[0] == 2 && made.weight[1] == 1);
    fp_arm *top =
        test_arm(fp_format(arena, "simhash:bits=4,features=words,weight=table,top=1,terms=%s", path), NULL, 0, arena);
    made = features_of(top, "香蕉 香蕉 香蕉 苹果 电视", arena);
    assert_true(made.count == 1 && made.weight[0] == 3 && made.length == 1);
    fp_arm *frequent =
        test_arm(fp_format(arena, "simhash:bits=4,features=words,weight=tf,top=1,terms=%s", path), NULL, 0, arena);
    made = features_of(frequent, "香蕉 香蕉 香蕉 苹果 电视 电视", arena);
    assert_true(made.count == 1 && made.weight[0] == 2 && (made.hash[0] & 15) == 5 && made.length == 2);
    made = features_of(table, "香蕉", arena);
    assert_true(made.count == 0 && made.length == 0);
    unlink(path);
    fp_arena_free(arena);
}

/* Sixty-four digits are a whole hash. */
static void widest(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const char *path = table_of("苹果\t1000000000000000000000000000000000000000000000000000000000000001\n", arena);
    fp_arm *arm = test_arm(fp_format(arena, "simhash:features=words,terms=%s", path), NULL, 0, arena);
    assert_true(features_of(arm, "苹果", arena).hash[0] == UINT64_C(0x8000000000000001));
    unlink(path);
    fp_arena_free(arena);
}

static void wrong_tables(void **state) {
    (void)state;
    static const struct {
        const char *content, *weight;
        fp_status code;
        size_t line;
        const char *message;
    } WRONG[] = {
        {"美国\t100101\n51区\t10101\n", "tf", FP_ERROR_RANGE, 2, "5 bits, but line 1 has 6"},
        /* Without its third column this is the weight 101. */
        {"美国\t101\t4\n", "tf", FP_ERROR_RANGE, 1, "3 bits"},
        {"美国\t10000000000000000000000000000000000000000000000000000000000000001\n", "tf", FP_ERROR_RANGE, 1,
         "65 bits"},
        {"# 美国\n美国\t100101\n\n美国\t101011\n", "tf", FP_ERROR_DUPLICATE, 4, "line 2"},
        {"發展\t100101\n发展\t101011\n", "tf", FP_ERROR_DUPLICATE, 2, "发展"},
        {"美国\t100201\n", "tf", FP_ERROR_SYNTAX, 1, "100201"},
        {"美国\t100101 \n", "tf", FP_ERROR_SYNTAX, 1, "0 and 1"},
        {"美国\t100101\n51区\n", "tf", FP_ERROR_SYNTAX, 2, "expected term, tab, bits"},
        {"美国 100101\n", "tf", FP_ERROR_SYNTAX, 1, "expected term, tab, bits"},
        {"美国\t100101\t4\t5\n", "tf", FP_ERROR_SYNTAX, 1, "more than three"},
        {"\t100101\n", "tf", FP_ERROR_SYNTAX, 1, "term is empty"},
        {"美国\t100101\t4\n51区\t101011\n", "table", FP_ERROR_SYNTAX, 2, "no weight"},
        {"美国\t100101\tvier\n", "table", FP_ERROR_SYNTAX, 1, "vier"},
        {"美国\t100101\t0\n", "tf", FP_ERROR_RANGE, 1, "not above 0"},
        {"美国\t100101\t-1\n", "table", FP_ERROR_RANGE, 1, "not above 0"},
        {"美国\t100101\n\xff\t101011\n", "tf", FP_ERROR_ENCODING, 2, "UTF-8"},
        {"# nothing\n", "tf", FP_ERROR_EMPTY, SIZE_MAX, "no terms"},
        {"", "tf", FP_ERROR_EMPTY, SIZE_MAX, "no terms"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm;
        fp_error error = {0};
        const char *path = table_of(WRONG[i].content, arena);
        const char *spec = fp_format(arena, "simhash:bits=6,features=words,weight=%s,terms=%s", WRONG[i].weight, path);
        fp_status status = fp_arm_parse(spec, NULL, arena, &arm, &error);
        if (status != WRONG[i].code || !strstr(error.message, WRONG[i].message) || error.line != WRONG[i].line)
            fail_msg("table %zu: %s, line %zu: %s", i, fp_status_name(status), error.line, error.message);
        assert_string_equal(error.file, path);
        unlink(path);
        fp_arena_free(arena);
    }
}

/* A fingerprint as wide as the codes, or none; other algorithms do not read the bits one by one and take any table. */
static void wrong_arms(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    fp_error error = {0};
    assert_int_equal(
        fp_arm_parse("simhash:features=words,terms=tests/data/terms_six_bits.tsv", NULL, arena, &arm, &error),
        FP_ERROR_RANGE);
    assert_non_null(strstr(error.message, "use bits=6"));
    assert_int_equal(fp_arm_parse("simhash:weight=table", NULL, arena, &arm, &error), FP_ERROR_RANGE);
    assert_non_null(strstr(error.message, "terms=FILE"));
    assert_int_equal(fp_arm_parse("simhash:bits=6,terms=tests/data/missing.tsv", NULL, arena, &arm, &error),
                     FP_ERROR_IO);
    static const char *const GOOD[] = {"minhash", "jaccard", "cosine", "hyperplane"};
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        const char *spec =
            fp_format(arena, "%s:features=words,weight=table,terms=tests/data/terms_six_bits.tsv", GOOD[i]);
        double d = test_distance(spec, "美国的51区", "美国", arena);
        assert_true(d > 0 && test_distance(spec, "美国的51区", "51区在美国", arena) == 0);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_bits_from_the_headline),
        cmocka_unit_test(eight_bits),
        cmocka_unit_test(tables_and_features),
        cmocka_unit_test(widest),
        cmocka_unit_test(wrong_tables),
        cmocka_unit_test(wrong_arms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
