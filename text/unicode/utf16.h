/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * utf16.h - iterating over UTF-16, which ICU uses.
 */
#ifndef FP_UTF16_H
#define FP_UTF16_H

#include <stddef.h>
#include <stdint.h>
#include <unicode/utf16.h>

/* The code point at *at of well-formed UTF-16; advances *at. */
static inline uint32_t fp_utf16_next(const uint16_t *units, size_t *at) {
    uint32_t unit = units[(*at)++];
    if ((unit & 0xfc00) != 0xd800) return unit;
    return 0x10000 + ((unit & 0x3ff) << 10 | (units[(*at)++] & 0x3ffu));
}

/* Writes `code` (a valid scalar value) to `to` (2 units of room) and returns the units written. */
static inline size_t fp_utf16_encode(uint32_t code, uint16_t *to) {
    size_t count = 0;
    U16_APPEND_UNSAFE(to, count, code);
    return count;
}

#endif
