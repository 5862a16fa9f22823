/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an index is asked for: texts of specifications, their bounds, the bands that are chosen. */
#include "pairs/banding.h"
#include "pairs/lsh_tables.h"
#include "tests/support.h"

static fp_status settle(const char *arm, const char *index, fp_lsh_form *form, fp_arena *arena) {
    const fp_layout *layout = fp_arm_layout(test_arm(arm, NULL, 0, arena));
    fp_lsh_spec spec;
    fp_status status = fp_lsh_parse(index           ? index
                                    : layout->slots ? "banding"
                                                    : "pigeonhole",
                                    arena, &spec, &test_error);
    return status == FP_OK ? fp_lsh_settle(&spec, layout, form, &test_error) : status;
}

static void specifications_are_checked(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_lsh_form form;
    static const struct {
        const char *arm, *index;
        fp_status status;
        const char *says;
    } bad[] = {
        {"simhash", "pigeonhole:blocks=0", FP_ERROR_RANGE, "blocks takes 1 to"},
        {"simhash", "pigeonhole:blocks=65", FP_ERROR_RANGE, "64 places"},
        {"simhash", "pigeonhole:blocks=4,agree=5", FP_ERROR_RANGE, "1 to 4 of 4"},
        {"simhash", "pigeonhole:blocks=32,agree=16", FP_ERROR_RANGE, "more than 4096 tables"},
        {"minhash", "banding:bands=16,rows=5", FP_ERROR_RANGE, "needs 80 places, and the sketch has 64"},
        {"minhash", "banding:bands=16", FP_ERROR_RANGE, "give both"},
        {"minhash", "banding:rows=2", FP_ERROR_RANGE, "give both"},
        {"minhash", "banding:similarity=1", FP_ERROR_RANGE, "similarity"},
        {"cosine", "pigeonhole", FP_ERROR_RANGE, "bits or slots"},
        {"jaccard", NULL, FP_ERROR_RANGE, "bits or slots"},
        {"projection", NULL, FP_ERROR_RANGE, "bits or slots"},
        {"exact", NULL, FP_ERROR_RANGE, "bits or slots"},
        {"pinyin:granule=20", NULL, FP_ERROR_RANGE, "bits or slots"},
        {"simhash", "pigeonhole:block=4", FP_ERROR_UNKNOWN, "did you mean blocks?"},
        {"simhash", "pigeonhole:bands=4", FP_ERROR_UNKNOWN, "pigeonhole has no parameter bands"},
        {"simhash", "pidgeonhole", FP_ERROR_UNKNOWN, "did you mean pigeonhole?"},
        {"simhash", "tree", FP_ERROR_UNKNOWN, "pigeonhole and banding"},
        {"simhash", "pigeonhole:blocks", FP_ERROR_SYNTAX, "key=value"},
        {"simhash", "pigeonhole:blocks=many", FP_ERROR_SYNTAX, "whole number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(settle(bad[i].arm, bad[i].index, &form, arena), bad[i].status);
        if (!strstr(test_error.message, bad[i].says)) fail_msg("%s: %s", bad[i].index, test_error.message);
    }
    ASSERT_GOOD(settle("simhash", NULL, &form, arena));
    assert_string_equal(fp_lsh_text(&form, arena), "pigeonhole:blocks=4");
    ASSERT_GOOD(settle("simhash", "pigeonhole:blocks=6,agree=3", &form, arena));
    assert_string_equal(fp_lsh_text(&form, arena), "pigeonhole:blocks=6,agree=3");
    assert_int_equal(form.tables, 20);
    assert_int_equal(form.reach, 3);
    ASSERT_GOOD(settle("minhash", "banding:bands=16,rows=4", &form, arena));
    assert_string_equal(fp_lsh_text(&form, arena), "banding:bands=16,rows=4");
    fp_arena_free(arena);
}

/* Fewest tables for a distance: one block more than places that may differ, by the pigeonhole principle, and with one
 * less some document at that distance would be lost. Where every place may differ nothing is sure. */
static void blocks_are_as_many_as_a_distance_asks(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const struct {
        const char *arm;
        size_t places;
    } ARMS[] = {{"simhash", 64}, {"hyperplane:bits=100", 100}, {"minhash", 64}, {"minhash:slots=40,b=8", 40}};
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        const fp_layout *layout = fp_arm_layout(test_arm(ARMS[i].arm, NULL, 0, arena));
        fp_lsh_spec spec;
        fp_lsh_form form;
        for (size_t distance = 0; distance < ARMS[i].places; distance++) {
            if (!fp_lsh_within_distance(layout, (double)distance, &spec)) fail_msg("%zu places", distance);
            ASSERT_GOOD(fp_lsh_settle(&spec, layout, &form, &test_error));
            assert_int_equal(form.reach, distance);
            assert_int_equal(form.tables, distance + 1);
        }
        assert_false(fp_lsh_within_distance(layout, (double)ARMS[i].places, &spec));
    }
    fp_lsh_spec spec;
    assert_false(fp_lsh_within_distance(fp_arm_layout(test_arm("cosine", NULL, 0, arena)), 3, &spec));
    fp_arena_free(arena);
}

/* What is chosen reaches the recall that was asked for, where anything does, for all bits and for few. */
static void bands_are_chosen(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_lsh_form form;
    ASSERT_GOOD(settle("minhash", NULL, &form, arena));
    assert_true(form.kind == FP_LSH_BANDING && form.parts * form.rows <= 64 && form.rows > 1);
    assert_true(fp_banding_probability((fp_banding){form.parts, form.rows}, 0.8) >= 0.95);
    ASSERT_GOOD(settle("minhash:b=2,slots=100", "banding:similarity=0.5,recall=0.9", &form, arena));
    assert_true(form.parts * form.rows <= 100 && form.rows > 1);
    assert_true(fp_banding_probability((fp_banding){form.parts, form.rows}, 0.5 + 0.5 / 4) >= 0.9);
    unsigned rows = form.rows; /* slots that also agree by accident can stand longer bands */
    ASSERT_GOOD(settle("minhash:slots=100", "banding:similarity=0.5,recall=0.9", &form, arena));
    assert_true(form.rows < rows && fp_banding_probability((fp_banding){form.parts, form.rows}, 0.5) >= 0.9);
    ASSERT_GOOD(settle("minhash:slots=2", "banding:similarity=0.1,recall=0.99", &form, arena));
    assert_true(form.parts == 2 && form.rows == 1);
    fp_arena_free(arena);
}

/* Three sketches of nothing but zeros. */
static fp_sketches blank(const fp_arm *arm, fp_arena *arena) {
    size_t bytes = fp_arm_layout(arm)->bytes;
    return (fp_sketches){.count = 3, .stride = bytes, .data = fp_arena_alloc(arena, 3, bytes)};
}

static void a_build_checks_what_it_indexes(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_lsh_form form;
    const fp_lsh *tables;
    ASSERT_GOOD(settle("simhash", NULL, &form, arena));
    fp_arm *arm = test_arm("simhash", NULL, 0, arena), *other = test_arm("simhash:bits=128", NULL, 0, arena);
    fp_sketches own = blank(arm, arena), others = blank(other, arena);
    fp_arenas arenas;
    uint64_t pairs;
    assert_int_equal(fp_lsh_open(&form, fp_arm_layout(other), arena, &tables, &test_error), FP_ERROR_RANGE);
    ASSERT_GOOD(fp_lsh_open(&form, fp_arm_layout(arm), arena, &tables, &test_error));
    ASSERT_GOOD(fp_arenas_open(&arenas, NULL, arena, &test_error));
    assert_int_equal(fp_lsh_count_pairs(tables, &others, &arenas, NULL, &pairs, &test_error), FP_ERROR_RANGE);
    ASSERT_GOOD(fp_lsh_count_pairs(tables, &own, &arenas, NULL, &pairs, &test_error));
    assert_int_equal(pairs, 3);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(specifications_are_checked),
        cmocka_unit_test(blocks_are_as_many_as_a_distance_asks),
        cmocka_unit_test(bands_are_chosen),
        cmocka_unit_test(a_build_checks_what_it_indexes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
