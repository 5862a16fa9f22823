/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Encodings against glibc's iconv (an independent implementation), byte values from the standards, and errors at their
 * byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "text/unicode/encoding.h"
#include "text/unicode/utf8.h"

static fp_arena *arena;
static const char CHINESE[] =
    "汉字文本去重实验室：银行、重庆、调查与便宜。中文的近似重复网页检测需要稳健的指纹算法，\n而同一段文字在不同的编码里必须得到相同的结果。\n";
static const char TRADITIONAL[] =
    "漢字文本去重實驗室：銀行、重慶、調查與便宜。中文的近似重複網頁檢測需要穩健的指紋演算法，\n而同一段文字必須得到相同的結果。\n";

static fp_string string_of(const char *text) { return (fp_string){text, strlen(text)}; }

static void assert_text(fp_string text, const char *expected, size_t length) {
    assert_int_equal(text.length, length);
    assert_memory_equal(text.data, expected, length);
}

/* UTF-8 to another encoding through iconv, into the arena. */
static fp_string encoded(const char *text, const char *encoding) {
    iconv_t converter = iconv_open(encoding, "UTF-8");
    if (converter == (iconv_t)-1) fail_msg("iconv does not know %s", encoding);
    size_t left = strlen(text), room = left * 4 + 16;
    char *out = fp_arena_raw(arena, room, 1), *to = out, *from = (char *)(uintptr_t)text;
    if (iconv(converter, &from, &left, &to, &room) == (size_t)-1 || left) fail_msg("iconv cannot write %s", encoding);
    iconv_close(converter);
    return (fp_string){out, (size_t)(to - out)};
}

static void equals_iconv(void **state) {
    (void)state;
    static const struct {
        const char *name, *iconv, *text;
    } CASES[] = {{"utf-8", "UTF-8", CHINESE},
                 {"gb18030", "GB18030", CHINESE},
                 {"GBK", "GBK", CHINESE},
                 {"Big5", "BIG5", TRADITIONAL},
                 {"utf-16le", "UTF-16LE", CHINESE},
                 {"utf-16be", "UTF-16BE", CHINESE},
                 {"utf-16", "UTF-16", CHINESE},
                 {"UTF-32LE", "UTF-32LE", CHINESE},
                 {"gb18030", "GB18030", "𠀀𪚥😀㐀 ü€"},
                 {"utf-16le", "UTF-16LE", "a𠀀😀z"},
                 {"latin-1", "ISO-8859-1", "Größe é"},
                 {"euc-jp", "EUC-JP", "日本語のテキスト"},
                 {"euc-kr", "EUC-KR", "한국어"},
                 {"hz", "HZ", "汉字 text"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        if (strcmp(CASES[i].iconv, "HZ") == 0) { /* glibc has no HZ; RFC 1843 writes 汉字 as ~{::WV~} */
            fp_string text;
            assert_int_equal(fp_to_utf8(string_of("~{::WV~} text"), "hz", false, arena, &text, NULL, NULL), FP_OK);
            assert_text(text, CASES[i].text, strlen(CASES[i].text));
            continue;
        }
        fp_string raw = encoded(CASES[i].text, CASES[i].iconv), text;
        fp_encoding_report report;
        fp_error error;
        if (fp_to_utf8(raw, CASES[i].name, false, arena, &text, &report, &error) != FP_OK)
            fail_msg("%s: %s", CASES[i].name, error.message);
        assert_text(text, CASES[i].text, strlen(CASES[i].text));
        assert_false(report.detected);
        assert_int_equal(report.confidence, 100);
        assert_int_equal(report.replaced, 0);
    }
}

/* A text over several chunks, with surrogate pairs at every distance from a chunk's end. */
static void long_text(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    char *utf8 = malloc(COUNT * 8 + 1), *at = utf8;
    for (size_t i = 0; i < COUNT; i++) at = stpcpy(at, i % 3 ? "😀" : i % 5 ? "a" : "𠀀中");
    fp_string raw = encoded(utf8, "UTF-16LE"), text;
    assert_int_equal(fp_to_utf8(raw, "UTF-16LE", false, arena, &text, NULL, NULL), FP_OK);
    assert_text(text, utf8, strlen(utf8));
    raw = encoded(utf8, "GB18030");
    assert_int_equal(fp_to_utf8(raw, "gb18030", false, arena, &text, NULL, NULL), FP_OK);
    assert_text(text, utf8, strlen(utf8));
    free(utf8);
}

static void errors_name_the_byte(void **state) {
    (void)state;
    static const struct {
        const char *encoding, *raw;
        size_t length, byte, line, replaced;
        const char *replacement;
    } CASES[] = {{"utf-8",
                  "ab\nc\xff"
                  "d",
                  6, 4, 2, 1,
                  "ab\nc\ufffd"
                  "d"},
                 {"utf-8", "\xe4\xb8\xad\xe4\xb8", 5, 3, 1, 1, "中\ufffd"},
                 /* Unicode 15, table 3-8: each maximal part of a broken sequence is replaced by one U+FFFD. */
                 {"utf-8",
                  "a\xf1\x80\x80\xe1\x80\xc2"
                  "b\x80"
                  "c\x80\xbf"
                  "d",
                  13, 1, 1, 6,
                  "a\ufffd\ufffd\ufffd"
                  "b\ufffd"
                  "c\ufffd\ufffd"
                  "d"},
                 {"utf-8",
                  "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82"
                  "A",
                  9, 0, 1, 8,
                  "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
                  "A"},
                 {"gb18030",
                  "\xd6\xd0\n\n\xff"
                  "a",
                  6, 4, 3, 1,
                  "中\n\n\ufffd"
                  "a"},
                 {"gbk", "\xd6\xd0\xd6", 3, 2, 1, 1, "中\ufffd"},
                 {"big5", "\xa4\xa4\xa4 \xa4\xe5", 6, 2, 1, 1, "中\ufffd 文"},
                 {"utf-16le",
                  "a\0\x00\xd8"
                  "b\0",
                  6, 2, SIZE_MAX, 1,
                  "a\ufffd"
                  "b"},
                 {"utf-16be", "\0a\0", 3, 2, SIZE_MAX, 1, "a\ufffd"},
                 {"us-ascii", "ab\xe9", 3, 2, 1, 1, "ab\ufffd"},
                 /* SCSU quotes any UTF-16 unit behind 0E; ICU lets half of a surrogate pair through, which has no place
                    in UTF-8. */
                 {"scsu",
                  "a\x0e\xd8\x01"
                  "b",
                  5, SIZE_MAX, SIZE_MAX, 1,
                  "a\ufffd"
                  "b"},
                 {"scsu", "\x0e\xd8\x01\x0e\xd8\x02", 6, SIZE_MAX, SIZE_MAX, 2, "\ufffd\ufffd"},
                 {"scsu", "\x0e\xdc\x01", 3, SIZE_MAX, SIZE_MAX, 1, "\ufffd"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_string raw = {CASES[i].raw, CASES[i].length}, text;
        fp_encoding_report report;
        fp_error error;
        assert_int_equal(fp_to_utf8(raw, CASES[i].encoding, false, arena, &text, &report, &error), FP_ERROR_ENCODING);
        if (error.byte != CASES[i].byte) fail_msg("case %zu: %s", i, error.message);
        assert_int_equal(error.line, CASES[i].line);
        assert_int_equal(fp_to_utf8(raw, CASES[i].encoding, true, arena, &text, &report, &error), FP_OK);
        assert_text(text, CASES[i].replacement, strlen(CASES[i].replacement));
        assert_int_equal(report.replaced, CASES[i].replaced);
    }
}

/* Whatever the bytes, the result is valid UTF-8. */
static void any_bytes_give_valid_text(void **state) {
    (void)state;
    static const char *const NAMES[] = {"utf-8",    "gb18030",   "gbk",    "big5",        "utf-16",
                                        "utf-16le", "utf-32be",  "hz",     "utf-7",       "scsu",
                                        "cesu-8",   "shift_jis", "euc-kr", "iso-2022-jp", "auto"};
    uint64_t random = 88172645463325252u; /* xorshift64 (Marsaglia 2003) */
    print_message("seed %llu\n", (unsigned long long)random);
    for (int round = 0; round < 20000; round++) {
        char raw[64];
        for (size_t i = 0; i < sizeof raw; i++) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            raw[i] = (char)(random >> 56);
        }
        fp_string text;
        const char *name = NAMES[(size_t)round % (sizeof NAMES / sizeof *NAMES)];
        fp_arena_reset(arena);
        fp_status status = fp_to_utf8((fp_string){raw, random % 65}, name, true, arena, &text, NULL, NULL);
        if (status == FP_ERROR_ENCODING && strcmp(name, "auto") == 0) continue;
        if (status != FP_OK) fail_msg("%s: %s", name, fp_status_name(status));
        if (fp_utf8_check(text) != text.length) fail_msg("%s gives invalid UTF-8", name);
    }
}

static void detection(void **state) {
    (void)state;
    static const struct {
        const char *iconv, *text, *name;
    } CASES[] = {{"UTF-8", CHINESE, "UTF-8"},     {"GB18030", CHINESE, "GB18030"}, {"BIG5", TRADITIONAL, "Big5"},
                 {"UTF-16", CHINESE, "UTF-16LE"}, {"UTF-8", "", "UTF-8"},          {"UTF-8", "plain", "UTF-8"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_string raw = encoded(CASES[i].text, CASES[i].iconv), text;
        fp_encoding_report report;
        fp_error error;
        if (fp_to_utf8(raw, "auto", false, arena, &text, &report, &error) != FP_OK)
            fail_msg("%s: %s", CASES[i].iconv, error.message);
        assert_string_equal(report.name, CASES[i].name);
        assert_true(report.detected);
        assert_true(report.confidence > 0);
        bool marked = text.length >= 3 && memcmp(text.data, "\ufeff", 3) == 0;
        if (marked) text = (fp_string){text.data + 3, text.length - 3};
        assert_text(text, CASES[i].text, strlen(CASES[i].text));
    }
    fp_string text, marked = string_of("\ufeffvalid");
    assert_int_equal(fp_to_utf8(marked, "auto", false, arena, &text, NULL, NULL), FP_OK);
    assert_text(text, marked.data, marked.length);
    fp_error error;
    fp_string broken = string_of("\ufeff broken \xff");
    assert_int_equal(fp_to_utf8(broken, "auto", false, arena, &text, NULL, &error), FP_ERROR_ENCODING);
    assert_int_equal(error.byte, 11);
}

static void valid_utf8_is_not_copied(void **state) {
    (void)state;
    fp_string text, raw = string_of(CHINESE);
    assert_int_equal(fp_to_utf8(raw, "UTF8", false, arena, &text, NULL, NULL), FP_OK);
    assert_ptr_equal(text.data, raw.data);
    assert_int_equal(fp_to_utf8((fp_string){NULL, 0}, "auto", false, arena, &text, NULL, NULL), FP_OK);
    assert_int_equal(text.length, 0);
    assert_int_equal(fp_to_utf8((fp_string){NULL, 0}, "gbk", false, arena, &text, NULL, NULL), FP_OK);
    assert_int_equal(text.length, 0);
}

/* Not NULL, which elsewhere means that there is no memory, or the end. */
static void nothing_is_an_empty_text(void **state) {
    (void)state;
    static const char *const NAMES[] = {"utf-8", "gb18030", "utf-16", "auto"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        fp_string text = {NULL, 1};
        assert_int_equal(fp_to_utf8(fp_string_of(""), NAMES[i], false, arena, &text, NULL, NULL), FP_OK);
        assert_true(text.data && text.length == 0);
    }
}

static void unknown_names(void **state) {
    (void)state;
    fp_string text, raw = string_of("text");
    fp_error error;
    assert_int_equal(fp_to_utf8(raw, "gb1830", false, arena, &text, NULL, &error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(error.message, "gb18030"));
    assert_int_equal(fp_to_utf8(raw, "BIG-5X", false, arena, &text, NULL, &error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(error.message, "big5"));
    assert_int_equal(fp_to_utf8(raw, "", false, arena, &text, NULL, &error), FP_ERROR_UNKNOWN);
    assert_int_equal(fp_to_utf8(raw, "klingon-encoding-of-an-absurdly-long-name-that-no-table-could-ever-hold", false,
                                arena, &text, NULL, &error),
                     FP_ERROR_UNKNOWN);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_iconv),
                                       cmocka_unit_test(long_text),
                                       cmocka_unit_test(errors_name_the_byte),
                                       cmocka_unit_test(any_bytes_give_valid_text),
                                       cmocka_unit_test(detection),
                                       cmocka_unit_test(valid_utf8_is_not_copied),
                                       cmocka_unit_test(nothing_is_an_empty_text),
                                       cmocka_unit_test(unknown_names)};
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
