/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sketches of a corpus. */
#include "eval/experiment/corpus_sketches.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "algorithms/arms/pipeline.h"
#include "base/map.h"
#include "base/parallel.h"
#include "eval/units/sampling_units.h"

/* ---- Labels ---- */

/* The training documents of an arm; place[i] is the index of document i among them. */
typedef struct learning_part {
    const fp_corpus *corpus;
    const bool *training; /* NULL: all */
    uint32_t *place;
} learning_part;

static bool is_training(const learning_part *of, size_t document) { return !of->training || of->training[document]; }

/* Chains the documents of a group in corpus order. Writes each pair inside a group; `pairs` NULL: only counts. */
static size_t pairs_in_groups(const learning_part *of, const uint32_t *next, fp_pair *pairs) {
    size_t made = 0;
    for (size_t i = 0; i < of->corpus->document_count; i++) {
        if (!is_training(of, i)) continue;
        for (uint32_t j = next[i]; j != UINT32_MAX; j = next[j]) {
            if (!is_training(of, j)) continue;
            if (pairs) pairs[made] = (fp_pair){of->place[i], of->place[j], 1};
            made++;
        }
    }
    return made;
}

static fp_status group_pairs(const learning_part *of, fp_arena *arena, fp_pipeline_arm *to, fp_error *error) {
    const fp_corpus *corpus = of->corpus;
    uint32_t *next;
    FP_TRY(fp_group_chain(corpus->group, corpus->document_count, arena, &next, error));
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, pairs_in_groups(of, next, NULL), sizeof *pairs), error);
    to->pair_count = pairs_in_groups(of, next, pairs);
    to->pairs = pairs;
    return FP_OK;
}

static fp_status listed_pairs(const learning_part *of, fp_arena *arena, fp_pipeline_arm *to, fp_error *error) {
    const fp_corpus *corpus = of->corpus;
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof *pairs), error);
    to->pair_count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        if (is_training(of, pair.a) && is_training(of, pair.b))
            pairs[to->pair_count++] = (fp_pair){of->place[pair.a], of->place[pair.b], pair.label};
    }
    to->pairs = pairs;
    return FP_OK;
}

static fp_status label(const fp_corpus *corpus, fp_pipeline_arm *to, fp_arena *arena, fp_error *error) {
    learning_part of = {corpus, to->training, NULL};
    if (!(to->arm->instance.algorithm->needs & FP_NEEDS_PAIRS)) return FP_OK;
    of.place = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *of.place), error);
    uint32_t count = 0;
    for (size_t i = 0; i < corpus->document_count; i++)
        if (is_training(&of, i)) of.place[i] = count++;
    return (corpus->truth == FP_TRUTH_GROUPS ? group_pairs : listed_pairs)(&of, arena, to, error);
}

/* ---- Sketches ---- */

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    fp_store *stores = context;
    (void)first;
    return fp_store_add(stores + arm, count, sketches, error);
}

static double mean_bytes(const fp_layout *layout, const fp_sketches *sketches) {
    if (fp_stored_bytes(layout) > 0) return fp_stored_bytes(layout);
    double sum = 0;
    for (size_t i = 0; i < sketches->count; i++) sum += (double)sketches->size[i];
    return sum / (double)sketches->count;
}

static fp_status take_measurement(fp_store *from, const fp_pipeline_arm *arm, fp_measurement *to, fp_error *error) {
    *to = (fp_measurement){.arm = arm->arm, .sketch_seconds = arm->seconds, .empty_count = from->empty_count};
    memcpy(to->sketch_slices, arm->slice, sizeof to->sketch_slices);
    FP_TRY(fp_store_close(from, &to->sketches, error));
    if (to->empty_count) to->empty = from->empty;
    to->bytes_per_document = mean_bytes(&arm->arm->instance.layout, &to->sketches);
    return FP_OK;
}

fp_status fp_corpus_sketches(const fp_corpus *corpus, fp_pipeline_arm *arms, size_t count, const fp_progress *progress,
                             fp_arena *arena, fp_measurement *measurements, fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    fp_text_source source FP_CLOSED_BY(fp_text_source_close) = {0};
    fp_store *stores = FP_NEED(fp_arena_alloc(scratch, count, sizeof *stores), error);
    fp_pipeline pipeline = {.source = &source,
                            .arms = arms,
                            .count = count,
                            .learns = true,
                            .kept = FP_KEPT_TEXTS,
                            .take = take,
                            .context = stores,
                            .progress = progress,
                            .arena = arena};
    FP_TRY(fp_corpus_source(corpus, scratch, &source, error));
    for (size_t i = 0; i < count; i++) {
        FP_TRY(label(corpus, arms + i, scratch, error));
        FP_TRY(fp_store_open(stores + i, &arms[i].arm->instance.layout, corpus->document_count, arena, error));
    }
    FP_TRY(fp_pipeline_run(&pipeline, error));
    for (size_t i = 0; i < count; i++) FP_TRY(take_measurement(stores + i, arms + i, measurements + i, error));
    return FP_OK;
}

/* ---- Interval of the time ---- */

fp_interval fp_measurement_sketch_interval(const fp_measurement *measurement, double confidence) {
    enum { SLICES = FP_PIPELINE_SLICES };
    size_t documents = measurement->sketches.count, in_slice[SLICES] = {0};
    double each[SLICES];
    if (documents < 2 * SLICES) return (fp_interval){NAN, NAN};
    for (size_t i = 0; i < documents; i++) in_slice[fp_pipeline_slice(i, documents)]++;
    for (size_t s = 0; s < SLICES; s++) each[s] = measurement->sketch_slices[s] / (double)in_slice[s];
    double error = gsl_stats_sd(each, 1, SLICES) / sqrt(SLICES);
    double half = gsl_cdf_tdist_Qinv((1 - confidence) / 2, SLICES - 1) * error * (double)documents;
    return (fp_interval){fmax(0, measurement->sketch_seconds - half), measurement->sketch_seconds + half};
}

/* ---- Counterparts of arms ---- */

static const fp_measurement *find(const char *spec, fp_arm *const *arms, size_t count, const fp_measurement *of) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(fp_arm_spec(arms[i]), spec) == 0) return of + i;
    return NULL;
}

fp_status fp_counterparts_find(fp_arm *const *arms, size_t arm_count, const fp_measurement *measurements,
                               fp_measurement *further, fp_arena *arena, fp_counterparts *counterparts,
                               fp_error *error) {
    const fp_measurement **of_arm = FP_NEED(fp_arena_alloc(arena, arm_count, sizeof *of_arm), error);
    fp_arm **made = FP_NEED(fp_arena_alloc(arena, arm_count, sizeof *made), error);
    size_t count = 0;
    for (size_t i = 0; i < arm_count; i++) {
        fp_arm *exact;
        FP_TRY(fp_arm_counterpart(arms[i], arena, &exact, error));
        if (!exact) continue;
        of_arm[i] = find(fp_arm_spec(exact), arms, arm_count, measurements);
        if (!of_arm[i]) of_arm[i] = find(fp_arm_spec(exact), made, count, further);
        if (of_arm[i]) continue;
        of_arm[i] = further + count;
        made[count++] = exact;
    }
    *counterparts = (fp_counterparts){arm_count, of_arm, count, made, further};
    return FP_OK;
}

void fp_counterparts_free(fp_counterparts *counterparts) {
    for (size_t i = 0; i < counterparts->further_count; i++) fp_measurement_free(counterparts->further + i);
    *counterparts = (fp_counterparts){0};
}

/* ---- Distances of plug-in algorithms ---- */

enum { BATCH = 256, SOME = 1024 };

typedef struct checking {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    fp_pair_list pairs; /* `first` NULL: all */
    size_t count;       /* pairs, or documents */
    size_t step;        /* every step-th pair, or row, is in the sample */
} checking;

static fp_string id_of(const checking *job, size_t document) { return job->corpus->documents[document].id; }

/* Checks every guarantee of the algorithm for two documents. */
static fp_status check_pair(const checking *job, size_t a, size_t b, fp_error *error) {
    const fp_sketches *sketches = &job->measurement->sketches;
    double distance;
    if (fp_measurement_empty(job->measurement, a, b)) return FP_OK;
    return fp_arm_distance_checked(job->measurement->arm, id_of(job, a), fp_sketches_at(sketches, a), id_of(job, b),
                                   fp_sketches_at(sketches, b), &distance, error);
}

static fp_status check_value(const checking *job, size_t a, size_t b, double distance, fp_error *error) {
    const fp_arm *arm = job->measurement->arm;
    if (fp_arm_distance_good(arm, distance) || fp_measurement_empty(job->measurement, a, b)) return FP_OK;
    return fp_arm_distance_refuse(arm, distance, id_of(job, a), id_of(job, b), error);
}

/* ---- A list ---- */

static fp_status check_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    const checking *job = context;
    size_t end = (index + 1) * BATCH < job->count ? (index + 1) * BATCH : job->count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = fp_pair_in(&job->pairs, i);
        FP_TRY(check_value(job, pair.a, pair.b, fp_measurement_distance(job->measurement, pair.a, pair.b), error));
        if (i % job->step == 0) FP_TRY(check_pair(job, pair.a, pair.b, error));
    }
    return FP_OK;
}

/* ---- All pairs: the distances of one document to all later ones, by the algorithm's batch function ---- */

static fp_status check_row(void *context, size_t row, fp_arena *arena, fp_error *error) {
    (void)arena;
    const checking *job = context;
    const fp_sketches *sketches = &job->measurement->sketches;
    double distance[SOME];
    for (size_t first = row + 1; first < job->count; first += SOME) {
        size_t some = job->count - first < SOME ? job->count - first : SOME;
        fp_arm_distances(job->measurement->arm, fp_sketches_at(sketches, row), sketches, first, some, distance);
        for (size_t i = 0; i < some; i++) FP_TRY(check_value(job, row, first + i, distance[i], error));
    }
    size_t later = job->count - row - 1;
    if (row % job->step != 0 || later == 0) return FP_OK;
    return check_pair(job, row, row + 1 + fp_mix(row, 0) % later, error);
}

/* ---- Distances known only for some pairs ---- */

typedef struct known_pairs {
    size_t lacking, asked; /* of distinct pairs */
    fp_pair first;         /* that lacks a distance */
} known_pairs;

static void count_pair(const checking *job, size_t a, size_t b, known_pairs *known) {
    known->asked++;
    if (!isnan(fp_measurement_distance(job->measurement, a, b))) return;
    if (known->lacking++ == 0) known->first = (fp_pair){(uint32_t)a, (uint32_t)b, 0};
}

/* A list may contain a pair twice. */
static fp_status count_list(const checking *job, fp_arena *arena, known_pairs *known, fp_error *error) {
    fp_map seen;
    FP_TRY(fp_map_open(&seen, job->count, arena, error));
    for (size_t i = 0; i < job->count; i++) {
        fp_pair pair = fp_pair_in(&job->pairs, i);
        if (fp_map_take(&seen, fp_pair_key(pair.a, pair.b), (uint32_t)i) == FP_MAP_NONE)
            count_pair(job, pair.a, pair.b, known);
    }
    return FP_OK;
}

static fp_status count_known(const checking *job, fp_arena *arena, known_pairs *known, fp_error *error) {
    if (job->pairs.first) return count_list(job, arena, known, error);
    for (size_t a = 0; a < job->count; a++)
        for (size_t b = a + 1; b < job->count; b++) count_pair(job, a, b, known);
    return FP_OK;
}

static fp_status check_known(const checking *job, fp_arena *arena, fp_error *error) {
    fp_arm *arm = job->measurement->arm;
    known_pairs known = {0};
    FP_TRY(count_known(job, arena, &known, error));
    if (known.lacking) {
        fp_string a = id_of(job, known.first.a), b = id_of(job, known.first.b);
        return fp_fail(error, FP_ERROR_EMPTY, "%s: %zu of %zu pairs have no distance; the first is %.*s %.*s",
                       fp_arm_name(arm), known.lacking, known.asked, (int)a.length, a.data, (int)b.length, b.data);
    }
    bool truth = !job->pairs.first || job->pairs.first == job->corpus->pairs;
    return truth ? fp_arm_note_unasked(
                       arm, fp_learning_of(arm->instance.algorithm)->pairs_known(&arm->instance) - known.asked, error)
                 : FP_OK;
}

/* ---- All ---- */

static bool is_registered(const fp_algorithm *algorithm) {
    return fp_algorithm_find(algorithm->name, NULL) == algorithm;
}

fp_status fp_distances_check(const fp_corpus *corpus, const fp_measurement *measurement, fp_pair_list pairs,
                             const fp_progress *progress, fp_error *error) {
    const fp_algorithm *algorithm = measurement->arm->instance.algorithm;
    if (is_registered(algorithm) && !fp_learning_of(algorithm)->pairs_known) return FP_OK;
    checking job = {corpus, measurement, pairs, pairs.first ? pairs.count : corpus->document_count, 1};
    job.step = (job.count + FP_DISTANCES_SAMPLED - 1) / FP_DISTANCES_SAMPLED;
    if (job.count == 0) return FP_OK;
    FP_SCRATCH(arena, corpus->memory, error);
    if (fp_learning_of(algorithm)->pairs_known) FP_TRY(check_known(&job, arena, error));
    if (is_registered(algorithm)) return FP_OK;
    if (!pairs.first) return fp_parallel_in(arena, job.count, check_row, &job, "distances", progress, error);
    return fp_parallel_in(arena, (job.count + BATCH - 1) / BATCH, check_batch, &job, "distances", progress, error);
}
