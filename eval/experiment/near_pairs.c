/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs: kept by the thread that meets them, and sorted when all are in. */
#include "eval/experiment/near_pairs.h"

#include <stdlib.h>

typedef struct near_pair {
    fp_pair pair;
    double distance;
} near_pair;

/* What one thread found; grows outside the arenas, which are reset. */
typedef struct fp_near_found {
    const fp_arena *like; /* where `at` has its memory */
    near_pair *at;
    size_t count, capacity;
} found;

fp_status fp_near_finder_open(const fp_corpus *corpus, const fp_measurement *measurement, double limit, size_t threads,
                              fp_arena *arena, fp_near_finder *finder, fp_error *error) {
    *finder = (fp_near_finder){.corpus = corpus, .measurement = measurement, .limit = limit, .wanted = true};
    finder->each = fp_arena_alloc(arena, threads, sizeof *finder->each);
    if (!finder->each) return fp_no_memory(error);
    for (size_t t = 0; t < threads; t++) finder->each[t].like = arena;
    finder->threads = threads;
    return FP_OK;
}

void fp_near_finder_free(fp_near_finder *finder) {
    for (size_t t = 0; t < finder->threads; t++) fp_memory_release(finder->each[t].like, finder->each[t].at);
    finder->threads = 0;
}

static fp_status push(found *to, size_t a, size_t b, bool label, double distance, fp_error *error) {
    if (to->count == to->capacity) {
        size_t capacity = to->capacity ? to->capacity * 2 : 1024;
        near_pair *larger = fp_memory_resize(to->like, to->at, capacity * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        to->at = larger;
        to->capacity = capacity;
    }
    fp_pair pair = {(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), label};
    to->at[to->count++] = (near_pair){pair, distance};
    return FP_OK;
}

/* Beyond FP_NEAR_MOST nothing more is kept: one too many is enough to know. */
fp_status fp_near_finder_add(fp_near_finder *finder, size_t thread, size_t a, size_t b, double distance,
                             fp_error *error) {
    if (fp_same_group(finder->corpus, a, b) || fp_measurement_silent(finder->measurement, a, b)) return FP_OK;
    if (atomic_fetch_add_explicit(&finder->count, 1, memory_order_relaxed) >= FP_NEAR_MOST) return FP_OK;
    return push(finder->each + thread, a, b, false, distance, error);
}

void fp_near_finder_give_up(fp_near_finder *finder) { finder->count = FP_NEAR_MOST + 1; }

/* ---- Pairs that the pass does not tell ---- */

/* Of documents that say nothing with all others; of two such documents, with the later one. */
static fp_status add_silent(fp_near_finder *finder, fp_error *error) {
    const fp_measurement *measurement = finder->measurement;
    size_t count = finder->corpus->document_count;
    double maximum = measurement->arm->instance.layout.maximum;
    if (!measurement->silent || maximum > finder->limit) return FP_OK;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = measurement->silent[a] ? 0 : count; b < count && fp_near_finder_wants(finder); b++) {
            if (b == a || (b < a && measurement->silent[b]) || fp_same_group(finder->corpus, a, b)) continue;
            finder->count++;
            FP_TRY(push(finder->each, a, b, false, maximum, error));
        }
    }
    return FP_OK;
}

/* Pairs inside groups, whatever their distance. */
static fp_status add_positives(const fp_near_finder *finder, const fp_groups *groups, found *to, fp_error *error) {
    for (size_t g = 0; g < groups->count; g++) {
        for (size_t i = groups->begin[g]; i < groups->begin[g + 1]; i++) {
            for (size_t j = i + 1; j < groups->begin[g + 1] && to->count <= FP_NEAR_MOST; j++) {
                size_t a = groups->member[i], b = groups->member[j];
                FP_TRY(push(to, a, b, true, fp_measurement_distance(finder->measurement, a, b), error));
            }
        }
    }
    return FP_OK;
}

/* ---- The list ---- */

static int by_documents(const void *left, const void *right) {
    const fp_pair *x = &((const near_pair *)left)->pair, *y = &((const near_pair *)right)->pair;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* Behind what is there, and released. */
static fp_status append(found *to, found *from, fp_error *error) {
    for (size_t i = 0; i < from->count; i++) {
        const near_pair *it = from->at + i;
        FP_TRY(push(to, it->pair.a, it->pair.b, it->pair.label, it->distance, error));
    }
    fp_memory_release(from->like, from->at);
    *from = (found){.like = from->like};
    return FP_OK;
}

static fp_status copy(const found *from, fp_arena *arena, fp_near_pairs *near, fp_error *error) {
    fp_pair *pairs = fp_arena_raw(arena, from->count, sizeof *pairs);
    double *distances = fp_arena_raw(arena, from->count, sizeof *distances);
    if (!pairs || !distances) return fp_no_memory(error);
    for (size_t i = 0; i < from->count; i++) pairs[i] = from->at[i].pair, distances[i] = from->at[i].distance;
    near->count = from->count;
    near->pairs = pairs;
    near->distances = distances;
    return FP_OK;
}

/* All of it, or the positives alone. */
static fp_status list(fp_near_finder *finder, const fp_groups *groups, found *all, fp_arena *arena, fp_near_pairs *near,
                      fp_error *error) {
    FP_TRY(add_silent(finder, error));
    FP_TRY(add_positives(finder, groups, all, error));
    *near = (fp_near_pairs){.limit = finder->limit, .complete = finder->count + all->count <= FP_NEAR_MOST};
    for (size_t t = 0; t < finder->threads && near->complete; t++) FP_TRY(append(all, finder->each + t, error));
    if (all->count > FP_NEAR_MOST) all->count = 0;
    if (all->count) qsort(all->at, all->count, sizeof *all->at, by_documents);
    return copy(all, arena, near, error);
}

fp_status fp_near_finder_close(fp_near_finder *finder, const fp_groups *groups, fp_arena *arena, fp_near_pairs *near,
                               fp_error *error) {
    found all = {.like = arena};
    fp_status status = list(finder, groups, &all, arena, near, error);
    fp_memory_release(all.like, all.at);
    return status;
}
