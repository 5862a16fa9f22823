/* SPDX-License-Identifier: GPL-3.0-or-later
 * Postings of a range of documents, and bitmaps if small whole numbers are joined. */
#include "pairs/posting_tile.h"

#include <math.h>
#include <string.h>

/* Prefetch distances: postings of consecutive terms are far apart in memory, so they are prefetched AHEAD terms early,
 * and their position FP_TERMS_BEHIND terms early. Halves the time for shingles. */
enum { AHEAD = 10 };

/* Documents of a tile: at most 65,536 (16-bit numbers), and enough that a row's walk over its terms pays off. A tile
 * should fit the second-level cache: of 512, 1,024, 2,048, 4,096 and 16,384 documents, the widths below measured
 * fastest, up to twice as fast as 4,096 for two arms; more if keys are counted. */
enum { NARROW = 512, COUNTED = 2048, WIDE = 65536 };

/* Number of documents of a tile: `least` times a power of two. A row looks up each of its terms in every tile; the
 * width makes additions much more frequent than look-ups. */
static size_t tile_width(const fp_entry_table *from, size_t least) {
    enum { LOOK = 32 };
    size_t width = least;
    double entry_count = (double)from->first[from->count];
    while (width < WIDE && entry_count * ((double)from->count / (double)width) / 2 > from->meetings / LOOK) width *= 2;
    return width;
}

/* The value of an entry of document `document`; 1 if the table has no values. */
static inline double entry_value(const fp_entry_table *table, size_t document, size_t entry) {
    if (table->times) return table->times[entry] / table->norm[document];
    return table->value ? table->value[entry] : 1;
}

static size_t tile_end(const fp_entry_table *from, size_t width, size_t begin) {
    return from->count - begin < width ? from->count : begin + width;
}

/* Infinity times 0 is not 0. */
static bool all_finite(const fp_entry_table *from) {
    for (size_t e = 0; from->value && e < from->first[from->count]; e++)
        if (!isfinite(from->value[e])) return false;
    return true;
}

fp_status fp_tile_open(fp_posting_tile *made, const fp_entry_table *from, fp_join join, fp_arena *arena,
                       fp_error *error) {
    made->width = tile_width(from, join == FP_JOIN_COUNT ? COUNTED : NARROW);
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

/* A dense list covers all documents, several at a time. It is faster if one document in DENSE has the term, as
 * measured. In a tile below SMALL, padding could make a list as long as a dense one. */
static bool is_dense(const fp_posting_tile *tile, size_t documents) {
    enum { DENSE = 10, SMALL = 64 };
    return tile->may_be_dense && fp_tile_size(tile) >= SMALL && documents >= fp_tile_size(tile) / DENSE;
}

static size_t whole_lines(size_t places) {
    enum { LINE = 64 / sizeof(double) };
    return (places + LINE - 1) / LINE * LINE;
}

/* Turns the number of documents that have each term, first[t + 2], into the next position of its list, first[t + 1].
 * Returns the number of places, or UINT32_MAX if there are too many. */
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

/* Makes room for `count` postings and sets them to 0. */
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
    to->end = tile_end(from, to->width, begin);
    memset(to->first, 0, (from->term_count + 2) * sizeof *to->first);
    for (size_t e = from->first[begin]; e < from->first[to->end]; e++) to->first[from->term[e] + 2]++;
    size_t count = place_lists(to, from->term_count), dense = whole_lines(fp_tile_size(to));
    if (count == UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than %u keys in %zu documents", UINT32_MAX - 1, to->width);
    FP_TRY(clear_tile(to, to->join != FP_JOIN_COUNT, count, error));
    /* first[t + 1] is the next position of term t, and finally its end; for dense terms it is the end already. */
    for (size_t d = begin; d < to->end; d++) {
        for (size_t e = from->first[d]; e < from->first[d + 1]; e++) {
            uint32_t term = from->term[e];
            size_t at = to->dense[term] ? to->first[term + 1] - dense + (d - begin) : to->first[term + 1]++;
            if (!to->dense[term]) to->document[at] = (uint16_t)(d - begin);
            if (to->value) to->value[at] = entry_value(from, d, e);
        }
    }
    return FP_OK;
}

/* ---- A row against the tile ---- */

/* Adds the postings of one term; `value` is the value of the row. */
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
        add_term(tile, begin, end, entry_value(entries, row, e), sum);
        met += end - begin;
    }
    return met;
}

/* ---- Tiles of small whole numbers ---- */

static size_t longest_row(const fp_entry_table *from) {
    size_t most = 0;
    for (size_t d = 0; d < from->count; d++)
        if (from->first[d + 1] - from->first[d] > most) most = from->first[d + 1] - from->first[d];
    return most;
}

bool fp_count_tile_takes(const fp_entry_table *from, fp_join join) {
    return from->times || (join == FP_JOIN_COUNT && longest_row(from) <= FP_BIT_SUMS_MOST);
}

/* Number of powers of two up to the largest number. */
static size_t powers_of(const fp_entry_table *from) {
    size_t most = 1, powers = 0;
    for (size_t e = 0; from->times && e < from->first[from->count]; e++)
        if (from->times[e] > most) most = from->times[e];
    while (most >> powers) powers++;
    return powers;
}

fp_status fp_count_tile_open(fp_count_tile *made, const fp_entry_table *from, fp_arena *arena, fp_error *error) {
    size_t powers = powers_of(from);
    *made = (fp_count_tile){.arena = arena,
                            .width = tile_width(from, COUNTED),
                            .numbers = from->times,
                            .powers = powers,
                            .longest = longest_row(from)};
    made->first = FP_NEED(fp_arena_raw(arena, from->term_count + 2, sizeof *made->first), error);
    made->listed = FP_NEED(fp_arena_raw(arena, from->frequent, sizeof *made->listed), error);
    made->list = FP_NEED(fp_arena_raw(arena, from->frequent, sizeof *made->list), error);
    made->documents = FP_NEED(fp_arena_raw(arena, from->frequent, powers * sizeof *made->documents), error);
    return FP_OK;
}

static size_t whole_blocks(size_t documents) { return (documents + FP_BIT_SUMS_PLACES - 1) / FP_BIT_SUMS_PLACES; }

static size_t times_of(const fp_entry_table *from, size_t entry) { return from->times ? from->times[entry] : 1; }

/* Counts documents by power of each frequent term; for other terms, in first[t + 2], once a power. */
static void count_documents(fp_count_tile *to, const fp_entry_table *from) {
    memset(to->first, 0, (from->term_count + 2) * sizeof *to->first);
    memset(to->documents, 0, from->frequent * to->powers * sizeof *to->documents);
    for (size_t e = from->first[to->begin]; e < from->first[to->end]; e++) {
        size_t term = from->term[e], times = times_of(from, e);
        for (size_t p = 0; times >> p; p++) {
            uint32_t *count = term < from->frequent ? to->documents + term * to->powers + p : to->first + term + 2;
            *count += times >> p & 1;
        }
    }
}

/* Chooses which powers have bitmaps; the documents of the others become postings. Returns the number of bitmaps. */
static size_t choose_lists(fp_count_tile *to, const fp_entry_table *from) {
    size_t lists = 0, least = (to->end - to->begin) / FP_TERM_FREQUENT;
    for (size_t t = 0; t < from->frequent; t++) {
        to->listed[t] = 0;
        to->list[t] = (uint32_t)lists;
        for (size_t p = 0; p < to->powers; p++) {
            uint32_t documents = to->documents[t * to->powers + p];
            if (documents == 0) continue;
            if (documents < least) {
                to->first[t + 2] += documents;
                continue;
            }
            to->listed[t] |= (uint8_t)(1u << p);
            lists++;
        }
    }
    return lists;
}

/* See place_lists. */
static size_t place_postings(const fp_count_tile *to, const fp_entry_table *from) {
    size_t at = 0;
    for (size_t t = 0; t < from->term_count && at < UINT32_MAX; t++) {
        size_t own = to->first[t + 2];
        to->first[t + 1] = (uint32_t)at;
        at += own;
    }
    return at < UINT32_MAX ? at : UINT32_MAX;
}

static fp_status make_room(fp_count_tile *to, size_t lists, size_t postings, fp_error *error) {
    size_t bytes = to->width / 8;
    if (postings > to->posting_capacity) {
        to->posting_capacity = postings + postings / 8;
        to->document =
            FP_NEED(fp_arena_grow(to->arena, to->document, to->posting_capacity * sizeof *to->document), error);
        if (to->numbers)
            to->power = FP_NEED(fp_arena_grow(to->arena, to->power, to->posting_capacity * sizeof *to->power), error);
    }
    if (lists > to->list_capacity) {
        to->list_capacity = lists + lists / 8;
        to->bits = FP_NEED(fp_arena_grow(to->arena, to->bits, to->list_capacity * bytes), error);
    }
    if (lists) memset(to->bits, 0, lists * bytes);
    return FP_OK;
}

/* Stores a document under each power of its number: in the bitmap of the power, or after the term's postings. */
static void put_entry(const fp_count_tile *to, size_t frequent, size_t term, size_t times, size_t document) {
    size_t listed = term < frequent ? to->listed[term] : 0, bit = fp_bit_of_place(document),
           list = listed ? to->list[term] : 0;
    for (size_t p = 0; times >> p; p++) {
        bool here = times >> p & 1;
        if (listed >> p & 1) {
            to->bits[list * (to->width / 64) + bit / 64] |= (uint64_t)here << bit % 64;
            list++;
        } else if (here) {
            size_t at = to->first[term + 1]++;
            to->document[at] = (uint16_t)document;
            if (to->power) to->power[at] = (uint8_t)(1u << p);
        }
    }
}

fp_status fp_count_tile_fill(fp_count_tile *to, const fp_entry_table *from, size_t begin, fp_error *error) {
    to->begin = begin;
    to->end = tile_end(from, to->width, begin);
    count_documents(to, from);
    size_t lists = choose_lists(to, from), postings = place_postings(to, from);
    if (postings == UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than %u keys in %zu documents", UINT32_MAX - 1, to->width);
    FP_TRY(make_room(to, lists, postings, error));
    /* first[t + 1] is the next position of term t, and finally its end. */
    for (size_t d = begin; d < to->end; d++)
        for (size_t e = from->first[d]; e < from->first[d + 1]; e++)
            put_entry(to, from->frequent, from->term[e], times_of(from, e), d - begin);
    return FP_OK;
}

/* ---- A row against a tile of numbers ---- */

fp_status fp_count_tile_room(const fp_count_tile *tile, fp_arena *arena, fp_bit_lists *lists, fp_error *error) {
    size_t weights = 2 * tile->powers - 1;
    for (size_t w = 0; w < weights; w++) {
        lists->list[w] = FP_NEED(fp_arena_raw(arena, tile->longest, tile->powers * sizeof *lists->list[w]), error);
    }
    return FP_OK;
}

static const uint64_t *list_of(const fp_count_tile *tile, size_t term) {
    return tile->bits + tile->list[term] * (tile->width / 64);
}

/* Adds the bitmaps of a term, once for each power of the row's number. */
static void add_lists(const fp_count_tile *tile, size_t term, size_t times, fp_bit_lists *lists) {
    const uint64_t *list = list_of(tile, term);
    for (size_t listed = tile->listed[term], p = 0; listed >> p; p++) {
        if (!(listed >> p & 1)) continue;
        for (size_t q = 0; times >> q; q++)
            if (times >> q & 1) lists->list[p + q][lists->count[p + q]++] = list;
        list += tile->width / 64;
    }
}

static void ask_numbers_ahead(const fp_count_tile *tile, const uint32_t *term) {
    __builtin_prefetch(tile->first + term[FP_TERMS_BEHIND]);
    size_t begin = tile->first[term[AHEAD]];
    __builtin_prefetch(tile->document + begin);
    if (tile->power) __builtin_prefetch(tile->power + begin);
}

/* ---- Counts of keys ---- */

static size_t count_postings(const fp_count_tile *tile, size_t term, uint16_t *sum) {
    const uint16_t *begin = tile->document + tile->first[term], *end = tile->document + tile->first[term + 1];
    for (const uint16_t *at = begin; at < end; at++) sum[*at]++;
    return (size_t)(end - begin);
}

static size_t count_row(const fp_count_tile *tile, const fp_entry_table *entries, size_t row, fp_bit_lists *lists,
                        uint16_t *sum) {
    size_t e = entries->first[row], last = entries->first[row + 1], postings = 0, listed = 0;
    const uint32_t *term = entries->term;
    for (; e < last && term[e] < entries->frequent; e++) {
        lists->list[0][listed] = list_of(tile, term[e]);
        listed += tile->listed[term[e]];
        if (!tile->listed[term[e]]) postings += count_postings(tile, term[e], sum);
    }
    for (; e < last; e++) {
        ask_numbers_ahead(tile, term + e);
        postings += count_postings(tile, term[e], sum);
    }
    lists->count[0] = listed;
    return postings;
}

/* ---- Numbers ---- */

static size_t add_postings(const fp_count_tile *tile, size_t term, size_t times, uint16_t *sum) {
    size_t begin = tile->first[term], end = tile->first[term + 1];
    for (size_t at = begin; at < end; at++) sum[tile->document[at]] += (uint16_t)(times * tile->power[at]);
    return end - begin;
}

static size_t add_row(const fp_count_tile *tile, const fp_entry_table *entries, size_t row, fp_bit_lists *lists,
                      uint16_t *sum) {
    size_t e = entries->first[row], last = entries->first[row + 1], postings = 0;
    const uint32_t *term = entries->term;
    for (; e < last && term[e] < entries->frequent; e++) {
        add_lists(tile, term[e], entries->times[e], lists);
        postings += add_postings(tile, term[e], entries->times[e], sum);
    }
    for (; e < last; e++) {
        ask_numbers_ahead(tile, term + e);
        postings += add_postings(tile, term[e], entries->times[e], sum);
    }
    return postings;
}

fp_tile_count fp_count_tile_row(const fp_count_tile *tile, const fp_entry_table *entries, size_t row,
                                fp_bit_lists *lists, uint16_t *sum) {
    fp_tile_count met = {0};
    memset(lists->count, 0, sizeof lists->count);
    met.postings = (entries->times ? add_row : count_row)(tile, entries, row, lists, sum);
    for (size_t w = 0; w < FP_BIT_SUMS_WEIGHTS; w++) met.lists += lists->count[w];
    if (met.lists)
        fp_bit_sums_kernels[fp_cpu_chosen()](lists, whole_blocks(tile->end - tile->begin) * FP_BIT_SUMS_WORDS, sum);
    return met;
}
