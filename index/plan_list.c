/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists the plans of all methods and recommends one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/index_plan.h"

typedef struct listing {
    const fp_plan_request *request;
    fp_index_plan *rows;
    size_t count, capacity;
    fp_block_design choice; /* the automatic choice of the index; without levels if nothing fits */
    fp_arena *arena;
} listing;

/* ---- Candidate plans ---- */

static fp_status add(listing *it, fp_plan_method method, const fp_block_design *design, fp_error *error) {
    FP_TRY(FP_ROOM(it->arena, it->rows, it->count, it->capacity, error));
    return fp_index_plan_make(method, design, it->request->fingerprints, it->rows + it->count++, error);
}

/* Skips a design that is invalid or has too many tables. */
static fp_status add_design(listing *it, const fp_block_design *design, bool *added, fp_error *error) {
    *added = fp_block_design_check(design, NULL) == FP_OK && fp_block_design_tables(design) <= FP_PLAN_TABLES;
    return *added ? add(it, FP_PLAN_BLOCKS, design, error) : FP_OK;
}

/* If more than `agree` blocks are sure to agree, fewer blocks give as many tables and longer keys. Such designs are
 * listed only up to MORE_BLOCKS more blocks than the distance. At distance 0 one table finds all equal fingerprints. */
enum { MORE_BLOCKS = 3 };

static fp_status add_one_level(listing *it, fp_error *error) {
    unsigned distance = it->request->distance;
    fp_block_design design = {.bits = it->request->bits, .distance = distance, .level_count = 1};
    bool added = true;
    for (unsigned blocks = distance + 1; added && (distance > 0 || blocks == 1); blocks++) {
        unsigned most = blocks - distance;
        for (unsigned agree = blocks <= distance + MORE_BLOCKS ? 1 : most; agree <= most; agree++) {
            design.level[0] = (fp_block_level){blocks, agree};
            FP_TRY(add_design(it, &design, &added, error));
        }
    }
    return FP_OK;
}

static fp_status add_two_levels(listing *it, fp_error *error) {
    unsigned distance = it->request->distance;
    fp_block_design design = {.bits = it->request->bits, .distance = distance, .level_count = 2};
    bool any = distance > 0;
    for (unsigned first = distance + 1; any; first++) {
        bool added = true;
        any = false;
        for (unsigned second = distance + 1; added; second++) {
            design.level[0] = (fp_block_level){first, first - distance};
            design.level[1] = (fp_block_level){second, second - distance};
            FP_TRY(add_design(it, &design, &added, error));
            any |= added;
        }
    }
    return FP_OK;
}

static bool same_design(const fp_block_design *a, const fp_block_design *b) {
    if (a->level_count != b->level_count) return false;
    for (unsigned l = 0; l < a->level_count; l++)
        if (a->level[l].blocks != b->level[l].blocks || a->level[l].agree != b->level[l].agree) return false;
    return true;
}

/* Adds the automatic choice of the index, if at least the list of all fingerprints fits. */
static fp_status add_choice(listing *it, fp_error *error) {
    const fp_plan_request *request = it->request;
    fp_block_design *choice = &it->choice;
    *choice = (fp_block_design){.bits = request->bits, .distance = request->distance};
    fp_status status = fp_block_design_choose(request->bits, request->distance, request->fingerprints,
                                              request->most_bytes, choice, NULL);
    if (status != FP_OK || choice->level_count == 0) return FP_OK;
    for (size_t i = 0; i < it->count; i++)
        if (it->rows[i].method == FP_PLAN_BLOCKS && same_design(&it->rows[i].design, choice)) return FP_OK;
    return add(it, FP_PLAN_BLOCKS, choice, error);
}

static fp_status add_all(listing *it, fp_error *error) {
    fp_block_design design = {.bits = it->request->bits, .distance = it->request->distance};
    FP_TRY(add(it, FP_PLAN_SCAN, &design, error));
    FP_TRY(add(it, FP_PLAN_VARIANTS, &design, error));
    FP_TRY(add(it, FP_PLAN_STORED_VARIANTS, &design, error));
    design.level_count = 1;
    design.level[0] = (fp_block_level){design.distance + 1, 1};
    FP_TRY(add(it, FP_PLAN_SHARED, &design, error));
    FP_TRY(add_one_level(it, error));
    FP_TRY(add_two_levels(it, error));
    return add_choice(it, error);
}

/* ---- The front and the rows to keep ---- */

/* The time of a row with `times` as many comparisons. */
static double time_of(const fp_index_plan *row, double times) {
    if (row->method < FP_PLAN_SHARED) return row->nanoseconds;
    return fp_block_nanoseconds(row->design.bits, row->bytes, row->lookups, row->comparisons * times);
}

static bool is_beaten(const listing *it, const fp_index_plan *row, double times) {
    double time = time_of(row, times);
    for (size_t i = 0; i < it->count; i++) {
        double other = time_of(it->rows + i, times), bytes = it->rows[i].bytes;
        if (bytes <= row->bytes && other <= time && (bytes < row->bytes || other < time)) return true;
    }
    return false;
}

static bool is_shown(const fp_index_plan *row, const fp_block_design *choice) {
    const fp_block_design *design = &row->design;
    if (row->method != FP_PLAN_BLOCKS || same_design(design, choice)) return true;
    if (design->level_count == 1) return design->level[0].blocks <= design->distance + MORE_BLOCKS;
    return design->level[0].blocks == design->distance + 1 && design->level[1].blocks == design->distance + 1;
}

/* A sample may need longer keys than a uniform distribution. With a sample, keeps designs that would be on the front
 * with so many times the comparisons. */
static fp_status keep_some(listing *it, fp_error *error) {
    static const double TIMES[] = {1, 30, 1000};
    size_t cases = it->request->sample ? sizeof TIMES / sizeof *TIMES : 1, kept = 0;
    bool *wanted = FP_NEED(fp_arena_alloc(it->arena, it->count, sizeof *wanted), error);
    for (size_t i = 0; i < it->count; i++) {
        wanted[i] = is_shown(it->rows + i, &it->choice);
        for (size_t c = 0; c < cases && !wanted[i]; c++) wanted[i] = !is_beaten(it, it->rows + i, TIMES[c]);
    }
    for (size_t i = 0; i < it->count; i++)
        if (wanted[i]) it->rows[kept++] = it->rows[i];
    it->count = kept;
    return FP_OK;
}

FP_COMPARES(by_tables, fp_index_plan,
            FP_ORDER(a->method, b->method) ?: FP_ORDER(a->tables, b->tables) ?:
            FP_ORDER(a->design.level_count, b->design.level_count) ?:
            FP_ORDER(a->design.level[0].blocks, b->design.level[0].blocks));

/* ---- The recommendation ---- */

/* With a sample: the least time that fits. Without: the choice of the index, which also has the least time. */
static bool is_better(const listing *it, const fp_index_plan *row, const fp_index_plan *best) {
    if (row->method != FP_PLAN_BLOCKS || !row->fits) return false;
    if (!it->request->sample) return same_design(&row->design, &it->choice);
    if (row->nanoseconds != best->nanoseconds) return row->nanoseconds < best->nanoseconds;
    return row->bytes < best->bytes;
}

static const fp_index_plan *recommend(listing *it) {
    fp_index_plan *best = it->rows; /* the scan */
    for (size_t i = 0; i < it->count; i++) {
        fp_index_plan *row = it->rows + i;
        row->front = !is_beaten(it, row, 1);
        row->fits = it->request->most_bytes == 0 || row->bytes <= it->request->most_bytes;
        if (is_better(it, row, best)) best = row;
    }
    best->recommended = true;
    return best;
}

static double least_bytes(const listing *it) {
    double least = INFINITY;
    for (size_t i = 0; i < it->count; i++)
        if (it->rows[i].method == FP_PLAN_BLOCKS) least = fmin(least, it->rows[i].bytes);
    return least;
}

/* Looking up variants needs a single table of whole fingerprints, which the index does not have. */
static const char *say_of_variants(const listing *it, const fp_index_plan *best) {
    const fp_index_plan *row = it->rows + 1;
    if (row->method != FP_PLAN_VARIANTS || row->nanoseconds >= best->nanoseconds || !row->fits) return "";
    const char *bytes = fp_bytes_text(row->bytes, it->arena), *time = fp_nanoseconds_text(row->nanoseconds, it->arena);
    if (!bytes || !time) return NULL;
    return fp_format(it->arena,
                     " (one table that is asked for every variant would take %s and %s: no index here does that)",
                     bytes, time);
}

static const char *say_why_scan(const listing *it, const fp_index_plan *best, const char *bytes, const char *time) {
    fp_arena *arena = it->arena;
    double most = it->request->most_bytes;
    const char *within = fp_bytes_text(most, arena), *least = fp_bytes_text(least_bytes(it), arena),
               *variants = say_of_variants(it, best);
    if (!within || !least || !variants) return NULL;
    if (!best->fits)
        return fp_format(
            arena,
            "scan: not even a list of the fingerprints, %s, fits into %s; keep it on disk, or in shards on "
            "several machines, where %s a query pass over all of it",
            bytes, within, time);
    if (most > 0 && least_bytes(it) > most)
        return fp_format(arena,
                         "scan: no design with tables fits into %s, the smallest takes %s; to compare with all "
                         "fingerprints takes %s a query%s",
                         within, least, time, variants);
    return fp_format(arena, "scan: to compare with all fingerprints takes %s a query, and no tables%s take less%s",
                     time, most > 0 ? " that fit" : "", variants);
}

static const char *say_why(const listing *it, const fp_index_plan *best) {
    fp_arena *arena = it->arena;
    double most = it->request->most_bytes;
    const char *text = fp_index_plan_text(best, arena), *bytes = fp_bytes_text(best->bytes, arena),
               *time = fp_nanoseconds_text(best->nanoseconds, arena), *within = fp_bytes_text(most, arena);
    if (!text || !bytes || !time || !within) return NULL;
    if (best->method == FP_PLAN_SCAN) return say_why_scan(it, best, bytes, time);
    return fp_format(arena, "%s: the least expected time a query%s%s, %s; %.0f table%s, %s in all", text,
                     most > 0 ? " of the designs that fit into " : "", most > 0 ? within : "", time, best->tables,
                     best->tables == 1 ? "" : "s", bytes);
}

fp_status fp_index_plans_make(const fp_plan_request *request, const fp_progress *progress, fp_arena *arena,
                              fp_index_plans *plans, fp_error *error) {
    listing it = {.request = request, .arena = arena};
    FP_TRY(add_all(&it, error));
    FP_TRY(keep_some(&it, error));
    for (size_t i = 0; request->sample && i < it.count; i++)
        FP_TRY(fp_index_plan_correct(it.rows + i, request->fingerprints, request->sample, progress, error));
    qsort(it.rows, it.count, sizeof *it.rows, by_tables);
    const fp_index_plan *best = recommend(&it);
    *plans = (fp_index_plans){it.count, it.rows, best, say_why(&it, best)};
    return plans->reason ? FP_OK : fp_no_memory(error);
}

const char *fp_bytes_text(double bytes, fp_arena *arena) {
    static const char *const UNITS[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < sizeof UNITS / sizeof *UNITS) bytes /= 1024, unit++;
    return fp_format(arena, "%.*f %s", unit && bytes < 100, bytes, UNITS[unit]);
}

const char *fp_nanoseconds_text(double nanoseconds, fp_arena *arena) {
    static const char *const UNITS[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    while (nanoseconds >= 1000 && unit + 1 < sizeof UNITS / sizeof *UNITS) nanoseconds /= 1000, unit++;
    return fp_format(arena, "%.3g %s", nanoseconds, UNITS[unit]);
}
