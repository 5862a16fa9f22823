/* SPDX-License-Identifier: GPL-3.0-or-later
 * An inverted index, one range of documents (a tile) at a time. */
#include "index/postings.h"

#include <string.h>

#include "index/posting_tile.h"

enum { ROWS = 32 }; /* of one piece of work */

/* ---- A row: one document against a tile ---- */

typedef struct row_job {
    const fp_postings *of;
    const fp_entry_table *entries;
    const fp_posting_tile *tile;
    size_t longest; /* terms of a row */
    bool counted;   /* keys are counted, and no sum needs more than 16 bits: a wider tile fits the nearest cache */
} row_job;

/* A thread's sums, all 0 between rows, and what it tells. */
typedef struct row_space {
    double *sum;           /* [width of a tile]; or */
    uint16_t *times;       /* likewise, where `counted` */
    uint32_t *other;       /* [width + 1] */
    double *told;          /* likewise */
    const uint64_t **list; /* [terms of the longest row] where `counted` */
} row_space;

/* Takes the sum of a document of the tile out, and notes it when it is not 0. Returns how many are noted. */
static inline size_t take(const row_job *job, size_t document, const row_space *space, size_t noted) {
    double sum = job->counted ? space->times[document] : space->sum[document];
    if (job->counted) space->times[document] = 0;
    else space->sum[document] = 0;
    space->other[noted] = (uint32_t)(job->tile->begin + document);
    space->told[noted] = sum;
    return noted + (sum != 0);
}

static void forget(const row_job *job, size_t count, const row_space *space) {
    if (job->counted) memset(space->times, 0, count * sizeof *space->times);
    else memset(space->sum, 0, count * sizeof *space->sum);
}

static void forget_one(const row_job *job, size_t document, const row_space *space) {
    if (job->counted) space->times[document] = 0;
    else space->sum[document] = 0;
}

/* Of the documents behind the row. Where the row met few postings, they are walked again; otherwise the whole tile. */
static size_t take_row(const row_job *job, size_t row, size_t met, const row_space *space) {
    const fp_entry_table *entries = job->entries;
    const fp_posting_tile *tile = job->tile;
    size_t noted = 0, later = row < tile->begin ? 0 : row + 1 - tile->begin;
    if (met > fp_tile_size(tile) / 4) {
        forget(job, later, space);
        for (size_t d = later; d < fp_tile_size(tile); d++) noted = take(job, d, space, noted);
        return noted;
    }
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        for (size_t p = tile->first[entries->term[e]]; p < tile->first[entries->term[e] + 1]; p++) {
            if (tile->document[p] < later) forget_one(job, tile->document[p], space);
            else noted = take(job, tile->document[p], space, noted);
        }
    }
    return noted;
}

/* Returns how many postings the row met, or as many as documents. */
static size_t add_row(const row_job *job, size_t row, const row_space *space) {
    if (!job->counted) return fp_tile_add_row(job->tile, job->entries, row, space->sum);
    fp_tile_count met = fp_tile_count_row(job->tile, job->entries, row, space->list, space->times);
    return met.lists ? fp_tile_size(job->tile) : met.postings;
}

static fp_status open_space(const row_job *job, fp_arena *arena, row_space *space, fp_error *error) {
    size_t width = job->tile->width;
    /* One place more for what is written and not noted. */
    *space = (row_space){.other = fp_arena_raw(arena, width + 1, sizeof *space->other),
                         .told = fp_arena_raw(arena, width + 1, sizeof *space->told)};
    if (job->counted) space->list = fp_arena_raw(arena, job->longest, sizeof *space->list);
    if (job->counted) space->times = fp_arena_alloc(arena, job->tile->words * 64, sizeof *space->times);
    else space->sum = fp_arena_alloc(arena, width, sizeof *space->sum);
    return (space->sum || (space->times && space->list)) && space->other && space->told ? FP_OK : fp_no_memory(error);
}

static fp_status join_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const row_job *job = context;
    row_space space;
    FP_TRY(open_space(job, arena, &space, error));
    size_t end = (index + 1) * ROWS < job->tile->end ? (index + 1) * ROWS : job->tile->end;
    for (size_t row = index * ROWS; row < end; row++) {
        size_t met = add_row(job, row, &space);
        if (met == 0) continue;
        fp_joined_pairs pairs = {row, take_row(job, row, met, &space), space.other, space.told};
        if (pairs.count) FP_TRY(job->of->tell(job->of->context, &pairs, arena, error));
    }
    return FP_OK;
}

/* ---- All tiles ---- */

static size_t longest_row(const fp_entry_table *entries) {
    size_t most = 0;
    for (size_t d = 0; d < entries->count; d++)
        if (entries->first[d + 1] - entries->first[d] > most) most = entries->first[d + 1] - entries->first[d];
    return most;
}

static fp_status open_tile(row_job *job, fp_posting_tile *tile, fp_arena *arena, fp_error *error) {
    FP_TRY(fp_tile_open(tile, job->entries, job->of->join, arena, error));
    job->longest = longest_row(job->entries);
    job->counted = job->of->join == FP_JOIN_COUNT && job->longest <= FP_TILE_MOST_COUNTED;
    return job->counted ? fp_tile_open_counts(tile, job->entries, arena, error) : FP_OK;
}

/* Progress over all tiles: a tile has as many rows as there are documents up to its end. */
typedef struct tile_progress {
    const fp_progress *all;
    size_t before, total;
} tile_progress;

static void report_tile(void *context, const char *stage, size_t done, size_t total) {
    const tile_progress *progress = context;
    (void)total;
    progress->all->report(progress->all->context, stage, progress->before + done, progress->total);
}

static size_t pieces(size_t rows) { return (rows + ROWS - 1) / ROWS; }

static fp_status join_tiles(row_job *job, fp_posting_tile *tile, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error) {
    size_t count = job->entries->count;
    tile_progress told = {.all = progress};
    fp_progress wrapped = {.report = progress && progress->report ? report_tile : NULL, .context = &told};
    for (size_t begin = 0; begin < count; begin += tile->width)
        told.total += pieces(fp_tile_end(job->entries, tile, begin));
    for (size_t begin = 0; begin < count; begin += tile->width) {
        FP_TRY(fp_tile_fill(tile, job->entries, begin, error));
        FP_TRY(fp_parallel(pieces(tile->end), arenas, true, join_rows, job, job->of->stage, &wrapped, error));
        told.before += pieces(tile->end);
    }
    return FP_OK;
}

fp_status fp_postings_pairs(const fp_postings *of, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error) {
    if (of->count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    fp_arena *arena = fp_arena_new_like(arenas->each[0]);
    if (!arena) return fp_no_memory(error);
    fp_entry_table all;
    fp_posting_tile tile = {.like = arena};
    row_job job = {.of = of, .entries = &all, .tile = &tile};
    fp_status status = fp_entries_make(of->vectors, of->count, of->count, of->join, arena, &all, error);
    if (status == FP_OK) status = open_tile(&job, &tile, arena, error);
    if (status == FP_OK) status = join_tiles(&job, &tile, arenas, progress, error);
    fp_tile_free(&tile);
    fp_arena_free(arena);
    return status;
}
