/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of sums, and the pairs that they tell of. */
#include "pairs/posting_rows.h"

#include <string.h>

enum { ROWS = 32, BLOCK = 256 };

size_t fp_row_pieces(const fp_row_job *job) { return (job->end + ROWS - 1) / ROWS; }

/* A thread's sums, all 0 between rows, and what it tells. */
typedef struct row_space {
    double *sum;        /* [width of a tile]; or */
    uint16_t *times;    /* likewise, where numbers are counted */
    fp_bit_lists lists; /* then */
    uint32_t *other;    /* [width + 1] */
    double *told;       /* likewise */
} row_space;

static fp_status open_space(const fp_row_job *job, fp_arena *arena, row_space *space, fp_error *error) {
    size_t width = job->counted ? job->counted->width : job->exact->width;
    /* One place more for what is written and not noted. */
    *space = (row_space){.other = fp_arena_raw(arena, width + 1, sizeof *space->other),
                         .told = fp_arena_raw(arena, width + 1, sizeof *space->told)};
    if (job->counted) space->times = fp_arena_alloc(arena, width, sizeof *space->times);
    else space->sum = fp_arena_alloc(arena, width, sizeof *space->sum);
    if (!space->other || !space->told || !(space->times || space->sum)) return fp_no_memory(error);
    return job->counted ? fp_count_tile_room(job->counted, arena, &space->lists, error) : FP_OK;
}

/* The first document of the tile that is behind the row. */
static size_t first_behind(const fp_row_job *job, size_t row) { return row < job->begin ? 0 : row + 1 - job->begin; }

/* ---- Sums in order ---- */

/* Takes the sum of a document of the tile out, and notes it when it is not 0. Returns how many are noted. */
static inline size_t take(const fp_row_job *job, size_t document, const row_space *space, size_t noted) {
    double sum = space->sum[document];
    space->sum[document] = 0;
    space->other[noted] = (uint32_t)(job->begin + document);
    space->told[noted] = sum;
    return noted + (sum != 0);
}

/* Of the documents behind the row. Where the row met few postings, they are walked again; otherwise the whole tile. */
static size_t take_row(const fp_row_job *job, size_t row, size_t met, const row_space *space) {
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
static inline double sum_of(const fp_row_job *job, double own, size_t document, uint16_t times) {
    return job->unit ? own * job->unit[job->begin + document] * times : times;
}

static inline size_t take_times(const fp_row_job *job, double own, size_t document, const row_space *space,
                                size_t noted) {
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
static size_t take_block(const fp_row_job *job, double own, size_t begin, size_t count, const row_space *space,
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

static size_t take_counted(const fp_row_job *job, size_t row, fp_tile_count met, const row_space *space) {
    const fp_entry_table *entries = &job->entries;
    const fp_count_tile *tile = job->counted;
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

static fp_joined_pairs join_row(const fp_row_job *job, size_t row, row_space *space) {
    fp_joined_pairs pairs = {.row = row, .other = space->other, .sum = space->told};
    if (!job->counted) {
        size_t met = fp_tile_add_row(job->exact, &job->entries, row, space->sum);
        pairs.count = met ? take_row(job, row, met, space) : 0;
        return pairs;
    }
    fp_tile_count met = fp_count_tile_row(job->counted, &job->entries, row, &space->lists, space->times);
    pairs.count = met.lists + met.postings ? take_counted(job, row, met, space) : 0;
    pairs.off = job->unit ? FP_POSTINGS_OFF : 0;
    return pairs;
}

fp_status fp_join_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_row_job *job = context;
    row_space space = {0};
    FP_TRY(open_space(job, arena, &space, error));
    size_t end = (index + 1) * ROWS < job->end ? (index + 1) * ROWS : job->end;
    for (size_t row = index * ROWS; row < end; row++) {
        fp_joined_pairs pairs = join_row(job, row, &space);
        if (pairs.count) FP_TRY(job->of->tell(job->of->context, &pairs, arena, error));
    }
    return FP_OK;
}
