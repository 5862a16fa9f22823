/* SPDX-License-Identifier: GPL-3.0-or-later
 * The file of a choice: written and read again, and files that are none. */
#include "reports/tables/choice_file.h"

#include <math.h>
#include <unistd.h>

#include "tests/support.h"

static void a_choice_survives_its_file(void **state) {
    (void)state;
    char path[] = "/tmp/fplab-choice-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    fp_arena *arena = fp_arena_new();
    fp_choice choice = {.arm = "simhash:bits=64",
                        .name = "\"ours\" 我们",
                        .scale = "bits of 64",
                        .threshold = 23.49,
                        .objective = "F1",
                        .min_precision = NAN,
                        .corpus = "made",
                        .documents_sha256 = "00ff",
                        .pairs_sha256 = "",
                        .confidence = 0.95,
                        .held_out = {0.1 + 0.2, {0.25, 0.35}},
                        .precision = {NAN, {NAN, NAN}},
                        .recall = {1.0 / 3, {0, 1}}},
              read;
    ASSERT_GOOD(fp_choice_save(&choice, path, &test_error));
    ASSERT_GOOD(fp_choice_read(path, arena, &read, &test_error));
    assert_string_equal(read.arm, choice.arm);
    assert_string_equal(read.name, choice.name);
    assert_string_equal(read.pairs_sha256, "");
    assert_true(read.threshold == 23.49 && read.held_out.value == 0.1 + 0.2 && read.recall.value == 1.0 / 3);
    assert_true(isnan(read.precision.value) && isnan(read.min_precision) && read.recall.interval.high == 1);
    static const struct {
        const char *content, *words;
    } BAD[] = {
        {"", "not JSON"},
        {"[]", "a choice is a JSON object"},
        {"{\"arm\": 7}", "\"arm\" is missing or not a string"},
        {"{\"arm\": \"simhash\", \"name\": \"a\", \"scale\": \"b\", \"objective\": \"F1\"}",
         "\"threshold\" is missing"},
        {"{\"arm\": \"simhash\", \"name\": \"a\", \"scale\": \"b\", \"objective\": \"F1\", \"threshold\": -1}",
         "not a distance"},
        {"{\"arm\": \"simhash\", \"name\": \"a\", \"scale\": \"b\", \"objective\": \"F1\", \"threshold\": \"7\"}",
         "\"threshold\" is not a number"}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        FILE *stream = fopen(path, "w");
        fputs(BAD[i].content, stream);
        fclose(stream);
        fp_error error = {0};
        assert_int_not_equal(fp_choice_read(path, arena, &read, &error), FP_OK);
        if (!strstr(error.message, BAD[i].words)) fail_msg("%s: %s", BAD[i].content, error.message);
        assert_string_equal(error.file, path);
    }
    unlink(path);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_choice_survives_its_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
