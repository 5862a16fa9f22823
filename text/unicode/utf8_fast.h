/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * utf8_fast.h - the inner steps of the UTF-8 check, the normaliser and Han folding: one well-formed sequence, and two
 * common three-byte characters at once.
 */
#ifndef FP_UTF8_FAST_H
#define FP_UTF8_FAST_H

#include <string.h>

#include "text/unicode/utf8.h"

/* A word of eight bytes with the first in the lowest byte, on any machine. */
static inline uint64_t fp_little_endian(uint64_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

static inline uint64_t fp_load_eight(const char *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return fp_little_endian(word);
}

static inline void fp_store_eight(char *to, uint64_t word) {
    word = fp_little_endian(word);
    memcpy(to, &word, sizeof word);
}

#define FP_EIGHT_HIGH_BITS 0x8080808080808080u

/* The number of leading bytes of a word whose bit 7 is clear in `marks`, which has no other bits; 0 to 8. */
static inline size_t fp_unmarked(uint64_t marks) { return marks ? (size_t)__builtin_ctzll(marks) / 8 : 8; }

/* Whether the low six bytes are two three-byte sequences with leads E1 … EC (U+1000 to U+CFFF: all of common Chinese,
 * kana, most hangul). These leads accept any two tails, so no further check is needed. */
static inline bool fp_utf8_is_pair(uint64_t word) {
    if ((word & 0xc0c0f0c0c0f0u) != 0x8080e08080e0u) return false;
    unsigned first = (unsigned)word & 0x0f, second = (unsigned)(word >> 24) & 0x0f;
    return first - 1u < 12u && second - 1u < 12u;
}

/* Whether the low three bytes are one such sequence. */
static inline bool fp_utf8_is_common(uint64_t word) {
    return (word & 0xc0c0f0u) == 0x8080e0u && ((unsigned)word & 0x0f) - 1u < 12u;
}

/* The code point of such a sequence in the low three bytes of a word; shift by 24 for the second one. */
static inline uint32_t fp_utf8_pair_code(uint64_t word) {
    return ((uint32_t)word & 0x0f) << 12 | ((uint32_t)(word >> 8) & 0x3f) << 6 | ((uint32_t)(word >> 16) & 0x3f);
}

static inline bool fp_utf8_is_tail(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

/* The length of the well-formed sequence at `at`, where `room` > 0 bytes are available; 0 if there is none (Unicode 15,
 * table 3-7). */
static inline size_t fp_utf8_sequence(const char *at, size_t room) {
    unsigned char lead = (unsigned char)at[0];
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4 || room < 2 || !fp_utf8_is_tail(at[1])) return 0;
    if (lead < 0xe0) return 2;
    unsigned char second = (unsigned char)at[1];
    if (room < 3 || !fp_utf8_is_tail(at[2])) return 0;
    if (lead < 0xf0) {
        if (lead == 0xe0 && second < 0xa0) return 0; /* overlong */
        if (lead == 0xed && second > 0x9f) return 0; /* surrogate */
        return 3;
    }
    if (room < 4 || !fp_utf8_is_tail(at[3])) return 0;
    if (lead == 0xf0 && second < 0x90) return 0; /* overlong */
    if (lead == 0xf4 && second > 0x8f) return 0; /* over U+10FFFF */
    return 4;
}

#endif
