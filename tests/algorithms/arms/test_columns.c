/* SPDX-License-Identifier: GPL-3.0-or-later
 * Columns of texts and sketches beside the functions for one text and one pair; graphs of pairs beside plain loops;
 * corpora of columns, and tables of evaluations. */
#include <math.h>

#include "base/base.h"
#include "tests/support.h"

static const char *const TEXTS[] = {"今天下午，临江大桥恢复通车。",
                                    "临江大桥今天下午恢复通车。",
                                    "",
                                    "The quick brown fox jumps over the lazy dog.",
                                    "The quick brown fox jumped over a lazy dog.",
                                    "市图书馆本周六延长开放时间。"};
enum { COUNT = sizeof TEXTS / sizeof *TEXTS };

typedef struct column {
    char data[1024];
    int64_t offset[COUNT + 1];
    fp_text_column column;
} column;

/* The texts from the third byte of the data on. */
static void fill(column *to, const char *const *texts) {
    to->offset[0] = 3;
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(to->data + to->offset[i], texts[i], strlen(texts[i]));
        to->offset[i + 1] = to->offset[i] + (int64_t)strlen(texts[i]);
    }
    to->column = (fp_text_column){COUNT, to->data, to->offset};
}

static void sketches_and_distances_are_those_of_single_texts(void **state) {
    (void)state;
    static const char *const SPECS[] = {
        "simhash", "simhash:bits=128,weight=tfidf", "minhash:slots=20,b=5", "pinyin", "jaccard", "cosine"};
    column texts;
    fill(&texts, TEXTS);
    for (size_t s = 0; s < sizeof SPECS / sizeof *SPECS; s++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm, *other;
        fp_string strings[COUNT];
        fp_sketches made, whole;
        size_t bad = 0;
        double matrix[COUNT][COUNT], listed[COUNT * COUNT];
        uint32_t a[COUNT * COUNT], b[COUNT * COUNT];
        for (size_t i = 0; i < COUNT; i++) strings[i] = fp_string_of(TEXTS[i]);
        ASSERT_GOOD(fp_arm_parse(SPECS[s], NULL, arena, &arm, &test_error));
        other = test_arm(SPECS[s], strings, COUNT, arena);
        if (fp_arm_learns(arm)) ASSERT_GOOD(fp_column_fit(arm, &texts.column, NULL, NULL, 0, &bad, NULL, &test_error));
        ASSERT_GOOD(fp_column_sketches((const fp_arm *const[]){arm}, 1, &texts.column, NULL, arena, &made, &bad, NULL,
                                       &test_error));
        assert_int_equal(bad, SIZE_MAX);
        ASSERT_GOOD(fp_arm_sketches(other, strings, NULL, COUNT, arena, &whole, &test_error));
        for (size_t i = 0; i < COUNT; i++) {
            fp_sketch one = fp_sketches_at(&made, i), two = fp_sketches_at(&whole, i);
            assert_int_equal(one.size, two.size);
            assert_memory_equal(one.data, two.data, one.size);
            assert_int_equal(one.empty, two.empty);
        }
        assert_true(made.empty[2] && !made.empty[0]);
        ASSERT_GOOD(fp_column_matrix(arm, &made, &made, FP_FLOAT64, matrix[0], NULL, &test_error));
        for (uint32_t k = 0; k < COUNT * COUNT; k++) a[k] = k / COUNT, b[k] = k % COUNT;
        ASSERT_GOOD(fp_column_distances(arm, &made, a, b, COUNT * COUNT, FP_FLOAT64, listed, NULL, &test_error));
        for (size_t k = 0; k < COUNT * COUNT; k++) {
            double wanted = fp_arm_distance(other, fp_sketches_at(&whole, a[k]), fp_sketches_at(&whole, b[k]));
            assert_true(matrix[a[k]][b[k]] == wanted && listed[k] == wanted);
        }
        b[7] = COUNT;
        assert_int_equal(fp_column_distances(arm, &made, a, b, COUNT * COUNT, FP_FLOAT64, listed, NULL, &test_error),
                         FP_ERROR_RANGE);
        fp_arena_free(arena);
    }
}

/* Several arms in one pass, some of which read alike; distances as float are those as double, rounded. */
static void several_arms_and_narrow_distances(void **state) {
    (void)state;
    static const char *const SPECS[] = {"minhash:features=chars:3", "jaccard:features=chars:3", "simhash", "pinyin"};
    enum { ARMS = sizeof SPECS / sizeof *SPECS };
    column texts;
    fill(&texts, TEXTS);
    fp_arena *arena = fp_arena_new();
    const fp_arm *arms[ARMS];
    fp_sketches made[ARMS], alone;
    size_t bad = 0;
    for (size_t a = 0; a < ARMS; a++) arms[a] = test_arm(SPECS[a], NULL, 0, arena);
    ASSERT_GOOD(fp_column_sketches(arms, ARMS, &texts.column, NULL, arena, made, &bad, NULL, &test_error));
    assert_int_equal(bad, SIZE_MAX);
    for (size_t a = 0; a < ARMS; a++) {
        double wide[COUNT * COUNT];
        float narrow[COUNT * COUNT], listed[COUNT];
        static const uint32_t LEFT[COUNT] = {0, 1, 2, 3, 4, 5}, RIGHT[COUNT] = {5, 4, 3, 2, 1, 0};
        ASSERT_GOOD(fp_column_sketches(arms + a, 1, &texts.column, NULL, arena, &alone, &bad, NULL, &test_error));
        ASSERT_GOOD(fp_column_matrix(arms[a], made + a, &alone, FP_FLOAT64, wide, NULL, &test_error));
        ASSERT_GOOD(fp_column_matrix(arms[a], made + a, &alone, FP_FLOAT32, narrow, NULL, &test_error));
        ASSERT_GOOD(fp_column_distances(arms[a], made + a, LEFT, RIGHT, COUNT, FP_FLOAT32, listed, NULL, &test_error));
        for (size_t i = 0; i < COUNT * COUNT; i++) assert_true(narrow[i] == (float)wide[i]);
        for (size_t i = 0; i < COUNT; i++) {
            fp_sketch one = fp_sketches_at(made + a, i), other = fp_sketches_at(&alone, i);
            assert_true(listed[i] == narrow[i * COUNT + RIGHT[i]] && one.empty == other.empty);
            assert_int_equal(one.size, other.size);
            assert_memory_equal(one.data, other.data, one.size);
        }
        assert_int_equal(fp_column_matrix(arms[a], made + a, &alone, (fp_number)7, wide, NULL, &test_error),
                         FP_ERROR_RANGE);
    }
    ASSERT_GOOD(fp_column_sketches(arms, 0, &texts.column, NULL, arena, made, &bad, NULL, &test_error));
    fp_arena_free(arena);
}

static void a_text_that_cannot_be_read_is_named(void **state) {
    (void)state;
    const char *broken[COUNT];
    column texts;
    fp_sketches made;
    memcpy(broken, TEXTS, sizeof broken);
    broken[4] = "x\xff";
    fill(&texts, broken);
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    size_t bad = 0;
    ASSERT_GOOD(fp_arm_parse("simhash:weight=tfidf", NULL, arena, &arm, &test_error));
    assert_int_equal(fp_column_fit(arm, &texts.column, NULL, NULL, 0, &bad, NULL, &test_error), FP_ERROR_ENCODING);
    assert_int_equal(bad, 4);
    ASSERT_GOOD(fp_arm_parse("simhash", NULL, arena, &arm, &test_error));
    assert_int_equal(
        fp_column_sketches((const fp_arm *const[]){arm}, 1, &texts.column, NULL, arena, &made, &bad, NULL, &test_error),
        FP_ERROR_ENCODING);
    assert_int_equal(bad, 4);
    assert_int_equal(test_error.byte, 1);
    texts.offset[2] = texts.offset[1] - 1;
    assert_int_equal(
        fp_column_sketches((const fp_arm *const[]){arm}, 1, &texts.column, NULL, arena, &made, NULL, NULL, &test_error),
        FP_ERROR_RANGE);
    fp_arena_free(arena);
}

static void sketches_of_another_form_are_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *bits = test_arm("simhash", NULL, 0, arena), *sets = test_arm("jaccard", NULL, 0, arena);
    uint64_t data[4] = {1, 2, 3, 4}, keys[8];
    double out[4];
    fp_key_design design;
    const uint32_t place = 0;
    const fp_sketches records = {.count = 2, .stride = 16, .data = (const unsigned char *)data},
                      narrow = {.count = 2, .stride = 4, .data = (const unsigned char *)data},
                      apart = {.count = 2, .stride = 8, .data = (const unsigned char *)data + 1};
    const fp_near_search search = {.size = sizeof search, .within = 3};
    uint32_t because[2];
    ASSERT_GOOD(fp_column_distances(bits, &records, &place, &place, 1, FP_FLOAT64, out, NULL,
                                    &test_error)); /* a column of records */
    assert_int_equal(fp_column_matrix(bits, &narrow, &narrow, FP_FLOAT64, out, NULL, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_column_matrix(bits, &apart, &apart, FP_FLOAT64, out, NULL, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_column_matrix(sets, &records, &records, FP_FLOAT64, out, NULL, &test_error), FP_ERROR_RANGE);
    ASSERT_GOOD(fp_key_design_make(bits, "blocks=4", 3, 1, 2, &design, &test_error));
    assert_int_equal(fp_column_keys(bits, &design, &records, keys, NULL, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_near_keep(bits, &records, &search, because, out, NULL, NULL, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* The bits under the mask of more than 64: XXH3 of the words under it. Two blocks of 128 bits are a word each; of
 * three, two together have 86 or 85 bits. */
static void keys_of_many_bits_are_hashes_of_words(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("simhash:bits=128", NULL, 0, arena);
    uint64_t data[2] = {0x0123456789abcdef, 0xfedcba9876543210}, keys[3];
    const fp_sketches one = {.count = 1, .stride = 16, .data = (const unsigned char *)data};
    fp_key_design design;
    ASSERT_GOOD(fp_key_design_make(arm, "blocks=2", 1, 1, 1, &design, &test_error));
    ASSERT_GOOD(fp_column_keys(arm, &design, &one, keys, NULL, &test_error));
    assert_true(design.tables == 2 && keys[0] == data[0] && keys[1] == data[1]);
    ASSERT_GOOD(fp_key_design_make(arm, "blocks=3,agree=2", 1, 1, 1, &design, &test_error));
    ASSERT_GOOD(fp_column_keys(arm, &design, &one, keys, NULL, &test_error));
    /* 43 + 43 + 42 bits: the choices are 01, 02, 12. */
    const uint64_t masks[3][2] = {{~0ull, (1ull << 22) - 1}, {(1ull << 43) - 1, ~0ull << 22}, {~0ull << 43, ~0ull}};
    for (size_t t = 0; t < 3; t++) {
        const uint64_t masked[2] = {data[0] & masks[t][0], data[1] & masks[t][1]};
        assert_int_equal(keys[t], fp_xxh3(masked, sizeof masked, t));
    }
    assert_int_equal(fp_key_design_make(arm, "blocks=3,agree=2", 2, 1, 1, &design, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* Random graphs beside plain loops. */
static void components_and_what_is_kept(void **state) {
    (void)state;
    enum { PLACES = 40, EDGES = 30 };
    uint64_t drawn = 1;
    for (size_t trial = 0; trial < 200; trial++) {
        uint32_t a[EDGES], b[EDGES], of[PLACES], because[PLACES], rank[PLACES], order[PLACES], label[PLACES];
        double distances[EDGES], distance[PLACES];
        bool kept[PLACES];
        for (size_t e = 0; e < EDGES; e++) {
            a[e] = (uint32_t)((drawn = fp_mix(drawn, 1)) % PLACES);
            b[e] = (uint32_t)((drawn = fp_mix(drawn, 2)) % PLACES);
            distances[e] = (double)((drawn = fp_mix(drawn, 3)) % 5);
        }
        for (uint32_t i = 0; i < PLACES; i++)
            rank[i] = (i * 7 + (uint32_t)trial) % PLACES, order[rank[i]] = i, label[i] = i;
        ASSERT_GOOD(fp_cluster_edges(PLACES, a, b, EDGES, of, &test_error));
        for (size_t round = 0; round < PLACES; round++)
            for (size_t e = 0; e < EDGES; e++) {
                uint32_t least = label[a[e]] < label[b[e]] ? label[a[e]] : label[b[e]];
                label[a[e]] = label[b[e]] = least;
            }
        assert_memory_equal(of, label, sizeof of);
        ASSERT_GOOD(fp_keep_edges(PLACES, a, b, distances, EDGES, rank, because, distance, &test_error));
        for (size_t place = 0; place < PLACES; place++) {
            uint32_t one = order[place];
            kept[one] = true;
            for (size_t e = 0; e < EDGES; e++) {
                uint32_t other = a[e] == one ? b[e] : b[e] == one ? a[e] : one;
                if (rank[other] < place && kept[other]) kept[one] = false;
            }
        }
        for (uint32_t i = 0; i < PLACES; i++) {
            assert_int_equal(kept[i], because[i] == FP_KEPT);
            if (kept[i]) assert_true(distance[i] == 0);
            for (size_t e = 0; e < EDGES && !kept[i]; e++) {
                uint32_t other = a[e] == i ? b[e] : b[e] == i ? a[e] : i;
                if (other == i || !kept[other]) continue;
                assert_true(distances[e] > distance[i] ||
                            (distances[e] == distance[i] && rank[because[i]] <= rank[other]));
            }
            if (!kept[i]) assert_true(kept[because[i]]);
        }
    }
    const uint32_t beyond[] = {3}, twice[] = {0, 0, 1};
    uint32_t of[3];
    double distance[3], one[] = {1};
    assert_int_equal(fp_cluster_edges(3, beyond, beyond, 1, of, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_keep_edges(3, beyond, beyond, one, 1, NULL, of, distance, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_keep_edges(3, NULL, NULL, NULL, 0, twice, of, distance, &test_error), FP_ERROR_RANGE);
    ASSERT_GOOD(fp_keep_edges(0, NULL, NULL, NULL, 0, NULL, NULL, NULL, &test_error));
}

static void work_that_is_cancelled_ends(void **state) {
    (void)state;
    column texts;
    fill(&texts, TEXTS);
    fp_arena *arena = fp_arena_new();
    const int set = 1;
    const fp_progress cancelled = {.threads = 2, .cancel = &set};
    fp_arm *arm = test_arm("simhash", NULL, 0, arena);
    fp_sketches made;
    size_t bad = 0;
    uint32_t because[COUNT];
    double distance[COUNT * COUNT];
    const fp_near_search search = {.size = sizeof search, .within = 3};
    assert_int_equal(fp_column_sketches((const fp_arm *const[]){arm}, 1, &texts.column, NULL, arena, &made, &bad,
                                        &cancelled, &test_error),
                     FP_ERROR_CANCELLED);
    assert_int_equal(bad, SIZE_MAX);
    ASSERT_GOOD(fp_column_sketches((const fp_arm *const[]){arm}, 1, &texts.column, NULL, arena, &made, NULL, NULL,
                                   &test_error));
    assert_int_equal(fp_column_matrix(arm, &made, &made, FP_FLOAT64, distance, &cancelled, &test_error),
                     FP_ERROR_CANCELLED);
    assert_int_equal(fp_near_keep(arm, &made, &search, because, distance, NULL, &cancelled, &test_error),
                     FP_ERROR_CANCELLED);
    assert_string_equal(fp_status_name(FP_ERROR_CANCELLED), "cancelled");
    fp_arena_free(arena);
}

/* ---- Corpora of columns, and tables ---- */

static fp_corpus *corpus_of(const column *texts, const fp_pair *pairs, size_t count) {
    fp_corpus *corpus;
    const fp_corpus_columns columns = {
        .size = sizeof columns, .name = "small", .texts = &texts->column, .pairs = pairs, .pair_count = count};
    ASSERT_GOOD(fp_corpus_of_columns(&columns, NULL, &corpus, &test_error));
    return corpus;
}

static const fp_pair PAIRS[] = {{0, 1, 1}, {3, 4, 1}, {0, 5, 0}, {1, 3, 0}, {4, 5, 0}, {1, 5, 0}};

static void an_evaluation_gives_tables(void **state) {
    (void)state;
    column texts;
    fill(&texts, TEXTS);
    const fp_corpus *corpus = corpus_of(&texts, PAIRS, 6);
    const char *const arms[] = {"simhash:features=chars:2", "jaccard:features=chars:2"};
    const fp_setting settings[] = {{"retrieval", NULL}, {"thresholds", "0..64"}, {"measure", "f_beta:2"}};
    fp_tables *tables;
    ASSERT_GOOD(fp_evaluate(&corpus, 1, arms, 2, NULL, settings, 3, &tables, NULL, &test_error));
    size_t results = fp_tables_find(tables, "results"), curves = fp_tables_find(tables, "curves");
    assert_true(results != SIZE_MAX && curves != SIZE_MAX && fp_tables_find(tables, "retrieval") != SIZE_MAX);
    assert_int_equal(fp_tables_find(tables, "ranks"), SIZE_MAX);
    assert_int_equal(fp_tables_rows(tables, results), 2 * 65);
    size_t at = 0;
    while (strcmp(fp_tables_column(tables, results, at), "threshold") != 0) at++;
    for (size_t r = 0; r < 65; r++) assert_true(fp_tables_numbers(tables, results, at)[r] == (double)r);
    assert_null(fp_tables_numbers(tables, results, 1));
    assert_string_equal(fp_tables_text(tables, results, 1, 65), arms[1]);
    /* All pairs are called at the largest distance: precision is 2 of 6. */
    size_t precision = 0;
    while (strcmp(fp_tables_column(tables, results, precision), "precision") != 0) precision++;
    assert_true(fabs(fp_tables_numbers(tables, results, precision)[64] - 1.0 / 3) < 1e-11);
    assert_true(isnan(fp_tables_numbers(tables, results, precision)[0])); /* nothing is called at 0 */
    fp_tables_free(tables);
    static const struct {
        fp_setting setting;
        fp_status status;
    } WRONG[] = {{{"nothing", NULL}, FP_ERROR_UNKNOWN}, {{"level", "word"}, FP_ERROR_RANGE},
                 {{"level", NULL}, FP_ERROR_RANGE},     {{"retrieval", "yes"}, FP_ERROR_RANGE},
                 {{"seed", "x"}, FP_ERROR_RANGE},       {{"replicates", "1"}, FP_ERROR_RANGE},
                 {{"negatives", "5"}, FP_ERROR_RANGE},  {{"by", "colour"}, FP_ERROR_UNKNOWN}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        fp_status status = fp_evaluate(&corpus, 1, arms, 2, NULL, &WRONG[i].setting, 1, &tables, NULL, &test_error);
        if (status == FP_OK ||
            !strstr(test_error.message, WRONG[i].setting.name[0] == 'b' ? "colour" : WRONG[i].setting.name))
            fail_msg("%s: %d %s", WRONG[i].setting.name, (int)status, test_error.message);
        assert_null(tables);
    }
    assert_int_equal(fp_evaluate(&corpus, 1, arms, 0, NULL, NULL, 0, &tables, NULL, &test_error), FP_ERROR_EMPTY);
    const fp_corpus *both[] = {corpus, corpus};
    assert_int_equal(fp_evaluate(both, 2, arms, 2, NULL, NULL, 0, &tables, NULL, &test_error), FP_ERROR_DUPLICATE);
    const int set = 1;
    const fp_progress cancelled = {.cancel = &set};
    assert_int_equal(fp_evaluate(&corpus, 1, arms, 2, NULL, NULL, 0, &tables, &cancelled, &test_error),
                     FP_ERROR_CANCELLED);
    fp_tables_free(NULL);
    fp_corpus_close((fp_corpus *)(uintptr_t)corpus);
}

static void columns_that_make_no_corpus_are_refused(void **state) {
    (void)state;
    column texts, twice, broken;
    const char *same[COUNT] = {"a", "b", "c", "d", "a", "f"}, *bad[COUNT] = {"a", "b", "c", "\xe4\xb8", "e", "f"};
    fp_corpus *corpus;
    fill(&texts, TEXTS);
    fill(&twice, same);
    fill(&broken, bad);
    const fp_text_column few = {2, texts.data, texts.offset};
    const fp_pair beyond = {0, COUNT, 1};
    const struct {
        fp_corpus_columns columns;
        fp_status status;
    } cases[] = {{{.texts = &texts.column, .name = ""}, FP_ERROR_RANGE},
                 {{.name = "x"}, FP_ERROR_EMPTY},
                 {{.name = "x", .texts = &texts.column, .ids = &twice.column}, FP_ERROR_DUPLICATE},
                 {{.name = "x", .texts = &texts.column, .ids = &texts.column}, FP_ERROR_RANGE},
                 {{.name = "x", .texts = &broken.column}, FP_ERROR_ENCODING},
                 {{.name = "x", .texts = &texts.column, .groups = &few}, FP_ERROR_RANGE},
                 {{.name = "x", .texts = &texts.column, .pairs = &beyond, .pair_count = 1}, FP_ERROR_RANGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fp_corpus_columns columns = cases[i].columns;
        columns.size = sizeof columns;
        if (fp_corpus_of_columns(&columns, NULL, &corpus, &test_error) != cases[i].status)
            fail_msg("%zu: %s", i, test_error.message);
        assert_null(corpus);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sketches_and_distances_are_those_of_single_texts),
        cmocka_unit_test(several_arms_and_narrow_distances),
        cmocka_unit_test(a_text_that_cannot_be_read_is_named),
        cmocka_unit_test(sketches_of_another_form_are_refused),
        cmocka_unit_test(keys_of_many_bits_are_hashes_of_words),
        cmocka_unit_test(components_and_what_is_kept),
        cmocka_unit_test(work_that_is_cancelled_ends),
        cmocka_unit_test(an_evaluation_gives_tables),
        cmocka_unit_test(columns_that_make_no_corpus_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
