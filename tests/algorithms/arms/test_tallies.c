/* SPDX-License-Identifier: GPL-3.0-or-later
 * What parts of the texts give when they are merged, beside one fit to all: the same bytes in any division; of medians
 * the stated error. Tallies of another arm, round or form are refused. */
#include <fplab.h>
#include <math.h>

#include "algorithms/arms/arm.h"
#include "tests/support.h"

enum { COUNT = 90, LONGEST = 400, MOST = 8 };

static const struct {
    const char *spec;
    int rounds;
} SPECS[] = {
    {"cosine:weight=tfidf", 1},          {"cosine:weight=bm25", 1},
    {"minhash:weight=idf,top=5", 1},     {"pinyin:reference=corpus,granule=20", 1},
    {"simhash:center=mean,bits=100", 1}, {"simhash:center=mean,weight=tfidf", 2},
    {"simhash:center=median", 1},        {"simhash:center=median,weight=damped,bits=128", 2},
};
enum { SPEC_COUNT = sizeof SPECS / sizeof *SPECS };

/* Words at frequencies that fall off; some texts are empty. */
typedef struct corpus {
    char data[COUNT * LONGEST];
    int64_t offset[COUNT + 1];
} corpus;

static void fill(corpus *to) {
    static const char *const WORDS[] = {"今天",   "下午", "临江", "大桥", "恢复", "通车",
                                        "图书馆", "延长", "开放", "周六", "the",  "river "};
    uint64_t drawn = 1;
    char *end = to->data;
    for (size_t i = 0; i < COUNT; i++) {
        to->offset[i] = end - to->data;
        for (size_t w = 0; i % 13 && w < 3 + i % 17; w++) {
            drawn = fp_mix(drawn, i);
            const char *word = WORDS[(drawn % 12) * (drawn >> 32) % 12];
            end = stpcpy(end, word);
        }
    }
    to->offset[COUNT] = end - to->data;
}

static fp_text_column part(const corpus *of, size_t begin, size_t end) {
    return (fp_text_column){end - begin, of->data, of->offset + begin};
}

static fp_arm *parsed(const char *spec, fp_arena *arena) {
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &arm, &test_error));
    return arm;
}

static fp_string tally_of(const fp_arm *arm, const corpus *texts, size_t begin, size_t end, fp_arena *arena) {
    fp_string made;
    size_t bad = 0;
    const fp_text_column column = part(texts, begin, end);
    ASSERT_GOOD(fp_column_tally(arm, &column, arena, &made, &bad, NULL, &test_error));
    assert_int_equal(bad, SIZE_MAX);
    return made;
}

static fp_string model_of(const fp_arm *arm, fp_arena *arena) {
    fp_string bytes;
    ASSERT_GOOD(fp_arm_model_bytes(arm, arena, &bytes, &test_error));
    return bytes;
}

/* Each part is counted by an arm of its own, as on another machine; the first two parts are merged before. */
static fp_string fitted_to_parts(const char *spec, const corpus *texts, const size_t *bounds, size_t parts, int rounds,
                                 fp_arm *arm, fp_arena *arena) {
    fp_string tallies[2][MOST], merged;
    bool again = true;
    for (int round = 0; round < rounds; round++) {
        assert_true(again);
        for (size_t p = 0; p < parts; p++) {
            fp_arm *worker = parsed(spec, arena);
            if (round) ASSERT_GOOD(fp_arm_take_tallies(worker, tallies[0], parts, &again, &test_error));
            tallies[round][p] = tally_of(worker, texts, bounds[p], bounds[p + 1], arena);
        }
        fp_string few[MOST];
        size_t count = 0, first = parts > 1 ? 2 : 1;
        ASSERT_GOOD(fp_arm_merge_tallies(arm, tallies[round], first, arena, &merged, &test_error));
        few[count++] = merged;
        for (size_t p = first; p < parts; p++) few[count++] = tallies[round][p];
        ASSERT_GOOD(fp_arm_take_tallies(arm, few, count, &again, &test_error));
    }
    assert_false(again);
    return model_of(arm, arena);
}

static void any_division_gives_the_model_of_one_fit(void **state) {
    (void)state;
    static corpus texts;
    fill(&texts);
    uint64_t drawn = 7;
    for (size_t s = 0; s < SPEC_COUNT; s++) {
        const char *spec = SPECS[s].spec;
        bool median = strstr(spec, "median") != NULL;
        fp_arena *arena = fp_arena_new();
        fp_arm *whole = parsed(spec, arena);
        const fp_text_column all = part(&texts, 0, COUNT);
        ASSERT_GOOD(fp_column_fit(whole, &all, NULL, NULL, 0, NULL, NULL, &test_error));
        fp_string wanted = model_of(whole, arena), first = {0};
        for (size_t trial = 0; trial < 6; trial++) {
            size_t bounds[MOST + 1] = {0}, parts = 1 + trial;
            for (size_t p = 1; p < parts; p++) bounds[p] = (drawn = fp_mix(drawn, p)) % (COUNT + 1);
            qsort(bounds + 1, parts - 1, sizeof *bounds, fp_ascending_size);
            if (parts > 3) bounds[2] = bounds[1]; /* an empty part */
            bounds[parts] = COUNT;
            fp_arm *arm = parsed(spec, arena);
            fp_string made = fitted_to_parts(spec, &texts, bounds, parts, SPECS[s].rounds, arm, arena);
            if (!median && !fp_string_equal(made, wanted)) fail_msg("%s in %zu parts", spec, parts);
            if (trial == 0) first = made;
            assert_true(fp_string_equal(made, first));
            const double *exact = whole->instance.model, *near = arm->instance.model;
            for (size_t j = 0; median && j < arm->instance.layout.bits; j++)
                assert_true(fabs(exact[j] - near[j]) <= 0x1p-13);
        }
        fp_arena_free(arena);
    }
}

static void a_fitted_arm_counts_for_another_fit(void **state) {
    (void)state;
    static corpus texts;
    fill(&texts);
    for (size_t s = 0; s < SPEC_COUNT; s++) {
        fp_arena *arena = fp_arena_new();
        const size_t half[] = {0, COUNT / 2}, rest[] = {COUNT / 2, COUNT};
        fp_arm *arm = parsed(SPECS[s].spec, arena), *other = parsed(SPECS[s].spec, arena);
        fitted_to_parts(SPECS[s].spec, &texts, half, 1, SPECS[s].rounds, arm, arena);
        fp_string made = fitted_to_parts(SPECS[s].spec, &texts, rest, 1, SPECS[s].rounds, arm, arena);
        assert_true(
            fp_string_equal(made, fitted_to_parts(SPECS[s].spec, &texts, rest, 1, SPECS[s].rounds, other, arena)));
        fp_arena_free(arena);
    }
}

static void assert_refused(fp_arm *arm, fp_string tally, fp_status status, const char *word) {
    fp_arena *arena = fp_arena_new();
    fp_string merged;
    bool again;
    fp_error error = {0};
    assert_int_equal(fp_arm_take_tallies(arm, &tally, 1, &again, &error), status);
    if (!strstr(error.message, word) || strchr(error.message, '\n')) fail_msg("\"%s\": %s", word, error.message);
    assert_int_equal(fp_arm_merge_tallies(arm, &tally, 1, arena, &merged, NULL), status);
    fp_arena_free(arena);
}

static fp_string sealed(fp_string file) {
    unsigned char *bytes = (unsigned char *)(uintptr_t)file.data;
    fp_bytes_put(fp_xxh3(bytes, file.length - 8, 0), bytes + file.length - 8);
    return file;
}

static void others_are_refused(void **state) {
    (void)state;
    static corpus texts;
    fill(&texts);
    fp_arena *arena = fp_arena_new();
    const char *spec = "simhash:center=mean,weight=tfidf";
    fp_arm *arm = parsed(spec, arena), *worker = parsed(spec, arena), *elsewhere = parsed(spec, arena);
    bool again;
    fp_string one = tally_of(arm, &texts, 0, 40, arena), other = tally_of(arm, &texts, 40, COUNT, arena), none;
    assert_refused(parsed("cosine:weight=tfidf", arena), one, FP_ERROR_UNKNOWN, "the tally of another arm");
    ASSERT_GOOD(fp_arm_take_tallies(worker, &one, 1, &again, &test_error));
    ASSERT_GOOD(fp_arm_take_tallies(elsewhere, &other, 1, &again, &test_error));
    fp_string second = tally_of(worker, &texts, 0, 40, arena);
    assert_refused(arm, second, FP_ERROR_RANGE, "of round 2");
    assert_refused(worker, one, FP_ERROR_RANGE, "of round 1");
    assert_refused(elsewhere, second, FP_ERROR_RANGE, "other document frequencies");
    assert_refused(worker, model_of(test_arm("cosine:weight=idf", NULL, 0, arena), arena), FP_ERROR_SYNTAX,
                   "not a tally");
    assert_refused(worker, (fp_string){second.data, second.length - 1}, FP_ERROR_SYNTAX, "cut off");
    char *copy = fp_string_copy(arena, second);
    copy[second.length / 2] ^= 1;
    assert_refused(worker, (fp_string){copy, second.length}, FP_ERROR_SYNTAX, "damaged");
    copy[second.length / 2] ^= 1;
    copy[16] = 9;
    assert_refused(worker, (fp_string){copy, second.length}, FP_ERROR_ABI, "form 9");
    fp_error error = {0};
    assert_int_equal(fp_arm_take_tallies(arm, NULL, 0, &again, &error), FP_ERROR_EMPTY);
    const fp_text_column empty = part(&texts, 0, 0), all = part(&texts, 0, COUNT);
    fp_arm *fixed = parsed("simhash", arena), *oracle = parsed("oracle", arena);
    assert_int_equal(fp_column_tally(fixed, &all, arena, &none, NULL, NULL, &error), FP_ERROR_UNKNOWN);
    assert_int_equal(fp_column_tally(oracle, &all, arena, &none, NULL, NULL, &error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(error.message, "what oracle learns cannot be merged"));
    fp_arm *centre = parsed("simhash:center=median", arena);
    ASSERT_GOOD(fp_column_tally(centre, &empty, arena, &none, NULL, NULL, &test_error));
    assert_int_equal(fp_arm_take_tallies(centre, &none, 1, &again, &error), FP_ERROR_EMPTY);
    const int set = 1;
    const fp_progress cancelled = {.cancel = &set};
    assert_int_equal(fp_column_tally(arm, &all, arena, &none, NULL, &cancelled, &error), FP_ERROR_CANCELLED);
    fp_arena_free(arena);
}

/* Every number is replaced by one that cannot be, and the whole sealed: it is refused or taken, and nothing else. */
static void numbers_are_not_believed(void **state) {
    (void)state;
    static const uint64_t WRONG[] = {UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 40, 0, 1};
    static corpus texts;
    fill(&texts);
    for (size_t s = 0; s < SPEC_COUNT; s++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = parsed(SPECS[s].spec, arena);
        fp_string file = tally_of(arm, &texts, 0, 4, arena);
        size_t refused = 0, tried = 0;
        for (size_t at = 32; at + 16 <= file.length && at < 2000; at += 1 + at % 5)
            for (size_t w = 0; w < sizeof WRONG / sizeof *WRONG; w++, tried++) {
                fp_arena *own = fp_arena_new();
                fp_arm *taking = parsed(SPECS[s].spec, own);
                bool again;
                char *copy = fp_string_copy(own, file);
                fp_bytes_put(WRONG[w], (unsigned char *)copy + at);
                fp_string tally = sealed((fp_string){copy, file.length});
                refused += fp_arm_take_tallies(taking, &tally, 1, &again, NULL) != FP_OK;
                fp_arena_free(own);
            }
        assert_true(tried > 100 && refused > tried / 8);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_division_gives_the_model_of_one_fit),
        cmocka_unit_test(a_fitted_arm_counts_for_another_fit),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(numbers_are_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
