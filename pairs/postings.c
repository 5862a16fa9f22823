/* SPDX-License-Identifier: GPL-3.0-or-later
 * An inverted index, one range of documents (a tile) at a time: all documents up to its end against the tile, some rows
 * at a time. */
#include "pairs/postings.h"

#include <string.h>

#include "pairs/posting_tile.h"
#include "algorithms/kernels/distance_kernels.h"
#include "pairs/posting_entries.h"

/* ---- The terms of some documents that follow one another, where what is joined are small whole numbers: 1 for every
 * key (FP_JOIN_COUNT), or products of how often two documents have it. Numbers are taken apart into powers of two. Of a
 * frequent term, the documents that have a power are a list of bits, so that a row's sums are sums of lists; where few
 * have it, and of all other terms, they are postings. ---- */

typedef struct count_tile {
    const fp_arena *like; /* where postings and lists have their memory */
    size_t width;         /* documents of a whole tile, a multiple of FP_BIT_SUMS_PLACES */
    size_t begin, end;    /* documents of this one */
    bool numbers;         /* numbers are joined, not keys counted */
    size_t powers;        /* of two that a number may have */
    size_t longest;       /* terms of a row */
    uint32_t *first;      /* [term_count + 2] into document and power */
    uint16_t *document;   /* [posting_capacity] from `begin` */
    uint8_t *power;       /* [posting_capacity] 2^p; NULL where keys are counted */
    size_t posting_capacity;
    uint8_t *listed;     /* [frequent] bit p: the power 2^p has a list */
    uint32_t *list;      /* [frequent] the first of a term's lists, which follow one another */
    uint32_t *documents; /* [frequent · powers] that have a power, while the tile is filled */
    uint64_t *bits;      /* [list_capacity · width/64] */
    size_t list_capacity;
} count_tile;

/* What a row met. */
typedef struct tile_count {
    size_t postings, lists; /* the lists being those of bits */
} tile_count;

/* As in posting_tile.c; sums are of 16 bits, so that a wide tile fits the nearest cache. */
enum { AHEAD = 10, NARROW = 2048 };

/* ---- Opening ---- */

static size_t longest_row(const fp_entry_table *from) {
    size_t most = 0;
    for (size_t d = 0; d < from->count; d++)
        if (from->first[d + 1] - from->first[d] > most) most = from->first[d + 1] - from->first[d];
    return most;
}

/* Whether a table is for such tiles: no row can have a sum beyond FP_BIT_SUMS_MOST. */
static bool count_tile_takes(const fp_entry_table *from, fp_join join) {
    return from->times || (join == FP_JOIN_COUNT && longest_row(from) <= FP_BIT_SUMS_MOST);
}

/* Powers of two up to the largest number. */
static size_t powers_of(const fp_entry_table *from) {
    size_t most = 1, powers = 0;
    for (size_t e = 0; from->times && e < from->first[from->count]; e++)
        if (from->times[e] > most) most = from->times[e];
    while (most >> powers) powers++;
    return powers;
}

/* Chooses the width; `made` has its `like`. The frequent terms of the table must come first in every document. What it
 * holds is released by count_tile_free, all else lives in `arena`. FP_ERROR_MEMORY. */
static fp_status count_tile_open(count_tile *made, const fp_entry_table *from, fp_arena *arena, fp_error *error) {
    made->width = fp_tile_width(from, NARROW);
    made->numbers = from->times;
    made->powers = powers_of(from);
    made->longest = longest_row(from);
    made->first = fp_arena_raw(arena, from->term_count + 2, sizeof *made->first);
    made->listed = fp_arena_raw(arena, from->frequent, sizeof *made->listed);
    made->list = fp_arena_raw(arena, from->frequent, sizeof *made->list);
    made->documents = fp_arena_raw(arena, from->frequent, made->powers * sizeof *made->documents);
    return made->first && made->listed && made->list && made->documents ? FP_OK : fp_no_memory(error);
}

static void free_postings(count_tile *tile) {
    fp_memory_release(tile->like, tile->document);
    fp_memory_release(tile->like, tile->power);
    tile->document = NULL;
    tile->power = NULL;
    tile->posting_capacity = 0;
}

static void free_lists(count_tile *tile) {
    fp_memory_release(tile->like, tile->bits);
    tile->bits = NULL;
    tile->list_capacity = 0;
}

static void count_tile_free(count_tile *tile) {
    free_postings(tile);
    free_lists(tile);
}

/* ---- Filling ---- */

static size_t size_of(const count_tile *tile) { return tile->end - tile->begin; }

static size_t whole_blocks(size_t documents) { return (documents + FP_BIT_SUMS_PLACES - 1) / FP_BIT_SUMS_PLACES; }

static size_t times_of(const fp_entry_table *from, size_t entry) { return from->times ? from->times[entry] : 1; }

/* How many documents have each power of a frequent term, and to first[t + 2] those of the others, each once a power. */
static void count_documents(count_tile *to, const fp_entry_table *from) {
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

/* Which powers have lists; of the others the documents become postings. Returns how many lists there are. */
static size_t choose_lists(count_tile *to, const fp_entry_table *from) {
    size_t lists = 0, least = size_of(to) / FP_TERM_FREQUENT;
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

/* Turns the number of a term's postings, first[t + 2], into where they go on, first[t + 1]; returns how many there are
 * in all, or UINT32_MAX when they are too many. */
static size_t place_postings(const count_tile *to, const fp_entry_table *from) {
    size_t at = 0;
    for (size_t t = 0; t < from->term_count && at < UINT32_MAX; t++) {
        size_t own = to->first[t + 2];
        to->first[t + 1] = (uint32_t)at;
        at += own;
    }
    return at < UINT32_MAX ? at : UINT32_MAX;
}

static fp_status make_room(count_tile *to, size_t lists, size_t postings, fp_error *error) {
    size_t bytes = to->width / 8;
    if (postings > to->posting_capacity) {
        free_postings(to);
        size_t capacity = postings + postings / 8;
        to->document = fp_memory_resize(to->like, NULL, capacity * sizeof *to->document);
        if (to->numbers) to->power = fp_memory_resize(to->like, NULL, capacity * sizeof *to->power);
        if (!to->document || (to->numbers && !to->power)) return fp_no_memory(error);
        to->posting_capacity = capacity;
    }
    if (lists > to->list_capacity) {
        free_lists(to);
        size_t capacity = lists + lists / 8;
        to->bits = FP_NEED(fp_memory_resize(to->like, NULL, capacity * bytes), error);
        to->list_capacity = capacity;
    }
    if (lists) memset(to->bits, 0, lists * bytes);
    return FP_OK;
}

/* Notes a document under each power of its number: in the list of the power, or behind the term's postings. */
static void put_entry(const count_tile *to, size_t frequent, size_t term, size_t times, size_t document) {
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

/* The tile from `begin` on, in the place of the one before. FP_ERROR_RANGE for 2³² postings, FP_ERROR_MEMORY. */
static fp_status count_tile_fill(count_tile *to, const fp_entry_table *from, size_t begin, fp_error *error) {
    to->begin = begin;
    to->end = from->count - begin < to->width ? from->count : begin + to->width;
    count_documents(to, from);
    size_t lists = choose_lists(to, from), postings = place_postings(to, from);
    if (postings == UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than %u keys in %zu documents", UINT32_MAX - 1, to->width);
    FP_TRY(make_room(to, lists, postings, error));
    /* first[t + 1] is where term t goes on, and in the end where it ends. */
    for (size_t d = begin; d < to->end; d++)
        for (size_t e = from->first[d]; e < from->first[d + 1]; e++)
            put_entry(to, from->frequent, from->term[e], times_of(from, e), d - begin);
    return FP_OK;
}

/* ---- A row against the tile ---- */

/* A thread's lists of a row, in `arena`. */
static fp_status count_tile_room(const count_tile *tile, fp_arena *arena, fp_bit_lists *lists, fp_error *error) {
    size_t weights = 2 * tile->powers - 1;
    for (size_t w = 0; w < weights; w++) {
        lists->list[w] = FP_NEED(fp_arena_raw(arena, tile->longest, tile->powers * sizeof *lists->list[w]), error);
    }
    return FP_OK;
}

static const uint64_t *list_of(const count_tile *tile, size_t term) {
    return tile->bits + tile->list[term] * (tile->width / 64);
}

/* The lists of a term, once for each power of the row's number. */
static void add_lists(const count_tile *tile, size_t term, size_t times, fp_bit_lists *lists) {
    const uint64_t *list = list_of(tile, term);
    for (size_t listed = tile->listed[term], p = 0; listed >> p; p++) {
        if (!(listed >> p & 1)) continue;
        for (size_t q = 0; times >> q; q++)
            if (times >> q & 1) lists->list[p + q][lists->count[p + q]++] = list;
        list += tile->width / 64;
    }
}

static void ask_ahead(const count_tile *tile, const uint32_t *term) {
    __builtin_prefetch(tile->first + term[FP_TERMS_BEHIND]);
    size_t begin = tile->first[term[AHEAD]];
    __builtin_prefetch(tile->document + begin);
    if (tile->power) __builtin_prefetch(tile->power + begin);
}

/* ---- Keys that are counted ---- */

static size_t count_postings(const count_tile *tile, size_t term, uint16_t *sum) {
    const uint16_t *begin = tile->document + tile->first[term], *end = tile->document + tile->first[term + 1];
    for (const uint16_t *at = begin; at < end; at++) sum[*at]++;
    return (size_t)(end - begin);
}

static size_t count_row(const count_tile *tile, const fp_entry_table *entries, size_t row, fp_bit_lists *lists,
                        uint16_t *sum) {
    size_t e = entries->first[row], last = entries->first[row + 1], postings = 0, listed = 0;
    const uint32_t *term = entries->term;
    for (; e < last && term[e] < entries->frequent; e++) {
        lists->list[0][listed] = list_of(tile, term[e]);
        listed += tile->listed[term[e]];
        if (!tile->listed[term[e]]) postings += count_postings(tile, term[e], sum);
    }
    for (; e < last; e++) {
        ask_ahead(tile, term + e);
        postings += count_postings(tile, term[e], sum);
    }
    lists->count[0] = listed;
    return postings;
}

/* ---- Numbers ---- */

static size_t add_postings(const count_tile *tile, size_t term, size_t times, uint16_t *sum) {
    size_t begin = tile->first[term], end = tile->first[term + 1];
    for (size_t at = begin; at < end; at++) sum[tile->document[at]] += (uint16_t)(times * tile->power[at]);
    return end - begin;
}

static size_t add_row(const count_tile *tile, const fp_entry_table *entries, size_t row, fp_bit_lists *lists,
                      uint16_t *sum) {
    size_t e = entries->first[row], last = entries->first[row + 1], postings = 0;
    const uint32_t *term = entries->term;
    for (; e < last && term[e] < entries->frequent; e++) {
        add_lists(tile, term[e], entries->times[e], lists);
        postings += add_postings(tile, term[e], entries->times[e], sum);
    }
    for (; e < last; e++) {
        ask_ahead(tile, term + e);
        postings += add_postings(tile, term[e], entries->times[e], sum);
    }
    return postings;
}

/* Adds the joined numbers of row `row` of the table and each document of the tile to sum[width]. */
static tile_count count_tile_row(const count_tile *tile, const fp_entry_table *entries, size_t row, fp_bit_lists *lists,
                                 uint16_t *sum) {
    tile_count met = {0};
    memset(lists->count, 0, sizeof lists->count);
    met.postings = (entries->times ? add_row : count_row)(tile, entries, row, lists, sum);
    for (size_t w = 0; w < FP_BIT_SUMS_WEIGHTS; w++) met.lists += lists->count[w];
    if (met.lists) fp_bit_sums_kernels[fp_cpu_chosen()](lists, whole_blocks(size_of(tile)) * FP_BIT_SUMS_WORDS, sum);
    return met;
}

typedef struct row_job {
    const fp_postings *of;
    fp_entry_table entries;
    size_t begin, end; /* documents of the tile, which is */
    const fp_posting_tile *exact;
    const count_tile *counted; /* one or the other; where values are numbers over norms, by `unit` */
    double *unit;              /* [entries.count] 1/norm */
} row_job;

/* ---- Rows of sums, and the pairs that they tell of ---- */

enum { ROWS = 32, BLOCK = 256 };

static size_t row_pieces(const row_job *job) { return (job->end + ROWS - 1) / ROWS; }

/* A thread's sums, all 0 between rows, and what it tells. */
typedef struct row_space {
    double *sum;        /* [width of a tile]; or */
    uint16_t *times;    /* likewise, where numbers are counted */
    fp_bit_lists lists; /* then */
    uint32_t *other;    /* [width + 1] */
    double *told;       /* likewise */
} row_space;

static fp_status open_space(const row_job *job, fp_arena *arena, row_space *space, fp_error *error) {
    size_t width = job->counted ? job->counted->width : job->exact->width;
    /* One place more for what is written and not noted. */
    *space = (row_space){.other = fp_arena_raw(arena, width + 1, sizeof *space->other),
                         .told = fp_arena_raw(arena, width + 1, sizeof *space->told)};
    if (job->counted) space->times = fp_arena_alloc(arena, width, sizeof *space->times);
    else space->sum = fp_arena_alloc(arena, width, sizeof *space->sum);
    if (!space->other || !space->told || !(space->times || space->sum)) return fp_no_memory(error);
    return job->counted ? count_tile_room(job->counted, arena, &space->lists, error) : FP_OK;
}

/* The first document of the tile that is behind the row. */
static size_t first_behind(const row_job *job, size_t row) { return row < job->begin ? 0 : row + 1 - job->begin; }

/* ---- Sums in order ---- */

/* Takes the sum of a document of the tile out, and notes it when it is not 0. Returns how many are noted. */
static inline size_t take(const row_job *job, size_t document, const row_space *space, size_t noted) {
    double sum = space->sum[document];
    space->sum[document] = 0;
    space->other[noted] = (uint32_t)(job->begin + document);
    space->told[noted] = sum;
    return noted + (sum != 0);
}

/* Of the documents behind the row. Where the row met few postings, they are walked again; otherwise the whole tile. */
static size_t take_row(const row_job *job, size_t row, size_t met, const row_space *space) {
    const fp_entry_table *entries = &job->entries;
    const fp_posting_tile *tile = job->exact;
    size_t noted = 0, behind = first_behind(job, row);
    if (met > fp_tile_size(tile) / 4) {
        memset(space->sum, 0, behind * sizeof *space->sum);
        for (size_t d = behind; d < fp_tile_size(tile); d++) noted = take(job, d, space, noted);
        return noted;
    }
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        for (size_t p = tile->first[entries->term[e]]; p < tile->first[entries->term[e] + 1]; p++) {
            if (tile->document[p] < behind) space->sum[tile->document[p]] = 0;
            else noted = take(job, tile->document[p], space, noted);
        }
    }
    return noted;
}

/* ---- Sums of whole numbers ---- */

/* From a sum of numbers to that of values: by the row's unit and that of the other document. */
static inline double sum_of(const row_job *job, double own, size_t document, uint16_t times) {
    return job->unit ? own * job->unit[job->begin + document] * times : times;
}

static inline size_t take_times(const row_job *job, double own, size_t document, const row_space *space, size_t noted) {
    uint16_t times = space->times[document];
    space->times[document] = 0;
    space->other[noted] = (uint32_t)(job->begin + document);
    space->told[noted] = sum_of(job, own, document, times);
    return noted + (times != 0);
}

static bool any_zero(const uint16_t *times, size_t count) {
    uint16_t zeros = 0;
    for (size_t i = 0; i < count; i++) zeros |= times[i] == 0;
    return zeros;
}

/* All of a block, if none is 0; otherwise those that are not. */
static size_t take_block(const row_job *job, double own, size_t begin, size_t count, const row_space *space,
                         size_t noted) {
    uint16_t *times = space->times + begin;
    uint32_t *other = space->other + noted;
    double *told = space->told + noted;
    if (any_zero(times, count)) {
        for (size_t d = begin; d < begin + count; d++) noted = take_times(job, own, d, space, noted);
        return noted;
    }
    for (size_t i = 0; i < count; i++) other[i] = (uint32_t)(job->begin + begin + i);
    if (job->unit)
        for (size_t i = 0; i < count; i++) told[i] = own * job->unit[job->begin + begin + i] * times[i];
    else
        for (size_t i = 0; i < count; i++) told[i] = times[i];
    memset(times, 0, count * sizeof *times);
    return noted + count;
}

static size_t take_counted(const row_job *job, size_t row, tile_count met, const row_space *space) {
    const fp_entry_table *entries = &job->entries;
    const count_tile *tile = job->counted;
    size_t noted = 0, behind = first_behind(job, row), size = job->end - job->begin;
    double own = job->unit ? job->unit[row] : 1;
    if (met.lists || met.postings > size / 4) {
        memset(space->times, 0, behind * sizeof *space->times);
        for (size_t d = behind; d < size; d += BLOCK)
            noted = take_block(job, own, d, size - d < BLOCK ? size - d : BLOCK, space, noted);
        return noted;
    }
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        for (size_t p = tile->first[entries->term[e]]; p < tile->first[entries->term[e] + 1]; p++) {
            if (tile->document[p] < behind) space->times[tile->document[p]] = 0;
            else noted = take_times(job, own, tile->document[p], space, noted);
        }
    }
    return noted;
}

/* ---- A piece ---- */

static fp_joined_pairs join_row(const row_job *job, size_t row, row_space *space) {
    fp_joined_pairs pairs = {.row = row, .other = space->other, .sum = space->told};
    if (!job->counted) {
        size_t met = fp_tile_add_row(job->exact, &job->entries, row, space->sum);
        pairs.count = met ? take_row(job, row, met, space) : 0;
        return pairs;
    }
    tile_count met = count_tile_row(job->counted, &job->entries, row, &space->lists, space->times);
    pairs.count = met.lists + met.postings ? take_counted(job, row, met, space) : 0;
    pairs.off = job->unit ? FP_POSTINGS_OFF : 0;
    return pairs;
}

static fp_status join_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const row_job *job = context;
    row_space space = {0};
    FP_TRY(open_space(job, arena, &space, error));
    size_t end = (index + 1) * ROWS < job->end ? (index + 1) * ROWS : job->end;
    for (size_t row = index * ROWS; row < end; row++) {
        fp_joined_pairs pairs = join_row(job, row, &space);
        if (pairs.count) FP_TRY(job->of->tell(job->of->context, &pairs, arena, error));
    }
    return FP_OK;
}

/* ---- Tiles ---- */

/* Tiles of one kind or the other, which take over from one another. */
typedef struct tiles {
    row_job job;
    fp_posting_tile exact;
    count_tile counted;
    bool counts; /* whether the table is for tiles of counts */
    fp_arena *arena;
} tiles;

static fp_status open_tiles(const fp_postings *of, tiles *to, fp_error *error) {
    fp_entry_table *table = &to->job.entries;
    fp_posting_terms terms;
    fp_status status = fp_terms_make(of->vectors, of->count, 2, to->arena, &terms, error);
    if (status == FP_OK) status = fp_entries_make(of->vectors, of->count, &terms, of->join, to->arena, table, error);
    fp_terms_free(&terms);
    FP_TRY(status);
    to->counts = count_tile_takes(table, of->join);
    if (to->counts && of->join == FP_JOIN_COUNT) return count_tile_open(&to->counted, table, to->arena, error);
    return fp_tile_open(&to->exact, table, of->join, to->arena, error);
}

/* From sums in order to sums of whole numbers, once. */
static fp_status turn_to_counts(tiles *to, fp_error *error) {
    fp_entry_table *table = &to->job.entries;
    to->job.unit = FP_NEED(fp_arena_raw(to->arena, table->count, sizeof *to->job.unit), error);
    for (size_t d = 0; d < table->count; d++) to->job.unit[d] = 1 / table->norm[d];
    fp_entries_put_frequent_first(table);
    fp_tile_free(&to->exact);
    return count_tile_open(&to->counted, table, to->arena, error);
}

static fp_status next_tile(tiles *to, size_t begin, fp_error *error) {
    const fp_postings *of = to->job.of;
    bool wanted = to->counts && (of->join == FP_JOIN_COUNT || (of->may_be_off && of->may_be_off(of->context)));
    if (wanted && to->counted.width == 0) FP_TRY(turn_to_counts(to, error));
    to->job.counted = wanted ? &to->counted : NULL;
    to->job.exact = wanted ? NULL : &to->exact;
    if (wanted) FP_TRY(count_tile_fill(&to->counted, &to->job.entries, begin, error));
    else FP_TRY(fp_tile_fill(&to->exact, &to->job.entries, begin, error));
    to->job.begin = begin;
    to->job.end = wanted ? to->counted.end : to->exact.end;
    return FP_OK;
}

/* ---- Progress ---- */

/* Over all tiles, in shares of all pairs. */
typedef struct tile_progress {
    const fp_progress *all;
    double pairs, before, tile;
} tile_progress;

static void report_tile(void *context, const char *stage, size_t done, size_t total) {
    enum { STEPS = 1000 };
    const tile_progress *progress = context;
    double pairs = progress->before + progress->tile * (double)done / (double)total;
    progress->all->report(progress->all->context, stage, (size_t)(pairs / progress->pairs * STEPS), STEPS);
}

static double pairs_up_to(size_t documents) { return (double)documents * (double)documents; }

/* ---- All ---- */

static fp_status join_tiles(tiles *all, const fp_arenas *arenas, const fp_progress *progress, fp_error *error) {
    size_t count = all->job.entries.count;
    tile_progress told = {.all = progress, .pairs = pairs_up_to(count)};
    fp_progress wrapped = {.report = progress && progress->report ? report_tile : NULL,
                           .context = &told,
                           .threads = progress ? progress->threads : 0,
                           .cancel = progress ? progress->cancel : NULL};
    for (size_t begin = 0; begin < count; begin = all->job.end) {
        FP_TRY(next_tile(all, begin, error));
        told.before = pairs_up_to(begin);
        told.tile = pairs_up_to(all->job.end) - told.before;
        FP_TRY(fp_parallel(row_pieces(&all->job), arenas, true, join_rows, &all->job, all->job.of->stage, &wrapped,
                           error));
    }
    return FP_OK;
}

fp_status fp_postings_pairs(const fp_postings *of, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error) {
    if (of->count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    fp_arena *arena = FP_NEED(fp_arena_new_like(arenas->each[0]), error);
    tiles all = {.job = {.of = of}, .exact = {.like = arena}, .counted = {.like = arena}, .arena = arena};
    fp_status status = open_tiles(of, &all, error);
    if (status == FP_OK) status = join_tiles(&all, arenas, progress, error);
    fp_tile_free(&all.exact);
    count_tile_free(&all.counted);
    fp_arena_free(arena);
    return status;
}
