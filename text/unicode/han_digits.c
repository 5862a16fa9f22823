/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chinese digits and circles: all characters used here take three bytes. */
#include "text/unicode/han_digits.h"

static const char CIRCLE[] = "○", ZERO[] = "〇";
/* Includes characters that Han folding maps to one of these (韆), so that a folded text has the same runs. */
static const char DIGITS[] = "〇零一二三四五六七八九", NUMERALS[] = "两兩十百千韆万萬亿億", UNITS[] = "年月日号號";
enum { HAN_SIZE = 3 };

static bool is_in(const char *set, const char *at) {
    for (; *set; set += HAN_SIZE)
        if (memcmp(set, at, HAN_SIZE) == 0) return true;
    return false;
}

bool fp_is_han_digit(uint32_t code) {
    const char bytes[] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3f)), (char)(0x80 | (code & 0x3f))};
    return code >= 0x3007 && code <= 0x9fff && is_in(DIGITS, bytes);
}

static bool is_digit(const char *at) { return is_in(DIGITS, at) || is_in(NUMERALS, at); }
static bool is_circle(const char *at) { return memcmp(at, CIRCLE, HAN_SIZE) == 0; }

/* Replaces the circles of text[begin … end), which has only digits and circles; returns `end`. */
static size_t fold_run(char *text, size_t begin, size_t end, bool dated) {
    size_t digits = 0;
    while (begin < end && is_circle(text + begin)) begin += HAN_SIZE;
    for (size_t at = begin; at < end; at += HAN_SIZE) digits += !is_circle(text + at);
    for (size_t at = begin; at < end && digits > !dated; at += HAN_SIZE)
        if (is_circle(text + at)) memcpy(text + at, ZERO, HAN_SIZE);
    return end;
}

void fp_fold_circles(char *text, size_t length, size_t from) {
    for (size_t at = from; length - at >= HAN_SIZE;) {
        const char *circle = memmem(text + at, length - at, CIRCLE, HAN_SIZE);
        if (!circle) return;
        size_t begin = (size_t)(circle - text), end = begin;
        while (begin >= HAN_SIZE && (is_digit(text + begin - HAN_SIZE) || is_circle(text + begin - HAN_SIZE)))
            begin -= HAN_SIZE;
        while (length - end >= HAN_SIZE && (is_digit(text + end) || is_circle(text + end))) end += HAN_SIZE;
        at = fold_run(text, begin, end, length - end >= HAN_SIZE && is_in(UNITS, text + end));
    }
}
