/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * utf16.h - iterating over UTF-16, which ICU uses.
 */
#ifndef FP_UTF16_H
#define FP_UTF16_H

#include <stddef.h>
#include <stdint.h>

static inline int fp_utf16_is_lead(uint16_t unit) { return (unit & 0xfc00) == 0xd800; }

/* The code point at *at of well-formed UTF-16; advances *at. */
static inline uint32_t fp_utf16_next(const uint16_t *units, size_t *at) {
    uint32_t unit = units[(*at)++];
    if (!fp_utf16_is_lead((uint16_t)unit)) return unit;
    return 0x10000 + ((unit & 0x3ff) << 10 | (units[(*at)++] & 0x3ffu));
}

/* Writes the code points that the next unit completes, and returns their number, at most two. *lead is a pending lead
 * surrogate, or 0; an unpaired surrogate is a code point of its own. */
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
