/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances of drawn pairs and of positives, counted with their weights. */
#include "eval/experiment/drawing/drawn_pairs.h"
#include "eval/experiment/pair_counter.h"

enum { BATCH = 4096, ROW = 1024 };

typedef struct counting {
    const fp_measurement *measurement; /* with its silent documents */
    const fp_drawn_pairs *drawn;
    const fp_arenas *arenas;
    const fp_groups *groups;
    fp_pair_counters counters; /* of positives, and of pairs that stand for themselves */
    fp_histogram *weighted;    /* a thread's: of the others, their weights as multiples of 1/parts */
    double parts;
} counting;

static fp_status measure_one(const counting *of, uint32_t a, uint32_t b, double *distance, fp_error *error) {
    const fp_arm *arm = of->measurement->arm;
    const fp_corpus_document *documents = of->counters.all->stage->corpus->documents;
    *distance = fp_measurement_distance(of->measurement, a, b);
    if (fp_arm_distance_good(arm, *distance)) return FP_OK;
    return fp_arm_distance_refuse(arm, *distance, documents[a].id, documents[b].id, error);
}

static fp_status take_row(const counting *of, size_t row, const uint32_t *other, size_t count, const fp_arena *arena,
                          fp_error *error) {
    double distance[ROW];
    for (size_t i = 0; i < count; i++) FP_TRY(measure_one(of, (uint32_t)row, other[i], distance + i, error));
    fp_pair_row taken = {.row = row, .count = count, .other = other, .distance = distance};
    return fp_pair_counters_take(&of->counters, fp_thread_of(of->arenas, arena), &taken, error);
}

static fp_status take_weighted(const counting *of, size_t pair, const fp_arena *arena, fp_error *error) {
    const fp_drawn_pair *at = of->drawn->pairs + pair;
    double distance;
    FP_TRY(measure_one(of, at->a, at->b, &distance, error));
    return fp_histogram_add_many(of->weighted + fp_thread_of(of->arenas, arena), distance, 0,
                                 (uint64_t)(of->drawn->weights[pair] * of->parts + 0.5), error);
}

/* Neighbours in the list that share their first document make a row. */
static fp_status take_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const counting *of = context;
    const fp_drawn_pairs *drawn = of->drawn;
    size_t begin = index * BATCH, end = drawn->count - begin < BATCH ? drawn->count : begin + BATCH, held = 0;
    uint32_t row = 0, other[ROW];
    for (size_t i = begin; i < end; i++) {
        if (drawn->weights[i] != 1) {
            FP_TRY(take_weighted(of, i, arena, error));
            continue;
        }
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
static fp_status count_pairs(const fp_all_pairs *all, counting *of, fp_error *error) {
    const fp_progress *progress = all->stage->progress;
    FP_TRY(fp_pair_counters_open(all, &of->counters, error));
    for (size_t t = 0; t < of->arenas->count; t++)
        of->weighted[t] =
            (fp_histogram){.limit = all->measurement->histogram.limit, .like = all->measurement->histogram.like};
    fp_status status = fp_parallel((of->drawn->count + BATCH - 1) / BATCH, of->arenas, true, take_batch, of,
                                   "distances", progress, error);
    if (status == FP_OK)
        status = fp_parallel(of->groups->count, of->arenas, true, take_group, of, "distances", progress, error);
    return fp_pair_counters_close(&of->counters, status, error);
}

/* What the others stand for, as whole numbers, bar by bar so that the sums up to each bar are rounded. */
static fp_status add_weighted(const counting *of, fp_histogram *to, fp_error *error) {
    const fp_drawn_pairs *drawn = of->drawn;
    fp_histogram *sum = of->weighted;
    uint64_t parts = 0, told = 0, all = drawn->negatives;
    for (size_t t = 1; t < of->arenas->count; t++) FP_TRY(fp_histogram_merge(sum, of->weighted + t, error));
    fp_histogram_finish(sum);
    for (size_t i = 0; i < drawn->count; i++) all -= drawn->weights[i] == 1;
    for (size_t i = 0; i < sum->count; i++) {
        parts += sum->bars[i].negatives;
        uint64_t rounded = (uint64_t)((double)parts / of->parts + 0.5);
        if (i + 1 == sum->count || rounded > all) rounded = all;
        sum->bars[i].negatives = rounded - told;
        told = rounded;
    }
    return fp_histogram_merge(to, sum, error);
}

/* Multiples of 1/parts that add up to what 64 bits hold. */
static double parts_of(uint64_t negatives) {
    double parts = 1;
    while (parts < 0x1p32 && (double)negatives * parts < 0x1p60) parts *= 2;
    return parts;
}

static fp_status measure(const fp_all_pairs *all, counting *of, fp_error *error) {
    of->weighted = fp_arena_alloc(all->arena, of->arenas->count, sizeof *of->weighted);
    if (!of->weighted) return fp_no_memory(error);
    of->parts = parts_of(of->drawn->negatives);
    fp_status status = count_pairs(all, of, error);
    if (status == FP_OK) status = add_weighted(of, &all->measurement->histogram, error);
    for (size_t t = 0; t < of->arenas->count; t++) fp_histogram_free(of->weighted + t);
    return status;
}

fp_status fp_drawn_pairs_measure(const fp_stage *stage, const fp_drawn_pairs *drawn, fp_measurement *measurement,
                                 const fp_arenas *arenas, fp_arena *arena, fp_error *error) {
    fp_groups groups;
    fp_near_finder none = {0};
    fp_measurement telling = *measurement;
    telling.silent = NULL;
    counting of = {.measurement = measurement, .drawn = drawn, .arenas = arenas, .groups = &groups};
    fp_all_pairs all = {stage, &telling, arenas, fp_arena_new_like(arena), &groups, &none};
    if (!all.arena) return fp_no_memory(error);
    fp_status status = fp_groups_make(stage->corpus, all.arena, &groups, error);
    if (status == FP_OK) status = measure(&all, &of, error);
    measurement->histogram = telling.histogram;
    fp_arena_free(all.arena);
    return status;
}
