/* SPDX-License-Identifier: GPL-3.0-or-later
 * Normalised text to characters with white space folded: runs of U+0020 and U+000A, the only white space of normalised
 * text, become one space between characters and nothing at both ends. Features over characters hash every character K
 * times, so this pass has to cost less than a hash. */
#include <string.h>
#include <unicode/uchar.h>

#include "text/features/builder.h"
#include "text/unicode/blocks.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

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

/* Of a block that has been copied, and of which nothing is left out: one position for each character. */
static void add_block(fp_builder *to, uint64_t begins, size_t size) {
    uint32_t *begin = to->begin + to->count;
    for (uint64_t left = begins; left; left &= left - 1)
        *begin++ = (uint32_t)to->length + (uint32_t)__builtin_ctzll(left);
    to->count = (size_t)(begin - to->begin);
    to->length += size;
}

/* What is left of a text stands in a block whose other bytes begin no character and are no white space. */
enum { NEITHER = 0x80 };

static block_facts copy_rest(const char *rest, size_t size, char *to) {
    char block[BLOCK], copy[BLOCK];
    memset(block, NEITHER, sizeof block);
    memcpy(block, rest, size);
    block_facts facts = copy_block(block, copy);
    memcpy(to, copy, size);
    return facts;
}

#if defined(__x86_64__)
/* Both for a whole block in one vector: places of bytes that begin a character are moved together, 16 at a time. */
FP_FOR_VBMI2 static inline block_facts facts_of(__m512i bytes) {
    return (block_facts){.begins = _mm512_cmpgt_epi8_mask(bytes, _mm512_set1_epi8((char)0xbf)),
                         .white = _mm512_cmple_epu8_mask(bytes, _mm512_set1_epi8(' '))};
}

FP_FOR_VBMI2 static block_facts copy_block_wide(const char *block, char *to) {
    __m512i bytes = _mm512_loadu_si512(block);
    _mm512_storeu_si512(to, _mm512_max_epu8(bytes, _mm512_set1_epi8(' ')));
    return facts_of(bytes);
}

FP_FOR_VBMI2 static block_facts copy_rest_wide(const char *rest, size_t size, char *to) {
    __mmask64 there = fp_bits_below((unsigned)size);
    __m512i bytes = _mm512_mask_loadu_epi8(_mm512_set1_epi8((char)NEITHER), there, rest);
    _mm512_mask_storeu_epi8(to, there, _mm512_max_epu8(bytes, _mm512_set1_epi8(' ')));
    return facts_of(bytes);
}

FP_FOR_VBMI2 static void add_block_wide(fp_builder *to, uint64_t begins, size_t size) {
    enum { AT_ONCE = 16 };
    static const unsigned char PLACES[BLOCK] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                                32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                                48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    unsigned char place[BLOCK];
    const __m512i base = _mm512_set1_epi32((int)(uint32_t)to->length);
    size_t count = (size_t)_mm_popcnt_u64(begins), i = 0;
    _mm512_storeu_si512(place, _mm512_maskz_compress_epi8(begins, _mm512_loadu_si512(PLACES)));
#define PLACES_AT(i) \
    _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(place + (i)))))
    /* There is room for as many places as there are bytes. */
    for (; i < count && i + AT_ONCE <= size; i += AT_ONCE) _mm512_storeu_si512(to->begin + to->count + i, PLACES_AT(i));
    if (i < count)
        _mm512_mask_storeu_epi32(to->begin + to->count + i, (__mmask16)fp_bits_below((unsigned)(count - i)),
                                 PLACES_AT(i));
#undef PLACES_AT
    to->count += count;
    to->length += size;
}
#else
#define copy_block_wide copy_block
#define copy_rest_wide copy_rest
#define add_block_wide add_block
#endif

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
    if (drop_punctuation) {
        add_wordy(to, text, &white);
    } else {
        bool wide = fp_blocks_there();
        for (size_t at = 0, size; at < text.length; at += size) {
            const char *from = text.data + at;
            char *out = to->buffer + to->length;
            size = text.length - at < BLOCK ? text.length - at : BLOCK;
            block_facts facts = size == BLOCK ? (wide ? copy_block_wide : copy_block)(from, out)
                                              : (wide ? copy_rest_wide : copy_rest)(from, size, out);
            if (facts.white & (facts.white << 1 | white)) {
                add_folding(to, from, size, &white);
            } else {
                (wide ? add_block_wide : add_block)(to, facts.begins, size);
                white = facts.white >> (size - 1) & 1;
            }
        }
    }
    if (white && to->count) {
        to->count--;
        to->length--;
    }
    to->begin[to->count] = (uint32_t)to->length;
    return FP_OK;
}
