/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs: the plain way, row by row, and the choice among the ways. */
#include "eval/experiment/all_pairs.h"

#include "eval/experiment/pair_counter.h"

/* ---- Row by row ---- */

/* Distances of document `index` to all later ones, so many at a time that they stay in the nearest cache. */
static fp_status measure_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    enum { SOME = 1024 };
    const fp_pair_counters *counters = context;
    const fp_all_pairs *all = counters->all;
    const fp_arm *arm = all->measurement->arm;
    const fp_sketches *sketches = &all->measurement->sketches;
    double distance[SOME];
    size_t end = all->stage->corpus->document_count, thread = fp_thread_of(all->arenas, arena);
    if (!fp_all_pairs_counts(all, index)) return FP_OK;
    for (size_t first = index + 1; first < end; first += SOME) {
        fp_pair_row row = {index, end - first < SOME ? end - first : SOME, first, NULL, distance, 0};
        fp_arm_distances(arm, fp_sketches_at(sketches, index), sketches, first, row.count, distance);
        FP_TRY(fp_pair_counters_take(counters, thread, &row, error));
    }
    return FP_OK;
}

/* Anything: row by row through `distances`, or `distance`. */
static fp_status measure_row_by_row(const fp_all_pairs *all, fp_error *error) {
    fp_pair_counters counters;
    FP_TRY(fp_pair_counters_open(all, &counters, error));
    size_t rows = all->stage->corpus->document_count;
    fp_status status =
        fp_parallel(rows, all->arenas, true, measure_row, &counters, "distances", all->stage->progress, error);
    return fp_pair_counters_close(&counters, status, error);
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
    const fp_groups *groups = all->groups;
    if (!measurement->silent) return FP_OK;
    for (size_t g = 0; g < groups->count; g++) {
        uint64_t silent = 0;
        for (size_t m = groups->begin[g]; m < groups->begin[g + 1]; m++)
            silent += measurement->silent[groups->member[m]];
        positives += pairs_with_silent(groups->begin[g + 1] - groups->begin[g], silent);
    }
    if (pairs == 0) return FP_OK;
    return fp_histogram_add_many(&all->measurement->histogram, measurement->arm->instance.layout.maximum, positives,
                                 pairs - positives, error);
}

static fp_status measure_others(const fp_all_pairs *all, fp_error *error) {
    const fp_instance *instance = &all->measurement->arm->instance;
    if (instance->layout.bits) return fp_all_pairs_bits(all, error);
    if (instance->layout.slots) return fp_all_pairs_slots(all, error);
    if (instance->algorithm->vector) return fp_all_pairs_shared(all, error);
    return measure_row_by_row(all, error);
}

fp_status fp_all_pairs_measure(const fp_all_pairs *all, fp_error *error) {
    FP_TRY(measure_others(all, error));
    return add_silent(all, error);
}
