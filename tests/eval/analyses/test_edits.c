/* SPDX-License-Identifier: GPL-3.0-or-later
 * Edits of characters, means with Student's interval, expected distances, and the cells they fill. */
#include <math.h>

#include "eval/analyses/edits.h"
#include "eval/analyses/theory.h"
#include "tests/support.h"
#include "text/unicode/utf8.h"

/* ---- Levenshtein ---- */

static fp_edits edits_of(fp_string a, fp_string b) {
    fp_arena *scratch = fp_arena_new();
    fp_edits edits;
    ASSERT_GOOD(fp_edits_between(a, b, scratch, &edits, &test_error));
    fp_arena_free(scratch);
    return edits;
}

/* Examples of Jurafsky and Martin (intention), of Wikipedia's article (kitten, Saturday), and by hand: code points
 * count, also those that UTF-16 writes as two, and no bytes of theirs. */
static void known_examples(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        size_t count, longer;
    } ROWS[] = {{"kitten", "sitting", 3, 7},
                {"intention", "execution", 5, 9},
                {"Saturday", "Sunday", 3, 8},
                {"", "", 0, 0},
                {"", "文本", 2, 2},
                {"同样", "同样", 0, 2},
                {"中国银行", "中国人民银行", 2, 6},
                {"今天天气很好", "今日天气真好", 2, 6},
                {"𠀀𠀁𠀂", "𠀀𠀂", 1, 3},
                {"😀x", "😁x", 1, 2},
                {"a\xc3\xa9", "ae", 1, 2},
                {"abc", "cba", 2, 3}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        for (int turned = 0; turned < 2; turned++) {
            fp_string a = fp_string_of(turned ? ROWS[i].b : ROWS[i].a),
                      b = fp_string_of(turned ? ROWS[i].a : ROWS[i].b);
            fp_edits edits = edits_of(a, b);
            if (edits.count != ROWS[i].count || edits.longer != ROWS[i].longer || !edits.exact)
                fail_msg("%s, %s: %zu of %zu", ROWS[i].a, ROWS[i].b, edits.count, edits.longer);
        }
    }
}

/* Wagner and Fischer's table, column by column. */
static size_t plain(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count) {
    size_t *row = malloc((a_count + 1) * sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i <= a_count; i++) row[i] = i;
    for (size_t j = 1; j <= b_count; j++) {
        size_t diagonal = row[0];
        row[0] = j;
        for (size_t i = 1; i <= a_count; i++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[i] + 1 < best) best = row[i] + 1;
            if (row[i - 1] + 1 < best) best = row[i - 1] + 1;
            diagonal = row[i];
            row[i] = best;
        }
    }
    size_t last = row[a_count];
    free(row);
    return last;
}

static fp_string encode(const uint32_t *code, size_t count, fp_arena *arena) {
    char *text = fp_arena_raw(arena, 4 * count + 1, 1);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += fp_utf8_encode(code[i], text + length);
    return (fp_string){text, length};
}

enum { LONGEST = 900 };

/* Some texts are unlike; others are the first one edited at a rate; alphabets of one to 40 characters, of one to four
 * bytes. */
static size_t make_texts(uint64_t seed, uint32_t *a, uint32_t *b, size_t *b_count) {
    static const uint32_t FIRST[] = {'a', 0xe9, 0x4e00, 0x20000};
    uint64_t draw = fp_mix(seed, 0), at = 1;
    uint32_t first = FIRST[draw % 4], alphabet = (uint32_t)(draw >> 8) % 40 + 1, rate = (uint32_t)(draw >> 16) % 40 + 3;
    size_t limit = seed % 5 ? 150 : LONGEST, a_count = (draw >> 32) % limit;
    *b_count = 0;
    for (size_t i = 0; i < a_count; i++) a[i] = first + (uint32_t)(fp_mix(seed, at++) % alphabet);
    if (seed % 3 == 0) {
        *b_count = (draw >> 48) % limit;
        for (size_t i = 0; i < *b_count; i++) b[i] = first + (uint32_t)(fp_mix(seed, at++) % alphabet);
        return a_count;
    }
    for (size_t i = 0; i < a_count && *b_count + 2 < LONGEST; i++) {
        uint64_t edit = fp_mix(seed, at++) % rate;
        if (edit == 0) continue;
        if (edit == 1) b[(*b_count)++] = first + (uint32_t)(fp_mix(seed, at++) % alphabet);
        b[(*b_count)++] = edit == 2 ? first + (uint32_t)(fp_mix(seed, at++) % alphabet) : a[i];
    }
    return a_count;
}

static void bit_vectors_equal_the_table(void **state) {
    (void)state;
    static uint32_t a[LONGEST], b[LONGEST];
    fp_arena *arena = fp_arena_new();
    for (uint64_t seed = 0; seed < 1500; seed++) {
        fp_arena_reset(arena);
        size_t b_count, a_count = make_texts(seed, a, b, &b_count), expected = plain(a, a_count, b, b_count);
        fp_edits edits = edits_of(encode(a, a_count, arena), encode(b, b_count, arena));
        if (edits.count != expected || !edits.exact)
            fail_msg("seed %d: %zu, not %zu", (int)seed, edits.count, expected);
    }
    fp_arena_free(arena);
}

/* Every length around the width of a word, against every other. */
static void lengths_around_a_word(void **state) {
    (void)state;
    static uint32_t a[200], b[200];
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < 200; i++) {
        a[i] = 'a' + (uint32_t)(fp_mix(i, 1) % 3);
        b[i] = 'a' + (uint32_t)(fp_mix(i, 2) % 3);
    }
    for (size_t m = 62; m <= 130; m += m == 66 ? 61 : 1)
        for (size_t n = 1; n <= 195; n += n == 66 ? 61 : 1) {
            fp_arena_reset(arena);
            fp_edits edits = edits_of(encode(a, m, arena), encode(b, n, arena));
            assert_int_equal(edits.count, plain(a, m, b, n));
        }
    fp_arena_free(arena);
}

/* What stands at the begin of the one text stands, in other letters, at the end of the other: the way between leads
 * along a diagonal as far off as so many edits allow. */
static void moved_blocks_need_the_whole_band(void **state) {
    (void)state;
    static uint32_t a[LONGEST], b[LONGEST];
    fp_arena *arena = fp_arena_new();
    for (size_t moved = 20; moved < 200; moved += 7) {
        fp_arena_reset(arena);
        for (size_t i = 0; i < 600; i++) a[moved + i] = b[i] = 0x4e00 + (uint32_t)(fp_mix(i, moved) % 2000);
        for (size_t i = 0; i < moved; i++) {
            a[i] = 'a';
            b[600 + i] = 'b';
        }
        fp_edits edits = edits_of(encode(a, 600 + moved, arena), encode(b, 600 + moved, arena));
        assert_int_equal(edits.count, 2 * moved);
        assert_int_equal(plain(a, 600 + moved, b, 600 + moved), 2 * moved);
    }
    fp_arena_free(arena);
}

/* Beyond what is compared exactly: few edits still are, and else the count is one that some script has: not fewer than
 * characters that differ in number, and no more than the longer text. */
static void long_texts_are_bounded(void **state) {
    (void)state;
    enum { COUNT = 3 * FP_EDITS_LONGEST };
    fp_arena *arena = fp_arena_new();
    char *a = fp_arena_raw(arena, COUNT, 1), *b = fp_arena_raw(arena, COUNT, 1);
    for (size_t i = 0; i < COUNT; i++) a[i] = (char)('a' + fp_mix(i, 7) % 26);
    memcpy(b, a, COUNT);
    b[5] = b[COUNT / 2] = b[COUNT - 9] = 'A';
    fp_edits few = edits_of((fp_string){a, COUNT}, (fp_string){b, COUNT});
    assert_true(few.exact && few.count == 3 && few.longer == COUNT);
    for (size_t i = 0; i < COUNT; i++) b[i] = (char)('a' + fp_mix(i, 8) % 26);
    fp_edits many = edits_of((fp_string){a, COUNT}, (fp_string){b, COUNT - COUNT / 4});
    assert_true(!many.exact && many.count > COUNT / 4 && many.count <= COUNT);
    fp_arena_free(arena);
}

/* ---- Means ---- */

static fp_resample independent(size_t count, fp_arena *arena) {
    fp_pair *pairs = fp_arena_alloc(arena, count, sizeof *pairs);
    fp_resample resample;
    for (uint32_t i = 0; i < count; i++) pairs[i] = (fp_pair){2 * i, 2 * i + 1, 1};
    ASSERT_GOOD(fp_resample_make(pairs, count, NULL, 2 * count, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    return resample;
}

/* Student, Biometrika 6, 1908: ten differences of sleep; R's t.test gives 1.58, 0.7001142 to 2.4598858. */
static void sleep_of_student(void **state) {
    (void)state;
    static const double HOURS[] = {1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4};
    fp_arena *arena = fp_arena_new();
    fp_resample resample = independent(10, arena);
    fp_mean mean;
    ASSERT_GOOD(fp_mean_of(&resample, HOURS, 0.95, arena, &mean, &test_error));
    assert_true(fabs(mean.value - 1.58) < 1e-12 && mean.units == 10);
    assert_true(fabs(mean.interval.low - 0.7001142) < 1e-6 && fabs(mean.interval.high - 2.4598858) < 1e-6);
    resample = independent(1, arena);
    ASSERT_GOOD(fp_mean_of(&resample, HOURS, 0.95, arena, &mean, &test_error));
    assert_true(mean.value == 1.2 && isnan(mean.interval.low));
    fp_arena_free(arena);
}

/* Pairs that are all counted three times, on three documents each of which shares its part, say no more than once. */
static void copies_add_nothing(void **state) {
    (void)state;
    enum { PARTS = 60 };
    fp_arena *arena = fp_arena_new();
    fp_pair *pairs = fp_arena_alloc(arena, 3 * PARTS, sizeof *pairs);
    double once[PARTS], thrice[3 * PARTS];
    for (uint32_t i = 0; i < 3 * PARTS; i++) {
        pairs[i] = (fp_pair){i / 3 * 4, i / 3 * 4 + 1 + i % 3, 1};
        once[i / 3] = thrice[i] = (double)(fp_mix(i / 3, 5) % 64);
    }
    fp_resample stars, apart = independent(PARTS, arena);
    ASSERT_GOOD(fp_resample_make(pairs, 3 * PARTS, NULL, 4 * PARTS, FP_SAMPLING_AUTO, arena, &stars, &test_error));
    assert_int_equal(stars.unit, FP_SAMPLING_PART);
    fp_mean of_stars, of_apart;
    ASSERT_GOOD(fp_mean_of(&stars, thrice, 0.95, arena, &of_stars, &test_error));
    ASSERT_GOOD(fp_mean_of(&apart, once, 0.95, arena, &of_apart, &test_error));
    assert_true(fabs(of_stars.value - of_apart.value) < 1e-9 && of_stars.units == PARTS);
    assert_true(fabs(of_stars.interval.low - of_apart.interval.low) < 1e-9);
    fp_arena_free(arena);
}

/* ---- Expected distances ---- */

enum { ASKED = 9 };
static const fp_pair DUPLICATES[ASKED] = {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1},
                                          {0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}};

static double *expect_of(const fp_pair *pairs, const char *spec, const fp_measurement *counterpart, fp_arena *arena) {
    double *expected;
    ASSERT_GOOD(fp_expected_distances(test_arm(spec, NULL, 0, arena), counterpart, pairs, ASKED, NULL, arena, &expected,
                                      &test_error));
    return expected;
}

/* A counterpart whose distances are given: similarity is what its algorithm says of them. */
static double *expect(const char *spec, const char *exact, const double *distances, fp_arena *arena) {
    fp_measurement counterpart = {.arm = test_arm(exact, NULL, 0, arena), .distances = distances};
    return expect_of(DUPLICATES, spec, &counterpart, arena);
}

/* Others than duplicates have no edits, and their laws, which take longest of all, are not asked for. */
static void of_duplicates_alone(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    double distances[ASKED];
    fp_pair pairs[ASKED];
    for (uint32_t i = 0; i < ASKED; i++) distances[i] = i, pairs[i] = (fp_pair){i, i + 1, i % 2};
    fp_measurement counterpart = {.arm = test_arm("jaccard", NULL, 0, arena), .distances = distances};
    double *all = expect("minhash", "jaccard", distances, arena),
           *own = expect_of(pairs, "minhash", &counterpart, arena);
    for (size_t i = 0; i < ASKED; i++) assert_true(i % 2 ? own[i] == all[i] : isnan(own[i]) && !isnan(all[i]));
    fp_arena_free(arena);
}

/* Binomial means by hand: 64·θ/π bits of a hyperplane or simhash, 64·(1 − J) slots of a minhash. */
static void expected_by_hand(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *cosine = test_arm("cosine", NULL, 0, arena), *jaccard = test_arm("jaccard", NULL, 0, arena);
    double distances[9];
    for (int i = 0; i < 9; i++) distances[i] = cosine->instance.layout.maximum * i / 8;
    double *simhash = expect("simhash", "cosine", distances, arena);
    double *wide = expect("hyperplane:bits=128", "cosine", distances, arena);
    for (int i = 0; i < 9; i++) {
        double similarity = cosine->instance.algorithm->similarity(&cosine->instance, distances[i]);
        double angle = acos(fmax(-1, fmin(1, similarity))) / acos(-1);
        if (fabs(simhash[i] - 64 * angle) > 1e-6 || fabs(wide[i] - 128 * angle) > 1e-6)
            fail_msg("%g: %g, %g", similarity, simhash[i], wide[i]);
    }
    for (int i = 0; i < 9; i++) distances[i] = jaccard->instance.layout.maximum * i / 8;
    double *minhash = expect("minhash:slots=100", "jaccard", distances, arena);
    for (int i = 0; i < 9; i++) assert_true(fabs(minhash[i] - 100.0 * i / 8) < 1e-6);
    double *none = expect("pinyin", "jaccard", distances, arena);
    for (int i = 0; i < 9; i++) assert_true(isnan(none[i]));
    none = expect_of(DUPLICATES, "simhash", NULL, arena);
    for (int i = 0; i < 9; i++) assert_true(isnan(none[i]));
    fp_arena_free(arena);
}

/* ---- Cells ---- */

static void shares_fall_into_their_class(void **state) {
    (void)state;
    static const struct {
        size_t count, longer, class;
    } ROWS[] = {{0, 100, 0},  {1, 100, 0},  {2, 100, 1},  {4, 100, 1},   {5, 100, 2},
                {10, 100, 3}, {39, 100, 4}, {40, 100, 5}, {100, 100, 5}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        assert_int_equal(fp_edit_share_class(&(fp_edits){ROWS[i].count, ROWS[i].longer, true}), ROWS[i].class);
}

/* Five duplicates and one other pair, in two strata; every cell by hand. */
static void cells_by_hand(void **state) {
    (void)state;
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 1}, {6, 7, 1}, {8, 9, 1}, {10, 11, 0}};
    static const uint32_t STRATUM[] = {0, 0, 0, 1, 1, 1};
    static const fp_edits EDITS[] = {{3, 100, true}, {1, 25, true},  {30, 100, false},
                                     {0, 10, true},  {1, 100, true}, {0, 0, false}};
    static const double MEASURED[] = {4, 8, 20, 0, 1, 60}, EXPECTED[] = {5, 6, 19, 0.5, NAN, NAN};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus = {.document_count = 12, .pair_count = 6, .pairs = PAIRS};
    fp_strata strata = {.by = "length", .count = 2, .of_pair = STRATUM};
    fp_edit_cell *cells;
    ASSERT_GOOD(fp_edit_cells_make(&(fp_edited_pairs){&corpus, EDITS, MEASURED, EXPECTED}, &strata, 0.95, arena, &cells,
                                   &test_error));
    static const size_t COUNTS[2 * FP_EDIT_SHARES] = {0, 2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0};
    for (size_t c = 0; c < 2 * FP_EDIT_SHARES; c++) assert_int_equal(cells[c].pairs, COUNTS[c]);
    assert_true(cells[1].measured.value == 6 && cells[1].expected == 5.5 && fabs(cells[1].mean_share - 0.035) < 1e-12 &&
                cells[1].bounded == 0);
    /* Half a width of 2 at t(1) = 12.7062. */
    assert_true(fabs(cells[1].measured.interval.high - 6 - 12.7062047364 * 2) < 1e-6);
    assert_true(cells[4].measured.value == 20 && cells[4].expected == 19 && isnan(cells[4].measured.interval.low) &&
                cells[4].bounded == 1);
    assert_true(cells[6].measured.value == 0.5 && isnan(cells[6].expected));
    fp_arena_free(arena);
}

/* Texts are normalised before they are compared: full-width and traditional characters are no edits. Any number of
 * threads gives the same. */
static void pairs_are_normalised(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"ＡＢＣ 國家", "abc 国家", "文本去重", "文章去重", "x", "completely different"};
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 3, 1}, {4, 5, 0}};
    fp_corpus_document documents[6] = {0};
    fp_string texts[6];
    for (int i = 0; i < 6; i++) texts[i] = fp_string_of(TEXTS[i]);
    fp_corpus corpus = {.document_count = 6, .documents = documents, .texts = texts, .pair_count = 3, .pairs = PAIRS};
    for (int i = 1; i < 4; i += 2) {
        fp_arena *arena = fp_arena_new();
        fp_edits *edits;
        fp_progress over = {.threads = i};
        ASSERT_GOOD(fp_edits_of_pairs(&corpus, &over, arena, &edits, &test_error));
        assert_true(edits[0].count == 0 && edits[0].longer == 6 && edits[1].count == 1 && edits[1].longer == 4);
        assert_true(edits[2].count == 0 && edits[2].longer == 0);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_examples),         cmocka_unit_test(bit_vectors_equal_the_table),
        cmocka_unit_test(lengths_around_a_word),  cmocka_unit_test(moved_blocks_need_the_whole_band),
        cmocka_unit_test(long_texts_are_bounded), cmocka_unit_test(sleep_of_student),
        cmocka_unit_test(copies_add_nothing),     cmocka_unit_test(expected_by_hand),
        cmocka_unit_test(of_duplicates_alone),    cmocka_unit_test(shares_fall_into_their_class),
        cmocka_unit_test(cells_by_hand),          cmocka_unit_test(pairs_are_normalised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
