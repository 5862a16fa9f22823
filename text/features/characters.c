/* SPDX-License-Identifier: GPL-3.0-or-later
 * Normalised text to characters with white space folded: runs of U+0020 and U+000A, the only white space of normalised
 * text, become one space between characters and nothing at both ends. Features over characters hash every character K
 * times, so this pass has to cost less than a hash. */
#include <string.h>
#include <unicode/uchar.h>

#include "text/features/builder.h"
#include "text/unicode/utf8.h"

enum { BLOCK = 64 };

static bool begins_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

/* Of the 64 bytes of a block: which begin a character, and which are white space. */
typedef struct block_facts {
    uint64_t begins, white;
} block_facts;

/* Copies a block with a space for each white space, and looks at it. */
#if defined(__SSE2__) && !defined(FP_PORTABLE)
#include <emmintrin.h>

static block_facts copy_block(const char *block, char *to) {
    block_facts facts = {0};
    __m128i space = _mm_set1_epi8(' '), last_continuation = _mm_set1_epi8((char)0xbf);
    for (unsigned i = 0; i < BLOCK; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(block + i));
        uint64_t white = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes));
        uint64_t begins = (uint32_t)_mm_movemask_epi8(
            _mm_cmpgt_epi8(bytes, last_continuation)); /* signed: 0x80 … 0xbf are the smallest */
        _mm_storeu_si128((__m128i *)(void *)(to + i), _mm_max_epu8(bytes, space));
        facts.white |= white << i;
        facts.begins |= begins << i;
    }
    return facts;
}
#else
static block_facts copy_block(const char *block, char *to) {
    block_facts facts = {0};
    for (unsigned i = 0; i < BLOCK; i++) {
        bool white = (unsigned char)block[i] <= ' ';
        to[i] = white ? ' ' : block[i];
        facts.begins |= (uint64_t)begins_character(block[i]) << i;
        facts.white |= (uint64_t)white << i;
    }
    return facts;
}
#endif

/* A block that has been copied and of which nothing is left out: one position for each character. */
static void add_block(fp_builder *to, uint64_t begins) {
    uint32_t *begin = to->begin + to->count;
    for (uint64_t left = begins; left; left &= left - 1)
        *begin++ = (uint32_t)to->length + (uint32_t)__builtin_ctzll(left);
    to->count = (size_t)(begin - to->begin);
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
            block_facts facts = copy_block(text.data + at, to->buffer + to->length);
            if (facts.white & (facts.white << 1 | white)) {
                add_folding(to, text.data + at, BLOCK, &white);
            } else {
                add_block(to, facts.begins);
                white = facts.white >> (BLOCK - 1);
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
