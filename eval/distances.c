/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of the pairs of the ground truth: a list, or all pairs row by row. */
#include <stdlib.h>

#include "algorithms/kernels/hamming.h"
#include "eval/stages.h"

/* ---- A list of pairs ---- */

enum { BATCH = 256 }; /* pairs in one piece of work */

typedef struct list_job {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    double *distances;
} list_job;

static fp_status measure_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    list_job *job = context;
    const fp_instance *instance = &job->measurement->arm->instance;
    const fp_sketches *sketches = &job->measurement->sketches;
    size_t end = (index + 1) * BATCH < job->corpus->pair_count ? (index + 1) * BATCH : job->corpus->pair_count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = job->corpus->pairs[i];
        job->distances[i] =
            instance->algorithm->distance(instance, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
    }
    return FP_OK;
}

static fp_status measure_list(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas, fp_arena *arena,
                              fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    double *distances = fp_arena_raw(arena, corpus->pair_count, sizeof *distances);
    if (!distances) return fp_no_memory(error);
    list_job job = {corpus, measurement, distances};
    size_t batches = (corpus->pair_count + BATCH - 1) / BATCH;
    FP_TRY(fp_parallel(batches, arenas, true, measure_batch, &job, "distances", stage->progress, error));
    for (size_t i = 0; i < corpus->pair_count; i++)
        FP_TRY(fp_histogram_add(&measurement->histogram, distances[i], corpus->pairs[i].label, error));
    measurement->distances = distances;
    return FP_OK;
}

/* ---- All pairs ---- */

typedef struct row_job {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    const fp_arenas *arenas;
    fp_histogram *histograms; /* one a thread */
} row_job;

static fp_histogram *own_histogram(const row_job *job, const fp_arena *arena) {
    size_t thread = 0;
    while (job->arenas->each[thread] != arena) thread++;
    return job->histograms + thread;
}

static void row_distances(const row_job *job, size_t row, size_t count, double *out) {
    const fp_instance *instance = &job->measurement->arm->instance;
    const fp_sketches *sketches = &job->measurement->sketches;
    fp_sketch query = fp_sketches_at(sketches, row);
    if (instance->algorithm->distances) {
        instance->algorithm->distances(instance, query, sketches, row + 1, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = instance->algorithm->distance(instance, query, fp_sketches_at(sketches, row + 1 + i));
}

/* Distances of document `index` to all later ones. */
static fp_status measure_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    row_job *job = context;
    const fp_corpus *corpus = job->corpus;
    size_t count = corpus->document_count - index - 1;
    double *out = fp_arena_raw(arena, count, sizeof *out);
    if (!out) return fp_no_memory(error);
    row_distances(job, index, count, out);
    fp_histogram *histogram = own_histogram(job, arena);
    uint32_t group = corpus->group[index];
    for (size_t i = 0; i < count; i++) {
        bool positive = group != UINT32_MAX && corpus->group[index + 1 + i] == group;
        FP_TRY(fp_histogram_add(histogram, out[i], positive, error));
    }
    return FP_OK;
}

/* ---- All pairs of bit fingerprints ---- */

/* Distances are small whole numbers, so that a thread counts them in a table. Neighbouring pairs often have the same distance; four tables in turn keep an increment from waiting
 * for the last one. */
enum { LANES = 4, BLOCK = 1024 };

typedef struct bit_counts {
    uint64_t *all;  /* [LANES × (bits + 1)] */
    uint64_t *same; /* [bits + 1] pairs of one group */
} bit_counts;

typedef struct bit_job {
    const fp_measurement *measurement;
    const fp_arenas *arenas;
    bit_counts *counts;     /* one a thread */
    const uint32_t *member; /* documents by group */
    const size_t *group_begin; /* [group_count + 1] into member */
    const uint32_t *group;
} bit_job;

static const uint64_t *words_at(const fp_sketches *sketches, size_t i) {
    return (const uint64_t *)(const void *)(sketches->data + i * sketches->stride);
}

/* Pairs of row `index` inside its group; few, so that they are measured one by one. */
static void count_same(const bit_job *job, size_t index, uint64_t *same) {
    const fp_sketches *sketches = &job->measurement->sketches;
    uint32_t group = job->group[index], bits;
    if (group == UINT32_MAX) return;
    for (size_t m = job->group_begin[group]; m < job->group_begin[group + 1]; m++) {
        if (job->member[m] <= index) continue;
        fp_hamming_chosen()->kernel(words_at(sketches, index), words_at(sketches, job->member[m]), sketches->stride / 8, 1, &bits);
        same[bits]++;
    }
}

static fp_status count_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)error;
    const bit_job *job = context;
    const fp_sketches *sketches = &job->measurement->sketches;
    size_t words = sketches->stride / 8, places = job->measurement->arm->instance.layout.bits + 1, thread = 0;
    while (job->arenas->each[thread] != arena) thread++;
    uint64_t *all = job->counts[thread].all;
    fp_hamming_kernel kernel = fp_hamming_chosen()->kernel;
    uint32_t bits[BLOCK];
    for (size_t first = index + 1; first < sketches->count; first += BLOCK) {
        size_t count = sketches->count - first < BLOCK ? sketches->count - first : BLOCK;
        kernel(words_at(sketches, index), words_at(sketches, first), words, count, bits);
        for (size_t i = 0; i < count; i++) all[i % LANES * places + bits[i]]++;
    }
    count_same(job, index, job->counts[thread].same);
    return FP_OK;
}

/* Documents sorted by group. */
static fp_status list_members(const fp_corpus *corpus, bit_job *job, fp_arena *arena, fp_error *error) {
    size_t *begin = fp_arena_alloc(arena, corpus->group_count + 2, sizeof *begin);
    uint32_t *member = fp_arena_alloc(arena, corpus->document_count, sizeof *member);
    if (!begin || !member) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) begin[corpus->group[i] + 2]++;
    for (size_t g = 2; g <= corpus->group_count + 1; g++) begin[g] += begin[g - 1];
    /* begin[g + 1] is where group g goes on, and in the end where it ends. */
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) member[begin[corpus->group[i] + 1]++] = (uint32_t)i;
    job->member = member;
    job->group_begin = begin;
    job->group = corpus->group;
    return FP_OK;
}

static fp_status add_counts(const bit_job *job, size_t places, fp_histogram *to, fp_error *error) {
    for (size_t d = 0; d < places; d++) {
        uint64_t all = 0, same = 0;
        for (size_t t = 0; t < job->arenas->count; t++) {
            for (size_t lane = 0; lane < LANES; lane++) all += job->counts[t].all[lane * places + d];
            same += job->counts[t].same[d];
        }
        if (all) FP_TRY(fp_histogram_add_many(to, (double)d, same, all - same, error));
    }
    return FP_OK;
}

static fp_status count_all_pairs(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas, fp_arena *arena, fp_error *error) {
    size_t places = measurement->arm->instance.layout.bits + 1;
    bit_job job = {.measurement = measurement, .arenas = arenas, .counts = fp_arena_alloc(arena, arenas->count, sizeof *job.counts)};
    if (!job.counts) return fp_no_memory(error);
    for (size_t t = 0; t < arenas->count; t++) {
        job.counts[t] = (bit_counts){fp_arena_alloc(arena, LANES * places, sizeof(uint64_t)), fp_arena_alloc(arena, places, sizeof(uint64_t))};
        if (!job.counts[t].all || !job.counts[t].same) return fp_no_memory(error);
    }
    FP_TRY(list_members(stage->corpus, &job, arena, error));
    FP_TRY(fp_parallel(stage->corpus->document_count, arenas, false, count_row, &job, "distances", stage->progress, error));
    return add_counts(&job, places, &measurement->histogram, error);
}

/* ---- All pairs of anything else ---- */

/* The counts do not depend on which thread took which row. */
static fp_status merge(fp_histogram *from, size_t count, fp_histogram *to, fp_error *error) {
    for (size_t t = 0; t < count; t++) {
        fp_histogram_finish(from + t);
        for (size_t i = 0; i < from[t].count; i++) {
            fp_bar bar = from[t].bars[i];
            FP_TRY(fp_histogram_add_many(to, bar.distance, bar.positives, bar.negatives, error));
        }
    }
    return FP_OK;
}

static fp_status measure_all_pairs(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas, fp_arena *arena,
                                   fp_error *error) {
    fp_histogram *histograms = fp_arena_alloc(arena, arenas->count, sizeof *histograms);
    if (!histograms) return fp_no_memory(error);
    row_job job = {stage->corpus, measurement, arenas, histograms};
    size_t rows = stage->corpus->document_count;
    fp_status status = fp_parallel(rows, arenas, true, measure_row, &job, "distances", stage->progress, error);
    if (status == FP_OK) status = merge(histograms, arenas->count, &measurement->histogram, error);
    for (size_t t = 0; t < arenas->count; t++) fp_histogram_free(histograms + t);
    return status;
}

fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, arena, error));
    double start = fp_seconds();
    bool listed = stage->corpus->truth == FP_TRUTH_PAIRS, bits = measurement->arm->instance.layout.bits > 0;
    fp_status status = listed ? measure_list(stage, measurement, &arenas, arena, error)
                       : bits ? count_all_pairs(stage, measurement, &arenas, arena, error)
                              : measure_all_pairs(stage, measurement, &arenas, arena, error);
    measurement->distance_seconds = fp_seconds() - start;
    fp_arenas_free(&arenas);
    if (status == FP_OK) fp_histogram_finish(&measurement->histogram);
    return status;
}
