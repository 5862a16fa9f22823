/* SPDX-License-Identifier: GPL-3.0-or-later
 * Words of Annex 29. ICU's break iterator is the oracle, on texts of scripts that it cuts by the annex alone (Hangul it
 * has apart). */
#include "tests/support.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

enum { TEXTS = 20000, MOST_PIECES = 14, ROOM = 256 };

/* Letters of many scripts with and without marks, digits, what joins them, and what does not. */
static const char *const PIECES[] = {
    "a", "Zq",      "7", "é",  "e\u0301", "x\u0302", "ß",      "Ω",  "ω\u0301", "Ж",      "ё",
    "א", "ש\u05b8", "ל", "م",  "ر\u064e", "\u0665",  "\u0966", "क",  "क\u094d", "ა",      "ა\u0301",
    "_", "\u203f",  ".", "'",  "\u2019",  "\"",      ",",      ";",  "·",       "\u066c", "\u05f4",
    "-", " ",       "+", "。", "\u2014",  "(",       "€",      "\n", "\u0301"};

static fp_string draw_text(uint64_t number, char text[ROOM]) {
    fp_string made = {text, 0};
    for (uint64_t i = 0; i < 1 + fp_mix(number, 0) % MOST_PIECES; i++) {
        const char *piece = PIECES[fp_mix(number, 1 + i) % (sizeof PIECES / sizeof *PIECES)];
        made.length += (size_t)sprintf(text + made.length, "%s", piece);
    }
    return made;
}

/* Appends what begins at `begin`, when it holds a letter or a digit. */
static void list(fp_string text, size_t begin, size_t end, char *to) {
    if (fp_has_word(text.data + begin, end - begin))
        sprintf(to + strlen(to), "%.*s|", (int)(end - begin), text.data + begin);
}

static void by_icu(UBreakIterator *words, fp_string text, char *to) {
    UErrorCode code = U_ZERO_ERROR;
    UText source = UTEXT_INITIALIZER;
    utext_openUTF8(&source, text.data, (int64_t)text.length, &code);
    ubrk_setUText(words, &source, &code);
    assert_true(U_SUCCESS(code));
    int32_t begin = ubrk_first(words);
    for (int32_t end; (end = ubrk_next(words)) != UBRK_DONE; begin = end) list(text, (size_t)begin, (size_t)end, to);
    utext_close(&source);
}

static void words_are_those_of_icu(void **state) {
    (void)state;
    UErrorCode code = U_ZERO_ERROR;
    UBreakIterator *words = ubrk_open(UBRK_WORD, "", NULL, 0, &code);
    assert_true(U_SUCCESS(code));
    for (uint64_t number = 0; number < TEXTS; number++) {
        char raw[ROOM], found[2 * ROOM] = "", expected[2 * ROOM] = "";
        fp_string text = draw_text(number, raw);
        by_icu(words, text, expected);
        for (size_t at = 0, end; at < text.length; at = end) {
            end = fp_word_at(text, at).end;
            list(text, at, end, found);
        }
        if (strcmp(found, expected) != 0) fail_msg("\"%.*s\": %s, not %s", (int)text.length, raw, found, expected);
    }
    ubrk_close(words);
}

/* The first word of each text, whether it is foreign, and whether it is a letter that only a dictionary joins. */
static void what_a_word_is(void **state) {
    (void)state;
    static const struct {
        const char *text, *word;
        bool foreign, uncut;
    } CASES[] = {
        {"naïve café", "naïve", true, false},
        {"nai\u0308ve", "nai\u0308ve", true, false},
        {"don't", "don't", false, false},
        {"l’été", "l’été", true, false},
        {"it’s", "it’s", false, false},
        {"テキストです", "テキスト", true, false},
        {"です", "で", true, true},
        {"สวัสดี", "ส", true, true},
        {"วัสดี", "วั", true, true},
        {"ភាសា", "ភា", true, true},
        {"ພາສາ", "ພ", true, true},
        {"မြန်မာ", "မြ", true, true},
        {"한국어 a", "한국어", true, false},
        {"汉字", "汉", false, false},
        {"〇八", "〇", false, false},
        {"々a", "々", false, false},
        {"𠮷a", "𠮷", false, false},
        {"😀a", "😀", false, false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_string text = fp_string_of(CASES[i].text);
        fp_word word = fp_word_at(text, 0);
        if (!fp_string_equal((fp_string){text.data, word.end}, fp_string_of(CASES[i].word)))
            fail_msg("%s begins with %.*s, not %s", text.data, (int)word.end, text.data, CASES[i].word);
        if (word.foreign != CASES[i].foreign || word.uncut != CASES[i].uncut)
            fail_msg("%s is %sforeign and %suncut", CASES[i].word, word.foreign ? "" : "not ",
                     word.uncut ? "" : "not ");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_those_of_icu),
        cmocka_unit_test(what_a_word_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
