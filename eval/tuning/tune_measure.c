/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every arm on every pair, by models that have not seen the pair's documents. Arms share texts and counts as in an
 * experiment; weights, models and sketches are made once for each set of folds that is left out. */
#include <math.h>
#include <string.h>

#include "eval/experiment/pipeline.h"
#include "eval/tuning/tune_parts.h"

enum { NOBODY = FP_SPLIT_MOST_FOLDS }; /* no fold */

/* The folds that a model has not seen: two, one, or none. */
typedef struct left_out {
    size_t first, second;
} left_out;

static size_t timings(const fp_tune_work *work, double seconds) {
    return fp_tune_timings(work->tuned->arm_count, seconds);
}

/* The arms that share features. */
typedef struct family {
    fp_tune_work *work;
    fp_stage stage;
    const fp_corpus_texts *texts;
    const fp_corpus_counts *counts;
    size_t count;
    const uint32_t *arms;      /* [count] */
    fp_tune_steps *steps;      /* [count] */
    bool *training, *sketched; /* [document_count] */
    bool again;                /* only for its time */
    fp_arena *arena;           /* for the steps */
} family;

static fp_arm *arm_of(const family *of, size_t member) { return of->work->tuned->arms[of->arms[member]]; }

/* ---- Distances ---- */

enum { BATCH = 512 };

typedef struct distance_job {
    const fp_split *split;
    const fp_measurement *measurement;
    const fp_tune_steps *steps;
    left_out out;
} distance_job;

/* Where the distance of a pair goes; NULL when these folds do not concern it. */
static uint16_t *place_of(const distance_job *job, size_t pair) {
    size_t fold = job->split->pair_fold[pair];
    left_out out = job->out;
    if (out.first == NOBODY) return job->steps->slot[job->split->fold_count] + pair;
    if (fold != out.first && fold != out.second) return NULL;
    size_t other = out.second == NOBODY ? fold : fold == out.first ? out.second : out.first;
    return job->steps->slot[other] + pair;
}

static fp_status measure_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    distance_job *job = context;
    size_t end = (index + 1) * BATCH < job->split->pair_count ? (index + 1) * BATCH : job->split->pair_count;
    for (size_t i = index * BATCH; i < end; i++) {
        uint16_t *place = place_of(job, i);
        if (!place) continue;
        fp_pair pair = job->split->pairs[i];
        *place = fp_threshold_grid_find(&job->steps->scale, fp_measurement_distance(job->measurement, pair.a, pair.b));
    }
    return FP_OK;
}

/* ---- One model ---- */

/* Three digits: more would suggest that time can be measured so well. */
static double to_three_digits(double value) {
    char text[32];
    double rounded = value;
    snprintf(text, sizeof text, "%.3g", value);
    fp_parse_real(text, &rounded);
    return rounded;
}

static fp_status measure_model(const family *of, size_t member, left_out out, const fp_corpus_features *features,
                               fp_arena *arena, fp_arenas *arenas) {
    fp_tune_work *work = of->work;
    const fp_split *split = &work->tuned->split;
    fp_measurement measurement;
    FP_TRY(fp_stage_sketches(&of->stage, arm_of(of, member), features, arena, &measurement, work->error));
    if (out.first == NOBODY) {
        fp_tune_arm *result = work->results + of->arms[member];
        double microseconds = to_three_digits(measurement.sketch_seconds * 1e6 / (double)work->corpus->document_count);
        result->bytes = measurement.bytes_per_document;
        result->silent = measurement.silent_count;
        if (!of->again || microseconds < result->microseconds) result->microseconds = microseconds;
    }
    if (of->again) return FP_OK;
    distance_job job = {split, &measurement, of->steps + member, out};
    size_t batches = (split->pair_count + BATCH - 1) / BATCH;
    FP_TRY(fp_parallel(batches, arenas, true, measure_batch, &job, "distances", NULL, work->error));
    work->done++;
    if (work->progress && work->progress->report)
        work->progress->report(work->progress->context, "tuning", work->done, work->total);
    return FP_OK;
}

/* ---- One set of folds ---- */

static void leave_out(family *of, left_out out) {
    const fp_split *split = &of->work->tuned->split;
    of->stage.training = out.first == NOBODY ? NULL : of->training;
    of->stage.sketched = out.first == NOBODY ? NULL : of->sketched;
    for (size_t i = 0; i < split->document_count; i++) {
        of->sketched[i] = split->fold[i] == out.first || split->fold[i] == out.second;
        of->training[i] = !of->sketched[i];
    }
}

static fp_status measure_set(family *of, left_out out, fp_arena *arena, fp_arenas *arenas) {
    fp_corpus_features features;
    leave_out(of, out);
    FP_TRY(
        fp_stage_weights(&of->stage, arm_of(of, 0), of->texts, of->counts, arenas, arena, &features, of->work->error));
    fp_arenas distances = {0};
    FP_TRY(fp_arenas_open(&distances, of->stage.progress, arena, of->work->error));
    fp_status status = FP_OK;
    for (size_t i = 0; i < of->count && status == FP_OK; i++)
        if (out.first == NOBODY || fp_arm_learns(arm_of(of, i)))
            status = measure_model(of, i, out, &features, arena, &distances);
    fp_arenas_free(&distances);
    return status;
}

/* In memory of its own, with the models and sketches. */
static fp_status run_set(family *of, left_out out) {
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas = {0};
    if (!arena) return fp_no_memory(of->work->error);
    fp_status status = fp_arenas_open(&arenas, of->stage.progress, arena, of->work->error);
    if (status == FP_OK) status = measure_set(of, out, arena, &arenas);
    fp_arenas_free(&arenas);
    for (size_t i = 0; i < of->count; i++) arm_of(of, i)->idf = NULL, arm_of(of, i)->instance.model = NULL;
    fp_arena_free(arena);
    return status;
}

static fp_status run_sets(family *of) {
    size_t folds = of->work->tuned->split.fold_count;
    bool learns = false;
    for (size_t i = 0; i < of->count; i++) learns |= fp_arm_learns(arm_of(of, i));
    double start = fp_seconds();
    FP_TRY(run_set(of, (left_out){NOBODY, NOBODY}));
    size_t often = timings(of->work, fp_seconds() - start);
    of->again = true;
    for (size_t i = 1; i < often; i++) FP_TRY(run_set(of, (left_out){NOBODY, NOBODY}));
    of->again = false;
    for (size_t f = 0; f < folds && learns; f++) {
        FP_TRY(run_set(of, (left_out){f, NOBODY}));
        for (size_t o = 0; o < f; o++) FP_TRY(run_set(of, (left_out){o, f}));
    }
    return FP_OK;
}

/* ---- Families ---- */

static fp_status open_steps(family *of) {
    const fp_split *split = &of->work->tuned->split;
    of->steps = fp_arena_alloc(of->arena, of->count, sizeof *of->steps);
    of->training = fp_arena_raw(of->arena, split->document_count, sizeof *of->training);
    of->sketched = fp_arena_raw(of->arena, split->document_count, sizeof *of->sketched);
    if (!of->steps || !of->training || !of->sketched) return fp_no_memory(of->work->error);
    for (size_t i = 0; i < of->count; i++) {
        fp_tune_steps *steps = of->steps + i;
        steps->scale = fp_threshold_grid_of(fp_arm_layout(arm_of(of, i)));
        bool learns = fp_arm_learns(arm_of(of, i));
        for (size_t s = 0; s <= split->fold_count; s++) {
            steps->slot[s] =
                s && !learns ? steps->slot[0] : fp_arena_raw(of->arena, split->pair_count, sizeof(uint16_t));
            if (!steps->slot[s]) return fp_no_memory(of->work->error);
        }
    }
    return FP_OK;
}

static fp_status run_family(family *of, fp_arena *scratch) {
    FP_TRY(open_steps(of));
    FP_TRY(run_sets(of));
    for (size_t i = 0; i < of->count; i++)
        FP_TRY(fp_tune_choose_thresholds(of->work, of->arms[i], of->steps + i, scratch));
    return FP_OK;
}

static bool same_text(const fp_arm *a, const fp_arm *b) { return strcmp(a->text_key, b->text_key) == 0; }
static bool same_features(const fp_arm *a, const fp_arm *b) {
    return same_text(a, b) && strcmp(a->feature_key, b->feature_key) == 0;
}

/* The arms from `first` on that read the features of arm `first`. */
static fp_status gather_family(fp_tune_work *work, size_t first, bool *done, fp_arena *arena, family *to) {
    uint32_t *arms = fp_arena_raw(arena, work->tuned->arm_count - first, sizeof *arms);
    if (!arms) return fp_no_memory(work->error);
    *to = (family){
        .work = work, .stage = {.corpus = work->corpus, .progress = &work->silent}, .arms = arms, .arena = arena};
    for (size_t i = first; i < work->tuned->arm_count; i++) {
        if (done[i] || !same_features(work->tuned->arms[i], work->tuned->arms[first])) continue;
        arms[to->count++] = (uint32_t)i;
        done[i] = true;
    }
    return FP_OK;
}

/* Memory for one stage over the corpus. */
typedef struct room {
    fp_arena *arena;
    fp_arenas arenas;
} room;

static fp_status open_room(const fp_tune_work *work, room *to) {
    *to = (room){.arena = fp_arena_new()};
    return to->arena ? fp_arenas_open(&to->arenas, &work->silent, to->arena, work->error) : fp_no_memory(work->error);
}

static void close_room(room *of) {
    fp_arenas_free(&of->arenas);
    fp_arena_free(of->arena);
}

/* Makes the texts, or the counts from given texts, again for the time alone. */
static fp_status time_again(const fp_tune_work *work, const fp_stage *stage, const fp_arm *arm, unsigned wanted,
                            const fp_corpus_texts *texts, double *seconds) {
    size_t often = timings(work, *seconds);
    for (size_t i = 1; i < often; i++) {
        fp_corpus_texts again = {0};
        fp_corpus_counts counts = {0};
        room own;
        fp_status status = open_room(work, &own);
        if (status == FP_OK && texts)
            status = fp_stage_counts(stage, arm, texts, &own.arenas, own.arena, &counts, work->error);
        else if (status == FP_OK)
            status = fp_stage_texts(stage, arm, wanted, &own.arenas, own.arena, &again, work->error);
        close_room(&own);
        FP_TRY(status);
        *seconds = fmin(*seconds, texts ? counts.seconds : again.seconds);
    }
    return FP_OK;
}

static fp_status measure_features(fp_tune_work *work, size_t first, const fp_corpus_texts *texts, bool *done) {
    const fp_arm *arm = work->tuned->arms[first];
    fp_arena *scratch = fp_arena_new();
    fp_corpus_counts counts;
    family of;
    room own;
    fp_status status = open_room(work, &own);
    if (status == FP_OK && !scratch) status = fp_no_memory(work->error);
    if (status == FP_OK) status = gather_family(work, first, done, own.arena, &of);
    if (status == FP_OK) status = fp_stage_counts(&of.stage, arm, texts, &own.arenas, own.arena, &counts, work->error);
    if (status == FP_OK) status = time_again(work, &of.stage, arm, 0, texts, &counts.seconds);
    if (status == FP_OK) {
        of.texts = texts;
        of.counts = &counts;
        status = run_family(&of, scratch);
    }
    fp_arena_free(scratch);
    close_room(&own);
    return status;
}

static fp_status measure_texts(fp_tune_work *work, size_t first, bool *done) {
    fp_arm *const *arms = work->tuned->arms;
    unsigned wanted = 0;
    for (size_t i = first; i < work->tuned->arm_count; i++)
        if (same_text(arms[i], arms[first])) wanted |= fp_arm_wants(arms[i]);
    fp_corpus_texts texts;
    fp_stage stage = {.corpus = work->corpus, .progress = &work->silent};
    room own;
    fp_status status = open_room(work, &own);
    if (status == FP_OK)
        status = fp_stage_texts(&stage, arms[first], wanted, &own.arenas, own.arena, &texts, work->error);
    if (status == FP_OK) status = time_again(work, &stage, arms[first], wanted, NULL, &texts.seconds);
    for (size_t i = first; i < work->tuned->arm_count && status == FP_OK; i++)
        if (!done[i] && same_text(arms[i], arms[first])) status = measure_features(work, i, &texts, done);
    close_room(&own);
    return status;
}

fp_status fp_tune_measure(fp_tune_work *work) {
    size_t count = work->tuned->arm_count;
    bool *done = fp_arena_alloc(work->arena, count, sizeof *done);
    if (!done) return fp_no_memory(work->error);
    for (size_t i = 0; i < count; i++)
        work->total += fp_tune_models(work->tuned->arms[i], work->tuned->split.fold_count);
    for (size_t i = 0; i < count; i++)
        if (!done[i]) FP_TRY(measure_texts(work, i, done));
    return FP_OK;
}
