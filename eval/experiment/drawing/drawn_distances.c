/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of drawn pairs and of positives, counted with their weights. */
#include "eval/experiment/drawing/drawn_pairs.h"
#include "eval/experiment/pair_counter.h"

enum { BATCH = 4096, ROW = 1024 };

/* Pairs of one kind, counted into a histogram of their own. */
typedef struct counting {
    const fp_measurement *measurement; /* with its silent documents */
    const fp_drawn_pairs *drawn;
    const fp_arenas *arenas;
    const fp_groups *groups;
    bool of_rest; /* the drawn ones; otherwise the near ones */
    fp_pair_counters counters;
} counting;

static fp_status take_row(const counting *of, size_t row, const uint32_t *other, size_t count, const fp_arena *arena,
                          fp_error *error) {
    const fp_arm *arm = of->measurement->arm;
    const fp_corpus_document *documents = of->counters.all->stage->corpus->documents;
    double distance[ROW];
    for (size_t i = 0; i < count; i++) {
        distance[i] = fp_measurement_distance(of->measurement, row, other[i]);
        if (!fp_arm_distance_good(arm, distance[i]))
            return fp_arm_distance_refuse(arm, distance[i], documents[row].id, documents[other[i]].id, error);
    }
    fp_pair_row taken = {.row = row, .count = count, .other = other, .distance = distance};
    return fp_pair_counters_take(&of->counters, fp_thread_of(of->arenas, arena), &taken, error);
}

/* Neighbours in the list that share their first document make a row. */
static fp_status take_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const counting *of = context;
    const fp_drawn_pairs *drawn = of->drawn;
    size_t count = drawn->near_count + drawn->drawn_count, begin = index * BATCH, held = 0;
    size_t end = count - begin < BATCH ? count : begin + BATCH;
    uint32_t row = 0, other[ROW];
    for (size_t i = begin; i < end; i++) {
        if (drawn->drawn[i] != of->of_rest) continue;
        if (held && (held == ROW || drawn->pairs[i].a != row)) {
            FP_TRY(take_row(of, row, other, held, arena, error));
            held = 0;
        }
        row = drawn->pairs[i].a;
        other[held++] = drawn->pairs[i].b;
    }
    return held ? take_row(of, row, other, held, arena, error) : FP_OK;
}

/* The pairs of one group. */
static fp_status take_group(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const counting *of = context;
    const uint32_t *member = of->groups->member;
    size_t end = of->groups->begin[index + 1];
    for (size_t i = of->groups->begin[index]; i < end; i++)
        for (size_t first = i + 1; first < end; first += ROW)
            FP_TRY(take_row(of, member[i], member + first, end - first < ROW ? end - first : ROW, arena, error));
    return FP_OK;
}

/* Counts into all->measurement, a copy that tells of no silent document: their pairs have distances like others. */
static fp_status count_pairs(const fp_all_pairs *all, const counting *what, fp_error *error) {
    counting of = *what;
    const fp_drawn_pairs *drawn = of.drawn;
    size_t batches = (drawn->near_count + drawn->drawn_count + BATCH - 1) / BATCH;
    FP_TRY(fp_pair_counters_open(all, &of.counters, error));
    fp_status status = fp_parallel(batches, of.arenas, true, take_batch, &of, "distances", all->stage->progress, error);
    if (status == FP_OK && !of.of_rest)
        status =
            fp_parallel(of.groups->count, of.arenas, true, take_group, &of, "distances", all->stage->progress, error);
    return fp_pair_counters_close(&of.counters, status, error);
}

/* `part` of `rest` as `taken` of `drawn`, rounded. */
static uint64_t scaled(uint64_t taken, const fp_drawn_pairs *drawn) {
    if (taken == drawn->drawn_count) return drawn->rest;
    return (uint64_t)((double)taken * drawn->weight + 0.5);
}

/* What was drawn, bar by bar so that the sums up to each bar are scaled. */
static fp_status add_rest(fp_histogram *rest, const fp_drawn_pairs *drawn, fp_histogram *to, fp_error *error) {
    uint64_t taken = 0, told = 0;
    fp_histogram_finish(rest);
    for (size_t i = 0; i < rest->count; i++) {
        taken += rest->bars[i].negatives;
        uint64_t sum = scaled(taken, drawn);
        rest->bars[i].negatives = sum - told;
        told = sum;
    }
    return fp_histogram_merge(to, rest, error);
}

static fp_status measure(const fp_all_pairs *all, const counting *what, fp_histogram *rest, fp_error *error) {
    counting of = *what;
    FP_TRY(count_pairs(all, &of, error));
    fp_measurement of_rest = *all->measurement;
    fp_all_pairs again = *all;
    again.measurement = &of_rest;
    of_rest.histogram = *rest;
    of.of_rest = true;
    fp_status status = count_pairs(&again, &of, error);
    *rest = of_rest.histogram;
    FP_TRY(status);
    return add_rest(rest, of.drawn, &all->measurement->histogram, error);
}

fp_status fp_drawn_pairs_measure(const fp_stage *stage, const fp_drawn_pairs *drawn, fp_measurement *measurement,
                                 const fp_arenas *arenas, fp_arena *arena, fp_error *error) {
    fp_groups groups;
    fp_near_finder none = {0};
    fp_measurement telling = *measurement;
    telling.silent = NULL;
    counting of = {.measurement = measurement, .drawn = drawn, .arenas = arenas, .groups = &groups};
    fp_all_pairs all = {stage, &telling, arenas, fp_arena_new_like(arena), &groups, &none};
    fp_histogram rest = {.like = measurement->histogram.like};
    if (!all.arena) return fp_no_memory(error);
    fp_status status = fp_groups_make(stage->corpus, all.arena, &groups, error);
    if (status == FP_OK) status = measure(&all, &of, &rest, error);
    measurement->histogram = telling.histogram;
    fp_histogram_free(&rest);
    fp_arena_free(all.arena);
    return status;
}
