/* SPDX-License-Identifier: GPL-3.0-or-later
 * Some documents turned into postings. */
#include "pairs/posting_tile.h"

#include <math.h>
#include <string.h>

/* A tile's postings of a term are far from those of the next: they are asked for so many terms ahead, their place
 * FP_TERMS_BEHIND. Halves the time for shingles. */
enum { AHEAD = 10 };

/* Documents of a tile: at most what 16 bits number, at least so many that a row's walk over its terms is worth while.
 * What a tile holds should fit the second-level cache: of 512, 1,024, 2,048, 4,096 and 16,384 documents, the widths
 * below measured fastest, up to twice as fast as 4,096 under two arms; more where keys are counted. */
enum { NARROW = 512, COUNTED = 2048, WIDE = 65536 };

size_t fp_tile_width(const fp_entry_table *from, size_t least) {
    enum { LOOK = 32 };
    size_t width = least;
    double entry_count = (double)from->first[from->count];
    while (width < WIDE && entry_count * ((double)from->count / (double)width) / 2 > from->meetings / LOOK) width *= 2;
    return width;
}

/* An infinite value times 0 would be something. */
static bool all_finite(const fp_entry_table *from) {
    for (size_t e = 0; from->value && e < from->first[from->count]; e++)
        if (!isfinite(from->value[e])) return false;
    return true;
}

fp_status fp_tile_open(fp_posting_tile *made, const fp_entry_table *from, fp_join join, fp_arena *arena,
                       fp_error *error) {
    made->width = fp_tile_width(from, join == FP_JOIN_COUNT ? COUNTED : NARROW);
    made->join = join;
    made->may_be_dense = join != FP_JOIN_COUNT && all_finite(from);
    if (made->may_be_dense)
        made->add_dense =
            (join == FP_JOIN_PRODUCT ? fp_dense_product_kernels : fp_dense_minimum_kernels)[fp_cpu_chosen()];
    made->first = fp_arena_raw(arena, from->term_count + 2, sizeof *made->first);
    made->dense = fp_arena_raw(arena, from->term_count, sizeof *made->dense);
    return made->first && made->dense ? FP_OK : fp_no_memory(error);
}

void fp_tile_free(fp_posting_tile *tile) {
    fp_memory_release(tile->like, tile->document);
    fp_memory_release(tile->like, tile->value);
    tile->document = NULL;
    tile->value = NULL;
    tile->capacity = 0;
}

/* A dense list goes over all documents, several at a time; one in DENSE must have the term for that to be faster, as
 * measured. In a SMALL tile, what fills a line could make a list as long as a dense one. */
static bool is_dense(const fp_posting_tile *tile, size_t documents) {
    enum { DENSE = 10, SMALL = 64 };
    return tile->may_be_dense && fp_tile_size(tile) >= SMALL && documents >= fp_tile_size(tile) / DENSE;
}

static size_t whole_lines(size_t places) {
    enum { LINE = 64 / sizeof(double) };
    return (places + LINE - 1) / LINE * LINE;
}

/* Turns the number of documents that have each term, first[t + 2], into where the list goes on, first[t + 1]. Returns
 * how many places there are, or UINT32_MAX when they are too many. */
static size_t place_lists(fp_posting_tile *to, size_t term_count) {
    size_t at = 0;
    for (size_t t = 0; t < term_count && at < UINT32_MAX; t++) {
        size_t documents = to->first[t + 2], line = whole_lines(at);
        to->dense[t] = is_dense(to, documents);
        if (to->dense[t]) {
            to->first[t] += (uint32_t)(line - at);
            at = line + whole_lines(fp_tile_size(to));
            to->first[t + 1] = (uint32_t)at;
        } else {
            to->first[t + 1] = (uint32_t)at;
            at += documents;
        }
    }
    return at < UINT32_MAX ? at : UINT32_MAX;
}

/* Room for so many postings, all of them 0. */
static fp_status clear_tile(fp_posting_tile *to, bool values, size_t count, fp_error *error) {
    if (count > to->capacity) {
        fp_tile_free(to);
        size_t capacity = count + count / 8;
        to->document = fp_memory_resize(to->like, NULL, capacity * sizeof *to->document);
        to->value = values ? fp_memory_resize(to->like, NULL, capacity * sizeof *to->value) : NULL;
        if (!to->document || (values && !to->value)) return fp_no_memory(error);
        to->capacity = capacity;
    }
    if (count) memset(to->document, 0, count * sizeof *to->document);
    if (count && values) memset(to->value, 0, count * sizeof *to->value);
    return FP_OK;
}

fp_status fp_tile_fill(fp_posting_tile *to, const fp_entry_table *from, size_t begin, fp_error *error) {
    to->begin = begin;
    to->end = fp_tile_end(from, to, begin);
    memset(to->first, 0, (from->term_count + 2) * sizeof *to->first);
    for (size_t e = from->first[begin]; e < from->first[to->end]; e++) to->first[from->term[e] + 2]++;
    size_t count = place_lists(to, from->term_count), dense = whole_lines(fp_tile_size(to));
    if (count == UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than %u keys in %zu documents", UINT32_MAX - 1, to->width);
    FP_TRY(clear_tile(to, to->join != FP_JOIN_COUNT, count, error));
    /* first[t + 1] is where term t goes on, and in the end where it ends; of dense terms it is that already. */
    for (size_t d = begin; d < to->end; d++) {
        for (size_t e = from->first[d]; e < from->first[d + 1]; e++) {
            uint32_t term = from->term[e];
            size_t at = to->dense[term] ? to->first[term + 1] - dense + (d - begin) : to->first[term + 1]++;
            if (!to->dense[term]) to->document[at] = (uint16_t)(d - begin);
            if (to->value) to->value[at] = fp_entry_value(from, d, e);
        }
    }
    return FP_OK;
}

/* ---- A row against the tile ---- */

/* Adds the postings of one term; `value` is the row's. */
static void add_term(const fp_posting_tile *tile, size_t begin, size_t end, double value, double *sum) {
    const uint16_t *document = tile->document;
    const double *values = tile->value;
    if (tile->add_dense && end - begin >= fp_tile_size(tile)) {
        tile->add_dense(value, values + begin, fp_tile_size(tile), sum);
        return;
    }
    switch (tile->join) {
    case FP_JOIN_COUNT:
        for (size_t p = begin; p < end; p++) sum[document[p]] += 1;
        return;
    case FP_JOIN_PRODUCT:
        for (size_t p = begin; p < end; p++) sum[document[p]] += value * values[p];
        return;
    case FP_JOIN_MINIMUM:
        for (size_t p = begin; p < end; p++) sum[document[p]] += value < values[p] ? value : values[p];
        return;
    }
}

static void ask_ahead(const fp_posting_tile *tile, const uint32_t *term) {
    __builtin_prefetch(tile->first + term[FP_TERMS_BEHIND]);
    size_t begin = tile->first[term[AHEAD]];
    __builtin_prefetch(tile->document + begin);
    if (tile->value) __builtin_prefetch(tile->value + begin);
}

size_t fp_tile_add_row(const fp_posting_tile *tile, const fp_entry_table *entries, size_t row, double *sum) {
    size_t met = 0;
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        ask_ahead(tile, entries->term + e);
        size_t begin = tile->first[entries->term[e]], end = tile->first[entries->term[e] + 1];
        add_term(tile, begin, end, fp_entry_value(entries, row, e), sum);
        met += end - begin;
    }
    return met;
}
