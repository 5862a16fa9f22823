/* SPDX-License-Identifier: GPL-3.0-or-later
 * One document against many: postings, the algorithm's own many, or one by one. */
#include "eval/experiment/columns.h"

#include <math.h>
#include <string.h>

static const fp_instance *instance_of(const fp_columns *columns) { return &columns->measurement->arm->instance; }

static double distance_of(const fp_columns *columns, size_t row, size_t column) {
    return fp_measurement_distance(columns->measurement, columns->order.document[row], columns->order.document[column]);
}

/* ---- Making ---- */

static fp_status list_silent(fp_columns *to, fp_arena *arena, fp_error *error) {
    const bool *silent = to->measurement->silent;
    if (!silent) return FP_OK;
    uint32_t *list = fp_arena_raw(arena, to->order.columns, sizeof *list);
    if (!list) return fp_no_memory(error);
    for (size_t c = 0; c < to->order.columns; c++)
        if (silent[to->order.document[c]]) list[to->silent_count++] = (uint32_t)c;
    to->silent = list;
    return FP_OK;
}

/* Sketches of one size are copied; of others their places are listed. */
static fp_status place_sketches(fp_columns *to, fp_arena *arena, fp_error *error) {
    const fp_sketches *from = &to->measurement->sketches;
    size_t count = to->order.columns, stride = from->stride;
    unsigned char *data = stride ? fp_arena_raw(arena, count, stride) : NULL;
    size_t *offset = stride ? NULL : fp_arena_raw(arena, count + 1, sizeof *offset),
           *size = stride ? NULL : fp_arena_raw(arena, count, sizeof *size);
    if (!data && (!offset || !size)) return fp_no_memory(error);
    for (size_t c = 0; c < count; c++) {
        fp_sketch sketch = fp_sketches_at(from, to->order.document[c]);
        if (stride) memcpy(data + c * stride, sketch.data, stride);
        else {
            offset[c] = (size_t)((const unsigned char *)sketch.data - from->data);
            size[c] = sketch.size;
        }
    }
    to->near = (fp_sketches){count, stride, stride ? data : from->data, offset, size};
    return FP_OK;
}

static fp_status make_tiles(fp_columns *to, fp_arena *arena, fp_error *error) {
    fp_posting_tile first = {.like = arena};
    const fp_entry_table *columns = &to->entries;
    FP_TRY(fp_tile_open(&first, columns, to->join, arena, error));
    size_t count = (columns->count + first.width - 1) / first.width;
    to->tiles = fp_arena_alloc(arena, count, sizeof *to->tiles);
    if (!to->tiles) return fp_no_memory(error);
    for (; to->tile_count < count; to->tile_count++) {
        fp_posting_tile *tile = to->tiles + to->tile_count;
        *tile = first;
        tile->first = fp_arena_raw(arena, columns->term_count + 2, sizeof *tile->first);
        tile->dense = fp_arena_raw(arena, columns->term_count, sizeof *tile->dense);
        if (!tile->first || !tile->dense) return fp_no_memory(error);
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
    fp_vector *vectors = fp_arena_alloc(arena, rows, sizeof *vectors);
    if (!vectors) return fp_no_memory(error);
    for (size_t r = 0; r < rows; r++) {
        fp_sketch sketch = fp_sketches_at(&to->measurement->sketches, to->order.document[r]);
        to->join = instance->algorithm->vector(instance, sketch, vectors + r);
        if (vectors[r].count > to->longest) to->longest = vectors[r].count;
    }
    to->vectors = vectors;
    while (one < rows && vectors[one].count == 0) one++;
    if (one < rows && rows > 1)
        to->apart = instance->algorithm->joined(instance, vectors + one, vectors + (one ? 0 : 1), 0);
    FP_TRY(fp_terms_make(vectors, to->order.columns, 1, arena, &to->terms, error));
    FP_TRY(fp_entries_make(vectors, to->order.columns, &to->terms, to->join, arena, &to->entries, error));
    return make_tiles(to, arena, error);
}

fp_status fp_columns_open(const fp_measurement *measurement, fp_column_order order, fp_arena *arena,
                          fp_columns *columns, fp_error *error) {
    const fp_algorithm *algorithm = measurement->arm->instance.algorithm;
    *columns = (fp_columns){.measurement = measurement, .order = order};
    FP_TRY(list_silent(columns, arena, error));
    if (algorithm->vector) return make_vectors(columns, arena, error);
    return algorithm->distances ? place_sketches(columns, arena, error) : FP_OK;
}

void fp_columns_free(fp_columns *columns) {
    for (size_t t = 0; t < columns->tile_count; t++) fp_tile_free(columns->tiles + t);
    columns->tile_count = 0;
    fp_terms_free(&columns->terms);
}

/* ---- Distances ---- */

fp_status fp_column_room_make(const fp_columns *columns, fp_arena *arena, fp_column_room *room, fp_error *error) {
    size_t count = columns->order.columns;
    *room = (fp_column_room){.which = fp_arena_raw(arena, count, sizeof *room->which),
                             .sum = fp_arena_raw(arena, count, sizeof *room->sum),
                             .from = fp_arena_raw(arena, columns->longest + 1, sizeof *room->from)};
    if (!room->which || !room->sum || !room->from) return fp_no_memory(error);
    if (!columns->vectors) return FP_OK;
    return fp_entries_open_row(columns->longest, &columns->terms, columns->join, arena, &room->row, error);
}

/* Sums that are not 0 become distances; the others are those of documents that share nothing. */
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
    if (instance->algorithm->joined_many)
        instance->algorithm->joined_many(instance, own, columns->vectors, room->which, shared, room->sum);
    else
        for (size_t i = 0; i < shared; i++)
            room->sum[i] = instance->algorithm->joined(instance, own, columns->vectors + room->which[i], room->sum[i]);
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
    if (fp_measurement_silent(measurement, document, document)) {
        for (size_t c = 0; c < count; c++) distance[c] = maximum;
        return;
    }
    if (columns->vectors) by_postings(columns, row, room, distance);
    else if (columns->near.data)
        instance->algorithm->distances(instance, fp_sketches_at(&measurement->sketches, document), &columns->near, 0,
                                       count, distance);
    else
        for (size_t c = 0; c < count; c++) distance[c] = distance_of(columns, row, c);
    for (size_t i = 0; i < columns->silent_count; i++) distance[columns->silent[i]] = maximum;
}
