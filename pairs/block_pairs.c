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
    FP_TRY(fp_block_table_open(&in.of, source->count, in.words, most, arena, error));
    for (; in.table < table_count; in.table++) {
        fp_block_group_by(source, in.words, prefixes + in.table, &in.of);
        FP_TRY(fp_parallel((source->count + ROWS - 1) / ROWS, arenas, true, join_rows, &in, "pairs", &quiet, error));
        if (progress && progress->report) progress->report(progress->context, "pairs", in.table + 1, table_count);
    }
    return FP_OK;
}

/* ---- Grouping by counting, which keeps the order ---- */

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

fp_status fp_block_table_open(fp_block_table *table, size_t count, size_t words, unsigned most_bits, fp_arena *arena,
                              fp_error *error) {
    table->begin = FP_NEED(room(arena, ((size_t)1 << most_bits) + 2, sizeof *table->begin), error);
    table->fingerprints = FP_NEED(room(arena, count, words * sizeof *table->fingerprints), error);
    table->numbers = FP_NEED(room(arena, count, sizeof *table->numbers), error);
    return FP_OK;
}

/* begin[g + 1] is the next position of group g, and finally its end. Compiled for one word, too. */
__attribute__((always_inline)) static inline void group(const fp_block_source *from, size_t words,
                                                        const fp_key_bits *prefix, const fp_block_table *to) {
    size_t groups = (size_t)1 << prefix->bits;
    memset(to->begin, 0, (groups + 2) * sizeof *to->begin);
    for (size_t i = 0; i < from->count; i++) to->begin[fp_key_bits_of(prefix, from->fingerprints + i * words) + 2]++;
    for (size_t g = 0; g < groups; g++) to->begin[g + 2] += to->begin[g + 1];
    for (size_t i = 0; i < from->count; i++) {
        const uint64_t *one = from->fingerprints + i * words;
        size_t at = to->begin[fp_key_bits_of(prefix, one) + 1]++;
        for (size_t w = 0; w < words; w++) to->fingerprints[at * words + w] = one[w];
        to->numbers[at] = from->numbers ? from->numbers[i] : (uint32_t)i;
    }
}

void fp_block_group_by(const fp_block_source *source, size_t words, const fp_key_bits *prefix,
                       const fp_block_table *table) {
    if (words == 1) group(source, 1, prefix, table);
    else group(source, words, prefix, table);
}
