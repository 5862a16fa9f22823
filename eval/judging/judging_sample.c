/* SPDX-License-Identifier: GPL-3.0-or-later
 * Samples pairs from each distance. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/parallel.h"
#include "eval/judging/judging.h"
#include "pairs/postings.h"

enum { CHUNK = 1024 }; /* distances computed together: 8 KB */

/* The pairs (row, column), row < column, in order of row, then column. */
typedef struct scan {
    const fp_measurement *measurement;
    const fp_instance *instance;
    const fp_sketches *sketches;
    size_t first, strata;
    uint32_t *counts;         /* [documents · strata] pairs of each row in each stratum */
    const fp_vector *vectors; /* [documents] if pairs in the strata share a key and so come from postings; else NULL */
    fp_join join;
} scan;

/* ---- Rows ---- */

/* The stratum of a distance; SIZE_MAX: none. */
static size_t stratum_of(const scan *in, double distance) {
    if (!(distance <= (double)(in->first + in->strata - 1))) return SIZE_MAX;
    size_t rounded = (size_t)ceil(distance);
    return rounded >= in->first ? rounded - in->first : SIZE_MAX;
}

/* Called for each pair of a row that lies in a stratum, in order of column. */
typedef void (*pair_found)(void *context, size_t column, size_t stratum, double distance);

static void scan_row(const scan *in, size_t row, pair_found found, void *context) {
    double out[CHUNK];
    for (size_t from = row + 1; from < in->sketches->count; from += CHUNK) {
        size_t count = in->sketches->count - from < CHUNK ? in->sketches->count - from : CHUNK;
        fp_arm_distances(in->measurement->arm, fp_sketches_at(in->sketches, row), in->sketches, from, count, out);
        for (size_t i = 0; i < count; i++) {
            if (fp_measurement_empty(in->measurement, row, from + i)) out[i] = in->instance->layout.maximum;
            size_t stratum = stratum_of(in, out[i]);
            if (stratum != SIZE_MAX) found(context, from + i, stratum, out[i]);
        }
    }
}

/* ---- Postings ---- */

/* Sketches as sparse vectors, if two that share no key are always further apart than the last stratum. Empty
 * sketches have no key and are scanned row by row. */
static fp_status open_vectors(scan *in, fp_arena *arena, fp_error *error) {
    const fp_algorithm *algorithm = in->instance->algorithm;
    const fp_vector *some[2];
    size_t count = in->sketches->count, found = 0;
    double last = (double)(in->first + in->strata - 1);
    if (!fp_acceleration_of(algorithm)->vector || (in->measurement->empty && in->instance->layout.maximum <= last))
        return FP_OK;
    fp_vector *vectors = FP_NEED(fp_arena_alloc(arena, count, sizeof *vectors), error);
    for (size_t i = 0; i < count; i++) {
        in->join = fp_acceleration_of(algorithm)->vector(in->instance, fp_sketches_at(in->sketches, i), vectors + i);
        if (vectors[i].count && found < 2) some[found++] = vectors + i;
    }
    if (found == 2 && fp_acceleration_of(algorithm)->joined(in->instance, some[0], some[1], 0) > last)
        in->vectors = vectors;
    return FP_OK;
}

static bool joins(const scan *in, size_t row) { return in->vectors && in->vectors[row].count; }

/* The stratum of a pair that shares a key; SIZE_MAX when it is in no stratum. */
static size_t joined_stratum(const scan *in, size_t row, size_t column, double sum, double *distance) {
    *distance =
        fp_acceleration_of(in->instance->algorithm)->joined(in->instance, in->vectors + row, in->vectors + column, sum);
    if (isnan(*distance) || fp_measurement_empty(in->measurement, row, column))
        *distance = fp_measurement_distance(in->measurement, row, column);
    return stratum_of(in, *distance);
}

static fp_status count_joined(void *context, const fp_joined_pairs *pairs, fp_arena *arena, fp_error *error) {
    (void)arena, (void)error;
    const scan *in = context;
    for (size_t i = 0; i < pairs->count; i++) {
        double distance;
        size_t stratum = joined_stratum(in, pairs->row, pairs->other[i], pairs->sum[i], &distance);
        if (stratum != SIZE_MAX) in->counts[pairs->row * in->strata + stratum]++;
    }
    return FP_OK;
}

/* ---- First scan: counts ---- */

static void count_pair(void *context, size_t column, size_t stratum, double distance) {
    (void)column, (void)distance;
    ((uint32_t *)context)[stratum]++;
}

static fp_status count_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena, (void)error;
    scan *in = context;
    if (!joins(in, index)) scan_row(in, index, count_pair, in->counts + index * in->strata);
    return FP_OK;
}

static void sum_rows(const scan *in, fp_judged_sample *sample) {
    for (size_t row = 0; row < in->sketches->count; row++)
        for (size_t s = 0; s < in->strata; s++) sample->strata[s].population += in->counts[row * in->strata + s];
    for (size_t s = 0; s < in->strata; s++) {
        fp_judged_stratum *stratum = sample->strata + s;
        bool all = stratum->population <= sample->options.per_stratum;
        stratum->distance = in->first + s;
        stratum->drawn = all ? (size_t)stratum->population : sample->options.per_stratum;
        sample->pair_count += stratum->drawn;
    }
}

/* ---- Ranks ---- */

/* Uniform in 0 … count − 1. */
static uint64_t below(gsl_rng *generator, uint64_t count) {
    if (count <= UINT32_MAX) return gsl_rng_uniform_int(generator, (unsigned long)count);
    uint64_t mask = count - 1, value;
    for (unsigned shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    do {
        uint64_t high = gsl_rng_get(generator);
        value = (high << 32 | gsl_rng_get(generator)) & mask;
    } while (value >= count);
    return value;
}

/* `count` different ranks below `population`, fp_ascending_u64. */
static fp_status draw_ranks(gsl_rng *generator, uint64_t population, size_t count, fp_arena *scratch, uint64_t *ranks,
                            fp_error *error) {
    fp_map taken;
    FP_TRY(fp_map_open(&taken, count, scratch, error));
    for (size_t i = 0; i < count; i++) {
        uint64_t newest = population - count + i, rank = below(generator, newest + 1);
        if (fp_map_get(&taken, rank) != FP_MAP_NONE) rank = newest;
        fp_map_put(&taken, rank, 0);
        ranks[i] = rank;
    }
    qsort(ranks, count, sizeof *ranks, fp_ascending_u64);
    return FP_OK;
}

/* ---- Second scan: the sampled pairs, in the rows that contain any ---- */

/* A sampled pair: the `rank`-th of its row in its stratum. */
typedef struct target {
    size_t row, stratum;
    uint32_t rank;
    fp_judged_drawn *to;
} target;

typedef struct search {
    const scan *in;
    const target *targets; /* by row, stratum, rank */
    const size_t *begin;   /* [rows + 1] targets of each row */
} search;

/* From ranks in a stratum to rows and ranks in a row. */
static void locate(const scan *in, size_t stratum, const uint64_t *ranks, size_t count, target *targets,
                   fp_judged_drawn *pairs) {
    uint64_t before = 0;
    size_t row = 0;
    for (size_t i = 0; i < count; i++) {
        while (before + in->counts[row * in->strata + stratum] <= ranks[i])
            before += in->counts[row++ * in->strata + stratum];
        pairs[i] = (fp_judged_drawn){.a = (uint32_t)row, .stratum = stratum};
        targets[i] = (target){row, stratum, (uint32_t)(ranks[i] - before), pairs + i};
    }
}

FP_COMPARES(by_place, target,
            FP_ORDER(a->row, b->row) ?: FP_ORDER(a->stratum, b->stratum) ?: FP_ORDER(a->rank, b->rank));

/* Remaining targets of one stratum in one row. */
typedef struct row_search {
    const target *next, *end;
    uint32_t seen;
} row_search;

static void match_pair(void *context, size_t column, size_t stratum, double distance) {
    row_search *row = (row_search *)context + stratum;
    uint32_t rank = row->seen++;
    if (row->next == row->end || row->next->rank != rank) return;
    fp_judged_drawn *to = row->next++->to;
    to->b = (uint32_t)column;
    to->distance = distance;
}

static fp_status search_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const search *in = context;
    row_search *rows = FP_NEED(fp_arena_alloc(arena, in->in->strata, sizeof *rows), error);
    for (size_t i = in->begin[index]; i < in->begin[index + 1]; i++) {
        row_search *row = rows + in->targets[i].stratum;
        if (!row->next) row->next = in->targets + i;
        row->end = in->targets + i + 1;
    }
    scan_row(in->in, in->targets[in->begin[index]].row, match_pair, rows);
    return FP_OK;
}

static fp_status find_targets(const scan *in, target *targets, size_t count, const fp_arenas *arenas,
                              const fp_progress *progress, fp_arena *scratch, fp_error *error) {
    size_t *begin = FP_NEED(fp_arena_alloc(scratch, count + 1, sizeof *begin), error), rows = 0;
    qsort(targets, count, sizeof *targets, by_place);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || targets[i].row != targets[i - 1].row) begin[rows++] = i;
    begin[rows] = count;
    search work = {in, targets, begin};
    return fp_parallel(rows, arenas, true, search_row, &work, "pairs", progress, error);
}

/* ---- All ---- */

static fp_status draw_pairs(const scan *in, const fp_arenas *arenas, const fp_progress *progress, fp_arena *scratch,
                            fp_judged_sample *sample, fp_error *error) {
    gsl_rng generator = {gsl_rng_mt19937, FP_NEED(fp_arena_raw(scratch, gsl_rng_mt19937->size, 1), error)};
    target *targets = FP_NEED(fp_arena_raw(scratch, sample->pair_count, sizeof *targets), error);
    uint64_t *ranks = FP_NEED(fp_arena_raw(scratch, sample->pair_count, sizeof *ranks), error);
    size_t made = 0;
    for (size_t s = 0; s < in->strata; s++) {
        const fp_judged_stratum *stratum = sample->strata + s;
        gsl_rng_set(&generator, (uint32_t)fp_mix(sample->options.seed, stratum->distance));
        FP_TRY(draw_ranks(&generator, stratum->population, stratum->drawn, scratch, ranks, error));
        locate(in, s, ranks, stratum->drawn, targets + made, sample->pairs + made);
        made += stratum->drawn;
    }
    FP_TRY(find_targets(in, targets, made, arenas, progress, scratch, error));
    gsl_rng_set(&generator, (uint32_t)fp_mix(sample->options.seed, UINT64_MAX));
    gsl_ran_shuffle(&generator, sample->pairs, sample->pair_count, sizeof *sample->pairs);
    return FP_OK;
}

static fp_status draw(scan *in, const fp_arenas *arenas, const fp_progress *progress, fp_arena *arena,
                      fp_arena *scratch, fp_judged_sample *sample, fp_error *error) {
    size_t documents = in->sketches->count;
    in->counts = FP_NEED(fp_arena_alloc(scratch, documents, in->strata * sizeof *in->counts), error);
    FP_TRY(open_vectors(in, scratch, error));
    fp_postings postings = {in->vectors, documents, in->join, count_joined, in, "distances", NULL};
    if (in->vectors) FP_TRY(fp_postings_pairs(&postings, arenas, progress, error));
    FP_TRY(fp_parallel(documents, arenas, true, count_row, in, "distances", progress, error));
    sum_rows(in, sample);
    if (sample->pair_count == 0)
        return fp_fail(error, FP_ERROR_EMPTY, "no two of the %zu documents are at a distance of %zu to %zu (%s)",
                       documents, sample->options.first, sample->options.last, in->instance->layout.scale);
    sample->pairs = FP_NEED(fp_arena_alloc(arena, sample->pair_count, sizeof *sample->pairs), error);
    return draw_pairs(in, arenas, progress, scratch, sample, error);
}

fp_status fp_judged_draw(const fp_measurement *measurement, const fp_judged_options *options,
                         const fp_progress *progress, fp_arena *arena, fp_judged_sample *sample, fp_error *error) {
    *sample = (fp_judged_sample){.options = *options};
    if (options->first > options->last || options->last - options->first >= FP_JUDGED_STRATA ||
        options->per_stratum == 0)
        return fp_fail(error, FP_ERROR_RANGE, "1 to %d distances, and at least one pair from each", FP_JUDGED_STRATA);
    scan in = {.measurement = measurement,
               .instance = &measurement->arm->instance,
               .sketches = &measurement->sketches,
               .first = options->first,
               .strata = options->last - options->first + 1};
    sample->stratum_count = in.strata;
    sample->strata = FP_NEED(fp_arena_alloc(arena, in.strata, sizeof *sample->strata), error);
    FP_SCRATCH(scratch, arena, error);
    FP_ARENAS(arenas, progress, scratch, error);
    return draw(&in, &arenas, progress, arena, scratch, sample, error);
}
