/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writing and counting UTF-8. */
#include "text/unicode/utf8_fast.h"

size_t fp_utf8_encode(uint32_t code, char *to) {
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xe0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3f));
        to[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3f));
    to[2] = (char)(0x80 | (code >> 6 & 0x3f));
    to[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

size_t fp_utf8_count(fp_string text) {
    size_t tails = 0;
    for (size_t i = 0; i < text.length; i++) tails += fp_utf8_is_tail(text.data[i]);
    return text.length - tails;
}
