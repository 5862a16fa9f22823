/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normalisation against ICU run over whole strings (no table, no stretches), against Unicode's own data files, and
 * against the treatment that normalise.h states.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"
#include "tests/support.h"

static fp_arena *arena;

static fp_string string_of(const char *text) { return (fp_string){text, strlen(text)}; }

static fp_string normal(fp_string raw, fp_han han) {
    fp_string text;
    fp_error error;
    if (fp_normalise(raw, han, arena, &text, &error) != FP_OK) fail_msg("%s", error.message);
    return text;
}

static void expect(const char *raw, fp_han han, const char *expected) {
    fp_string text = normal(string_of(raw), han);
    if (text.length == strlen(expected) && memcmp(text.data, expected, text.length) == 0) return;
    fail_msg("'%s' gives '%.*s', not '%s'", raw, (int)text.length, text.data, expected);
}

/* ---- The oracle: the stated treatment of control characters and radicals, then ICU over the whole string ---- */

enum { FIRST_RADICAL = 0x2e80, LAST_RADICAL = 0x2fdf };

/* Equivalent_Unified_Ideograph, from Unicode's own file. */
static UChar32 ideograph_of(UChar code) {
    static UChar32 of[LAST_RADICAL + 1];
    FILE *stream = of[FIRST_RADICAL] ? NULL : fopen("/usr/share/unicode/EquivalentUnifiedIdeograph.txt", "r");
    char line[512];
    for (unsigned first, last, to; stream && fgets(line, sizeof line, stream);) {
        bool range = sscanf(line, "%x..%x ; %x", &first, &last, &to) == 3;
        if (!range && sscanf(line, "%x ; %x", &first, &to) != 2) continue;
        for (last = range ? last : first; first <= last && first <= LAST_RADICAL; first++) of[first] = (UChar32)to;
    }
    if (stream) fclose(stream);
    for (UChar32 i = FIRST_RADICAL; stream && i <= LAST_RADICAL; i++) of[i] = of[i] ? of[i] : i;
    return code >= FIRST_RADICAL && code <= LAST_RADICAL ? of[code] : code;
}

static bool is_line_end(UChar32 code) {
    return (code >= 0x0a && code <= 0x0d) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

/* Normalises UTF-16 into UTF-8 with malloc. */
static char *oracle(const UChar *units, size_t count, size_t *length) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFKCCasefoldInstance(&status);
    UChar *treated = malloc((2 * count + 1) * sizeof *treated), *folded = malloc((count * 20 + 16) * sizeof *folded);
    int32_t kept = 0, bytes;
    for (size_t i = 0; i < count; i++) {
        if (units[i] == '\r' && i + 1 < count && units[i + 1] == '\n') continue;
        UChar32 code = is_line_end(units[i])                    ? '\n'
                       : u_charType(units[i]) == U_CONTROL_CHAR ? ' '
                                                                : ideograph_of(units[i]);
        U16_APPEND_UNSAFE(treated, kept, code);
    }
    int32_t used = unorm2_normalize(form, treated, kept, folded, (int32_t)count * 20 + 16, &status);
    char *text = malloc((size_t)used * 3 + 1);
    u_strToUTF8(text, used * 3 + 1, &bytes, folded, used, &status);
    assert_true(U_SUCCESS(status));
    free(treated);
    free(folded);
    *length = (size_t)bytes;
    return text;
}

static void compare(const uint32_t *code, size_t count) {
    UChar units[512] = {0};
    char raw[1024];
    size_t unit_count = 0, raw_length = 0, length;
    for (size_t i = 0; i < count; i++) {
        U16_APPEND_UNSAFE(units, unit_count, (UChar32)code[i]);
        raw_length += fp_utf8_encode(code[i], raw + raw_length);
    }
    char *expected = oracle(units, unit_count, &length);
    fp_arena_reset(arena);
    fp_string text = normal((fp_string){raw, raw_length}, FP_HAN_KEEP);
    if (text.length != length || memcmp(text.data, expected, length) != 0) {
        for (size_t i = 0; i < count; i++) print_error(" %04X", (unsigned)code[i]);
        fail_msg(" give '%.*s', ICU '%.*s'", (int)text.length, text.data, (int)length, expected);
    }
    free(expected);
}

static void every_code_point(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 0x110000; code++) {
        if (code >= 0xd800 && code < 0xe000) continue;
        compare(&code, 1);
        compare((uint32_t[]){'A', code, 'b'}, 3);
        if (code < 0x10000 || code % 7 == 0) compare((uint32_t[]){0x4e2d, 0x6587, code, 0x4e2d, 0x6587, 0x5b57}, 6);
        if (code < 0x10000) compare((uint32_t[]){code, 0x301, code, 0xfe0f, 0x1161, 0x11a8, code}, 7);
    }
}

/* ---- Random mixtures ---- */

static uint64_t random_state;

/* xorshift64* (Vigna 2016). */
static uint32_t random_below(uint32_t bound) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545f4914f6cdd1du >> 32) * bound >> 32);
}

static void seed_random(void) {
    const char *given = getenv("FPLAB_TEST_SEED");
    random_state = given ? strtoull(given, NULL, 0) : 20240501;
    print_message("seed %llu (FPLAB_TEST_SEED)\n", (unsigned long long)random_state);
    random_state = random_state * 2 + 1;
}

/* Ranges that meet one another badly: marks of several classes, jamo, ignorables, half-width kana, controls, full-width
 * forms, emoji. */
static uint32_t random_code(void) {
    static const uint32_t RANGES[][2] = {
        {0x20, 0x7e},       {0x00, 0x20},       {0x7f, 0xff},       {0x100, 0x24f},     {0x300, 0x36f},
        {0x1100, 0x11ff},   {0xac00, 0xac40},   {0x200b, 0x200f},   {0xfe00, 0xfe0f},   {0xff00, 0xffef},
        {0x3041, 0x30ff},   {0x4e00, 0x4eff},   {0x4e00, 0x9fff},   {0x5e7e, 0x5e9f},   {0xf900, 0xfaff},
        {0x3000, 0x303f},   {0x2000, 0x206f},   {0x590, 0x6ff},     {0x900, 0x9ff},     {0xe00, 0xeff},
        {0xf40, 0xfbc},     {0x1e00, 0x1fff},   {0x1f300, 0x1f6ff}, {0x1d150, 0x1d1ff}, {0x1f1e6, 0x1f1ff},
        {0xe0000, 0xe01ff}, {0x20000, 0x2ffff}, {0xe000, 0xf8ff},   {0xfb00, 0xfdff},   {0x11080, 0x1113f},
        {0x0, 0xd7ff},      {0xe000, 0x10ffff}, {0x2028, 0x2029},   {0x0a, 0x0d},       {0x9b0, 0x9e0},
        {0x3099, 0x309a},   {0x2e80, 0x2fdf}};
    const uint32_t *range = RANGES[random_below(sizeof RANGES / sizeof *RANGES)];
    return range[0] + random_below(range[1] - range[0] + 1);
}

static void random_mixtures(void **state) {
    (void)state;
    seed_random();
    for (int round = 0; round < 300000; round++) {
        uint32_t code[60];
        size_t count = 1 + random_below(60);
        for (size_t i = 0; i < count; i++) {
            bool again = i && random_below(3) == 0;
            code[i] = again ? code[i - 1] : random_code();
        }
        compare(code, count);
    }
}

static void normalising_twice_changes_nothing(void **state) {
    (void)state;
    seed_random();
    for (int round = 0; round < 300000; round++) {
        char raw[256];
        size_t length = 0, count = 1 + random_below(40);
        for (size_t i = 0; i < count; i++) length += fp_utf8_encode(random_code(), raw + length);
        for (int han = 0; han < 2; han++) {
            fp_arena_reset(arena);
            fp_string once = normal((fp_string){raw, length}, (fp_han)han), twice = normal(once, (fp_han)han);
            if (once.length != twice.length || memcmp(once.data, twice.data, once.length) != 0)
                fail_msg("'%.*s' gives '%.*s', then '%.*s'", (int)length, raw, (int)once.length, once.data,
                         (int)twice.length, twice.data);
        }
    }
}

/* ---- Unicode's data files ---- */

/* Hex code points up to `stop` into UTF-8; returns where it stopped. */
static char *read_codes(char *at, char stop, char *text, size_t *length) {
    *length = 0;
    while (*at && *at != stop) {
        char *next;
        uint32_t code = (uint32_t)strtoul(at, &next, 16);
        if (next == at) break;
        *length += fp_utf8_encode(code, text + *length);
        at = next;
        while (*at == ' ') at++;
    }
    return at;
}

/* False when the file is for another version of Unicode than ICU's, or missing. */
static bool same_version(const char *line) {
    UVersionInfo version;
    u_getUnicodeVersion(version);
    char name[16];
    snprintf(name, sizeof name, "-%d.%d.", version[0], version[1]);
    if (strstr(line, name)) return true;
    print_message("the file is not for Unicode %s, ICU's version: %s", name + 1, line);
    return false;
}

/* The five columns of each row are canonical or compatibility equivalents, so that all have one NFKC_Casefold. Not so
 * with U+0345, which the definition (section 3.13, R5) makes a letter of before marks are put in order. */
static void unicode_normalization_test(void **state) {
    (void)state;
    const char *file = "/usr/share/unicode/NormalizationTest.txt.bz2";
    FILE *stream = popen("bzcat /usr/share/unicode/NormalizationTest.txt.bz2 2>/dev/null", "r");
    char line[4096];
    if (!stream || !fgets(line, sizeof line, stream) || !same_version(line)) {
        if (stream) pclose(stream);
        SKIP_BECAUSE("%s is not there for ICU's version of Unicode", file);
    }
    size_t rows = 0;
    while (fgets(line, sizeof line, stream)) {
        if (*line == '#' || *line == '@' || strstr(line, "0345")) continue;
        char *at = line, raw[5][512], first[4096];
        size_t length[5], first_length = 0;
        fp_arena_reset(arena);
        for (int i = 0; i < 5; i++, at++) {
            at = read_codes(at, ';', raw[i], &length[i]);
            assert_int_equal(*at, ';');
            fp_string text = normal((fp_string){raw[i], length[i]}, FP_HAN_KEEP);
            if (i == 0) memcpy(first, text.data, first_length = text.length);
            if (text.length != first_length || memcmp(first, text.data, first_length) != 0)
                fail_msg("column %d: %s", i + 1, line);
        }
        rows++;
    }
    pclose(stream);
    print_message("%zu rows\n", rows);
    assert_true(rows > 18000);
}

/* The property NFKC_CF of every code point; what it does not list is its own mapping. NFC of the mapping is the normal
 * form. */
static void unicode_casefold_property(void **state) {
    (void)state;
    FILE *stream = fopen("/usr/share/unicode/DerivedNormalizationProps.txt", "r");
    char line[4096];
    if (!stream || !fgets(line, sizeof line, stream) || !same_version(line)) {
        if (stream) fclose(stream);
        SKIP_BECAUSE("DerivedNormalizationProps.txt is not there for ICU's version of Unicode");
    }
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *compose = unorm2_getNFCInstance(&status);
    size_t seen = 0;
    while (fgets(line, sizeof line, stream)) {
        char *property = strstr(line, "; NFKC_CF;");
        if (*line == '#' || !property) continue;
        char *dots = strstr(line, ".."), mapping[512], expected[1024];
        uint32_t first = (uint32_t)strtoul(line, NULL, 16);
        uint32_t last = dots && dots < property ? (uint32_t)strtoul(dots + 2, NULL, 16) : first;
        size_t length;
        read_codes(property + 10 + strspn(property + 10, " "), '#', mapping, &length);
        UChar units[512], composed[512];
        int32_t count, expected_length;
        u_strFromUTF8(units, 512, &count, mapping, (int32_t)length, &status);
        count = unorm2_normalize(compose, units, count, composed, 512, &status);
        u_strToUTF8(expected, sizeof expected, &expected_length, composed, count, &status);
        assert_true(U_SUCCESS(status));
        for (uint32_t code = first; code <= last; code++, seen++) {
            char raw[4];
            fp_arena_reset(arena);
            fp_string text = normal((fp_string){raw, fp_utf8_encode(code, raw)}, FP_HAN_KEEP);
            if (text.length != (size_t)expected_length || memcmp(text.data, expected, text.length) != 0)
                fail_msg("U+%04X gives '%.*s': %s", (unsigned)code, (int)text.length, text.data, line);
        }
    }
    fclose(stream);
    print_message("%zu code points\n", seen);
    assert_true(seen > 10000);
}

/* ---- The stated treatment ---- */

static void stated_treatment(void **state) {
    (void)state;
    expect("", FP_HAN_KEEP, "");
    expect("\xef\xbb\xbf"
           "text",
           FP_HAN_KEEP, "text"); /* byte-order mark */
    expect("a\u200b\u200c\u200d\u2060\ufeff"
           "b",
           FP_HAN_KEEP, "ab");                       /* zero width */
    expect("\u00adso\u00adft", FP_HAN_KEEP, "soft"); /* soft hyphen */
    expect("葛\U000e0100飾", FP_HAN_KEEP, "葛飾");   /* ideographic variation */
    expect("❤\ufe0f", FP_HAN_KEEP, "❤");             /* emoji variation */
    expect("👨\u200d👩\u200d👧", FP_HAN_KEEP, "👨👩👧");   /* joiners go, emoji stay */
    expect("👍🏽 🇨🇳", FP_HAN_KEEP, "👍🏽 🇨🇳");
    expect("\ue000\U000f0000", FP_HAN_KEEP, "\ue000\U000f0000"); /* private use */
    expect("x\u0331\u20dd", FP_HAN_KEEP, "x\u0331\u20dd");       /* combining marks */
    expect("e\u0301 E\u0301", FP_HAN_KEEP, "é é");
    expect("ＡＢＣ１２３，！？：；（）　ｚ", FP_HAN_KEEP, "abc123,!?:;() z");
    expect("ｶﾞｷﾞｱ｡｢｣", FP_HAN_KEEP, "ガギア。「」");
    expect("。、《》“”…—", FP_HAN_KEEP, "。、《》“”...—");
    expect("①㈱㎡℃㍻Ⅳ½", FP_HAN_KEEP, "1(株)m2°c平成iv1⁄2");
    expect("Straße İstanbul ΣΑΣ", FP_HAN_KEEP, "strasse i̇stanbul σασ");
    expect("\u1112\u1161\u11ab\u1100\u1173\u11af", FP_HAN_KEEP, "한글");
    expect("\uf900\U0002f800", FP_HAN_KEEP, "豈丽"); /* compatibility ideographs */
}

static void radicals(void **state) {
    (void)state;
    expect("⻄部大开发⻝品", FP_HAN_KEEP, "西部大开发食品");
    expect("⻄\u0301", FP_HAN_KEEP, "西\u0301");
    expect("⼈⺠ ⻑", FP_HAN_KEEP, "人民 長"); /* Kangxi, which NFKC has; simplified by Han folding */
    expect("⻑⻓⻅⻉", FP_HAN_SIMPLIFIED, "长长见贝");
    expect("⺇⻊", FP_HAN_KEEP, "𠘨𧾷"); /* three bytes become four */
    expect("⺀", FP_HAN_KEEP, "⺀");     /* it has none */
}

/* Dates as statutes have them, and what looks like them. */
static void circles(void **state) {
    (void)state;
    static const char *const CASES[][2] = {
        {"一九九○年三月一日起施行", "一九九〇年三月一日起施行"},
        {"二○○八年八月一日修订，二○○九年废止", "二〇〇八年八月一日修订,二〇〇九年废止"},
        {"二○○○年、二○二○年", "二〇〇〇年、二〇二〇年"},
        {"三○日 五○号 五○號", "三〇日 五〇号 五〇號"},
        {"第一○一条和一百○五条，一千○一夜", "第一〇一条和一百〇五条,一千〇一夜"},
        {"二\u200b○\ufeff○八", "二〇〇八"},
        {"⼆○⼀二", "二〇一二"},
        {"二〇○八", "二〇〇八"},
        {"○二○○八年", "○二〇〇八年"},
        {"一○二○", "一〇二〇"},
        {"○", "○"},
        {"三○", "三○"},
        {"三○公司", "三○公司"},
        {"张○○，万○○", "张○○,万○○"},
        {"○一、总则 ○三年级", "○一、总则 ○三年级"},
        {"○○年", "○○年"},
        {"二○\u0301八", "二○\u0301八"},
        {"2○○8年 a○b", "2○○8年 a○b"},
        {"二◯八 二O八", "二◯八 二o八"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) expect(CASES[i][0], FP_HAN_KEEP, CASES[i][1]);
    expect("二○○八年發佈", FP_HAN_SIMPLIFIED, "二〇〇八年发布");
}

/* No character becomes a digit, or no digit, that would make or end a run the second time. */
static void circles_stay_as_they_are(void **state) {
    (void)state;
    static const char *const FRAMES[][2] = {{"二○", ""}, {"", "○年"}, {"二", "○八"}, {"○", "○年"}};
    for (uint32_t code = 1; code < 0x30000; code++) {
        if (code >= 0xd800 && code < 0xe000) continue;
        fp_arena_reset(arena);
        for (size_t i = 0; i < sizeof FRAMES / sizeof *FRAMES; i++) {
            char raw[32], one[5] = {0};
            fp_utf8_encode(code, one);
            sprintf(raw, "%s%s%s", FRAMES[i][0], one, FRAMES[i][1]);
            fp_string once = normal(string_of(raw), FP_HAN_SIMPLIFIED), twice = normal(once, FP_HAN_SIMPLIFIED);
            if (!fp_string_equal(once, twice)) fail_msg("U+%04X: %s", (unsigned)code, raw);
        }
    }
}

/* One code point by itself: what the whole normaliser makes of a text of it alone, where that is one code point or none
 * and nothing before it could change it; else the code point. */
static void single_code_points(void **state) {
    (void)state;
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *fold = unorm2_getNFKCCasefoldInstance(&status);
    size_t attached = 0;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        char raw[4];
        fp_string made;
        uint32_t only = 0;
        if (code >= 0xd800 && code <= 0xdfff) continue;
        fp_arena_reset(arena);
        ASSERT_GOOD(fp_normalise((fp_string){raw, fp_utf8_encode(code, raw)}, FP_HAN_KEEP, arena, &made, &test_error));
        size_t count = fp_utf8_count(made);
        if (count == 1) fp_utf8_decode(made.data, &only);
        uint32_t expected = count == 0 || count == 1 ? only : code, got = fp_normalise_code(code);
        if (count == 1 && got == code && !unorm2_hasBoundaryBefore(fold, (UChar32)code)) attached += got != expected;
        else if (got != expected) fail_msg("U+%04X gives U+%04X, not U+%04X", code, got, expected);
    }
    assert_true(attached > 0 && attached < 200);
}

static void control_characters(void **state) {
    (void)state;
    fp_string text = normal((fp_string){"a\0b\0\0c", 6}, FP_HAN_KEEP);
    assert_int_equal(text.length, 6);
    assert_memory_equal(text.data, "a b  c", 6);
    expect("a\tb\x01\x7f"
           "c\xc2\x80"
           "d\x1b[0m",
           FP_HAN_KEEP, "a b  c d [0m");
    expect("a\nb\r\nc\rd\xc2\x85"
           "e\u2028f\u2029g\vh\fi\n\n\r\n\rj",
           FP_HAN_KEEP, "a\nb\nc\nd\ne\nf\ng\nh\ni\n\n\n\nj");
    expect("中文文字\r\n中文文字\t中文文字\n", FP_HAN_KEEP, "中文文字\n中文文字 中文文字\n");
    expect("\r\u0301\n\u0301\t\u0301", FP_HAN_KEEP, "\n\u0301\n\u0301 \u0301");
}

static void invalid_text(void **state) {
    (void)state;
    static const struct {
        const char *raw;
        size_t length, byte;
    } CASES[] = {
        {"\x80", 1, 0},      {"中文\xff", 7, 6},         {"abc\xe4\xb8", 5, 3},   {"中文文字中文\xed\xa0\x80", 21, 18},
        {"A\xc0\xaf", 3, 1}, {"ＡＢ\xe0\x80\xaf", 9, 6}, {"e\xcc\x81\xcc", 4, 3}, {"\xf4\x90\x80\x80", 4, 0},
        {"a\xcc", 2, 1},     {"12345678\xfe", 9, 8},     {"\n\r\xef\xbf", 4, 2},  {"\xe2\x80\x8b\xe2\x80", 5, 3}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_error error;
        fp_string text;
        assert_int_equal(
            fp_normalise((fp_string){CASES[i].raw, CASES[i].length}, FP_HAN_SIMPLIFIED, arena, &text, &error),
            FP_ERROR_ENCODING);
        assert_int_equal(error.code, FP_ERROR_ENCODING);
        assert_int_equal(error.byte, CASES[i].byte);
        assert_int_equal(error.line, SIZE_MAX);
        assert_int_equal(fp_normalise((fp_string){CASES[i].raw, CASES[i].length}, FP_HAN_KEEP, arena, &text, NULL),
                         FP_ERROR_ENCODING);
    }
}

/* ---- Size ---- */

/* 1,500 marks of several classes on one letter, in an order that ICU has to mend, among ignorables and marks that
 * decompose. */
static void long_stretches(void **state) {
    (void)state;
    static const uint32_t MARKS[] = {0x301, 0x323,  0x315,   0x34f, 0x344, 0x345,
                                     0xf73, 0x200d, 0x1d165, 0x301, 0x5b0, 0x3099};
    seed_random();
    for (int round = 0; round < 200; round++) {
        enum { COUNT = 1500 };
        UChar units[COUNT * 2];
        char raw[COUNT * 4];
        size_t unit_count = 0, raw_length = 0, length;
        for (size_t i = 0; i < COUNT; i++) {
            uint32_t code = i % 500 == 0 ? 'A' : MARKS[random_below(sizeof MARKS / sizeof *MARKS)];
            U16_APPEND_UNSAFE(units, unit_count, (UChar32)code);
            raw_length += fp_utf8_encode(code, raw + raw_length);
        }
        char *expected = oracle(units, unit_count, &length);
        fp_arena_reset(arena);
        fp_string text = normal((fp_string){raw, raw_length}, FP_HAN_KEEP);
        assert_int_equal(text.length, length);
        assert_memory_equal(text.data, expected, length);
        free(expected);
    }
}

/* Four million marks whose order alternates: quadratic work would take hours. */
static void hostile_marks(void **state) {
    (void)state;
    enum { COUNT = 4 << 20 };
    char *raw = malloc(2 * COUNT);
    for (size_t i = 0; i < COUNT; i++) memcpy(raw + 2 * i, i % 2 ? "\u0323" : "\u0301", 2);
    fp_arena_reset(arena);
    fp_string text = normal((fp_string){raw, 2 * COUNT}, FP_HAN_KEEP);
    assert_int_equal(text.length, 2 * COUNT);
    assert_memory_equal(text.data, "\u0323", 2);
    assert_memory_equal(text.data + 2 * COUNT - 2, "\u0301", 2);
    free(raw);
}

/* `count` times `raw`, normalised, is as many times `expected`. */
static void expect_many(const char *raw, const char *expected, size_t count) {
    size_t raw_size = strlen(raw), size = strlen(expected);
    char *many = malloc(count * raw_size);
    for (size_t i = 0; i < count; i++) memcpy(many + i * raw_size, raw, raw_size);
    fp_arena_reset(arena);
    fp_string text = normal((fp_string){many, count * raw_size}, FP_HAN_SIMPLIFIED);
    assert_int_equal(text.length, count * size);
    for (size_t i = 0; i < count; i++) assert_true(memcmp(text.data + i * size, expected, size) == 0);
    free(many);
}

/* Three bytes become 33, two become five, and stretches grow as well. */
static void growth(void **state) {
    (void)state;
    expect_many("\ufdfa", "صلى الله عليه وسلم", 1000000);
    expect_many("½", "1⁄2", 1000000);
    expect_many("ﷺ\u0301Ⅷ", "صلى الله عليه وسلم\u0301viii", 200000);
}

static void one_line_of_100_megabytes(void **state) {
    (void)state;
    const char *part = "文本去重，ＡＢＣ餅乾與乾坤。";
    expect_many(part, "文本去重,abc饼干与乾坤。", 100000000 / strlen(part));
}

static int open_arena(void **state) {
    (void)state;
    arena = fp_arena_new();
    return arena ? 0 : -1;
}

static int close_arena(void **state) {
    (void)state;
    fp_arena_free(arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(stated_treatment),
                                       cmocka_unit_test(radicals),
                                       cmocka_unit_test(circles),
                                       cmocka_unit_test(circles_stay_as_they_are),
                                       cmocka_unit_test(control_characters),
                                       cmocka_unit_test(single_code_points),
                                       cmocka_unit_test(invalid_text),
                                       cmocka_unit_test(every_code_point),
                                       cmocka_unit_test(random_mixtures),
                                       cmocka_unit_test(normalising_twice_changes_nothing),
                                       cmocka_unit_test(unicode_normalization_test),
                                       cmocka_unit_test(unicode_casefold_property),
                                       cmocka_unit_test(long_stretches),
                                       cmocka_unit_test(hostile_marks),
                                       cmocka_unit_test(growth),
                                       cmocka_unit_test(one_line_of_100_megabytes)};
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
