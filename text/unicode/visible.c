/* SPDX-License-Identifier: GPL-3.0-or-later
 * Escapes control characters. */
#include "text/unicode/visible.h"

#include <string.h>

#include "text/unicode/utf8.h"

bool fp_is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static size_t put_byte(unsigned byte, char *to) {
    return (size_t)snprintf(to, FP_VISIBLE_MOST, "\\x%02x", byte & 0xff);
}

size_t fp_visible_next(fp_string rest, size_t *taken, char *to) {
    static const char LETTERS[] = {['\t'] = 't', ['\n'] = 'n', ['\r'] = 'r'};
    uint32_t code;
    *taken = 1;
    if (!fp_utf8_check((fp_string){rest.data, rest.length < 4 ? rest.length : 4}))
        return put_byte((unsigned char)*rest.data, to);
    *taken = fp_utf8_decode(rest.data, &code);
    if (!fp_is_control(code)) return fp_utf8_encode(code, to);
    if (code < sizeof LETTERS && LETTERS[code]) {
        to[0] = '\\';
        to[1] = LETTERS[code];
        return 2;
    }
    if (code < 0x80) return put_byte(code, to);
    return (size_t)snprintf(to, FP_VISIBLE_MOST, "\\u%04x", (unsigned)(code & 0xffff));
}

static bool is_plain(fp_string text) {
    if (fp_utf8_check(text) < text.length) return false;
    uint32_t code;
    for (size_t at = 0; at < text.length;) {
        at += fp_utf8_decode(text.data + at, &code);
        if (fp_is_control(code)) return false;
    }
    return true;
}

fp_string fp_visible(fp_string text, fp_arena *arena) {
    if (is_plain(text)) return text;
    fp_string out = {0};
    char *to = text.length < SIZE_MAX / 4 - 3 ? fp_arena_raw(arena, 4 * text.length + FP_VISIBLE_MOST, 1) : NULL;
    if (!to) return out;
    out.data = to;
    for (size_t at = 0, taken; at < text.length; at += taken)
        out.length += fp_visible_next((fp_string){text.data + at, text.length - at}, &taken, to + out.length);
    to[out.length] = '\0';
    return out;
}

bool fp_begins_formula(fp_string text) {
    static const char *const SIGNS[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++) {
        size_t length = strlen(SIGNS[i]);
        if (text.length >= length && memcmp(text.data, SIGNS[i], length) == 0) return true;
    }
    return false;
}
