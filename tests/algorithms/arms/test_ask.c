/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a program asks of an arm through the public headers, for every registered algorithm: many texts and one, many
 * distances and one, give the same; what is told of a distance is what the algorithm says; explanations can be read. */
#include <fplab.h>
#include <math.h>

#include "tests/support.h"
#include "tests/arm_files.h"

enum { COUNT = 97, LONGEST = 400 };

/* Texts of many lengths, some of nothing, some equal. */
static const fp_string *texts(fp_arena *arena) {
    static const char *const WORDS[] = {"今天", "下午", "临江大桥", "恢复通车", "图书馆",
                                        "延长", "开放", "fox",      "，",       "51区"};
    fp_string *made = fp_arena_alloc(arena, COUNT, sizeof *made);
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        char *text = fp_arena_alloc(arena, LONGEST, 1);
        for (size_t w = 0; w < i % 13; w++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            strcat(text, WORDS[(random >> 33) % (sizeof WORDS / sizeof *WORDS)]);
        }
        made[i] = (fp_string){text, strlen(text)};
    }
    return made;
}

typedef void (*check)(const fp_arm *arm, const fp_string *texts, fp_arena *arena);

static void for_every_algorithm(check run) {
    static const char *const FURTHER[] = {"pinyin:granule=5",   "simhash:center=mean", "minhash:b=1",
                                          "cosine:weight=idf",  "minhash:slots=1000",  "simhash:bits=128",
                                          "hyperplane:bits=256"};
    size_t algorithms = 0;
    while (fp_algorithm_at(algorithms)) algorithms++;
    for (size_t i = 0; i < algorithms + sizeof FURTHER / sizeof *FURTHER; i++) {
        fp_arena *arena = fp_arena_new();
        const fp_string *all = texts(arena);
        const char *spec = i < algorithms ? test_spec(fp_algorithm_at(i), all, COUNT, arena) : FURTHER[i - algorithms];
        run(test_arm(spec, all, COUNT, arena), all, arena);
        fp_arena_free(arena);
    }
}

static void check_many(const fp_arm *arm, const fp_string *all, fp_arena *arena) {
    fp_sketches many;
    ASSERT_GOOD(fp_arm_sketches(arm, all, NULL, COUNT, arena, &many, &test_error));
    assert_int_equal(many.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        fp_sketch one, at = fp_sketches_at(&many, i);
        ASSERT_GOOD(fp_arm_sketch(arm, all[i], arena, &one, &test_error));
        if (one.size != at.size || (one.size && memcmp(one.data, at.data, one.size)) || at.empty != one.empty)
            fail_msg("%s: text %zu is another among many", fp_arm_name(arm), i);
        assert_int_equal((uintptr_t)at.data % 8, 0);
    }
    double out[COUNT], block[5 * 7];
    fp_arm_distances(arm, fp_sketches_at(&many, 3), &many, 1, COUNT - 1, out);
    for (size_t i = 1; i < COUNT; i++) {
        double one = fp_arm_distance(arm, fp_sketches_at(&many, 3), fp_sketches_at(&many, i));
        if (memcmp(&one, out + i - 1, sizeof one)) fail_msg("%s: distance %zu of many", fp_arm_name(arm), i);
    }
    fp_arm_distance_block(arm, &many, 11, 5, &many, 40, 7, block);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 7; j++) {
            double one = fp_arm_distance(arm, fp_sketches_at(&many, 11 + i), fp_sketches_at(&many, 40 + j));
            if (memcmp(&one, block + i * 7 + j, sizeof one)) fail_msg("%s: block %zu %zu", fp_arm_name(arm), i, j);
        }
}

/* Sketches of fixed size as a column of longer records, of which the rest is not read. */
static void check_column(const fp_arm *arm, const fp_string *all, fp_arena *arena) {
    static const size_t REST[] = {8, 24, 64};
    const size_t bytes = fp_arm_layout(arm)->bytes;
    fp_sketches packed;
    ASSERT_GOOD(fp_arm_sketches(arm, all, NULL, COUNT, arena, &packed, &test_error));
    if (!bytes) return;
    for (size_t r = 0; r < sizeof REST / sizeof *REST; r++) {
        fp_sketches column = {.count = COUNT, .stride = bytes + REST[r], .empty = packed.empty};
        unsigned char *record = fp_arena_alloc(arena, COUNT, column.stride);
        for (size_t i = 0; i < COUNT; i++) {
            memset(record + i * column.stride, (int)(i * 37 % 255) + 1, column.stride);
            memcpy(record + i * column.stride, fp_sketches_at(&packed, i).data, bytes);
        }
        column.data = record;
        double wanted[COUNT], out[COUNT], block[COUNT];
        for (size_t first = 0; first < COUNT; first += 5) {
            size_t count = COUNT - first;
            fp_sketch query = fp_sketches_at(&packed, first), in_record = fp_sketches_at(&column, first);
            fp_arm_distances(arm, query, &packed, first, count, wanted);
            fp_arm_distances(arm, in_record, &column, first, count, out);
            fp_arm_distance_block(arm, &column, first, 1, &column, first, count, block);
            for (size_t i = 0; i < count; i++) {
                double one = fp_arm_distance(arm, query, fp_sketches_at(&column, first + i));
                if (wanted[i] != out[i] || wanted[i] != block[i] || wanted[i] != one)
                    fail_msg("%s: %zu and %zu, %zu bytes apart: %g, not %g", fp_arm_name(arm), first, first + i,
                             column.stride, out[i], wanted[i]);
            }
            assert_string_equal(fp_arm_text(arm, in_record, arena), fp_arm_text(arm, query, arena));
        }
    }
}

static void a_column_of_records_has_the_same_distances(void **state) {
    (void)state;
    for_every_algorithm(check_column);
}

static void many_texts_and_distances_are_those_of_one(void **state) {
    (void)state;
    for_every_algorithm(check_many);
}

static void check_meaning(const fp_arm *arm, const fp_string *all, fp_arena *arena) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    double half = fp_arm_layout(arm)->maximum / 2, similarity = fp_arm_similarity(arm, half);
    fp_features features;
    assert_int_equal(isnan(similarity), !algorithm->similarity);
    assert_int_equal(*fp_arm_measure(arm) != '\0', algorithm->similarity != NULL);
    assert_int_equal(isnan(fp_arm_law(arm, 0.5, half)), !algorithm->law);
    if (algorithm->law) {
        assert_true(fp_arm_law(arm, 0.5, fp_arm_layout(arm)->maximum) > 1 - 1e-9);
        assert_true(fp_arm_law(arm, 0.5, half) <= 1 && fp_arm_law(arm, 0.5, half) >= 0);
    }
    ASSERT_GOOD(fp_arm_features(arm, all[12], arena, &features, &test_error));
    bool reads = algorithm->needs & (FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE);
    assert_int_equal(features.count > 0, reads);
    for (size_t i = 0; i < features.count; i++) {
        fp_string term = fp_features_term(&features, i);
        assert_true(term.length > 0 && features.weight[i] > 0);
    }
}

static void distances_and_features_mean_what_the_algorithm_says(void **state) {
    (void)state;
    for_every_algorithm(check_meaning);
}

/* Charikar's law: two fingerprints of 64 bits at cosine 0 differ in 32 bits, and similarity is the cosine of θ. */
static void worked_values(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("simhash", NULL, 0, arena);
    assert_string_equal(fp_arm_measure(arm), "cosine");
    assert_true(fabs(fp_arm_similarity(arm, 32) - (0)) < 1e-12);
    assert_true(fabs(fp_arm_similarity(arm, 0) - (1)) < 1e-12);
    assert_true(fabs(fp_arm_law(arm, 0, 31) + 0.5 * (fp_arm_law(arm, 0, 32) - fp_arm_law(arm, 0, 31)) - (0.5)) < 1e-9);
    /* 我喜欢 in pairs of characters, each once. */
    fp_features features;
    ASSERT_GOOD(fp_arm_features(test_arm("jaccard:features=chars:2", NULL, 0, arena), fp_string_of("我喜欢"), arena,
                                &features, &test_error));
    assert_int_equal(features.count, 2);
    assert_true(fp_string_equal(fp_features_term(&features, 0), fp_string_of("我喜")));
    assert_true(fp_string_equal(fp_features_term(&features, 1), fp_string_of("喜欢")));
    assert_true(features.hash[1] == fp_xxh3("喜欢", strlen("喜欢"), 0) && features.weight[1] == 1);
    fp_arena_free(arena);
}

static void check_explanation(const fp_arm *arm, const fp_string *all, fp_arena *arena) {
    fp_explanation *told = fp_explanation_new(arena);
    fp_sketch sketch, sketches[2];
    fp_status status = fp_arm_explain(arm, all + 12, 1, told, &sketch, &test_error);
    if (!arm->instance.algorithm->explain) {
        assert_int_equal(status, FP_ERROR_UNKNOWN);
        return;
    }
    if (status != FP_OK) fail_msg("%s: %s", fp_arm_name(arm), test_error.message);
    assert_true(!sketch.empty && fp_explanation_steps(told) > 0 && !fp_explanation_failed(told));
    size_t cells = 0;
    for (size_t step = 0; step < fp_explanation_steps(told); step++) {
        assert_non_null(fp_explanation_title(told, step));
        for (size_t i = 0; i < fp_explanation_lines(told, step); i++)
            assert_non_null(fp_explanation_line(told, step, i));
        assert_null(fp_explanation_line(told, step, fp_explanation_lines(told, step)));
        bool number;
        size_t columns = fp_explanation_columns(told, step), rows = fp_explanation_rows(told, step);
        for (size_t c = 0; c < columns; c++) assert_non_null(fp_explanation_column(told, step, c, &number));
        assert_null(fp_explanation_column(told, step, columns, NULL));
        for (size_t row = 0; row < rows; row++)
            for (size_t c = 0; c < columns; c++, cells++) assert_non_null(fp_explanation_cell(told, step, row, c));
        assert_null(fp_explanation_cell(told, step, rows, 0));
    }
    assert_true(cells > 0);
    assert_null(fp_explanation_title(told, fp_explanation_steps(told)));
    assert_null(fp_explanation_cell(told, SIZE_MAX, 0, 0));
    const fp_string pair[2] = {all[12], all[0]};
    ASSERT_GOOD(fp_arm_explain(arm, pair, 2, fp_explanation_new(arena), sketches, &test_error));
    assert_true(!sketches[0].empty && sketches[1].empty);
    assert_true(sketches[0].size == sketch.size &&
                (!sketch.size || !memcmp(sketches[0].data, sketch.data, sketch.size)));
    assert_true(fp_arm_distance(arm, sketches[0], sketches[1]) == fp_arm_layout(arm)->maximum);
    assert_true(fp_arm_distance(arm, sketches[1], sketches[1]) == fp_arm_layout(arm)->maximum);
}

static void explanations_can_be_read(void **state) {
    (void)state;
    for_every_algorithm(check_explanation);
}

static void a_program_tells_its_own_steps(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_explanation *told = fp_explanation_new(arena);
    bool number = false;
    fp_explain_line(told, "before any step: to nobody");
    fp_explain_step(told, "first");
    fp_explain_line(told, "%d of %d", 1, 2);
    fp_explain_table(told, "name|>count");
    for (int i = 0; i < 100; i++) fp_explain_cell(told, "%d", i);
    fp_explain_step(told, "second");
    assert_int_equal(fp_explanation_steps(told), 2);
    assert_string_equal(fp_explanation_line(told, 0, 0), "1 of 2");
    assert_string_equal(fp_explanation_column(told, 0, 1, &number), "count");
    assert_true(number);
    assert_int_equal(fp_explanation_rows(told, 0), 50);
    assert_string_equal(fp_explanation_cell(told, 0, 49, 1), "99");
    assert_null(fp_explanation_cell(told, 0, 0, 2));
    assert_int_equal(fp_explanation_columns(told, 1), 0);
    assert_int_equal(fp_explanation_rows(told, 1), 0);
    fp_arena_free(arena);
}

static void what_cannot_be_sketched_is_named(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_string *all = texts(arena);
    fp_string bad[COUNT];
    memcpy(bad, all, sizeof bad);
    bad[41] = (fp_string){"ab\xff", 3};
    fp_sketches many;
    fp_error error = {0};
    assert_int_equal(fp_arm_sketches(test_arm("simhash", NULL, 0, arena), bad, NULL, COUNT, arena, &many, &error),
                     FP_ERROR_ENCODING);
    assert_non_null(strstr(error.message, "text 41: "));
    assert_int_equal(error.byte, 2);
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse("cosine:weight=idf", NULL, arena, &arm, &test_error));
    assert_int_equal(fp_arm_sketches(arm, all, NULL, COUNT, arena, &many, NULL), FP_ERROR_EMPTY);
    ASSERT_GOOD(fp_arm_sketches(test_arm("simhash", NULL, 0, arena), NULL, NULL, 0, arena, &many, &test_error));
    assert_int_equal(many.count, 0);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_texts_and_distances_are_those_of_one),
        cmocka_unit_test(a_column_of_records_has_the_same_distances),
        cmocka_unit_test(distances_and_features_mean_what_the_algorithm_says),
        cmocka_unit_test(worked_values),
        cmocka_unit_test(explanations_can_be_read),
        cmocka_unit_test(a_program_tells_its_own_steps),
        cmocka_unit_test(what_cannot_be_sketched_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
