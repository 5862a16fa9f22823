/* SPDX-License-Identifier: GPL-3.0-or-later
 * Words by the rules of Unicode Standard Annex 29, revision 41 (Unicode 15), section 4.1. */
#include "text/unicode/words.h"

#include <string.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/unicode/utf8.h"

bool fp_is_rare_letter(uint32_t code) { return code == 0x3007 || code - 0x3021 < 9u || u_isalnum((UChar32)code); }

bool fp_has_wordy(const char *data, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += fp_utf8_decode(data + at, &code);
        if (fp_is_wordy(code)) return true;
    }
    return false;
}

/* ---- Annex 29 ---- */

static bool is_han(uint32_t code) {
    UErrorCode failed = U_ZERO_ERROR;
    return code >= 0x2e80 && uscript_getScript((UChar32)code, &failed) == USCRIPT_HAN;
}

/* The value of Word_Break, but U_WB_OTHER for Han characters, including 々, which the annex classifies as a letter. */
static int class_of(uint32_t code) {
    return is_han(code) ? U_WB_OTHER : u_getIntPropertyValue((UChar32)code, UCHAR_WORD_BREAK);
}

static bool is_letter(int class) { return class == U_WB_ALETTER || class == U_WB_HEBREW_LETTER; }

/* A constituent of words, besides marks and middle characters. */
static bool is_part(int class) {
    return is_letter(class) || class == U_WB_NUMERIC || class == U_WB_KATAKANA || class == U_WB_EXTENDNUMLET;
}

/* WB4: attached to the character before it. */
static bool is_attached(int class) { return class == U_WB_EXTEND || class == U_WB_FORMAT || class == U_WB_ZWJ; }

static bool ends_line(int class) { return class == U_WB_CR || class == U_WB_LF || class == U_WB_NEWLINE; }

/* WB5, WB8 to WB10, WB13 to WB13b. */
static bool joins(int before, int class) {
    if (before == U_WB_EXTENDNUMLET || class == U_WB_EXTENDNUMLET) return is_part(before) && is_part(class);
    if (before == U_WB_KATAKANA || class == U_WB_KATAKANA) return before == class;
    return is_part(before) && is_part(class);
}

static bool is_middle(int class) {
    return class == U_WB_MIDLETTER || class == U_WB_MIDNUM || class == U_WB_MIDNUMLET || class == U_WB_SINGLE_QUOTE ||
           class == U_WB_DOUBLE_QUOTE;
}

/* WB6, WB7, WB7b, WB7c, WB11, WB12: a middle character between two constituents. */
static bool bridges(int before, int middle, int class) {
    bool either = middle == U_WB_MIDNUMLET || middle == U_WB_SINGLE_QUOTE;
    if (middle == U_WB_DOUBLE_QUOTE) return before == U_WB_HEBREW_LETTER && class == U_WB_HEBREW_LETTER;
    if (is_letter(before)) return is_letter(class) && (either || middle == U_WB_MIDLETTER);
    return before == U_WB_NUMERIC && class == U_WB_NUMERIC && (either || middle == U_WB_MIDNUM);
}

/* A character with its attached characters; `foreign` and `uncut` as in fp_word. */
typedef struct unit {
    size_t end;
    int class;
    bool foreign, uncut;
} unit;

static unit unit_at(fp_string text, size_t at) {
    uint32_t code;
    unit made = {.end = at + fp_utf8_decode(text.data + at, &code), .class = class_of(code)};
    made.foreign = code >= 0x80 && !is_han(code) && fp_is_wordy(code);
    made.uncut = made.foreign && made.class == U_WB_OTHER;
    while (made.end < text.length && !ends_line(made.class)) {
        size_t size = fp_utf8_decode(text.data + made.end, &code);
        int class = code < 0x80 ? U_WB_OTHER : class_of(code);
        if (!is_attached(class)) break;
        made.foreign |= class == U_WB_EXTEND;
        made.end += size;
    }
    return made;
}

bool fp_may_join(uint32_t code) {
    int class = class_of(code);
    return is_part(class) || is_attached(class) || is_middle(class);
}

fp_word fp_word_at(fp_string text, size_t at) {
    unit last = unit_at(text, at);
    fp_word word = {last.end, last.foreign, last.uncut};
    while (is_part(last.class) && word.end < text.length) {
        unit next = unit_at(text, word.end);
        bool foreign = next.foreign;
        if (!joins(last.class, next.class)) {
            bool quoted = last.class == U_WB_HEBREW_LETTER && next.class == U_WB_SINGLE_QUOTE; /* WB7a */
            size_t middle_end = next.end;
            int middle = next.class;
            if (middle_end < text.length) next = unit_at(text, middle_end);
            if (middle_end == text.length || !bridges(last.class, middle, next.class)) {
                if (quoted) word.end = middle_end;
                break;
            }
            foreign |= next.foreign;
        }
        word.foreign |= foreign;
        word.end = next.end;
        last = next;
    }
    return word;
}
