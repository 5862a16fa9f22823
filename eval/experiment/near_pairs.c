/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs: rows of bit fingerprints by their kernel, of sparse vectors by postings, of anything else by its
 * distances. */
#include "eval/experiment/near_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "algorithms/kernels/hamming.h"
#include "base/order.h"
#include "eval/experiment/all_pairs.h"
#include "index/postings.h"

typedef struct near_pair {
    fp_pair pair;
    double distance;
} near_pair;

/* What one thread found; grows outside the arenas, which are reset. */
typedef struct finds {
    near_pair *at;
    size_t count, capacity;
} finds;

typedef struct near_job {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    double limit;
    const fp_arenas *arenas;
    const fp_progress *progress;
    finds *each; /* [arenas->count] */
    const fp_vector *vectors;
} near_job;

/* Beyond FP_NEAR_MOST nothing more is kept: one too many is enough to know. */
static fp_status add(finds *to, size_t a, size_t b, bool label, double distance, fp_error *error) {
    if (to->count > FP_NEAR_MOST) return FP_OK;
    if (to->count == to->capacity) {
        size_t capacity = to->capacity ? to->capacity * 2 : 1024;
        near_pair *larger = realloc(to->at, capacity * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        to->at = larger;
        to->capacity = capacity;
    }
    fp_pair pair = {(uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a), label};
    to->at[to->count++] = (near_pair){pair, distance};
    return FP_OK;
}

/* A pair across groups; those inside groups are listed on their own. */
static fp_status offer(const near_job *job, finds *to, size_t a, size_t b, double distance, fp_error *error) {
    if (fp_measurement_silent(job->measurement, a, b)) distance = job->measurement->arm->instance.layout.maximum;
    if (distance > job->limit || fp_same_group(job->corpus, a, b)) return FP_OK;
    return add(to, a, b, false, distance, error);
}

static finds *own(const near_job *job, const fp_arena *arena) { return job->each + fp_thread_of(job->arenas, arena); }

/* ---- Pairs across groups ---- */

static fp_status offer_bits(void *context, size_t row, fp_arena *arena, fp_error *error) {
    enum { BLOCK = 1024 };
    const near_job *job = context;
    const fp_sketches *sketches = &job->measurement->sketches;
    fp_hamming_kernel kernel = fp_hamming_chosen()->kernel;
    uint32_t bits[BLOCK];
    for (size_t first = row + 1; first < sketches->count; first += BLOCK) {
        size_t count = sketches->count - first < BLOCK ? sketches->count - first : BLOCK;
        kernel(fp_hamming_words(sketches, row), fp_hamming_words(sketches, first), sketches->stride / 8, count, bits);
        for (size_t i = 0; i < count; i++) FP_TRY(offer(job, own(job, arena), row, first + i, (double)bits[i], error));
    }
    return FP_OK;
}

static fp_status offer_row(void *context, size_t row, fp_arena *arena, fp_error *error) {
    const near_job *job = context;
    for (size_t i = row + 1; i < job->corpus->document_count; i++)
        FP_TRY(offer(job, own(job, arena), row, i, fp_measurement_distance(job->measurement, row, i), error));
    return FP_OK;
}

static fp_status offer_joined(void *context, const fp_joined_pairs *pairs, fp_arena *arena, fp_error *error) {
    const near_job *job = context;
    const fp_instance *instance = &job->measurement->arm->instance;
    for (size_t i = 0; i < pairs->count; i++) {
        size_t other = pairs->other[i];
        double distance =
            instance->algorithm->joined(instance, job->vectors + pairs->row, job->vectors + other, pairs->sum[i]);
        if (isnan(distance)) distance = fp_measurement_distance(job->measurement, pairs->row, other);
        FP_TRY(offer(job, own(job, arena), pairs->row, other, distance, error));
    }
    return FP_OK;
}

/* Postings do not tell of pairs that share nothing, which are beyond any limit of use, as are those of documents that
 * say nothing. *apart: they are within this one. */
static fp_status offer_vectors(near_job *job, fp_arena *arena, bool *apart, fp_error *error) {
    const fp_instance *instance = &job->measurement->arm->instance;
    size_t count = job->corpus->document_count;
    fp_vector *vectors = fp_arena_alloc(arena, count, sizeof *vectors);
    if (!vectors) return fp_no_memory(error);
    fp_join join = FP_JOIN_COUNT;
    for (size_t i = 0; i < count; i++)
        join = instance->algorithm->vector(instance, fp_sketches_at(&job->measurement->sketches, i), vectors + i);
    job->vectors = vectors;
    size_t one = 0;
    while (one < count && vectors[one].count == 0) one++;
    *apart = instance->layout.maximum <= job->limit ||
             (one < count && instance->algorithm->joined(instance, vectors + one, vectors + one, 0) <= job->limit);
    if (*apart) return FP_OK;
    return fp_postings_pairs(vectors, count, join, job->arenas, offer_joined, job, "near pairs", job->progress, error);
}

/* ---- Pairs inside groups ---- */

static fp_status add_positives(const near_job *job, fp_arena *arena, fp_error *error) {
    fp_groups groups;
    FP_TRY(fp_groups_make(job->corpus, arena, &groups, error));
    for (size_t g = 0; g < groups.count; g++) {
        for (size_t i = groups.begin[g]; i < groups.begin[g + 1]; i++) {
            for (size_t j = i + 1; j < groups.begin[g + 1] && job->each->count <= FP_NEAR_MOST; j++) {
                size_t a = groups.member[i], b = groups.member[j];
                FP_TRY(add(job->each, a, b, true, fp_measurement_distance(job->measurement, a, b), error));
            }
        }
    }
    return FP_OK;
}

/* ---- The list ---- */

static int by_documents(const void *left, const void *right) {
    const fp_pair *x = &((const near_pair *)left)->pair, *y = &((const near_pair *)right)->pair;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return FP_ORDER(x->b, y->b);
}

/* Copies what was found: all of it, or the positives alone, which the first thread's list begins with. */
static fp_status gather(const near_job *job, bool complete, size_t positives, fp_arena *arena, fp_near_pairs *near,
                        fp_error *error) {
    size_t count = 0;
    for (size_t t = 0; t < job->arenas->count; t++) count += job->each[t].count;
    complete = complete && count <= FP_NEAR_MOST;
    if (!complete) count = positives <= FP_NEAR_MOST ? positives : 0;
    near_pair *all = fp_arena_raw(arena, count, sizeof *all);
    fp_pair *pairs = fp_arena_raw(arena, count, sizeof *pairs);
    double *distances = fp_arena_raw(arena, count, sizeof *distances);
    if (!all || !pairs || !distances) return fp_no_memory(error);
    size_t taken = 0;
    for (size_t t = 0; t < job->arenas->count; t++)
        for (size_t i = 0; i < job->each[t].count && taken < count; i++) all[taken++] = job->each[t].at[i];
    if (count) qsort(all, count, sizeof *all, by_documents);
    for (size_t i = 0; i < count; i++) pairs[i] = all[i].pair, distances[i] = all[i].distance;
    *near = (fp_near_pairs){complete, count, pairs, distances};
    return FP_OK;
}

static fp_status list(near_job *job, fp_arena *arena, fp_near_pairs *near, fp_error *error) {
    const fp_instance *instance = &job->measurement->arm->instance;
    size_t rows = job->corpus->document_count;
    bool apart = false;
    FP_TRY(add_positives(job, arena, error));
    size_t positives = job->each->count;
    if (instance->layout.bits)
        FP_TRY(fp_parallel(rows, job->arenas, true, offer_bits, job, "near pairs", job->progress, error));
    else if (instance->algorithm->vector) FP_TRY(offer_vectors(job, arena, &apart, error));
    else FP_TRY(fp_parallel(rows, job->arenas, true, offer_row, job, "near pairs", job->progress, error));
    return gather(job, !apart, positives, arena, near, error);
}

fp_status fp_near_pairs_list(const fp_corpus *corpus, const fp_measurement *measurement, double limit,
                             const fp_progress *progress, fp_arena *arena, fp_near_pairs *near, fp_error *error) {
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    near_job job = {
        .corpus = corpus, .measurement = measurement, .limit = limit, .arenas = &arenas, .progress = progress};
    job.each = fp_arena_alloc(arena, arenas.count, sizeof *job.each);
    fp_status status = job.each ? list(&job, arena, near, error) : fp_no_memory(error);
    for (size_t t = 0; job.each && t < arenas.count; t++) free(job.each[t].at);
    fp_arenas_free(&arenas);
    return status;
}
