/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of sparse vectors: those that share a key come from the postings; all others have one distance and are
 * known by subtraction. */
#include <math.h>

#include "algorithms/cosine.h"
#include "eval/experiment/pair_counter.h"
#include "index/postings.h"

typedef struct shared_job {
    const fp_all_pairs *all;
    fp_vector *vectors; /* [document_count] */
    fp_pair_counters counters;
} shared_job;

/* Sums to distances, or NaN. */
static void join_sums(const fp_measurement *measurement, const fp_vector *vectors, const fp_joined_pairs *pairs) {
    const fp_instance *instance = &measurement->arm->instance;
    const fp_vector *own = vectors + pairs->row;
    if (instance->algorithm->joined_many) {
        instance->algorithm->joined_many(instance, own, vectors, pairs->other, pairs->count, pairs->sum);
        return;
    }
    for (size_t i = 0; i < pairs->count; i++)
        pairs->sum[i] = instance->algorithm->joined(instance, own, vectors + pairs->other[i], pairs->sum[i]);
}

static fp_status count_pairs(void *context, const fp_joined_pairs *pairs, fp_arena *arena, fp_error *error) {
    const shared_job *job = context;
    const fp_measurement *measurement = job->all->measurement;
    join_sums(measurement, job->vectors, pairs);
    for (size_t i = 0; i < pairs->count; i++)
        if (isnan(pairs->sum[i])) pairs->sum[i] = fp_measurement_distance(measurement, pairs->row, pairs->other[i]);
    double off = pairs->off > 0 ? fp_cosine_moves(&measurement->arm->instance, pairs->off) : 0;
    fp_pair_row row = {pairs->row, pairs->count, 0, pairs->other, pairs->sum, off};
    return fp_pair_counters_take(&job->counters, fp_thread_of(job->all->arenas, arena), &row, error);
}

/* Where distances are counted on a grid, a little less than exact is enough for nearly all. */
static bool may_be_off(void *context) {
    const shared_job *job = context;
    job->all->near->off = isfinite(fp_cosine_moves(&job->all->measurement->arm->instance, FP_POSTINGS_OFF)) &&
                          fp_pair_counters_on_grid(&job->counters);
    return job->all->near->off;
}

/* Pairs by whether they are in one group. */
typedef struct pair_count {
    uint64_t positives, all;
} pair_count;

static pair_count counted(const fp_histogram *histogram) {
    pair_count sum = {0};
    for (size_t i = 0; i < histogram->count; i++) {
        sum.positives += histogram->bars[i].positives;
        sum.all += histogram->bars[i].positives + histogram->bars[i].negatives;
    }
    return sum;
}

/* Whether a document is among those that are counted here: all but the silent ones, or of these the empty ones. */
static bool is_among(const shared_job *job, bool empty, size_t document) {
    return fp_all_pairs_counts(job->all, document) && (!empty || job->vectors[document].count == 0);
}

/* Pairs of the documents that are empty, or of all documents. */
static pair_count pairs_among(const shared_job *job, bool empty) {
    const fp_groups *groups = job->all->groups;
    pair_count pairs = {0};
    uint64_t documents = 0;
    for (size_t i = 0; i < job->all->stage->corpus->document_count; i++) documents += is_among(job, empty, i);
    pairs.all = fp_pairs_of(documents);
    for (size_t g = 0; g < groups->count; g++) {
        uint64_t members = 0;
        for (size_t m = groups->begin[g]; m < groups->begin[g + 1]; m++)
            members += is_among(job, empty, groups->member[m]);
        pairs.positives += fp_pairs_of(members);
    }
    return pairs;
}

/* The first document that is counted and empty, or counted and not empty; there is one. */
static size_t first_of(const shared_job *job, bool empty) {
    size_t i = 0;
    while (!is_among(job, false, i) || (job->vectors[i].count == 0) != empty) i++;
    return i;
}

/* Two empty documents are equal sketches. All other pairs that share nothing have the distance of the sum 0. */
static fp_status add_others(const shared_job *job, fp_error *error) {
    fp_histogram *to = &job->all->measurement->histogram;
    const fp_instance *instance = &job->all->measurement->arm->instance;
    fp_histogram_finish(to);
    pair_count told = counted(to), empty = pairs_among(job, true), all = pairs_among(job, false);
    if (empty.all) {
        double distance = fp_measurement_distance(job->all->measurement, first_of(job, true), first_of(job, true));
        FP_TRY(fp_histogram_add_many(to, distance, empty.positives, empty.all - empty.positives, error));
    }
    pair_count apart = {all.positives - told.positives - empty.positives, all.all - told.all - empty.all};
    if (apart.all == 0) return FP_OK;
    size_t one = first_of(job, false), other = 0;
    while (other == one || !is_among(job, false, other)) other++;
    double distance = instance->algorithm->joined(instance, job->vectors + one, job->vectors + other, 0);
    return fp_histogram_add_many(to, distance, apart.positives, apart.all - apart.positives, error);
}

/* The postings tell of no pair that shares nothing. */
static double told_below(const shared_job *job) {
    const fp_instance *instance = &job->all->measurement->arm->instance;
    size_t count = job->all->stage->corpus->document_count, one = 0;
    if (pairs_among(job, true).all) return 0;
    while (one < count && job->vectors[one].count == 0) one++;
    return one < count ? instance->algorithm->joined(instance, job->vectors + one, job->vectors + one, 0) : 0;
}

fp_status fp_all_pairs_shared(const fp_all_pairs *all, fp_error *error) {
    const fp_instance *instance = &all->measurement->arm->instance;
    size_t count = all->stage->corpus->document_count;
    shared_job job = {.all = all, .vectors = fp_arena_alloc(all->arena, count, sizeof *job.vectors)};
    if (!job.vectors) return fp_no_memory(error);
    fp_postings postings = {job.vectors, count, FP_JOIN_COUNT, count_pairs, &job, "distances", may_be_off};
    for (size_t i = 0; i < count; i++)
        postings.join =
            instance->algorithm->vector(instance, fp_sketches_at(&all->measurement->sketches, i), job.vectors + i);
    fp_near_finder_cut(all->near, told_below(&job));
    FP_TRY(fp_pair_counters_open(all, &job.counters, error));
    fp_status status = fp_postings_pairs(&postings, all->arenas, all->stage->progress, error);
    FP_TRY(fp_pair_counters_close(&job.counters, status, error));
    return add_others(&job, error);
}
