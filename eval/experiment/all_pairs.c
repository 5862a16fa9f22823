/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs: what the ways share, and the plain way, row by row. */
#include "eval/experiment/all_pairs.h"

fp_status fp_histograms_open(const fp_all_pairs *all, fp_histogram **each, fp_error *error) {
    bool exact = fp_pairs_of(all->stage->corpus->document_count) <= FP_HISTOGRAM_EXACT;
    *each = fp_arena_alloc(all->arena, all->arenas->count, sizeof **each);
    if (!*each) return fp_no_memory(error);
    all->measurement->histogram.limit = exact ? 0 : FP_HISTOGRAM_LIMIT;
    for (size_t t = 0; t < all->arenas->count; t++) (*each)[t].limit = all->measurement->histogram.limit;
    return FP_OK;
}

fp_status fp_histograms_close(const fp_all_pairs *all, fp_histogram *each, fp_status status, fp_error *error) {
    for (size_t t = 0; t < all->arenas->count; t++) {
        if (status == FP_OK) status = fp_histogram_merge(&all->measurement->histogram, each + t, error);
        fp_histogram_free(each + t);
    }
    return status;
}

/* ---- Row by row ---- */

typedef struct row_job {
    const fp_all_pairs *all;
    fp_histogram *histograms; /* one a thread */
} row_job;

static void row_distances(const fp_measurement *measurement, size_t row, size_t count, double *out) {
    const fp_instance *instance = &measurement->arm->instance;
    const fp_sketches *sketches = &measurement->sketches;
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
    const row_job *job = context;
    const fp_corpus *corpus = job->all->stage->corpus;
    size_t count = corpus->document_count - index - 1;
    if (!fp_all_pairs_counts(job->all, index)) return FP_OK;
    double *out = fp_arena_raw(arena, count, sizeof *out);
    if (!out) return fp_no_memory(error);
    row_distances(job->all->measurement, index, count, out);
    fp_histogram *histogram = job->histograms + fp_thread_of(job->all->arenas, arena);
    for (size_t i = 0; i < count; i++)
        if (fp_all_pairs_counts(job->all, index + 1 + i))
            FP_TRY(fp_histogram_add(histogram, out[i], fp_same_group(corpus, index, index + 1 + i), error));
    return FP_OK;
}

fp_status fp_all_pairs_rows(const fp_all_pairs *all, fp_error *error) {
    row_job job = {.all = all};
    FP_TRY(fp_histograms_open(all, &job.histograms, error));
    size_t rows = all->stage->corpus->document_count;
    fp_status status =
        fp_parallel(rows, all->arenas, true, measure_row, &job, "distances", all->stage->progress, error);
    return fp_histograms_close(all, job.histograms, status, error);
}

/* ---- Documents that say nothing ---- */

/* Pairs with one or two of them: all pairs less those of the others. */
static uint64_t pairs_with_silent(uint64_t documents, uint64_t silent) {
    return fp_pairs_of(documents) - fp_pairs_of(documents - silent);
}

static fp_status add_silent(const fp_all_pairs *all, fp_error *error) {
    const fp_measurement *measurement = all->measurement;
    const fp_corpus *corpus = all->stage->corpus;
    uint64_t pairs = pairs_with_silent(corpus->document_count, measurement->silent_count), positives = 0;
    fp_groups groups;
    if (!measurement->silent) return FP_OK;
    FP_TRY(fp_groups_make(corpus, all->arena, &groups, error));
    for (size_t g = 0; g < groups.count; g++) {
        uint64_t silent = 0;
        for (size_t m = groups.begin[g]; m < groups.begin[g + 1]; m++) silent += measurement->silent[groups.member[m]];
        positives += pairs_with_silent(groups.begin[g + 1] - groups.begin[g], silent);
    }
    if (pairs == 0) return FP_OK;
    return fp_histogram_add_many(&all->measurement->histogram, measurement->arm->instance.layout.maximum, positives,
                                 pairs - positives, error);
}

static fp_status measure_others(const fp_all_pairs *all, fp_error *error) {
    const fp_instance *instance = &all->measurement->arm->instance;
    if (instance->layout.bits) return fp_all_pairs_bits(all, error);
    if (instance->algorithm->vector) return fp_all_pairs_shared(all, error);
    return fp_all_pairs_rows(all, error);
}

fp_status fp_all_pairs_measure(const fp_all_pairs *all, fp_error *error) {
    FP_TRY(measure_others(all, error));
    return add_silent(all, error);
}
