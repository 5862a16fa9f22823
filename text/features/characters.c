/* SPDX-License-Identifier: GPL-3.0-or-later
 * Characters of normalised text with white space folded: runs of U+0020 and U+000A, the only white space of normalised
 * text, become one space between characters and are removed at both ends. Features over characters hash every character
 * K times, so this pass must cost less than a hash. */
#include "text/features/extract.h"

#include <string.h>
#include <unicode/uchar.h>

#include "text/unicode/blocks.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

enum { BLOCK = 64 };

static bool begins_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

/* For the 64 bytes of a block: which begin a character, and which are white space. */
typedef struct block_facts {
    uint64_t begins, white;
} block_facts;

/* Copies a block with white space replaced by spaces, and classifies its bytes. */
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

/* Adds one position for each character of a copied block that is kept whole. */
static void add_block(fp_builder *to, uint64_t begins, size_t size) {
    uint32_t *begin = to->begin + to->count;
    for (uint64_t left = begins; left; left &= left - 1)
        *begin++ = (uint32_t)to->length + (uint32_t)__builtin_ctzll(left);
    to->count = (size_t)(begin - to->begin);
    to->length += size;
}

/* Fills the rest of a block after the end of the text: neither begins a character nor is white space. */
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
/* The same for a whole block in one vector: positions of bytes that begin a character are compressed, 16 at a time. */
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
    /* There is room for as many positions as bytes. */
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

/* Handles any bytes; *white: whether the last character was white space. */
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

/* Adds characters individually, without punctuation and symbols. */
static void add_wordy(fp_builder *to, fp_string text, bool *white) {
    for (size_t at = 0, size; at < text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(text.data + at, &code);
        if (!is_dropped(code)) add_folding(to, text.data + at, size, white);
    }
}

fp_status fp_character_units(fp_string text, bool drop_punctuation, fp_arena *arena, fp_builder *to, fp_error *error) {
    if (text.length >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text of 4 GiB or more");
    *to = (fp_builder){.buffer = FP_NEED(fp_arena_raw(arena, text.length + 1, 1), error),
                       .begin = FP_NEED(fp_arena_raw(arena, text.length + 1, sizeof(uint32_t)), error)};
    to->end = to->begin + 1;
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

/* ---- XXH3 of short slices. Slices of 4 to 16 bytes, which most K-grams are, are hashed eight at a time where blocks.h
 * has vectors, with xxHash's steps for such lengths (its specification, "XXH3 algorithm for small inputs") on lanes.
 * Neighbours lie within 64 bytes, so one load holds all eight, and one permutation each extracts their words: a gather
 * took half as long again ---- */

#define XXH_INLINE_ALL
#include <xxhash.h>

static void one_by_one(const char *data, const uint32_t *begin, const uint32_t *end, size_t count, uint64_t *hash) {
    for (size_t i = 0; i < count; i++) hash[i] = XXH3_64bits(data + begin[i], end[i] - begin[i]);
}

#if defined(__x86_64__)
#define WIDE FP_FOR_VBMI2 FP_BODY

enum { LANES = 8 };

WIDE __m512i every(uint64_t word) { return _mm512_set1_epi64((long long)word); }

/* The secret that is xored to the input: the xor of its words at two offsets. */
static uint64_t flip(size_t first, size_t second) {
    return XXH_readLE64(XXH3_kSecret + first) ^ XXH_readLE64(XXH3_kSecret + second);
}

WIDE __m512i shifted(__m512i word, unsigned bits) { return _mm512_xor_si512(word, _mm512_srli_epi64(word, bits)); }

/* The eight bytes of the block at each place; bytes after its end are undefined. */
WIDE __m512i words_at(__m512i block, __m512i place) {
    const __m512i first =
        _mm512_set_epi64(0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0, 0x0808080808080808, 0);
    __m512i byte = _mm512_add_epi8(_mm512_shuffle_epi8(place, first), every(UINT64_C(0x0706050403020100)));
    return _mm512_permutexvar_epi8(byte, block);
}

WIDE __m512i swapped(__m512i word) {
    const __m512i order =
        _mm512_set_epi64(0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607,
                         0x08090a0b0c0d0e0f, 0x0001020304050607, 0x08090a0b0c0d0e0f, 0x0001020304050607);
    return _mm512_shuffle_epi8(word, order);
}

/* The xor of the two halves of the 128-bit product. */
WIDE __m512i folded_product(__m512i a, __m512i b) {
    const __m512i half = every(UINT32_MAX);
    __m512i a_high = _mm512_srli_epi64(a, 32), b_high = _mm512_srli_epi64(b, 32);
    __m512i low = _mm512_mul_epu32(a, b), high = _mm512_mul_epu32(a_high, b_high);
    __m512i first = _mm512_mul_epu32(a_high, b), second = _mm512_mul_epu32(a, b_high);
    __m512i middle = _mm512_add_epi64(first, _mm512_srli_epi64(low, 32));
    middle = _mm512_add_epi64(middle, _mm512_and_si512(second, half));
    high = _mm512_add_epi64(high, _mm512_srli_epi64(second, 32));
    high = _mm512_add_epi64(high, _mm512_srli_epi64(middle, 32));
    return _mm512_xor_si512(_mm512_mullo_epi64(a, b), high);
}

/* Eight slices from `begin` to `end` in a block. */
typedef struct slices {
    __m512i block, begin, end, length;
    uint64_t flips[3];
} slices;

/* Hashes slices of 9 to 16 bytes. */
WIDE __m512i nine_to_sixteen(const slices *of) {
    __m512i first = words_at(of->block, of->begin), last = words_at(of->block, _mm512_sub_epi64(of->end, every(8)));
    first = _mm512_xor_si512(first, every(of->flips[0]));
    last = _mm512_xor_si512(last, every(of->flips[1]));
    __m512i sum = _mm512_add_epi64(of->length, _mm512_add_epi64(swapped(first), last));
    sum = shifted(_mm512_add_epi64(sum, folded_product(first, last)), 37);
    return shifted(_mm512_mullo_epi64(sum, every(UINT64_C(0x165667919e3779f9))), 32);
}

/* Hashes slices of 4 to 8 bytes. */
WIDE __m512i four_to_eight(const slices *of) {
    const __m512i factor = every(UINT64_C(0x9fb21c651e98df25)), half = every(UINT32_MAX);
    __m512i first = words_at(of->block, of->begin), last = words_at(of->block, _mm512_sub_epi64(of->end, every(4)));
    __m512i word = _mm512_or_si512(_mm512_slli_epi64(first, 32), _mm512_and_si512(last, half));
    word = _mm512_xor_si512(word, every(of->flips[2]));
    word = _mm512_ternarylogic_epi64(word, _mm512_rol_epi64(word, 49), _mm512_rol_epi64(word, 24), 0x96);
    word = _mm512_mullo_epi64(word, factor);
    word = _mm512_xor_si512(word, _mm512_add_epi64(_mm512_srli_epi64(word, 35), of->length));
    return shifted(_mm512_mullo_epi64(word, factor), 28);
}

/* Which lengths are from `least` to `most`; unsigned. */
WIDE __mmask8 between(__m512i length, uint64_t least, uint64_t most) {
    return _mm512_cmple_epu64_mask(_mm512_sub_epi64(length, every(least)), every(most - least));
}

WIDE __m512i load_eight(const uint32_t *from, uint32_t base) {
    __m512i wide = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)(const void *)from));
    return _mm512_sub_epi64(wide, every(base));
}

/* Writes the hashes of eight slices; returns a mask of those that it computed. */
WIDE unsigned hash_eight(const char *data, const uint32_t *begin, const uint32_t *end, slices *of, uint64_t *hash) {
    uint32_t base = begin[0], last = end[LANES - 1];
    if (last < base) return 0;
    unsigned there = last - base < FP_BLOCK ? last - base : FP_BLOCK;
    of->block = _mm512_maskz_loadu_epi8(fp_bits_below(there), data + base);
    of->begin = load_eight(begin, base);
    of->end = load_eight(end, base);
    of->length = _mm512_sub_epi64(of->end, of->begin);
    __mmask8 here = between(of->begin, 0, there) & between(of->end, 0, there);
    __mmask8 longer = here & between(of->length, 9, 16), shorter = here & between(of->length, 4, 8);
    __m512i made = nine_to_sixteen(of);
    if (shorter) made = _mm512_mask_mov_epi64(made, shorter, four_to_eight(of));
    _mm512_storeu_si512(hash, made);
    return longer | shorter;
}

FP_FOR_VBMI2 static void eight_at_a_time(const char *data, const uint32_t *begin, const uint32_t *end, size_t count,
                                         uint64_t *hash) {
    slices of = {.flips = {flip(24, 32), flip(40, 48), flip(8, 16)}};
    if (count < LANES) {
        one_by_one(data, begin, end, count, hash);
        return;
    }
    /* If eight does not divide the number, the last group of eight overlaps the one before. */
    for (size_t done = 0; done < count; done += LANES) {
        size_t i = done + LANES <= count ? done : count - LANES;
        unsigned left = 0xff & ~hash_eight(data, begin + i, end + i, &of, hash + i);
        for (; left; left &= left - 1) {
            size_t lane = i + (size_t)__builtin_ctz(left);
            one_by_one(data, begin + lane, end + lane, 1, hash + lane);
        }
    }
}
#else
#define eight_at_a_time one_by_one
#endif

void fp_window_hash(const char *data, const uint32_t *begin, const uint32_t *end, size_t count, uint64_t *hash) {
    (fp_blocks_there() ? eight_at_a_time : one_by_one)(data, begin, end, count, hash);
}
