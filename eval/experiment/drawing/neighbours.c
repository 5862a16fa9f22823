/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents sorted by their marks, once for each mark, and compared with the next ones. */
#include "eval/experiment/drawing/neighbours.h"

#include "eval/experiment/drawing/neighbour_marks.h"
#include "eval/experiment/keyed_sort.h"

enum { NEXT = 2, BATCH = 4096 };

typedef struct search {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    const fp_arenas *arenas;
    fp_neighbour_marker marker;
    fp_near_finder *finder;
    uint32_t *marks; /* [count·FP_NEIGHBOUR_MARKS] */
    size_t count;    /* documents that say something */
    uint32_t *document;
    fp_keyed *places, *room; /* [count] */
    size_t table;
} search;

static size_t end_of(const search *of, size_t index) {
    return of->count - index * BATCH < BATCH ? of->count : (index + 1) * BATCH;
}

static fp_status mark_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const search *of = context;
    (void)arena;
    (void)error;
    for (size_t i = index * BATCH; i < end_of(of, index); i++)
        fp_neighbour_marks(&of->marker, of->document[i], of->marks + i * FP_NEIGHBOUR_MARKS);
    return FP_OK;
}

/* By one mark, then by half of another; documents that share both stand in an order of their own in each table. */
static void fill_places(const search *of) {
    enum { FURTHER = 5 };
    size_t table = of->table, other = (table + FURTHER) % FP_NEIGHBOUR_MARKS;
    for (size_t i = 0; i < of->count; i++) {
        const uint32_t *mark = of->marks + i * FP_NEIGHBOUR_MARKS;
        uint64_t last = fp_mix(of->document[i], table) >> 48;
        of->places[i] =
            (fp_keyed){(uint64_t)mark[table] << 32 | (mark[other] & 0xffff0000u) | last, {.document = of->document[i]}};
    }
}

static fp_status compare_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const search *of = context;
    size_t thread = fp_thread_of(of->arenas, arena);
    for (size_t i = index * BATCH; i < end_of(of, index); i++) {
        for (size_t j = i + 1; j <= i + NEXT && j < of->count; j++) {
            size_t a = of->places[i].document, b = of->places[j].document;
            if (fp_same_group(of->corpus, a, b)) continue;
            double distance = fp_measurement_distance(of->measurement, a, b);
            FP_TRY(fp_near_finder_add(of->finder, thread, a, b, distance, error));
        }
    }
    return FP_OK;
}

static fp_status open_search(search *of, uint64_t seed, fp_arena *arena, fp_error *error) {
    size_t documents = of->corpus->document_count;
    of->marks = fp_arena_raw(arena, documents, FP_NEIGHBOUR_MARKS * sizeof *of->marks);
    of->document = fp_arena_raw(arena, documents, sizeof *of->document);
    of->places = fp_arena_raw(arena, documents, sizeof *of->places);
    of->room = fp_arena_raw(arena, documents, sizeof *of->room);
    if (!of->marks || !of->document || !of->places || !of->room) return fp_no_memory(error);
    for (size_t i = 0; i < documents; i++)
        if (!fp_measurement_silent(of->measurement, i, i)) of->document[of->count++] = (uint32_t)i;
    return fp_neighbour_marker_make(of->measurement, seed, arena, &of->marker, error);
}

static fp_status find(search *of, const fp_progress *progress, fp_error *error) {
    size_t batches = (of->count + BATCH - 1) / BATCH;
    fp_status status = fp_parallel(batches, of->arenas, true, mark_batch, of, "near pairs", progress, error);
    for (of->table = 0; of->table < FP_NEIGHBOUR_MARKS && status == FP_OK; of->table++) {
        fill_places(of);
        fp_keyed_sort(&of->places, &of->room, of->count);
        status = fp_parallel(batches, of->arenas, true, compare_batch, of, "near pairs", progress, error);
    }
    return status;
}

fp_status fp_neighbours_find(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, uint64_t seed,
                             const fp_progress *progress, fp_arena *arena, fp_near_pairs *near, fp_error *error) {
    fp_arenas arenas = {0};
    fp_near_finder finder = {0};
    search of = {.corpus = corpus, .measurement = measurement, .arenas = &arenas, .finder = &finder};
    *near = (fp_near_pairs){.limit = -1};
    if (!fp_neighbour_marks_can(measurement)) return FP_OK;
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_arenas_open(&arenas, progress, arena, error);
    if (status == FP_OK) status = fp_near_finder_open(corpus, measurement, most, arenas.count, scratch, &finder, error);
    finder.repeats = true;
    if (status == FP_OK) status = open_search(&of, seed, scratch, error);
    if (status == FP_OK) status = find(&of, progress, error);
    if (status == FP_OK) status = fp_near_finder_gather(&finder, arena, near, error);
    fp_near_finder_free(&finder);
    fp_arenas_free(&arenas);
    fp_arena_free(scratch);
    return status;
}
