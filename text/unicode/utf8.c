/* SPDX-License-Identifier: GPL-3.0-or-later
 * Encoding, counting and checking UTF-8. */
#include "text/unicode/utf8.h"

#include <unicode/utf8.h>

#include "text/unicode/blocks.h"
#include "text/unicode/utf8_fast.h"

size_t fp_utf8_encode(uint32_t code, char *to) {
    unsigned char *bytes = (unsigned char *)to;
    size_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, code);
    return size;
}

size_t fp_utf8_count(fp_string text) {
    size_t tails = 0;
    for (size_t i = 0; i < text.length; i++) tails += fp_utf8_is_tail(text.data[i]);
    return text.length - tails;
}

/* ---- Checking UTF-8, with fast paths for nearly all text: runs of blocks where there are vectors, eight ASCII bytes
 * at a time, and two common three-byte characters at a time ---- */

/* The length of the well-formed characters of one or three bytes at the start. */
#if defined(__x86_64__)
FP_FOR_VBMI2 static size_t plain_valid(const char *raw, size_t length) {
    size_t at = 0;
    for (unsigned end = FP_BLOCK_NEARLY; end >= FP_BLOCK_NEARLY && at < length;) {
        fp_utf8_block now = fp_block_load(raw + at, length - at);
        fp_block_find(&now, length - at, 0);
        at += end = now.end;
    }
    return at;
}
#else
static size_t plain_valid(const char *raw, size_t length) { return (void)raw, (void)length, 0; }
#endif

size_t fp_utf8_check(fp_string text) {
    size_t at = 0, next_run = fp_run_first();
    while (at < text.length) {
        if (at >= next_run) {
            size_t begin = at;
            at += plain_valid(text.data + at, text.length - at);
            next_run = fp_run_next(begin, at);
        }
        while (text.length - at >= 8 && at < next_run) {
            uint64_t word = fp_load_eight(text.data + at);
            if (fp_utf8_is_pair(word)) at += 6;
            else if (!(word & 0x80)) at += fp_unmarked(word & FP_EIGHT_HIGH_BITS);
            else if (fp_utf8_is_common(word)) at += 3;
            else break;
        }
        if (at == text.length) break;
        size_t size = fp_utf8_sequence(text.data + at, text.length - at);
        if (!size) return at;
        at += size;
    }
    return at;
}
