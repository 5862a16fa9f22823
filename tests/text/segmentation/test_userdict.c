/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * User dictionaries. The tokens are those of jieba 0.42.1 (Debian's python3-jieba) after load_userdict; the deep test
 * compares many more.
 */
#include <unistd.h>

#include "tests/text/segmentation/segment_support.h"

/* Writes a dictionary and gives its path. */
static const char *dictionary(fixture *it, const char *rows) {
    char *path = fp_string_copy(it->arena, fp_string_of("/tmp/fplab-userdict-XXXXXX"));
    int file = mkstemp(path);
    assert_true(file >= 0);
    size_t length = strlen(rows);
    assert_int_equal(write(file, rows, length), length);
    close(file);
    return path;
}

/* `plain` is the cut without the model. */
static void expect_with(fixture *it, const char *rows, const char *text, const char *wanted, const char *plain) {
    const char *path = dictionary(it, rows);
    fp_segment_options options = {.hmm = true, .userdict = path};
    expect(it, "jieba", options, text, wanted);
    options.hmm = false;
    expect(it, "jieba", options, text, plain);
    unlink(path);
}

static void user_dictionary_is_laid_over(void **state) {
    static const char *const rows =
        "\xef\xbb\xbf石墨烯 5 n\r\n区块链\n深度学习 nz\n\n江大桥 20000\n凱特琳 nz\n看电视 0\n"
        "  云计算 3  \n4S店 0\nC++11 3\n";
    static const char *const cases[][3] = {
        {"他们在做云计算平台", "他们|在|做|云计算|平台", "他们|在|做|云计算|平台"},
        {"电脑修好了，凱特琳去超市", "电脑|修好|了|，|凱特琳|去|超市", "电脑|修好|了|，|凱特琳|去|超市"},
        {"江州市长江大桥参加了长江大桥的通车仪式", "江州|市长|江大桥|参加|了|长江大桥|的|通车|仪式",
         "江州|市长|江大桥|参加|了|长江大桥|的|通车|仪式"},
        {"石墨烯电池和区块链技术", "石墨烯|电池|和|区块链|技术", "石墨烯|电池|和|区块链|技术"},
        {"我喜欢看电视剧和看电视", "我|喜欢|看|电视剧|和|看|电视", "我|喜欢|看|电视剧|和|看|电视"},
        {"用C++11去4S店", "用|C++11|去|4S|店", "用|C++11|去|4S|店"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_with(*state, rows, cases[i][0], cases[i][1], cases[i][2]);
    expect_with(*state, "", "石墨烯电池和区块链技术", "石墨|烯|电池|和|区块|链|技术", "石墨|烯|电池|和|区块|链|技术");
}

static void later_rows_outrank(void **state) {
    expect_with(*state, "石墨烯 0\n石墨烯 900\n", "石墨烯电池", "石墨烯|电池", "石墨烯|电池");
    expect_with(*state, "石墨烯 900\n石墨烯 0\n", "石墨烯电池", "石墨|烯|电池", "石墨|烯|电池");
    expect_with(*state, "中 9999999\n将 9999999\n", "中将来了", "中|将|来|了", "中|将|来|了");
}

/* The model makes up 凱特琳 unless the user deleted it. */
static void deleted_words_are_not_made_up(void **state) {
    expect_with(*state, "", "凱特琳去超市", "凱特琳|去|超市", "凱|特|琳|去|超市");
    expect_with(*state, "凱特琳 0\n", "凱特琳去超市", "凱|特|琳|去|超市", "凱|特|琳|去|超市");
}

static void broken_rows_are_named(void **state) {
    fixture *it = *state;
    static const struct {
        const char *rows;
        size_t line;
    } cases[] = {
        {"词 5 n\n云 计算 3 n\n", 2},
        {"词 -5 n\n", 1},
        {"词 5 n\n\n词\t5\tn\n", 3},
        {"词 5 N\n", 1},
        {"词  5 n\n", 1},
        {"好 1\r\n词 99999999999999999999 n\n", 2},
        {"一 9000000000000000000\n二 9000000000000000000\n", 2},
        {"好\n\xe4\xb8 3\n", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = dictionary(it, cases[i].rows);
        fp_segment_options options = {.userdict = path};
        const void *opened;
        assert_int_equal(segmenter("jieba")->open(&options, it->arena, &opened, &it->error), FP_ERROR_SYNTAX);
        assert_string_equal(it->error.file, path);
        assert_int_equal(it->error.line, cases[i].line);
        unlink(path);
    }
}

static void missing_dictionary_is_named(void **state) {
    fixture *it = *state;
    fp_segment_options options = {.userdict = "/nowhere/user.dict"};
    const void *opened;
    assert_int_equal(segmenter("jieba")->open(&options, it->arena, &opened, &it->error), FP_ERROR_IO);
    assert_string_equal(it->error.file, "/nowhere/user.dict");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(user_dictionary_is_laid_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(later_rows_outrank, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deleted_words_are_not_made_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_rows_are_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_dictionary_is_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
