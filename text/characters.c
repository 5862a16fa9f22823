/* SPDX-License-Identifier: GPL-3.0-or-later
 * Normalised text to characters with white space folded: runs of U+0020 and U+000A, the only white space of normalised text, become one space between characters and
 * nothing at both ends. Features over characters hash every character K times, so this pass has to cost less than a hash. */
#include <string.h>
#include <unicode/uchar.h>

#include "text/builder.h"
#include "text/utf8.h"

enum { BLOCK = 64 };

static bool begins_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

static bool has_white(const char *block) {
    unsigned white = 0;
    for (size_t i = 0; i < BLOCK; i++) white |= (unsigned char)block[i] <= ' ';
    return white != 0;
}

/* A block without white space, as most of Chinese text is: copied whole; the position is stored for every byte and kept where a character begins. */
static void add_plain(fp_builder *to, const char *block) {
    char *out = to->buffer + to->length;
    uint32_t *begin = to->begin;
    size_t count = to->count;
    memcpy(out, block, BLOCK);
    for (uint32_t i = 0; i < BLOCK; i++) {
        begin[count] = (uint32_t)to->length + i;
        count += begins_character(block[i]);
    }
    to->count = count;
    to->length += BLOCK;
}

/* Any bytes; *white says whether the last character was white space. */
static void add_folding(fp_builder *to, const char *data, size_t length, bool *white) {
    for (size_t i = 0; i < length; i++) {
        bool is_white = (unsigned char)data[i] <= ' ', skip = is_white && *white;
        to->buffer[to->length] = is_white ? ' ' : data[i];
        to->begin[to->count] = (uint32_t)to->length;
        to->count += !skip && begins_character(data[i]);
        to->length += !skip;
        *white = is_white;
    }
}

static bool is_dropped(uint32_t code) {
    if (code - 0x4e00 < 0x9fffu - 0x4e00 || fp_is_wordy(code)) return false;
    return code > ' ' && !(code >= 0x80 && u_getCombiningClass((UChar32)code));
}

/* Characters one by one, without punctuation and symbols. */
static void add_wordy(fp_builder *to, fp_string text, bool *white) {
    for (size_t at = 0, size; at < text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(text.data + at, &code);
        if (!is_dropped(code)) add_folding(to, text.data + at, size, white);
    }
}

fp_status fp_character_units(fp_string text, bool drop_punctuation, fp_arena *arena, fp_builder *to, fp_error *error) {
    FP_TRY(fp_builder_open_contiguous(to, text.length, arena, error));
    bool white = true;
    size_t at = 0;
    if (drop_punctuation) {
        add_wordy(to, text, &white);
    } else {
        for (; at + BLOCK <= text.length; at += BLOCK) {
            if (has_white(text.data + at)) {
                add_folding(to, text.data + at, BLOCK, &white);
            } else {
                add_plain(to, text.data + at);
                white = false;
            }
        }
        add_folding(to, text.data + at, text.length - at, &white);
    }
    if (white && to->count) {
        to->count--;
        to->length--;
    }
    to->begin[to->count] = (uint32_t)to->length;
    return FP_OK;
}
