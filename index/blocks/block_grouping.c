/* SPDX-License-Identifier: GPL-3.0-or-later
 * Grouping by counting, twice, so that few places are written to at a time: pieces of the source are spread over parts,
 * by the upper bits of the group, and each part over its groups, by the lower ones. Both keep the order. */
#include "index/blocks/block_grouping.h"

#include <string.h>

enum { LEAST_PIECE = 1 << 16, MOST_PIECES = 64, MOST_PART_BITS = 11, MOST_PARTS = 1 << MOST_PART_BITS };

struct fp_block_grouping {
    const fp_block_source *source;
    size_t words;
    const fp_arenas *arenas;
    const fp_arena *like;
    uint64_t *fingerprints; /* in parts */
    uint32_t *numbers;
    size_t piece, piece_count; /* fingerprints of a piece */
    uint32_t *places;          /* [piece_count · MOST_PARTS] where the next of each part goes */
    uint32_t part_begin[MOST_PARTS + 1];
    /* Of the table at hand. */
    const fp_key_bits *prefix;
    unsigned low_bits, number_bytes;
    uint32_t *to_begin;
    uint64_t *to_fingerprints;
    unsigned char *to_numbers;
};

fp_status fp_block_grouping_open(const fp_block_source *source, size_t words, const fp_arenas *arenas,
                                 const fp_arena *like, fp_block_grouping **grouping, fp_error *error) {
    fp_block_grouping *made = fp_memory_take(like, 1, sizeof *made);
    *grouping = made;
    if (!made) return fp_no_memory(error);
    made->source = source;
    made->words = words;
    made->arenas = arenas;
    made->like = like;
    made->piece = (source->count + MOST_PIECES - 1) / MOST_PIECES;
    if (made->piece < LEAST_PIECE) made->piece = LEAST_PIECE;
    made->piece_count = (source->count + made->piece - 1) / made->piece;
    made->fingerprints = fp_block_room(like, source->count, words * sizeof *made->fingerprints);
    made->numbers = fp_block_room(like, source->count, sizeof *made->numbers);
    made->places = fp_memory_take(like, made->piece_count * MOST_PARTS, sizeof *made->places);
    if (made->fingerprints && made->numbers && made->places) return FP_OK;
    fp_block_grouping_close(made);
    *grouping = NULL;
    return fp_no_memory(error);
}

void fp_block_grouping_close(fp_block_grouping *grouping) {
    if (!grouping) return;
    const fp_arena *like = grouping->like;
    fp_memory_release(like, grouping->fingerprints);
    fp_memory_release(like, grouping->numbers);
    fp_memory_release(like, grouping->places);
    fp_memory_release(like, grouping);
}

/* ---- The two steps, for one word, and for any number ---- */

#define FOR_WORDS(call, words)                     \
    do {                                           \
        if ((words) == 1) call(in, index, 1);      \
        else if ((words) == 2) call(in, index, 2); \
        else call(in, index, words);               \
    } while (0)

static inline void copy_words(uint64_t *to, const uint64_t *from, size_t words) {
    for (size_t w = 0; w < words; w++) to[w] = from[w];
}

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

__attribute__((always_inline)) static inline void count_words(const fp_block_grouping *in, size_t index, size_t words) {
    uint32_t *places = in->places + index * MOST_PARTS;
    size_t end = least((index + 1) * in->piece, in->source->count);
    memset(places, 0, MOST_PARTS * sizeof *places);
    for (size_t i = index * in->piece; i < end; i++)
        places[fp_key_bits_of(in->prefix, in->source->fingerprints + i * words) >> in->low_bits]++;
}

static fp_status count_piece(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    const fp_block_grouping *in = context;
    FOR_WORDS(count_words, in->words);
    return FP_OK;
}

__attribute__((always_inline)) static inline void spread_words(const fp_block_grouping *in, size_t index,
                                                               size_t words) {
    uint32_t *places = in->places + index * MOST_PARTS;
    const uint32_t *numbers = in->source->numbers;
    size_t end = least((index + 1) * in->piece, in->source->count);
    for (size_t i = index * in->piece; i < end; i++) {
        const uint64_t *from = in->source->fingerprints + i * words;
        uint32_t to = places[fp_key_bits_of(in->prefix, from) >> in->low_bits]++;
        copy_words(in->fingerprints + to * words, from, words);
        in->numbers[to] = numbers ? numbers[i] : (uint32_t)i;
    }
}

static fp_status spread_piece(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    const fp_block_grouping *in = context;
    FOR_WORDS(spread_words, in->words);
    return FP_OK;
}

static void put_number(uint32_t number, unsigned bytes, unsigned char *to) {
    for (unsigned b = 0; b < bytes; b++) to[b] = (unsigned char)(number >> 8 * b);
}

__attribute__((always_inline)) static inline void group_words(const fp_block_grouping *in, size_t index, size_t words,
                                                              uint32_t *begin) {
    uint32_t groups = UINT32_C(1) << in->low_bits, low = groups - 1, at = in->part_begin[index];
    size_t first = at, end = in->part_begin[index + 1];
    for (size_t i = first; i < end; i++) begin[fp_key_bits_of(in->prefix, in->fingerprints + i * words) & low]++;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t here = begin[g];
        in->to_begin[index * groups + g] = begin[g] = at;
        at += here;
    }
    for (size_t i = first; i < end; i++) {
        const uint64_t *from = in->fingerprints + i * words;
        size_t to = begin[fp_key_bits_of(in->prefix, from) & low]++;
        copy_words(in->to_fingerprints + to * words, from, words);
        put_number(in->numbers[i], in->number_bytes, in->to_numbers + to * in->number_bytes);
    }
}

static fp_status group_part(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_block_grouping *in = context;
    uint32_t *begin = fp_arena_alloc(arena, (size_t)1 << in->low_bits, sizeof *begin);
    if (!begin) return fp_no_memory(error);
    if (in->words == 1) group_words(in, index, 1, begin);
    else group_words(in, index, in->words, begin);
    return FP_OK;
}

/* Part after part, and in each the pieces in their order. */
static void place_parts(fp_block_grouping *in, size_t parts) {
    uint32_t at = 0;
    for (size_t part = 0; part < parts; part++) {
        in->part_begin[part] = at;
        for (size_t piece = 0; piece < in->piece_count; piece++) {
            uint32_t *place = in->places + piece * MOST_PARTS + part, here = *place;
            *place = at;
            at += here;
        }
    }
    in->part_begin[parts] = at;
}

fp_status fp_block_group(fp_block_grouping *in, const fp_key_bits *prefix, unsigned number_bytes, uint32_t *begin,
                         uint64_t *fingerprints, unsigned char *numbers, fp_error *error) {
    unsigned part_bits = (prefix->bits + 1) / 2 < MOST_PART_BITS ? (prefix->bits + 1) / 2 : MOST_PART_BITS;
    size_t parts = (size_t)1 << part_bits;
    in->prefix = prefix;
    in->low_bits = prefix->bits - part_bits;
    in->number_bytes = number_bytes;
    in->to_begin = begin;
    in->to_fingerprints = fingerprints;
    in->to_numbers = numbers;
    FP_TRY(fp_parallel(in->piece_count, in->arenas, true, count_piece, in, "", NULL, error));
    place_parts(in, parts);
    FP_TRY(fp_parallel(in->piece_count, in->arenas, true, spread_piece, in, "", NULL, error));
    FP_TRY(fp_parallel(parts, in->arenas, true, group_part, in, "", NULL, error));
    begin[(size_t)1 << prefix->bits] = (uint32_t)in->source->count;
    return FP_OK;
}
