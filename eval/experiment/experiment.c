/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs arms over a corpus: sketches of all of them side by side, then the distances arm by arm. */
#include "eval/experiment/experiment.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/experiment/pair_counter.h"
#include "eval/experiment/corpus_sketches.h"
#include "eval/experiment/sampled_pairs.h"

fp_status fp_experiment_sketches(const fp_corpus *corpus, fp_arm *const *arms, size_t count,
                                 const fp_progress *progress, fp_arena *arena, fp_measurement *measurements,
                                 fp_error *error) {
    memset(measurements, 0, count * sizeof *measurements);
    fp_pipeline_arm *lanes = FP_NEED(fp_arena_alloc(arena, count, sizeof *lanes), error);
    for (size_t i = 0; i < count; i++) lanes[i].arm = arms[i];
    return fp_corpus_sketches(corpus, lanes, count, progress, arena, measurements, error);
}

/* ---- Distances ---- */

/* One sample for all arms whose pairs are not all counted, if there are any. */
static fp_status take_sample(const fp_stage *stage, size_t count, fp_arena *arena, fp_measurement *measurements,
                             fp_error *error) {
    size_t whole = 0;
    for (size_t i = 0; i < count; i++)
        whole += measurements[i].whole = fp_arm_counts_whole(&measurements[i].arm->instance.layout);
    if (whole == count) return FP_OK;
    fp_sampled_pairs *sample = FP_NEED(fp_arena_alloc(arena, 1, sizeof *sample), error);
    FP_TRY(fp_sampled_pairs_make(stage->corpus, measurements, count, stage->negatives, stage->seed, stage->progress,
                                 arena, sample, error));
    for (size_t i = 0; i < count; i++) measurements[i].sample = sample;
    return FP_OK;
}

static fp_status measure_arms(const fp_stage *stage, size_t count, fp_arena *arena, fp_measurement *measurements,
                              fp_error *error) {
    if (stage->negatives && stage->corpus->truth == FP_TRUTH_GROUPS)
        FP_TRY(take_sample(stage, count, arena, measurements, error));
    for (size_t i = 0; i < count; i++) FP_TRY(fp_stage_distances(stage, measurements + i, arena, error));
    return FP_OK;
}

fp_status fp_experiment_staged(const fp_stage *stage, fp_arm *const *arms, size_t count, fp_arena *arena,
                               fp_measurement *measurements, fp_error *error) {
    if (stage->corpus->truth == FP_TRUTH_NONE) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has no ground truth: neither pairs.tsv nor groups");
        return fp_at(error, FP_ERROR_EMPTY, stage->corpus->path, SIZE_MAX, SIZE_MAX);
    }
    FP_TRY(fp_experiment_sketches(stage->corpus, arms, count, stage->progress, arena, measurements, error));
    fp_status status = measure_arms(stage, count, arena, measurements, error);
    for (size_t i = 0; i < count && status != FP_OK; i++) fp_measurement_free(measurements + i);
    return status;
}

fp_status fp_experiment(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_progress *progress,
                        fp_arena *arena, fp_measurement *measurements, fp_error *error) {
    fp_stage stage = {.corpus = corpus, .progress = progress};
    return fp_experiment_staged(&stage, arms, count, arena, measurements, error);
}

void fp_measurement_free(fp_measurement *measurement) { fp_histogram_free(&measurement->histogram); }

const double **fp_distances_of(const fp_measurement *measurements, size_t count, fp_arena *arena) {
    const double **distances = fp_arena_alloc(arena, count, sizeof *distances);
    for (size_t i = 0; distances && i < count; i++) distances[i] = measurements[i].distances;
    return distances;
}

/* ---- A list of pairs ---- */

enum { BATCH = 256 }; /* pairs in one work item */

typedef struct list_job {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    fp_pair_list pairs;
    double *distances;
} list_job;

static fp_status measure_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    const list_job *job = context;
    const fp_arm *arm = job->measurement->arm;
    for (size_t i = index * BATCH; i < job->pairs.count && i < (index + 1) * BATCH; i++) {
        fp_pair pair = fp_pair_in(&job->pairs, i);
        job->distances[i] = fp_measurement_distance(job->measurement, pair.a, pair.b);
        if (!fp_arm_distance_good(arm, job->distances[i]))
            return fp_arm_distance_refuse(arm, job->distances[i], job->corpus->documents[pair.a].id,
                                          job->corpus->documents[pair.b].id, error);
    }
    return FP_OK;
}

fp_status fp_pairs_measure(const fp_corpus *corpus, const fp_measurement *measurement, fp_pair_list pairs,
                           const fp_arenas *arenas, const char *stage, const fp_progress *progress, double *distances,
                           fp_error *error) {
    list_job job = {corpus, measurement, pairs, distances};
    return fp_parallel((pairs.count + BATCH - 1) / BATCH, arenas, true, measure_batch, &job, stage, progress, error);
}

fp_status fp_measurement_count(fp_measurement *measurement, const fp_pair *pairs, const double *distances, size_t count,
                               fp_error *error) {
    for (size_t i = 0; i < count; i++)
        FP_TRY(fp_histogram_add(&measurement->histogram, distances[i], pairs[i].label, error));
    fp_histogram_finish(&measurement->histogram);
    measurement->distances = distances;
    return FP_OK;
}

static fp_status measure_list(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                              fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    double *distances = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof *distances), error);
    FP_TRY(fp_pairs_measure(corpus, measurement, FP_PAIR_LIST(corpus->pairs, corpus->pair_count), arenas, "distances",
                            stage->progress, distances, error));
    return fp_measurement_count(measurement, corpus->pairs, distances, corpus->pair_count, error);
}

/* ---- All pairs ---- */

static fp_status measure_groups(fp_all_pairs *all, fp_error *error) {
    const fp_stage *stage = all->stage;
    fp_unit_list groups;
    all->groups = &groups;
    FP_TRY(fp_groups_make(stage->corpus, all->arena, &groups, error));
    if (stage->near_most)
        FP_TRY(fp_near_finder_open(stage->corpus, all->measurement, stage->near_most, all->arenas->count, all->arena,
                                   all->near, error));
    return fp_all_pairs_measure(all, error);
}

static fp_status list_near(fp_near_finder *finder, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    fp_near_pairs *near = FP_NEED(fp_arena_alloc(arena, 1, sizeof *near), error);
    measurement->near = near;
    return fp_near_finder_close(finder, arena, near, error);
}

static fp_status measure_all(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                             fp_arena *arena, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    fp_near_finder near FP_CLOSED_BY(fp_near_finder_free) = {0};
    fp_all_pairs all = {stage, measurement, arenas, scratch, NULL, &near};
    FP_TRY(measure_groups(&all, error));
    fp_histogram_finish(&measurement->histogram);
    return stage->near_most ? list_near(&near, measurement, arena, error) : FP_OK;
}

/* ---- A sample ---- */

/* Guarantees are checked on some of the pairs, spread over all. Each distance is validated when it is measured. */
static fp_status measure_sample(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                                fp_arena *arena, fp_error *error) {
    enum { MOST = 1 << 16 };
    const fp_sampled_pairs *sample = measurement->sample;
    size_t step = sample->count / MOST + 1;
    fp_pair_list some = {sample->pairs, (sample->count + step - 1) / step, step * sizeof *sample->pairs};
    FP_TRY(fp_distances_check(stage->corpus, measurement, some, stage->progress, error));
    FP_TRY(fp_sampled_pairs_measure(stage, measurement, arenas, arena, error));
    fp_histogram_finish(&measurement->histogram);
    return FP_OK;
}

fp_status fp_stage_distances(const fp_stage *stage, fp_measurement *measurement, fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = stage->corpus;
    bool listed = corpus->truth == FP_TRUTH_PAIRS, sampled = measurement->sample && !measurement->whole;
    fp_pair_list pairs = {listed ? corpus->pairs : NULL, corpus->pair_count, sizeof *corpus->pairs};
    if (!sampled) FP_TRY(fp_distances_check(corpus, measurement, pairs, stage->progress, error));
    FP_ARENAS(arenas, stage->progress, arena, error);
    measurement->histogram.like = corpus->memory;
    double start = fp_seconds();
    FP_TRY(listed    ? measure_list(stage, measurement, &arenas, arena, error)
           : sampled ? measure_sample(stage, measurement, &arenas, arena, error)
                     : measure_all(stage, measurement, &arenas, arena, error));
    measurement->distance_seconds = fp_seconds() - start;
    return FP_OK;
}

/* ---- One document against many: postings, the algorithm's batch function, or pair by pair ---- */

static const fp_instance *instance_of(const fp_columns *columns) { return &columns->measurement->arm->instance; }

static double distance_of(const fp_columns *columns, size_t row, size_t column) {
    return fp_measurement_distance(columns->measurement, columns->order.document[row], columns->order.document[column]);
}

/* ---- Making ---- */

static fp_status list_empty(fp_columns *to, fp_arena *arena, fp_error *error) {
    const bool *empty = to->measurement->empty;
    if (!empty) return FP_OK;
    uint32_t *list = FP_NEED(fp_arena_raw(arena, to->order.columns, sizeof *list), error);
    for (size_t c = 0; c < to->order.columns; c++)
        if (empty[to->order.document[c]]) list[to->empty_count++] = (uint32_t)c;
    to->empty = list;
    return FP_OK;
}

/* Sketches of one size are copied; for others a list of positions is made. */
static fp_status place_sketches(fp_columns *to, fp_arena *arena, fp_error *error) {
    const fp_sketches *from = &to->measurement->sketches;
    size_t count = to->order.columns, stride = from->stride;
    unsigned char *data = stride ? FP_NEED(fp_arena_raw(arena, count, stride), error) : NULL;
    size_t *offset = stride ? NULL : FP_NEED(fp_arena_raw(arena, count + 1, sizeof *offset), error),
           *size = stride ? NULL : FP_NEED(fp_arena_raw(arena, count, sizeof *size), error);
    for (size_t c = 0; c < count; c++) {
        fp_sketch sketch = fp_sketches_at(from, to->order.document[c]);
        if (stride) memcpy(data + c * stride, sketch.data, stride);
        else {
            offset[c] = (size_t)((const unsigned char *)sketch.data - from->data);
            size[c] = sketch.size;
        }
    }
    to->near = (fp_sketches){
        .count = count, .stride = stride, .data = stride ? data : from->data, .offset = offset, .size = size};
    return FP_OK;
}

static fp_status make_tiles(fp_columns *to, fp_arena *arena, fp_error *error) {
    fp_posting_tile first = {.like = arena};
    const fp_entry_table *columns = &to->entries;
    FP_TRY(fp_tile_open(&first, columns, to->join, arena, error));
    size_t count = (columns->count + first.width - 1) / first.width;
    to->tiles = FP_NEED(fp_arena_alloc(arena, count, sizeof *to->tiles), error);
    for (; to->tile_count < count; to->tile_count++) {
        fp_posting_tile *tile = to->tiles + to->tile_count;
        *tile = first;
        tile->first = FP_NEED(fp_arena_raw(arena, columns->term_count + 2, sizeof *tile->first), error);
        tile->dense = FP_NEED(fp_arena_raw(arena, columns->term_count, sizeof *tile->dense), error);
        fp_status status = fp_tile_fill(tile, columns, to->tile_count * first.width, error);
        if (status != FP_OK) {
            fp_tile_free(tile);
            return status;
        }
    }
    return FP_OK;
}

static fp_status make_vectors(fp_columns *to, fp_arena *arena, fp_error *error) {
    const fp_instance *instance = instance_of(to);
    size_t rows = to->order.rows, one = 0;
    fp_vector *vectors = FP_NEED(fp_arena_alloc(arena, rows, sizeof *vectors), error);
    for (size_t r = 0; r < rows; r++) {
        fp_sketch sketch = fp_sketches_at(&to->measurement->sketches, to->order.document[r]);
        to->join = fp_acceleration_of(instance->algorithm)->vector(instance, sketch, vectors + r);
        if (vectors[r].count > to->longest) to->longest = vectors[r].count;
    }
    to->vectors = vectors;
    while (one < rows && vectors[one].count == 0) one++;
    if (one < rows && rows > 1)
        to->apart =
            fp_acceleration_of(instance->algorithm)->joined(instance, vectors + one, vectors + (one ? 0 : 1), 0);
    FP_TRY(fp_terms_make(vectors, to->order.columns, 1, arena, &to->terms, error));
    FP_TRY(fp_entries_make(vectors, to->order.columns, &to->terms, to->join, arena, &to->entries, error));
    return make_tiles(to, arena, error);
}

fp_status fp_columns_open(const fp_measurement *measurement, fp_column_order order, fp_arena *arena,
                          fp_columns *columns, fp_error *error) {
    const fp_algorithm *algorithm = measurement->arm->instance.algorithm;
    *columns = (fp_columns){.measurement = measurement, .order = order};
    FP_TRY(list_empty(columns, arena, error));
    if (fp_acceleration_of(algorithm)->vector) return make_vectors(columns, arena, error);
    return fp_acceleration_of(algorithm)->distances ? place_sketches(columns, arena, error) : FP_OK;
}

void fp_columns_free(fp_columns *columns) {
    for (size_t t = 0; t < columns->tile_count; t++) fp_tile_free(columns->tiles + t);
    columns->tile_count = 0;
    fp_terms_free(&columns->terms);
}

/* ---- Distances ---- */

fp_status fp_column_room_make(const fp_columns *columns, fp_arena *arena, fp_column_room *room, fp_error *error) {
    size_t count = columns->order.columns;
    *room = (fp_column_room){.which = FP_NEED(fp_arena_raw(arena, count, sizeof *room->which), error),
                             .sum = FP_NEED(fp_arena_raw(arena, count, sizeof *room->sum), error),
                             .from = FP_NEED(fp_arena_raw(arena, columns->longest + 1, sizeof *room->from), error)};
    if (!columns->vectors) return FP_OK;
    return fp_entries_open_row(columns->longest, &columns->terms, columns->join, arena, &room->row, error);
}

void fp_join_sums(const fp_instance *instance, const fp_vector *own, const fp_vector *vectors, const uint32_t *other,
                  size_t count, double *sum) {
    const fp_acceleration *by = fp_acceleration_of(instance->algorithm);
    if (by->joined_many) {
        by->joined_many(instance, own, vectors, other, count, sum);
        return;
    }
    for (size_t i = 0; i < count; i++) sum[i] = by->joined(instance, own, vectors + other[i], sum[i]);
}

/* Converts non-zero sums to distances; the others get the distance of documents that share nothing. */
static void join_sums(const fp_columns *columns, size_t row, const fp_column_room *room, double *distance) {
    const fp_instance *instance = instance_of(columns);
    const fp_vector *own = columns->vectors + row;
    size_t count = columns->order.columns, shared = 0;
    for (size_t c = 0; c < count; c++) {
        if (distance[c] != 0) {
            room->which[shared] = (uint32_t)c;
            room->sum[shared++] = distance[c];
        }
        distance[c] = own->count || columns->vectors[c].count ? columns->apart : NAN;
    }
    fp_join_sums(instance, own, columns->vectors, room->which, shared, room->sum);
    for (size_t i = 0; i < shared; i++) distance[room->which[i]] = room->sum[i];
    for (size_t c = 0; c < count; c++)
        if (isnan(distance[c])) distance[c] = distance_of(columns, row, c);
}

static void by_postings(const fp_columns *columns, size_t row, fp_column_room *room, double *distance) {
    fp_entries_fill_row(columns->vectors + row, &columns->terms, &room->row, room->from);
    memset(distance, 0, columns->order.columns * sizeof *distance);
    for (size_t t = 0; t < columns->tile_count; t++)
        fp_tile_add_row(columns->tiles + t, &room->row, 0, distance + columns->tiles[t].begin);
    join_sums(columns, row, room, distance);
}

void fp_columns_distances(const fp_columns *columns, size_t row, fp_column_room *room, double *distance) {
    const fp_instance *instance = instance_of(columns);
    const fp_measurement *measurement = columns->measurement;
    size_t document = columns->order.document[row], count = columns->order.columns;
    double maximum = instance->layout.maximum;
    if (fp_measurement_empty(measurement, document, document)) {
        for (size_t c = 0; c < count; c++) distance[c] = maximum;
        return;
    }
    if (columns->vectors) by_postings(columns, row, room, distance);
    else if (columns->near.data)
        fp_acceleration_of(instance->algorithm)
            ->distances(instance, fp_sketches_at(&measurement->sketches, document), &columns->near, 0, count, distance);
    else
        for (size_t c = 0; c < count; c++) distance[c] = distance_of(columns, row, c);
    for (size_t i = 0; i < columns->empty_count; i++) distance[columns->empty[i]] = maximum;
}
