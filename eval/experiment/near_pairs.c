/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs: kept by the thread that finds them; if there are too many, only the nearest. */
#include "eval/experiment/near_pairs.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* What one thread found; grows outside the arenas, which are reset. */
typedef struct fp_near_found {
    const fp_arena *like; /* the arena whose memory source `at` uses */
    fp_near_pair *at;
    size_t count, capacity;
    double limit;
} found;

fp_status fp_near_finder_open(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, size_t threads,
                              fp_arena *arena, fp_near_finder *finder, fp_error *error) {
    *finder = (fp_near_finder){.corpus = corpus, .measurement = measurement, .most = most, .below = INFINITY};
    finder->each = FP_NEED(fp_arena_alloc(arena, threads, sizeof *finder->each), error);
    finder->threads = threads;
    for (size_t t = 0; t < threads; t++) finder->each[t] = (found){.like = arena, .limit = INFINITY};
    /* Empty sketches are at the largest distance from all others. */
    if (measurement->empty) fp_near_finder_cut(finder, measurement->arm->instance.layout.maximum);
    return FP_OK;
}

void fp_near_finder_free(fp_near_finder *finder) {
    for (size_t t = 0; t < finder->threads; t++) fp_memory_release(finder->each[t].like, finder->each[t].at);
    finder->threads = 0;
}

void fp_near_finder_cut(fp_near_finder *finder, double below) {
    finder->below = fmin(finder->below, below);
    for (size_t t = 0; t < finder->threads; t++) finder->each[t].limit = nextafter(finder->below, -INFINITY);
}

double fp_near_finder_limit(const fp_near_finder *finder, size_t thread) {
    return finder->threads ? finder->each[thread].limit : -1;
}

void fp_near_finder_lower(fp_near_finder *finder, size_t thread, double limit) {
    if (limit < finder->each[thread].limit) finder->each[thread].limit = limit;
}

/* ---- Growing ---- */

static void drop_beyond(found *of, double limit) {
    size_t kept = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->at[i].distance <= limit) of->at[kept++] = of->at[i];
    of->count = kept;
    of->limit = limit;
}

/* ---- The order ---- */

FP_COMPARES(by_documents, fp_near_pair, FP_ORDER(a->a, b->a) ?: FP_ORDER(a->b, b->b));

/* Sorts, and keeps each pair once. */
static void drop_repeated(found *of) {
    size_t kept = 0;
    if (of->count) qsort(of->at, of->count, sizeof *of->at, by_documents);
    for (size_t i = 0; i < of->count; i++)
        if (i == 0 || by_documents(of->at + i, of->at + kept - 1) != 0) of->at[kept++] = of->at[i];
    of->count = kept;
}

/* Keeps at most the nearest `most`, in whole distances: all below the first distance that would exceed `most`. */
static fp_status shrink(found *of, size_t most, bool repeats, fp_error *error) {
    drop_beyond(of, of->limit);
    if (repeats) drop_repeated(of);
    if (of->count <= most) return FP_OK;
    double *distance = FP_NEED(fp_memory_take(of->like, of->count, sizeof *distance), error);
    for (size_t i = 0; i < of->count; i++) distance[i] = of->at[i].distance;
    double first_left_out = gsl_stats_select(distance, 1, of->count, most);
    fp_memory_release(of->like, distance);
    drop_beyond(of, nextafter(first_left_out, -INFINITY));
    return FP_OK;
}

static fp_status push(found *to, const fp_near_pair *pair, fp_error *error) {
    FP_TRY(FP_MEMORY_ROOM(to->like, to->at, to->count, to->capacity, error));
    to->at[to->count++] = *pair;
    return FP_OK;
}

fp_status fp_near_finder_add(fp_near_finder *finder, size_t thread, size_t a, size_t b, double distance,
                             fp_error *error) {
    found *to = finder->each + thread;
    if (!(distance <= to->limit) || fp_same_group(finder->corpus, a, b) ||
        fp_measurement_empty(finder->measurement, a, b))
        return FP_OK;
    FP_TRY(push(to, &(fp_near_pair){(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), distance}, error));
    return to->count > 2 * finder->most ? shrink(to, finder->most, finder->repeats, error) : FP_OK;
}

/* ---- The list ---- */

/* The largest distance within which there are at most `most` pairs and no thread has dropped any. */
static double limit_of(const fp_near_finder *finder) {
    const fp_histogram *histogram = &finder->measurement->histogram;
    double limit = -1;
    uint64_t count = 0;
    for (size_t i = 0; i < histogram->count && histogram->bars[i].distance < finder->below; i++) {
        count += histogram->bars[i].negatives;
        if (count > finder->most) break;
        limit = histogram->bars[i].distance;
    }
    return limit;
}

/* If pairs repeat, the lists of the threads are complete within the smallest of their limits; otherwise within what the
 * finished histogram says. */
fp_status fp_near_finder_close(fp_near_finder *finder, fp_arena *arena, fp_near_pairs *near, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    found all = {.like = scratch, .limit = finder->repeats ? INFINITY : limit_of(finder)};
    for (size_t t = 0; t < finder->threads; t++) {
        all.capacity += finder->each[t].count;
        if (finder->repeats) all.limit = fmin(all.limit, finder->each[t].limit);
    }
    all.at = FP_NEED(fp_arena_raw(scratch, all.capacity, sizeof *all.at), error);
    for (size_t t = 0; t < finder->threads; t++)
        for (size_t i = 0; i < finder->each[t].count; i++)
            if (finder->each[t].at[i].distance <= all.limit) all.at[all.count++] = finder->each[t].at[i];
    FP_TRY(shrink(&all, finder->most, true, error));
    fp_near_pair *pairs = FP_NEED(fp_arena_raw(arena, all.count, sizeof *pairs), error);
    for (size_t i = 0; i < all.count; i++) {
        pairs[i] = all.at[i];
        if (finder->off) pairs[i].distance = fp_measurement_distance(finder->measurement, pairs[i].a, pairs[i].b);
    }
    *near = (fp_near_pairs){all.limit, all.count, pairs};
    return FP_OK;
}

/* ---- Near pairs of documents to near pairs of units ---- */

/* Couples of units as numbers, both ways, ascending, each once. */
static fp_status list_couples(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count,
                              fp_arena *scratch, uint64_t **couples, size_t *count, fp_error *error) {
    size_t pairs = 0, listed = 0;
    for (size_t a = 0; a < arm_count; a++) pairs += measurements[a].near ? measurements[a].near->count : 0;
    uint32_t *unit_of = FP_NEED(fp_unit_of_documents(units, scratch), error);
    *couples = FP_NEED(fp_arena_raw(scratch, pairs, 2 * sizeof **couples), error);
    for (size_t a = 0; a < arm_count; a++) {
        const fp_near_pairs *near = measurements[a].near;
        for (size_t i = 0; near && i < near->count; i++) {
            uint64_t one = unit_of[near->pairs[i].a], other = unit_of[near->pairs[i].b];
            (*couples)[listed++] = one << 32 | other;
            (*couples)[listed++] = other << 32 | one;
        }
    }
    *count = 0;
    if (listed) qsort(*couples, listed, sizeof **couples, fp_ascending_u64);
    for (size_t i = 0; i < listed; i++)
        if (i == 0 || (*couples)[i] != (*couples)[*count - 1]) (*couples)[(*count)++] = (*couples)[i];
    return FP_OK;
}

fp_status fp_near_units_make(const fp_unit_list *units, const fp_measurement *measurements, size_t arm_count,
                             fp_arena *arena, fp_near_units *near, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    uint64_t *couples;
    size_t count = 0, at = 0;
    FP_TRY(list_couples(units, measurements, arm_count, scratch, &couples, &count, error));
    size_t *begin = FP_NEED(fp_arena_raw(arena, units->count + 1, sizeof *begin), error);
    uint32_t *other = FP_NEED(fp_arena_raw(arena, count, sizeof *other), error);
    *near = (fp_near_units){.begin = begin, .other = other};
    for (size_t u = 0; u < units->count; u++) {
        begin[u] = at;
        while (at < count && couples[at] >> 32 == u) {
            other[at] = (uint32_t)couples[at];
            at++;
        }
    }
    begin[units->count] = at;
    return FP_OK;
}
