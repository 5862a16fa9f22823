/* SPDX-License-Identifier: GPL-3.0-or-later
 * An inverted index, one range of documents (a tile) at a time: all documents up to its end are joined with the tile,
 * some rows at a time. */
#include "pairs/postings.h"

#include <string.h>

#include "pairs/posting_tile.h"

typedef struct row_job {
    const fp_postings *of;
    fp_entry_table entries;
    size_t begin, end; /* documents of the tile, which is `exact` or `counted` */
    const fp_posting_tile *exact;
    const fp_count_tile *counted; /* `unit` is used if values are numbers over norms */
    double *unit;                 /* [entries.count] 1/norm */
} row_job;

/* ---- Rows of sums and their pairs ---- */

enum { ROWS = 32 };

static size_t row_pieces(const row_job *job) { return (job->end + ROWS - 1) / ROWS; }

/* A thread's sums, all 0 between rows, and the pairs to report. */
typedef struct row_space {
    double *sum;        /* [width of a tile] if not counted */
    uint16_t *times;    /* [width of a tile] if numbers are counted */
    fp_bit_lists lists; /* for counts */
    uint32_t *other;    /* [width + 1] */
    double *sums;       /* [width + 1] */
} row_space;

static fp_status open_space(const row_job *job, fp_arena *arena, row_space *space, fp_error *error) {
    size_t width = job->counted ? job->counted->width : job->exact->width;
    *space = (row_space){0};
    /* One extra place: zero sums are written but not counted. */
    space->other = FP_NEED(fp_arena_raw(arena, width + 1, sizeof *space->other), error);
    space->sums = FP_NEED(fp_arena_raw(arena, width + 1, sizeof *space->sums), error);
    if (job->counted) {
        space->times = FP_NEED(fp_arena_alloc(arena, width, sizeof *space->times), error);
        return fp_count_tile_room(job->counted, arena, &space->lists, error);
    }
    space->sum = FP_NEED(fp_arena_alloc(arena, width, sizeof *space->sum), error);
    return FP_OK;
}

/* The first document of the tile that follows the row. */
static size_t first_behind(const row_job *job, size_t row) { return row < job->begin ? 0 : row + 1 - job->begin; }

/* ---- Sums in order ---- */

/* Moves the sum of a document of the tile to the pairs, and keeps it if it is not 0. Returns the number of pairs. */
static inline size_t take(const row_job *job, size_t document, const row_space *space, size_t noted) {
    double sum = space->sum[document];
    space->sum[document] = 0;
    space->other[noted] = (uint32_t)(job->begin + document);
    space->sums[noted] = sum;
    return noted + (sum != 0);
}

/* Takes the sums of documents after the row: from its postings if it visited few, else from the whole tile. */
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

/* Notes the sum of a document of the tile, which is kept if it is not 0; by the units of the row and the document it is
 * a sum of values. */
static inline size_t note_times(const row_job *job, double own, size_t document, const row_space *space, size_t noted) {
    uint16_t times = space->times[document];
    space->other[noted] = (uint32_t)(job->begin + document);
    space->sums[noted] = job->unit ? own * job->unit[job->begin + document] * times : times;
    return noted + (times != 0);
}

static size_t take_counted(const row_job *job, size_t row, fp_tile_count met, const row_space *space) {
    const fp_entry_table *entries = &job->entries;
    const fp_count_tile *tile = job->counted;
    size_t noted = 0, behind = first_behind(job, row), size = job->end - job->begin;
    double own = job->unit ? job->unit[row] : 1;
    if (met.lists || met.postings > size / 4) {
        for (size_t d = behind; d < size; d++) noted = note_times(job, own, d, space, noted);
        memset(space->times, 0, size * sizeof *space->times);
        return noted;
    }
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        for (size_t p = tile->first[entries->term[e]]; p < tile->first[entries->term[e] + 1]; p++) {
            if (tile->document[p] >= behind) noted = note_times(job, own, tile->document[p], space, noted);
            space->times[tile->document[p]] = 0;
        }
    }
    return noted;
}

/* ---- A piece ---- */

static fp_joined_pairs join_row(const row_job *job, size_t row, row_space *space) {
    fp_joined_pairs pairs = {.row = row, .other = space->other, .sum = space->sums};
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

static fp_status join_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const row_job *job = context;
    row_space space = {0};
    FP_TRY(open_space(job, arena, &space, error));
    size_t end = (index + 1) * ROWS < job->end ? (index + 1) * ROWS : job->end;
    for (size_t row = index * ROWS; row < end; row++) {
        fp_joined_pairs pairs = join_row(job, row, &space);
        if (pairs.count) FP_TRY(job->of->take(job->of->context, &pairs, arena, error));
    }
    return FP_OK;
}

/* ---- Tiles ---- */

/* Tiles of both kinds; each tile uses one of them. */
typedef struct tiles {
    row_job job;
    fp_posting_tile exact;
    fp_count_tile counted;
    bool counts; /* whether the table can use tiles of counts */
    fp_arena *arena;
} tiles;

static fp_status open_tiles(const fp_postings *of, tiles *to, fp_error *error) {
    fp_entry_table *table = &to->job.entries;
    fp_posting_terms terms;
    fp_status status = fp_terms_make(of->vectors, of->count, 2, to->arena, &terms, error);
    if (status == FP_OK) status = fp_entries_make(of->vectors, of->count, &terms, of->join, to->arena, table, error);
    fp_terms_free(&terms);
    FP_TRY(status);
    to->counts = fp_count_tile_takes(table, of->join);
    if (to->counts && of->join == FP_JOIN_COUNT) return fp_count_tile_open(&to->counted, table, to->arena, error);
    return fp_tile_open(&to->exact, table, of->join, to->arena, error);
}

/* Switches from ordered sums to sums of whole numbers, once. */
static fp_status turn_to_counts(tiles *to, fp_error *error) {
    fp_entry_table *table = &to->job.entries;
    to->job.unit = FP_NEED(fp_arena_raw(to->arena, table->count, sizeof *to->job.unit), error);
    for (size_t d = 0; d < table->count; d++) to->job.unit[d] = 1 / table->norm[d];
    fp_entries_put_frequent_first(table);
    fp_tile_free(&to->exact);
    return fp_count_tile_open(&to->counted, table, to->arena, error);
}

static fp_status next_tile(tiles *to, size_t begin, fp_error *error) {
    const fp_postings *of = to->job.of;
    bool wanted = to->counts && (of->join == FP_JOIN_COUNT || (of->may_be_off && of->may_be_off(of->context)));
    if (wanted && to->counted.width == 0) FP_TRY(turn_to_counts(to, error));
    to->job.counted = wanted ? &to->counted : NULL;
    to->job.exact = wanted ? NULL : &to->exact;
    if (wanted) FP_TRY(fp_count_tile_fill(&to->counted, &to->job.entries, begin, error));
    else FP_TRY(fp_tile_fill(&to->exact, &to->job.entries, begin, error));
    to->job.begin = begin;
    to->job.end = wanted ? to->counted.end : to->exact.end;
    return FP_OK;
}

/* ---- Progress ---- */

/* Progress over all tiles, as a share of all pairs. */
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

static fp_status join_tiles(tiles *all, const fp_arenas *arenas, const fp_progress *progress, fp_error *error) {
    size_t count = all->job.entries.count;
    tile_progress reported = {.all = progress, .pairs = pairs_up_to(count)};
    fp_progress wrapped = {.report = progress && progress->report ? report_tile : NULL,
                           .context = &reported,
                           .threads = progress ? progress->threads : 0,
                           .cancel = progress ? progress->cancel : NULL};
    for (size_t begin = 0; begin < count; begin = all->job.end) {
        FP_TRY(next_tile(all, begin, error));
        reported.before = pairs_up_to(begin);
        reported.tile = pairs_up_to(all->job.end) - reported.before;
        FP_TRY(fp_parallel(row_pieces(&all->job), arenas, true, join_rows, &all->job, all->job.of->stage, &wrapped,
                           error));
    }
    return FP_OK;
}

fp_status fp_postings_pairs(const fp_postings *of, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error) {
    if (of->count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    FP_SCRATCH(arena, arenas->each[0], error);
    tiles all = {.job = {.of = of}, .exact = {.like = arena}, .arena = arena};
    fp_status status = open_tiles(of, &all, error);
    if (status == FP_OK) status = join_tiles(&all, arenas, progress, error);
    fp_tile_free(&all.exact);
    return status;
}
