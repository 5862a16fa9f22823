/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * IDF values, read anew from jieba's list.
 */
#include "tests/text/segmentation/segment_support.h"
#include "text/features/extract.h"
#include "text/segmentation/jieba_table.h"
#include "tests/support.h"

static void idf_is_known_for_every_word_of_the_list(void **state) {
    fixture *it = *state;
    fp_string content, line, word, number;
    static const char list[] = "/usr/lib/python3/dist-packages/jieba/analyse/idf.txt";
    if (fp_read_file(list, it->arena, &content, NULL) != FP_OK) SKIP_BECAUSE("%s cannot be read", list);
    size_t count = 0;
    double sum = 0;
    for (; fp_next_line(&content, &line); count++) {
        assert_true(fp_next_field(&line, ' ', &word) && fp_next_field(&line, ' ', &number));
        double idf = strtod(number.data, NULL);
        if (fp_idf_builtin(word) != idf) fail_msg("%.*s", (int)word.length, word.data);
        sum += idf;
    }
    assert_true(count > 200000);
    assert_true(fp_jieba_builtin()->idf_mean == sum / (double)count);
}

/* From the list's lines. */
static void idf_values(void **state) {
    (void)state;
    assert_true(fp_idf_builtin(fp_string_of("劳动防护")) == 13.900677652);
    assert_true(fp_idf_builtin(fp_string_of("岗上")) == 11.5027823792);
    static const char *const unknown[] = {"", "，", "劳动防", "劳动防护服劳动防护服", "q", "\360\240\256\267", "é"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_true(fp_idf_builtin(fp_string_of(unknown[i])) == fp_jieba_builtin()->idf_mean);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(idf_is_known_for_every_word_of_the_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(idf_values, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
