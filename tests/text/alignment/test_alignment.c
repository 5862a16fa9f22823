/* SPDX-License-Identifier: GPL-3.0-or-later
 * Alignment against exact methods in quadratic time: the longest common subsequence by its table (Wagner, Fischer, The
 * string-to-string correction problem, J. ACM 21, 1974), the best local alignment by Smith and Waterman's (J. Mol.
 * Biol. 147, 1981), and common runs by all pairs of places (Wise, String similarity via greedy string tiling, 1993: no
 * run as long as the shortest passage is left outside). Places in texts worked out by hand. */
#include "text/alignment/alignment.h"
#include "text/unicode/han.h"
#include "text/unicode/utf8.h"
#include "tests/support.h"

typedef struct draws {
    uint64_t at;
} draws;
static size_t below(draws *from, size_t bound) { return (size_t)(fp_mix(from->at++, 77) % bound); }

/* ---- One window ---- */

/* length[i][j] of the first i symbols of a and j of b. */
static void table_of(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, size_t length[65][65]) {
    for (size_t i = 0; i <= a_count; i++)
        for (size_t j = 0; j <= b_count; j++) {
            if (!i || !j) length[i][j] = 0;
            else if (a[i - 1] == b[j - 1]) length[i][j] = length[i - 1][j - 1] + 1;
            else length[i][j] = length[i - 1][j] > length[i][j - 1] ? length[i - 1][j] : length[i][j - 1];
        }
}

static void check_best(const fp_lcs *table, size_t length[65][65]) {
    size_t i, j, best = fp_lcs_best(table, &i, &j), largest = 0;
    for (size_t x = 0; x <= table->a_count; x++)
        for (size_t y = 0; y <= table->b_count; y++)
            if (3 * length[x][y] > x + y && 3 * length[x][y] - x - y > largest) largest = 3 * length[x][y] - x - y;
    assert_int_equal(best, largest);
    assert_int_equal(best, 3 * length[i][j] - i - j);
}

static void windows_against_the_table(void **state) {
    (void)state;
    static size_t length[65][65];
    draws from = {1};
    for (int trial = 0; trial < 4000; trial++) {
        uint32_t a[64], b[64], turned[64];
        size_t a_count = below(&from, 65), b_count = below(&from, 65), letters = 1 + below(&from, 30);
        for (size_t i = 0; i < a_count; i++) a[i] = 0x4e00 + (uint32_t)below(&from, letters) * 256;
        for (size_t i = 0; i < b_count; i++) b[i] = 0x4e00 + (uint32_t)below(&from, letters) * 256;
        for (size_t i = 0; i < a_count; i++) turned[a_count - 1 - i] = a[i];
        fp_lcs table;
        table_of(a, a_count, b, b_count, length);
        fp_lcs_fill(a, a_count, b, b_count, 1, &table);
        for (size_t i = 0; i <= a_count; i++)
            for (size_t j = 0; j <= b_count; j++) assert_int_equal(fp_lcs_length(&table, i, j), length[i][j]);
        check_best(&table, length);
        uint8_t a_at[64], b_at[64];
        size_t count = fp_lcs_pairs(&table, a_at, b_at);
        assert_int_equal(count, length[a_count][b_count]);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(a[a_at[k]], b[b_at[k]]);
            if (k) assert_true(a_at[k] > a_at[k - 1] && b_at[k] > b_at[k - 1]);
        }
        /* Downwards from the end. */
        if (!a_count || !b_count) continue;
        uint32_t b_turned[64];
        for (size_t i = 0; i < b_count; i++) b_turned[b_count - 1 - i] = b[i];
        fp_lcs_fill(turned + a_count - 1, a_count, b_turned + b_count - 1, b_count, -1, &table);
        for (size_t i = 0; i <= a_count; i++) assert_int_equal(fp_lcs_length(&table, i, b_count), length[i][b_count]);
    }
}

/* ---- Places ---- */

static void same_text(const char *text, const fp_common_run *run, int which, const char *expected) {
    fp_string part = {text + run->begin[which], run->end[which] - run->begin[which]};
    if (!fp_string_equal(part, fp_string_of(expected)))
        fail_msg("%.*s is not %s", (int)part.length, part.data, expected);
}

/* A byte-order mark, blanks inside and line ends are passed over, in whichever text they stand; a substituted character
 * parts two runs of one passage. */
static void places_by_hand(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_alignment made;
    const char *a = "前言。\xef\xbb\xbf我国经济持续增长,人民 生活水平不断提高!后记";
    const char *b = "我國經濟持續增長，人民\n生活水平更斷提高！";
    ASSERT_GOOD(fp_align(fp_string_of(a), fp_string_of(b), 0, arena, &made, &test_error));
    assert_int_equal(made.count, 1);
    const fp_passage *only = made.passages;
    /* 8 characters, a comma, 6, then one that differs, then 3 and the mark. */
    assert_int_equal(only->same, 19);
    assert_int_equal(only->characters[0], 20);
    assert_int_equal(only->characters[1], 20);
    assert_int_equal(only->from[0], 4);
    assert_int_equal(only->to[0], 25);
    assert_int_equal(only->from[1], 0);
    assert_int_equal(only->to[1], 21);
    assert_int_equal(only->begin[0], strlen("前言。\xef\xbb\xbf"));
    assert_int_equal(only->end[1], strlen(b));
    assert_int_equal(only->run_count, 2);
    same_text(a, only->runs, 0, "我国经济持续增长,人民 生活水平");
    same_text(b, only->runs, 1, "我國經濟持續增長，人民\n生活水平");
    same_text(a, only->runs + 1, 0, "断提高!");
    same_text(b, only->runs + 1, 1, "斷提高！");
    assert_int_equal(made.characters[0], 25);
    assert_int_equal(made.characters[1], 20);
    assert_true(made.share[0] == 19.0 / 25 && made.share[1] == 19.0 / 20);
    fp_arena_free(arena);
}

/* Case, width and a ligature, which stays one character and so differs. */
static void folds_by_character(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_alignment made;
    const char *a = "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG AND FINDS A ﬁsh";
    const char *b = "ｔｈｅ　ｑｕｉｃｋ　brownfox\tjumps over the lazy dog and finds a fish";
    ASSERT_GOOD(fp_align(fp_string_of(a), fp_string_of(b), 0, arena, &made, &test_error));
    assert_int_equal(made.count, 1);
    assert_int_equal(made.characters[0], 47);
    assert_int_equal(made.characters[1], 48);
    /* Up to the ligature: behind it two characters gain less than three lose. */
    assert_int_equal(made.same, 44);
    fp_arena_free(arena);
}

static void nothing_in_common(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_alignment made;
    static const char *const TEXTS[] = {"", " \n\t", "春眠不觉晓", "全都不同的另外一段话放在这里占位置用"};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            ASSERT_GOOD(fp_align(fp_string_of(TEXTS[i]), fp_string_of(TEXTS[j]), 0, arena, &made, &test_error));
            assert_int_equal(made.count, i == 3 && j == 3);
            assert_true(made.share[0] == (i == 3 && j == 3) && made.share[1] == made.share[0]);
        }
    assert_int_equal(fp_align(fp_string_of("a"), fp_string_of("b"), 1, arena, &made, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_align(fp_string_of("a"), fp_string_of("bc\xff"), 0, arena, &made, &test_error),
                     FP_ERROR_ENCODING);
    assert_int_equal(test_error.byte, 2);
    assert_non_null(strstr(test_error.message, "text B"));
    fp_arena_free(arena);
}

/* ---- Whole texts of symbols that stand for themselves ---- */

/* Han characters that no folding touches stand for symbols 0, 1, …: 一 … are not all their own simplified form, so
 * those that are not are left out. */
typedef struct drawn {
    uint32_t symbol[2000];
    size_t count;
    char text[8000];
} drawn;

static void write_text(drawn *of) {
    size_t length = 0;
    for (size_t i = 0; i < of->count; i++) length += fp_utf8_encode(of->symbol[i], of->text + length);
    of->text[length] = 0;
}

/* Of a small alphabet of hiragana, or of a large one of Han characters that are their own folded form. */
static uint32_t letter(draws *from, size_t letters) {
    uint32_t code = letters <= 70 ? 0x3042 : 0x5000;
    code += (uint32_t)below(from, letters);
    while (fp_han_fold_code(code) != code) code++;
    return code;
}

static void check_passage(const drawn *a, const drawn *b, const fp_passage *of, bool *used_a, bool *used_b) {
    size_t same = 0, last[2] = {0};
    for (size_t i = of->from[0]; i < of->to[0]; i++) {
        assert_false(used_a[i]);
        used_a[i] = true;
    }
    for (size_t i = of->from[1]; i < of->to[1]; i++) {
        assert_false(used_b[i]);
        used_b[i] = true;
    }
    for (size_t r = 0; r < of->run_count; r++) {
        const fp_common_run *run = of->runs + r;
        size_t length = run->end[0] - run->begin[0];
        assert_true(length > 0 && run->end[1] - run->begin[1] == length);
        assert_memory_equal(a->text + run->begin[0], b->text + run->begin[1], length);
        for (int t = 0; t < 2; t++) {
            assert_true(r ? run->begin[t] >= last[t] : run->begin[t] == of->begin[t]);
            last[t] = run->end[t];
        }
        same += length / 3;
    }
    assert_int_equal(same, of->same);
    for (int t = 0; t < 2; t++) {
        assert_int_equal(last[t], of->end[t]);
        assert_int_equal(of->begin[t], 3 * of->from[t]);
        assert_int_equal(of->characters[t], of->to[t] - of->from[t]);
    }
    assert_true(3 * of->same > of->characters[0] + of->characters[1]);
}

/* Whether a common run of `least` symbols or more has none in a passage. */
static bool run_left(const drawn *a, const drawn *b, const bool *used_a, const bool *used_b, size_t least) {
    static size_t length[2][2001];
    memset(length, 0, sizeof length);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            bool equal = a->symbol[i] == b->symbol[j] && !used_a[i] && !used_b[j];
            length[i & 1][j + 1] = equal ? length[!(i & 1)][j] + 1 : 0;
            if (length[i & 1][j + 1] >= least) return true;
        }
    return false;
}

static long best_local(const drawn *a, const drawn *b) {
    static long score[2][2001];
    long best = 0;
    memset(score, 0, sizeof score);
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++) {
            long *row = score[i & 1], *above = score[!(i & 1)],
                 here = above[j] + (a->symbol[i] == b->symbol[j] ? 1 : -2);
            if (row[j] - 1 > here) here = row[j] - 1;
            if (above[j + 1] - 1 > here) here = above[j + 1] - 1;
            row[j + 1] = here > 0 ? here : 0;
            if (here > best) best = here;
        }
    return best;
}

static void draw_plain(drawn *to, size_t count, size_t letters, draws *from) {
    to->count = count;
    for (size_t i = 0; i < count; i++) to->symbol[i] = letter(from, letters);
}

/* Copies a stretch with edits at a rate of one in `rate`: a third each substituted, left out, added. */
static void copy_edited(drawn *to, const uint32_t *symbol, size_t count, size_t rate, size_t letters, draws *from) {
    for (size_t i = 0; i < count; i++) {
        size_t kind = rate && below(from, rate) == 0 ? below(from, 3) : 3;
        if (kind == 0) to->symbol[to->count++] = letter(from, letters);
        if (kind == 2) to->symbol[to->count++] = letter(from, letters);
        if (kind >= 2) to->symbol[to->count++] = symbol[i];
    }
}

static void check_all(drawn *a, drawn *b, size_t least, bool exhaustive, fp_alignment *made, fp_arena *arena) {
    static bool used[2][2000];
    memset(used, 0, sizeof used);
    write_text(a);
    write_text(b);
    fp_arena_reset(arena);
    ASSERT_GOOD(fp_align(fp_string_of(a->text), fp_string_of(b->text), least, arena, made, &test_error));
    size_t same = 0;
    for (size_t p = 0; p < made->count; p++) {
        check_passage(a, b, made->passages + p, used[0], used[1]);
        assert_true(made->passages[p].same >= least);
        if (p) assert_true(made->passages[p].same <= made->passages[p - 1].same);
        same += made->passages[p].same;
    }
    assert_int_equal(same, made->same);
    assert_int_equal(made->characters[0], a->count);
    assert_int_equal(made->characters[1], b->count);
    if (exhaustive) assert_false(run_left(a, b, used[0], used[1], least));
}

/* One edited passage in texts that have nothing else in common: the best local alignment there is. */
static void one_passage_is_the_best(void **state) {
    (void)state;
    static drawn a, b;
    fp_arena *arena = fp_arena_new();
    draws from = {1000};
    size_t less = 0, trials = 300;
    for (size_t trial = 0; trial < trials; trial++) {
        fp_alignment made;
        size_t letters = trial % 2 ? 60 : 3000, copied = 30 + below(&from, 300), at = below(&from, 300);
        draw_plain(&a, 700, letters, &from);
        draw_plain(&b, below(&from, 300), letters, &from);
        copy_edited(&b, a.symbol + at, copied, trial % 3 ? 12 : 25, letters, &from);
        for (size_t i = below(&from, 300); i; i--) b.symbol[b.count++] = letter(&from, letters);
        check_all(&a, &b, 12, true, &made, arena);
        long best = best_local(&a, &b), found = 0;
        if (made.count)
            found = 3 * (long)made.passages->same - (long)(made.passages->characters[0] + made.passages->characters[1]);
        assert_true(found <= best);
        if (found < best) less++, print_message("trial %zu: %ld of %ld\n", trial, found, best);
    }
    assert_int_equal(less, 0);
    fp_arena_free(arena);
}

/* A stretch left out between two runs, which either text may lack: one passage where the gap has at most a window and
 * loses no more than either run gains, as the best local alignment says; else two. */
static void gaps(void **state) {
    (void)state;
    static drawn a, b, *const TEXTS[2] = {&a, &b};
    static const size_t RUNS[][2] = {{200, 100}, {100, 200}, {30, 200}, {200, 30}};
    fp_arena *arena = fp_arena_new();
    draws from = {9000};
    for (size_t trial = 0; trial < 4 * 2 * 70; trial++) {
        const size_t *run = RUNS[trial % 4], gap = trial / 8;
        drawn *longer = TEXTS[trial / 4 % 2], *shorter = TEXTS[!(trial / 4 % 2)];
        fp_alignment made;
        draw_plain(longer, run[0] + gap + run[1], 20000, &from);
        shorter->count = run[0] + run[1];
        memcpy(shorter->symbol, longer->symbol, run[0] * sizeof *longer->symbol);
        memcpy(shorter->symbol + run[0], longer->symbol + run[0] + gap, run[1] * sizeof *longer->symbol);
        check_all(&a, &b, 12, true, &made, arena);
        size_t least = run[0] < run[1] ? run[0] : run[1];
        bool joined = gap <= FP_LCS_WINDOW && gap < least;
        assert_int_equal(made.count, joined ? 1 : 2);
        assert_int_equal(made.same, run[0] + run[1]);
        if (joined) assert_int_equal(best_local(&a, &b), run[0] + run[1] - gap);
    }
    fp_arena_free(arena);
}

/* Texts glued from the same pieces in other orders, pieces twice, and texts over few letters: what is found is right,
 * and nothing as long as the shortest passage is left. */
static void glued_texts(void **state) {
    (void)state;
    static drawn a, b, pieces;
    fp_arena *arena = fp_arena_new();
    draws from = {5000};
    for (size_t trial = 0; trial < 400; trial++) {
        fp_alignment made;
        size_t letters = trial % 2 ? 60 : 3000;
        draw_plain(&pieces, 800, letters, &from);
        a.count = b.count = 0;
        for (drawn *to = &a;; to = &b) {
            for (size_t k = 2 + below(&from, 6); k; k--)
                copy_edited(to, pieces.symbol + 100 * below(&from, 8), 20 + below(&from, 80), trial % 4 < 2 ? 0 : 20,
                            letters, &from);
            if (to == &b) break;
        }
        check_all(&a, &b, 12, true, &made, arena);
    }
    for (size_t trial = 0; trial < 400; trial++) {
        fp_alignment made;
        size_t letters = 1 + below(&from, 4);
        draw_plain(&a, below(&from, 1000), letters, &from);
        draw_plain(&b, below(&from, 1000), letters, &from);
        check_all(&a, &b, 2 + below(&from, 20), false, &made, arena);
    }
    fp_arena_free(arena);
}

/* ---- Hostile texts ---- */

static fp_string repeated(const char *unit, size_t times, fp_arena *arena) {
    size_t length = strlen(unit);
    char *text = fp_arena_raw(arena, times, length);
    for (size_t i = 0; i < times; i++) memcpy(text + i * length, unit, length);
    return (fp_string){text, times * length};
}

/* One character, periods, and periods that do not fit, a megabyte each: they end, and what can be said is. */
static void hostile_texts(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_alignment made;
    fp_string one = repeated("哈", 350000, arena), half = repeated("哈", 100000, arena);
    ASSERT_GOOD(fp_align(one, one, 0, arena, &made, &test_error));
    assert_true(made.count == 1 && made.same == 350000 && made.share[1] == 1);
    ASSERT_GOOD(fp_align(one, half, 0, arena, &made, &test_error));
    assert_true(made.same == 100000 && made.share[1] == 1);
    ASSERT_GOOD(fp_align(half, one, 0, arena, &made, &test_error));
    assert_true(made.same == 100000 && made.share[0] == 1);
    fp_string two = repeated("春夏秋冬", 80000, arena), turned = repeated("秋冬春夏", 80000, arena);
    ASSERT_GOOD(fp_align(two, turned, 0, arena, &made, &test_error));
    assert_true(made.same >= 319998);
    /* Periods of 61 and 62, so that no run is long. */
    char unit[80] = {0};
    memset(unit, 'a', 60);
    unit[60] = 'b';
    fp_string first = repeated(unit, 16000, arena);
    unit[60] = 'a', unit[61] = 'c';
    ASSERT_GOOD(fp_align(first, repeated(unit, 16000, arena), 0, arena, &made, &test_error));
    assert_true(made.same > 100000);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_against_the_table),
        cmocka_unit_test(places_by_hand),
        cmocka_unit_test(folds_by_character),
        cmocka_unit_test(nothing_in_common),
        cmocka_unit_test(one_passage_is_the_best),
        cmocka_unit_test(gaps),
        cmocka_unit_test(glued_texts),
        cmocka_unit_test(hostile_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
