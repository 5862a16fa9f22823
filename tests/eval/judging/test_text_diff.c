/* SPDX-License-Identifier: GPL-3.0-or-later
 * Differences of two texts, as a judge sees them. */
#include "eval/judging/text_diff.h"
#include "tests/support.h"

static void assert_diff(const char *a, const char *b, const char *expected) {
    fp_arena *arena = fp_arena_new();
    fp_diff diff;
    char marked[512] = "";
    ASSERT_GOOD(fp_diff_make(fp_string_of(a), fp_string_of(b), arena, &diff, &test_error));
    for (size_t i = 0; i < diff.count; i++) {
        const fp_diff_run *run = diff.runs + i;
        size_t at = strlen(marked);
        if (run->same) snprintf(marked + at, sizeof marked - at, "%.*s", (int)run->a.length, run->a.data);
        else
            snprintf(marked + at, sizeof marked - at, "[%.*s|%.*s]", (int)run->a.length, run->a.data,
                     (int)run->b.length, run->b.data);
    }
    assert_string_equal(marked, expected);
    fp_arena_free(arena);
}

static void differences_by_hand(void **state) {
    (void)state;
    assert_diff("", "", "");
    assert_diff("", "新", "[|新]");
    assert_diff("旧", "", "[旧|]");
    assert_diff("今天天气很好", "今天天气很好", "今天天气很好");
    assert_diff("今天天气很好", "今天天气真好", "今天天气[很|真]好");
    assert_diff("the quick brown fox", "the quicker brown fox",
                "the [quick|quicker] brown fox"); /* words, not letters */
    assert_diff("2023年3月", "2024年3月", "[2023|2024]年3月");
    assert_diff("甲乙丙，丁戊己", "子丑寅，辰巳午", "[甲乙丙，丁戊己|子丑寅，辰巳午]"); /* a comma is a coincidence */
    assert_diff("甲乙丙同样子丑寅", "一二三同样五六七", "[甲乙丙同样子丑寅|一二三同样五六七]");
    assert_diff("甲乙丙丁同样的子丑寅卯", "一二三四同样的五六七八", "[甲乙丙丁|一二三四]同样的[子丑寅卯|五六七八]");
    assert_diff("春眠不觉晓", "春眠不知觉晓处", "春眠不[|知]觉晓[|处]");
}

/* Insertions and deletions in a random text: the runs make up both texts, the same is the same, and the script is no
 * longer than the edits. */
static void differences_of_random_edits(void **state) {
    (void)state;
    enum { LENGTH = 6000, ROUNDS = 8 };
    fp_arena *arena = fp_arena_new();
    for (uint64_t round = 0; round < ROUNDS; round++) {
        fp_arena_reset(arena);
        char *a = fp_arena_alloc(arena, LENGTH * 4, 1), *b = fp_arena_alloc(arena, LENGTH * 8, 1), *to_a = a, *to_b = b;
        size_t edits = 0, every = round == 0 ? 2 : 3 + 40 * round; /* the first round goes past FP_DIFF_EFFORT */
        for (uint64_t i = 0; i < LENGTH; i++) {
            uint64_t random = fp_mix(round, i);
            uint32_t code = 0x4e00 + (uint32_t)(random % 3000);
            char bytes[4];
            size_t size = (size_t)snprintf(bytes, sizeof bytes, "%c%c%c", (char)(0xe0 | code >> 12),
                                           (char)(0x80 | (code >> 6 & 63)), (char)(0x80 | (code & 63)));
            bool edit = random >> 32 < UINT32_MAX / every, insert = edit && random & 1 << 20;
            edits += edit;
            if (!insert) memcpy(to_a, bytes, size), to_a += size;
            if (!edit || insert) memcpy(to_b, bytes, size), to_b += size;
        }
        fp_diff diff;
        ASSERT_GOOD(fp_diff_make(fp_string_of(a), fp_string_of(b), arena, &diff, &test_error));
        size_t at_a = 0, at_b = 0, changed = 0, same = 0;
        for (size_t i = 0; i < diff.count; i++) {
            const fp_diff_run *run = diff.runs + i;
            assert_true(run->a.data == a + at_a && run->b.data == b + at_b &&
                        (i == 0 || run->same != diff.runs[i - 1].same));
            at_a += run->a.length;
            at_b += run->b.length;
            if (run->same) assert_true(fp_string_equal(run->a, run->b) && run->a.length > 0);
            same += run->same ? run->a.length / 3 : 0;
            changed += run->same ? 0 : (run->a.length + run->b.length) / 3;
        }
        assert_true(at_a == strlen(a) && at_b == strlen(b));
        if (round > 0) assert_true(changed <= edits);
        if (round > 0) assert_true(same >= LENGTH - edits);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences_by_hand),
                                       cmocka_unit_test(differences_of_random_edits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
