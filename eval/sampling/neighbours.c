/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents sorted by their marks, once for each mark, and compared with the next ones. */
#include "eval/sampling/neighbours.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "eval/experiment/near_pairs.h"
#include "eval/units/resample.h"
#include "pairs/band_keys.h"

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

/* ---- Marks of bits and of slots ---- */

/* What a mark of bits or of slots should tell apart: slots of fewer bits are taken together. */
enum { MARK_BITS = 32, SLOT_BITS = 16 };

bool fp_neighbour_marks_can(const fp_measurement *measurement) {
    const fp_layout *layout = &measurement->arm->instance.layout;
    return layout->bits || layout->slots;
}

static size_t parts_of(const fp_layout *layout) { return layout->bits ? layout->bits : layout->slots; }

static size_t wanted_of(const fp_layout *layout) {
    size_t parts = parts_of(layout), wanted = MARK_BITS;
    if (!layout->bits && parts) wanted = layout->slot_bits < SLOT_BITS ? SLOT_BITS / layout->slot_bits : 1;
    return wanted < parts ? wanted : parts;
}

fp_status fp_neighbour_marker_make(const fp_measurement *measurement, uint64_t seed, fp_arena *arena,
                                   fp_neighbour_marker *marker, fp_error *error) {
    const fp_layout *layout = &measurement->arm->instance.layout;
    size_t parts = parts_of(layout), take = wanted_of(layout);
    gsl_rng generator;
    uint32_t *part = fp_arena_raw(arena, take * FP_NEIGHBOUR_MARKS, sizeof *part),
             *all = fp_arena_raw(arena, parts, sizeof *all);
    if (!part || !all) return fp_no_memory(error);
    *marker = (fp_neighbour_marker){measurement, seed, take, part};
    FP_TRY(fp_generator_open(seed, parts, arena, &generator, error));
    for (size_t i = 0; i < parts; i++) all[i] = (uint32_t)i;
    for (size_t m = 0; m < FP_NEIGHBOUR_MARKS; m++) {
        gsl_ran_shuffle(&generator, all, parts, sizeof *all);
        memcpy(part + m * take, all, take * sizeof *all);
    }
    return FP_OK;
}

static void mark_bits(const fp_neighbour_marker *marker, const uint64_t *words, uint32_t *mark) {
    for (size_t m = 0; m < FP_NEIGHBOUR_MARKS; m++) {
        const uint32_t *part = marker->part + m * marker->take;
        mark[m] = 0;
        for (size_t i = 0; i < marker->take; i++) mark[m] = mark[m] << 1 | (words[part[i] / 64] >> part[i] % 64 & 1);
    }
}

static void mark_slots(const fp_neighbour_marker *marker, const void *sketch, uint32_t *mark) {
    const fp_layout *layout = &marker->measurement->arm->instance.layout;
    for (size_t m = 0; m < FP_NEIGHBOUR_MARKS; m++) {
        uint64_t sum = m, value;
        for (size_t i = 0; i < marker->take; i++) {
            fp_slot_values(layout, sketch, marker->part[m * marker->take + i], 1, &value);
            sum = fp_mix(value, sum);
        }
        mark[m] = (uint32_t)(sum >> 32);
    }
}

void fp_neighbour_marks(const fp_neighbour_marker *marker, size_t document, uint32_t *mark) {
    fp_sketch sketch = fp_sketches_at(&marker->measurement->sketches, document);
    if (marker->measurement->arm->instance.layout.bits) mark_bits(marker, sketch.data, mark);
    else mark_slots(marker, sketch.data, mark);
}

/* ---- Weights of what was not seen ---- */

/* Pairs from which something is learned; units in one piece of work. */
enum { ENOUGH = 100, UNITS_AT_ONCE = 1024 };

/* The bands of an arm; NULL: there are none. */
static const fp_key_bands *bands_of(const fp_drawn_pairs *drawn, const fp_measurement *measurement) {
    for (size_t i = 0; i < drawn->band_count; i++)
        if (drawn->bands[i].measurement->arm == measurement->arm) return drawn->bands + i;
    return NULL;
}

/* ---- Where the distance tells ---- */

/* Whether it does. */
static bool tell(const fp_drawn_pairs *drawn, const fp_key_bands *bands, const fp_counted_arm *counted,
                 double *heaviest) {
    for (size_t bin = 0; bin < counted->bin_count; bin++) {
        double overlap = fp_key_least_overlap(bands->measurement, counted->distance[bin]);
        if (isnan(overlap)) return false;
        heaviest[bin] =
            fp_drawn_pairs_weight_at(drawn, (size_t)(bands - drawn->bands), overlap, counted->distance[bin]);
    }
    return true;
}

/* ---- Where duplicates show it ---- */

typedef struct looking {
    const fp_drawn_pairs *drawn;
    const fp_unit_list *units;
    const fp_pass_arm *arm;
    const fp_arenas *arenas;
    double *found; /* a thread's [bin_count] */
} looking;

static fp_status look_at_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const looking *of = context;
    const fp_unit_list *units = of->units;
    double *found = of->found + fp_thread_of(of->arenas, arena) * of->arm->plan.bin_count;
    size_t end = units->count - index * UNITS_AT_ONCE < UNITS_AT_ONCE ? units->count : (index + 1) * UNITS_AT_ONCE;
    (void)error;
    for (size_t u = index * UNITS_AT_ONCE; u < end; u++)
        for (size_t i = units->begin[u]; i < units->begin[u + 1]; i++)
            for (size_t j = i + 1; j < units->begin[u + 1]; j++) {
                uint32_t a = units->document[i], b = units->document[j], bin = fp_pass_bin(of->arm, a, b);
                found[bin] = fmax(found[bin], fp_drawn_pairs_weight(of->drawn, a, b));
            }
    return FP_OK;
}

static void learn(const looking *of, const fp_counted_arm *counted, fp_seen_weights seen, double *heaviest) {
    double most = 1, pairs = 0;
    for (size_t bin = 0; bin < counted->bin_count; bin++) {
        most = fmax(most, seen.heaviest[bin]);
        pairs += (double)seen.pairs[bin] + (double)counted->cells[2 * bin + 1];
        for (size_t t = 0; t < of->arenas->count; t++) most = fmax(most, of->found[t * counted->bin_count + bin]);
        if (pairs >= ENOUGH) heaviest[bin] = most;
    }
}

fp_status fp_heaviest_find(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arm,
                           const fp_counted_arm *counted, fp_seen_weights seen, const fp_arenas *arenas,
                           const fp_progress *progress, fp_arena *scratch, double *heaviest, fp_error *error) {
    const fp_key_bands *bands = bands_of(drawn, arm->measurement);
    looking of = {drawn, units, arm, arenas, NULL};
    for (size_t bin = 0; bin < counted->bin_count; bin++) heaviest[bin] = drawn->weight;
    if (!bands) return FP_OK;
    if (tell(drawn, bands, counted, heaviest)) return FP_OK;
    of.found = fp_arena_alloc(scratch, arenas->count * counted->bin_count, sizeof *of.found);
    if (!of.found) return fp_no_memory(error);
    FP_TRY(fp_parallel((units->count + UNITS_AT_ONCE - 1) / UNITS_AT_ONCE, arenas, true, look_at_batch, &of, "weights",
                       progress, error));
    learn(&of, counted, seen, heaviest);
    return FP_OK;
}
