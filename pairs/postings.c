/* SPDX-License-Identifier: GPL-3.0-or-later
 * An inverted index, one range of documents (a tile) at a time. */
#include "pairs/postings.h"

#include <string.h>

#include "pairs/posting_rows.h"

/* ---- Tiles ---- */

/* Tiles of one kind or the other, which take over from one another. */
typedef struct tiles {
    fp_row_job job;
    fp_posting_tile exact;
    fp_count_tile counted;
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
    to->counts = fp_count_tile_takes(table, of->join);
    if (to->counts && of->join == FP_JOIN_COUNT) return fp_count_tile_open(&to->counted, table, to->arena, error);
    return fp_tile_open(&to->exact, table, of->join, to->arena, error);
}

/* From sums in order to sums of whole numbers, once. */
static fp_status turn_to_counts(tiles *to, fp_error *error) {
    fp_entry_table *table = &to->job.entries;
    to->job.unit = fp_arena_raw(to->arena, table->count, sizeof *to->job.unit);
    if (!to->job.unit) return fp_no_memory(error);
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
    fp_progress wrapped = {.report = progress && progress->report ? report_tile : NULL, .context = &told};
    for (size_t begin = 0; begin < count; begin = all->job.end) {
        FP_TRY(next_tile(all, begin, error));
        told.before = pairs_up_to(begin);
        told.tile = pairs_up_to(all->job.end) - told.before;
        FP_TRY(fp_parallel(fp_row_pieces(&all->job), arenas, true, fp_join_rows, &all->job, all->job.of->stage,
                           &wrapped, error));
    }
    return FP_OK;
}

fp_status fp_postings_pairs(const fp_postings *of, const fp_arenas *arenas, const fp_progress *progress,
                            fp_error *error) {
    if (of->count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    fp_arena *arena = fp_arena_new_like(arenas->each[0]);
    if (!arena) return fp_no_memory(error);
    tiles all = {.job = {.of = of}, .exact = {.like = arena}, .counted = {.like = arena}, .arena = arena};
    fp_status status = open_tiles(of, &all, error);
    if (status == FP_OK) status = join_tiles(&all, arenas, progress, error);
    fp_tile_free(&all.exact);
    fp_count_tile_free(&all.counted);
    fp_arena_free(arena);
    return status;
}
