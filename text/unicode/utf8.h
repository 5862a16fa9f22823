/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * utf8.h - checking and iterating over UTF-8 (Unicode 15, section 3.9: no overlong forms, no surrogates, at most
 * U+10FFFF).
 */
#ifndef FP_UTF8_H
#define FP_UTF8_H

#include "base/base.h"

/* The offset of the first byte that is not part of a valid sequence; text.length if all is valid. */
size_t fp_utf8_check(fp_string text);

/* Decodes the code point at `at` and returns its size in bytes. The text must be valid. */
static inline size_t fp_utf8_decode(const char *at, uint32_t *code) {
    const unsigned char *byte = (const unsigned char *)at;
    if (byte[0] < 0x80) {
        *code = byte[0];
        return 1;
    }
    if (byte[0] < 0xe0) {
        *code = (uint32_t)(byte[0] & 0x1f) << 6 | (byte[1] & 0x3f);
        return 2;
    }
    if (byte[0] < 0xf0) {
        *code = (uint32_t)(byte[0] & 0x0f) << 12 | (uint32_t)(byte[1] & 0x3f) << 6 | (byte[2] & 0x3f);
        return 3;
    }
    *code = (uint32_t)(byte[0] & 0x07) << 18 | (uint32_t)(byte[1] & 0x3f) << 12 | (uint32_t)(byte[2] & 0x3f) << 6 |
            (byte[3] & 0x3f);
    return 4;
}

/* Bytes of the sequence that starts with this byte of a valid text. */
static inline size_t fp_utf8_size(char lead) {
    unsigned char byte = (unsigned char)lead;
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/* Writes `code` (a valid scalar value) to `to` (4 bytes of room) and returns the bytes written. */
size_t fp_utf8_encode(uint32_t code, char *to);

/* The number of code points of a valid text. */
size_t fp_utf8_count(fp_string text);

#endif
