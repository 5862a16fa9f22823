/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corruption keeps its word: as many changes as the rate says, of the kind that it says and counted by other means; the
 * same bytes for the same seed; nothing at rate 0; valid text whatever it was.
 */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "corpora/corruption/text_parts.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"
#include "tests/corpora/corruption/corrupted.h"

/* ---- How often ---- */

/* A false alarm in 10⁵ rates; the seed is fixed, so it would be one for good. */
static void is_binomial(const char *name, double rate, size_t sites, size_t changes) {
    double below = gsl_cdf_binomial_P((unsigned)changes, rate, (unsigned)sites),
           above = gsl_cdf_binomial_Q((unsigned)changes, rate, (unsigned)sites) +
                   gsl_ran_binomial_pdf((unsigned)changes, rate, (unsigned)sites);
    if (below < 1e-5 || above < 1e-5) fail_msg("%s at %g: %zu of %zu sites were changed", name, rate, changes, sites);
}

static void rates_are_kept(void **state) {
    static const double RATES[] = {0.01, 0.1, 0.5};
    const bench *it = *state;
    for (size_t k = 0; fp_corruption_at(k); k++) {
        const char *name = fp_corruption_at(k)->name;
        for (size_t r = 0; r < sizeof RATES / sizeof *RATES; r++) {
            size_t sites = 0, changes = 0;
            for (size_t i = 0; i < it->count; i++) {
                fp_corruption_text of = text_of(it, i);
                fp_corrupted made = corrupt(it, name, RATES[r], &of);
                sites += made.steps[0].sites;
                changes += made.steps[0].changes;
            }
            bool other_script = strcmp(name, "simplified") == 0;
            if (!other_script && sites < 200) fail_msg("%s has %zu sites", name, sites);
            if (sites) is_binomial(name, RATES[r], sites, changes);
        }
    }
}

static void all_or_nothing(void **state) {
    const bench *it = *state;
    for (size_t k = 0; fp_corruption_at(k); k++) {
        const char *name = fp_corruption_at(k)->name;
        for (size_t i = 0; i < it->count; i += 5) {
            fp_corruption_text of = text_of(it, i);
            fp_corrupted none = corrupt(it, name, 0, &of), all = corrupt(it, name, 1, &of);
            if (none.steps[0].changes || !fp_string_equal(none.text, of.text)) fail_msg("%s at 0 changed a text", name);
            if (all.steps[0].changes != all.steps[0].sites) fail_msg("%s at 1 left a site", name);
            if (all.steps[0].changes && fp_string_equal(all.text, of.text)) fail_msg("%s at 1 changed nothing", name);
        }
    }
}

/* ---- What ---- */

typedef struct codes {
    size_t count;
    uint32_t *code;
} codes;

static codes codes_of(fp_string text, fp_arena *arena) {
    codes made = {0, fp_arena_alloc(arena, text.length + 1, sizeof *made.code)};
    for (size_t at = 0; at < text.length;) at += fp_utf8_decode(text.data + at, &made.code[made.count++]);
    return made;
}

static int by_code(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

/* Places at which two texts of one length differ; SIZE_MAX for others. */
static size_t differences(codes a, codes b) {
    size_t count = 0;
    for (size_t i = 0; i < a.count && a.count == b.count; i++) count += a.code[i] != b.code[i];
    return a.count == b.count ? count : SIZE_MAX;
}

static bool is_subsequence(codes part, codes whole) {
    size_t at = 0;
    for (size_t i = 0; i < whole.count && at < part.count; i++) at += whole.code[i] == part.code[at];
    return at == part.count;
}

static bool same_characters(codes a, codes b) {
    qsort(a.code, a.count, sizeof *a.code, by_code);
    qsort(b.code, b.count, sizeof *b.code, by_code);
    return differences(a, b) == 0;
}

static codes without_marks(codes from) {
    codes made = from;
    made.count = 0;
    for (size_t i = 0; i < from.count; i++)
        if (u_isalnum((UChar32)from.code[i])) made.code[made.count++] = from.code[i];
    return made;
}

static bool one_of(const char *name, const char *names) {
    for (fp_string rest = fp_string_of(names), next; fp_next_field(&rest, ' ', &next);)
        if (fp_string_equal(fp_string_of(name), next)) return true;
    return false;
}

/* What each kind leaves as it was, and its changes counted from the two texts alone. */
static bool as_promised(const char *name, fp_string before, fp_string after, size_t changes, fp_arena *arena) {
    codes a = codes_of(before, arena), b = codes_of(after, arena);
    if (one_of(name, "substitute homophone lookalike digits width")) return differences(a, b) == changes;
    if (one_of(name, "delete truncate")) return a.count - b.count == changes && is_subsequence(b, a);
    if (one_of(name, "insert boilerplate")) return b.count - a.count == changes && is_subsequence(a, b);
    if (one_of(name, "noise sentence_insert")) return is_subsequence(a, b) && (b.count > a.count) == (changes > 0);
    if (one_of(name, "sentence_delete")) return is_subsequence(b, a) && (b.count < a.count) == (changes > 0);
    if (one_of(name, "splice")) return a.count == b.count && differences(a, b) <= changes;
    if (one_of(name, "punctuation")) {
        codes bare_a = without_marks(a), bare_b = without_marks(b);
        return differences(bare_a, bare_b) == 0;
    }
    if (one_of(name, "transpose")) {
        size_t moved = differences(a, b);
        return moved >= changes && moved <= 2 * changes && same_characters(a, b);
    }
    if (one_of(name, "words clauses sentences")) return same_characters(a, b);
    return one_of(name, "synonym traditional taiwan hongkong simplified"); /* test_conversion.sh, test_synonyms */
}

static void changes_are_as_promised(void **state) {
    const bench *it = *state;
    for (size_t k = 0; fp_corruption_at(k); k++) {
        const char *name = fp_corruption_at(k)->name;
        for (size_t i = 0; i < it->count; i++) {
            fp_corruption_text of = text_of(it, i);
            fp_corrupted made = corrupt(it, name, 0.1, &of);
            assert_int_equal(fp_utf8_check(made.text), made.text.length);
            if (!as_promised(name, of.text, made.text, made.steps[0].changes, it->arena))
                fail_msg("%s of %.*s: %zu changes are not as promised:\n%.*s\n%.*s", name, (int)of.id.length,
                         of.id.data, made.steps[0].changes, (int)of.text.length, of.text.data, (int)made.text.length,
                         made.text.data);
        }
    }
}

/* Texts between the edits are the same, and the edits hold all that is not. */
static void edits_tell_all(void **state) {
    const bench *it = *state;
    for (size_t k = 0; fp_corruption_at(k); k++) {
        fp_corruption_text of = text_of(it, k);
        fp_corruption_step step = corrupt(it, fp_corruption_at(k)->name, 0.3, &of).steps[0];
        size_t from = 0, to = 0;
        for (size_t i = 0; i <= step.edit_count; i++) {
            fp_corruption_edit end = {step.before.length, 0, step.after.length, 0};
            fp_corruption_edit edit = i < step.edit_count ? step.edits[i] : end;
            assert_true(edit.begin >= from && edit.to_begin >= to);
            assert_true(fp_string_equal((fp_string){step.before.data + from, edit.begin - from},
                                        (fp_string){step.after.data + to, edit.to_begin - to}));
            from = edit.end;
            to = edit.to_end;
        }
    }
}

static void width_is_compatible(void **state) {
    const bench *it = *state;
    for (size_t i = 0; i < it->count; i++) {
        fp_string plain, changed;
        fp_corruption_text of = text_of(it, i);
        fp_corrupted made = corrupt(it, "width", 0.5, &of);
        ASSERT_GOOD(fp_normalise(of.text, FP_HAN_KEEP, it->arena, &plain, &test_error));
        ASSERT_GOOD(fp_normalise(made.text, FP_HAN_KEEP, it->arena, &changed, &test_error));
        assert_true(fp_string_equal(plain, changed));
    }
}

/* ---- Chance ---- */

static void seeds_decide(void **state) {
    bench it = *(const bench *)*state, other = it;
    other.means.seed = 8;
    for (size_t k = 0; fp_corruption_at(k); k++) {
        const char *name = fp_corruption_at(k)->name;
        size_t same_seed = 0, same_copy = 0, same_id = 0, changed = 0;
        for (size_t i = 0; i < 20; i++) {
            fp_corruption_text of = text_of(&it, i), copy = of, renamed = of;
            copy.copy = 1;
            renamed.id = fp_string_of("another");
            fp_string made = corrupt(&it, name, 0.3, &of).text;
            assert_true(fp_string_equal(made, corrupt(&it, name, 0.3, &of).text));
            changed += !fp_string_equal(made, of.text);
            same_seed += fp_string_equal(made, corrupt(&other, name, 0.3, &of).text);
            same_copy += fp_string_equal(made, corrupt(&it, name, 0.3, &copy).text);
            same_id += fp_string_equal(made, corrupt(&it, name, 0.3, &renamed).text);
        }
        bool drawn = !one_of(name, "truncate splice simplified"); /* what is cut off is no matter of chance */
        if (drawn && (same_seed > 15 || same_copy > 15 || same_id > 15 || changed < 5))
            fail_msg("%s: of 20 copies %zu %zu %zu are the same, %zu changed", name, same_seed, same_copy, same_id,
                     changed);
    }
}

/* A kind in a mixture does what it does alone, on what the one before it made. */
static void mixtures_follow(void **state) {
    const bench *it = *state;
    fp_corruption_text of = text_of(it, 3), after = of;
    fp_corrupted both = corrupt(it, "homophone+delete", 0.1, &of);
    after.text = corrupt(it, "homophone", 0.1, &of).text;
    assert_int_equal(both.step_count, 2);
    assert_true(fp_string_equal(both.text, corrupt(it, "delete", 0.1, &after).text));
}

/* ---- Any text ---- */

static const char *const TEXTS[] = {
    "",
    " ",
    "\n\n",
    "。",
    "a",
    "字",
    "𠮷野家𠀀𪚥的𠂇",                                   /* beyond the basic plane: two units of UTF-16 each */
    "e\u0301te\u0301 n\u0303andu\u0301 a\u0308o\u0308", /* combining marks */
    "\u0e01\u0e33\u0e19\u0e49\u0e33 \u0ba8\u0bbf \u1100\u1161\u11a8\uac01", /* clusters of other scripts */
    "👨‍👩‍👧‍👦🇨🇳🇯🇵👍🏽❤️", /* joined, flags, skin, variation selector */
    "Straße, naïve façade; 3.14 12:30 1,000 (x) \"q\" ％＂＇",
    "\r\n第一行\r\n第二行\r\n",
    "\U0010ffff\U000e0100字\U000e0100",
};

static void any_text_goes(void **state) {
    const bench *it = *state;
    for (size_t t = 0; t < sizeof TEXTS / sizeof *TEXTS; t++) {
        for (size_t k = 0; fp_corruption_at(k); k++) {
            for (double rate = 0; rate <= 1; rate += 0.25) {
                fp_corruption_text of = {
                    .id = fp_string_of("t"), .text = fp_string_of(TEXTS[t]), .donors = it->texts, .donor_count = 2};
                fp_corrupted made = corrupt(it, fp_corruption_at(k)->name, rate, &of);
                assert_int_equal(fp_utf8_check(made.text), made.text.length);
                if (rate == 0) assert_true(fp_string_equal(made.text, of.text));
                assert_true(made.steps[0].changes <= made.steps[0].sites);
            }
        }
    }
}

/* No mark is parted from its letter: the copy has no other clusters than the text. */
static void clusters_stay_whole(void **state) {
    const bench *it = *state;
    fp_corruption_text of = {.id = fp_string_of("t"), .text = fp_string_of(TEXTS[7])};
    for (uint64_t copy = 0; copy < 50; copy++) {
        of.copy = copy;
        fp_corrupted made = corrupt(it, "transpose+delete", 0.5, &of);
        for (size_t at = 0; at < made.text.length;) {
            fp_string rest = {made.text.data + at, made.text.length - at};
            fp_string cluster = {rest.data, fp_character_size(rest)};
            if (!memmem(of.text.data, of.text.length, cluster.data, cluster.length))
                fail_msg("a cluster that was not there: %.*s", (int)cluster.length, cluster.data);
            at += cluster.length;
        }
    }
}

/* Beside ICU's iterator, on texts of the code points that the rules speak of. */
static void clusters_are_those_of_icu(void **state) {
    static const uint32_t POOL[] = {'a',    '\r',    '\n',   0x200d, 0x301,   0xe33,   0x903,   0x1100,
                                    0x1161, 0x11a8,  0xac00, 0xac01, 0x1f1e8, 0x1f1f3, 0x1f468, 0x2764,
                                    0xfe0f, 0x1f3fd, 0x600,  0x5b57, 0xad,    0x200b,  0xe0100, 0x94d};
    (void)state;
    for (uint64_t round = 0; round < 20000; round++) {
        char text[64];
        size_t length = 0, at = 0;
        for (uint64_t i = 0; i < 8; i++)
            length += fp_utf8_encode(POOL[fp_mix(round, i) % (sizeof POOL / sizeof *POOL)], text + length);
        UErrorCode status = U_ZERO_ERROR;
        UText source = UTEXT_INITIALIZER;
        utext_openUTF8(&source, text, (int64_t)length, &status);
        static UBreakIterator *icu;
        if (!icu) icu = ubrk_open(UBRK_CHARACTER, "", NULL, 0, &status);
        ubrk_setUText(icu, &source, &status);
        assert_true(U_SUCCESS(status));
        for (ubrk_first(icu); at < length;) {
            at += fp_character_size((fp_string){text + at, length - at});
            int32_t border = ubrk_next(icu);
            if ((size_t)border != at) fail_msg("round %zu: a border at %zu, ICU's is at %d", (size_t)round, at, border);
        }
        utext_close(&source);
    }
}

/* ---- Refusals ---- */

static void refusals(void **state) {
    const bench *it = *state;
    fp_corruption made;
    fp_error error;
    fp_corrupted out;
    assert_int_equal(fp_corruption_parse(fp_string_of("homofone"), &made, &error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(error.message, "did you mean homophone?"));
    assert_int_equal(fp_corruption_parse(fp_string_of(""), &made, &error), FP_ERROR_UNKNOWN);
    assert_int_equal(fp_corruption_parse(fp_string_of("digits+digits"), &made, &error), FP_ERROR_DUPLICATE);
    assert_int_equal(fp_corruption_parse(fp_string_of("a+"), &made, &error), FP_ERROR_UNKNOWN);
    fp_corruption digits = kinds_of("digits"), words = kinds_of("words"), synonym = kinds_of("synonym");
    fp_corruption_text of = text_of(it, 0);
    static const double WRONG[] = {-0.01, 1.01, INFINITY, NAN};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(fp_corrupt(&digits, WRONG[i], &it->means, &of, it->arena, &out, &error), FP_ERROR_RANGE);
    fp_corruption_means bare = {.seed = 1};
    assert_int_equal(fp_corrupt(&words, 0.1, &bare, &of, it->arena, &out, &error), FP_ERROR_EMPTY);
    assert_int_equal(fp_corrupt(&synonym, 0.1, &bare, &of, it->arena, &out, &error), FP_ERROR_EMPTY);
}

int main(void) {
    static bench it;
    it = read_bench("tests/data/newswire-zh");
    void *state = &it;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(rates_are_kept, state),
        cmocka_unit_test_prestate(all_or_nothing, state),
        cmocka_unit_test_prestate(changes_are_as_promised, state),
        cmocka_unit_test_prestate(edits_tell_all, state),
        cmocka_unit_test_prestate(width_is_compatible, state),
        cmocka_unit_test_prestate(seeds_decide, state),
        cmocka_unit_test_prestate(mixtures_follow, state),
        cmocka_unit_test_prestate(any_text_goes, state),
        cmocka_unit_test_prestate(clusters_stay_whole, state),
        cmocka_unit_test(clusters_are_those_of_icu),
        cmocka_unit_test_prestate(refusals, state),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fp_arena_free(it.arena);
    return failed;
}
