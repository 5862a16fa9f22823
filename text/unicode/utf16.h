/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * utf16.h - walking UTF-16, the form that ICU works in.
 */
#ifndef FP_UTF16_H
#define FP_UTF16_H

#include <stddef.h>
#include <stdint.h>

static inline int fp_utf16_is_lead(uint16_t unit) { return (unit & 0xfc00) == 0xd800; }

/* The code point at *at of well-formed UTF-16; *at moves on. */
static inline uint32_t fp_utf16_next(const uint16_t *units, size_t *at) {
    uint32_t unit = units[(*at)++];
    if (!fp_utf16_is_lead((uint16_t)unit)) return unit;
    return 0x10000 + ((unit & 0x3ff) << 10 | (units[(*at)++] & 0x3ffu));
}

/* The code points that the next unit completes, at most two; their number. *lead is half of a pair that waits for the
 * other, or 0; a half without its other is a code point by itself. */
static inline size_t fp_utf16_join(uint16_t *lead, uint16_t unit, uint32_t code[2]) {
    uint16_t pair[2] = {*lead, unit};
    size_t count = 0;
    *lead = fp_utf16_is_lead(unit) ? unit : 0;
    if (pair[0] && (unit & 0xfc00) == 0xdc00) {
        code[0] = fp_utf16_next(pair, &count);
        return 1;
    }
    if (pair[0]) code[count++] = pair[0];
    if (!*lead) code[count++] = unit;
    return count;
}

/* Writes `code` (a valid scalar value) to `to` (2 units of room) and returns the units written. */
static inline size_t fp_utf16_encode(uint32_t code, uint16_t *to) {
    if (code < 0x10000) {
        to[0] = (uint16_t)code;
        return 1;
    }
    to[0] = (uint16_t)(0xd800 | (code - 0x10000) >> 10);
    to[1] = (uint16_t)(0xdc00 | (code & 0x3ff));
    return 2;
}

#endif
