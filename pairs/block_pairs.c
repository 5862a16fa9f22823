/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs within a distance: compares every group of a table with itself, one table after the other. The first table
 * that has both in one group reports the pair. Pairs are not stored. */
#include "pairs/block_pairs.h"

#include <string.h>
#include <sys/mman.h>

#include "algorithms/kernels/near.h"

/* ---- Input ---- */

fp_status fp_block_source_check(const fp_block_design *design, const fp_block_source *source, fp_error *error) {
    FP_TRY(fp_block_design_check(design, error));
    if (source->count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "%zu fingerprints are too many for one index", source->count);
    size_t words = fp_block_words(design->bits);
    uint64_t beyond = design->bits % 64 ? UINT64_MAX << design->bits % 64 : 0;
    for (size_t i = 0; beyond && i < source->count; i++)
        if (source->fingerprints[(i + 1) * words - 1] & beyond)
            return fp_fail(error, FP_ERROR_RANGE, "fingerprint %zu has bits beyond its %u", i, design->bits);
    const uint32_t *numbers = source->numbers;
    for (size_t i = 1; numbers && i < source->count; i++)
        if (numbers[i] <= numbers[i - 1])
            return fp_fail(error, FP_ERROR_RANGE, "the numbers of fingerprints must ascend: %u is followed by %u",
                           numbers[i - 1], numbers[i]);
    return FP_OK;
}

fp_status fp_block_prefixes(const fp_block_design *design, size_t count, unsigned least, fp_arena *arena,
                            fp_key_bits **prefixes, size_t *prefix_count, fp_error *error) {
    const uint64_t none[FP_BLOCK_WORDS] = {0};
    size_t words = fp_block_words(design->bits), keys = fp_block_design_tables(design);
    uint64_t *mask;
    FP_TRY(fp_block_design_masks(design, arena, &mask, error));
    *prefix_count = keys ? keys : 1;
    *prefixes = FP_NEED(fp_arena_alloc(arena, *prefix_count, sizeof **prefixes), error);
    if (!keys) return fp_key_bits_cut(none, words, arena, *prefixes, error);
    for (size_t t = 0; t < keys; t++, mask += words) {
        unsigned bits = fp_mask_bits(mask, words);
        fp_mask_keep_lowest(mask, words, fp_block_prefix_bits(bits, (double)count, least));
        FP_TRY(fp_key_bits_cut(mask, words, arena, *prefixes + t, error));
    }
    return FP_OK;
}

/* ---- Pairs ---- */

enum { ROWS = 4096, TILE = 2048, BATCH = 4096 };

typedef struct join {
    size_t words, count;
    unsigned distance;
    fp_near_kernel near;
    fp_near_blocks blocks;
    const fp_key_bits *prefixes;
    size_t table; /* the current one */
    fp_block_table of;
    fp_take_found_pairs take;
    void *context;
    const fp_progress
        *progress; /* checked between blocks of rows and batches of pairs, to cancel: a piece of a table takes long */
} join;

/* Pairs not reported yet. */
typedef struct pairs {
    fp_found_pair pair[BATCH];
    size_t count;
} pairs;

static fp_status flush(const join *in, pairs *found, fp_error *error) {
    size_t count = found->count;
    found->count = 0;
    FP_TRY(fp_progress_check(in->progress, error));
    return count ? in->take(in->context, found->pair, count, error) : FP_OK;
}

/* Whether an earlier table has both in one group; that table reports the pair. */
static bool found_before(const join *in, const uint64_t *a, const uint64_t *b) {
    for (size_t t = 0; t < in->table; t++)
        if (fp_key_bits_agree(in->prefixes + t, a, b)) return true;
    return false;
}

/* Compares entry `row` with entries first … end − 1 of its group, which follow it. Numbers ascend in a group. */
static fp_status join_row(const join *in, size_t row, size_t first, size_t end, pairs *found, fp_error *error) {
    const uint64_t *one = in->of.fingerprints + row * in->words;
    uint32_t at[TILE];
    for (; first < end; first += TILE) {
        size_t some = end - first < TILE ? end - first : TILE;
        size_t near = in->near(one, in->of.fingerprints + first * in->words, in->words, some, in->distance, at);
        for (size_t i = 0; i < near; i++) {
            const uint64_t *other = in->of.fingerprints + (first + at[i]) * in->words;
            if (found_before(in, one, other)) continue;
            found->pair[found->count++] = (fp_found_pair){in->of.numbers[row], in->of.numbers[first + at[i]],
                                                          fp_block_distance(one, other, in->words)};
            if (found->count == BATCH) FP_TRY(flush(in, found, error));
        }
    }
    return FP_OK;
}

/* Compares FP_NEAR_ROWS entries from `row` on with FP_NEAR_MANY of their group: row by row in near blocks. */
static fp_status join_blocks(const join *in, size_t row, size_t first, pairs *found, fp_error *error) {
    const uint64_t *all = in->of.fingerprints;
    uint64_t blocks = in->blocks(all + row * in->words, all + first * in->words, in->words, in->distance);
    for (; blocks; blocks &= blocks - 1) {
        size_t begin = first + (size_t)__builtin_ctzll(blocks) * FP_NEAR_BLOCK;
        for (size_t r = row; r < row + FP_NEAR_ROWS; r++)
            FP_TRY(join_row(in, r, begin, begin + FP_NEAR_BLOCK, found, error));
    }
    return FP_OK;
}

/* Compares entries row … last − 1 of a group that ends before `end`, each with those that follow it. */
static fp_status join_group(const join *in, size_t row, size_t last, size_t end, pairs *found, fp_error *error) {
    bool blocks = in->blocks && in->words <= FP_NEAR_BLOCK_WORDS;
    for (; blocks && row + FP_NEAR_ROWS <= last && end - row >= FP_NEAR_ROWS + FP_NEAR_MANY; row += FP_NEAR_ROWS) {
        size_t first = row + FP_NEAR_ROWS;
        FP_TRY(fp_progress_check(in->progress, error));
        for (size_t r = row; r < row + FP_NEAR_ROWS; r++)
            FP_TRY(join_row(in, r, r + 1, row + FP_NEAR_ROWS, found, error));
        for (; end - first >= FP_NEAR_MANY; first += FP_NEAR_MANY) FP_TRY(join_blocks(in, row, first, found, error));
        for (size_t r = row; r < row + FP_NEAR_ROWS; r++) FP_TRY(join_row(in, r, first, end, found, error));
    }
    for (; row < last; row++) FP_TRY(join_row(in, row, row + 1, end, found, error));
    return FP_OK;
}

/* The group of entry `row`. */
static size_t group_of(const join *in, size_t row) {
    return FP_FIRST(i, (size_t)1 << in->prefixes[in->table].bits, in->of.begin[i + 1] > row);
}

/* Each call takes the same number of rows, so that a large group is divided among threads. */
static fp_status join_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const join *in = context;
    pairs *found = FP_NEED(fp_arena_raw(arena, 1, sizeof *found), error);
    found->count = 0;
    size_t row = index * ROWS, last = in->count - row < ROWS ? in->count : row + ROWS;
    for (size_t group = group_of(in, row); row < last; group++) {
        size_t end = in->of.begin[group + 1], until = end < last ? end : last;
        FP_TRY(join_group(in, row, until, end, found, error));
        row = until;
    }
    return flush(in, found, error);
}

fp_status fp_block_pairs(const fp_block_design *design, const fp_block_source *source, fp_take_found_pairs take,
                         void *context, const fp_arenas *arenas, const fp_progress *progress, fp_error *error) {
    size_t table_count;
    unsigned most = 0;
    fp_key_bits *prefixes;
    fp_block_grouping *grouping;
    const fp_progress quiet = fp_progress_quiet(progress);
    const fp_cpu counting = fp_cpu_counting(fp_cpu_chosen());
    FP_TRY(fp_block_source_check(design, source, error));
    FP_SCRATCH(arena, arenas->each[0], error);
    FP_TRY(fp_block_prefixes(design, source->count, 4, arena, &prefixes, &table_count, error));
    for (size_t t = 0; t < table_count; t++)
        if (most < prefixes[t].bits) most = prefixes[t].bits;
    join in = {.words = fp_block_words(design->bits),
               .count = source->count,
               .distance = design->distance,
               .near = fp_near_kernels[counting],
               .blocks = fp_near_block_kernels[counting],
               .prefixes = prefixes,
               .take = take,
               .context = context,
               .progress = progress};
    FP_TRY(fp_block_grouping_open(source, in.words, most, arenas, arena, &grouping, error));
    for (; in.table < table_count; in.table++) {
        FP_TRY(fp_block_group_by(grouping, prefixes + in.table, &in.of, error));
        FP_TRY(fp_parallel((source->count + ROWS - 1) / ROWS, arenas, true, join_rows, &in, "pairs", &quiet, error));
        if (progress && progress->report) progress->report(progress->context, "pairs", in.table + 1, table_count);
    }
    return FP_OK;
}

/* ----
 * Grouping by counting, twice, so that few places are written at a time: pieces of the source are distributed to parts
 * by the upper bits of the group, and each part to its groups by the lower bits. Both steps keep the order.
 */

enum { LEAST_PIECE = 1 << 16, MOST_PIECES = 64, MOST_PART_BITS = 11, MOST_PARTS = 1 << MOST_PART_BITS };

struct fp_block_grouping {
    const fp_block_source *source;
    size_t words;
    const fp_arenas *arenas;
    uint64_t *fingerprints; /* grouped by part */
    uint32_t *numbers;
    size_t piece, piece_count; /* fingerprints of a piece; number of pieces */
    uint32_t *places;          /* [piece_count · MOST_PARTS] position of the next fingerprint of each part */
    uint32_t part_begin[MOST_PARTS + 1];
    const fp_key_bits *prefix; /* of the current table */
    unsigned low_bits;
    fp_block_table to;
};

/* Not zeroed, on huge pages if the system has them, because accesses are random. */
static void *room(fp_arena *arena, size_t count, size_t size) {
    enum { LARGE = 2 << 20 };
    if (count > SIZE_MAX / size) return NULL;
    size_t bytes = count * size;
    char *place = fp_arena_grow(arena, NULL, bytes);
    if (!place || bytes < 2 * LARGE) return place;
    size_t before = (size_t)(-(uintptr_t)place & (LARGE - 1));
    madvise(place + before, (bytes - before) & ~(size_t)(LARGE - 1), MADV_HUGEPAGE); /* only a hint: may fail */
    return place;
}

fp_status fp_block_grouping_open(const fp_block_source *source, size_t words, unsigned most_bits,
                                 const fp_arenas *arenas, fp_arena *arena, fp_block_grouping **grouping,
                                 fp_error *error) {
    fp_block_grouping *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    size_t count = source->count, bytes = words * sizeof *made->fingerprints;
    made->source = source;
    made->words = words;
    made->arenas = arenas;
    made->piece = (count + MOST_PIECES - 1) / MOST_PIECES;
    if (made->piece < LEAST_PIECE) made->piece = LEAST_PIECE;
    made->piece_count = (count + made->piece - 1) / made->piece;
    made->fingerprints = FP_NEED(room(arena, count, bytes), error);
    made->numbers = FP_NEED(room(arena, count, sizeof *made->numbers), error);
    made->places = FP_NEED(fp_arena_alloc(arena, made->piece_count * MOST_PARTS, sizeof *made->places), error);
    made->to.begin = FP_NEED(room(arena, ((size_t)1 << most_bits) + 1, sizeof *made->to.begin), error);
    made->to.fingerprints = FP_NEED(room(arena, count, bytes), error);
    made->to.numbers = FP_NEED(room(arena, count, sizeof *made->to.numbers), error);
    *grouping = made;
    return FP_OK;
}

/* ---- The two steps, specialised for one word ---- */

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
    (void)arena, (void)error;
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
    (void)arena, (void)error;
    const fp_block_grouping *in = context;
    FOR_WORDS(spread_words, in->words);
    return FP_OK;
}

__attribute__((always_inline)) static inline void group_words(const fp_block_grouping *in, size_t index, size_t words,
                                                              uint32_t *begin) {
    uint32_t groups = UINT32_C(1) << in->low_bits, low = groups - 1, at = in->part_begin[index];
    size_t first = at, end = in->part_begin[index + 1];
    for (size_t i = first; i < end; i++) begin[fp_key_bits_of(in->prefix, in->fingerprints + i * words) & low]++;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t here = begin[g];
        in->to.begin[index * groups + g] = begin[g] = at;
        at += here;
    }
    for (size_t i = first; i < end; i++) {
        const uint64_t *from = in->fingerprints + i * words;
        size_t to = begin[fp_key_bits_of(in->prefix, from) & low]++;
        copy_words(in->to.fingerprints + to * words, from, words);
        in->to.numbers[to] = in->numbers[i];
    }
}

static fp_status group_part(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_block_grouping *in = context;
    uint32_t *begin = FP_NEED(fp_arena_alloc(arena, (size_t)1 << in->low_bits, sizeof *begin), error);
    if (in->words == 1) group_words(in, index, 1, begin);
    else group_words(in, index, in->words, begin);
    return FP_OK;
}

/* Positions in order of the parts, and within a part in order of the pieces. */
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

fp_status fp_block_group_by(fp_block_grouping *in, const fp_key_bits *prefix, fp_block_table *table, fp_error *error) {
    unsigned part_bits = (prefix->bits + 1) / 2 < MOST_PART_BITS ? (prefix->bits + 1) / 2 : MOST_PART_BITS;
    size_t parts = (size_t)1 << part_bits;
    in->prefix = prefix;
    in->low_bits = prefix->bits - part_bits;
    FP_TRY(fp_parallel(in->piece_count, in->arenas, true, count_piece, in, "", NULL, error));
    place_parts(in, parts);
    FP_TRY(fp_parallel(in->piece_count, in->arenas, true, spread_piece, in, "", NULL, error));
    FP_TRY(fp_parallel(parts, in->arenas, true, group_part, in, "", NULL, error));
    in->to.begin[(size_t)1 << prefix->bits] = (uint32_t)in->source->count;
    *table = in->to;
    return FP_OK;
}
