/* SPDX-License-Identifier: GPL-3.0-or-later
 * One batch of a pass: documents on all threads, then their results in order. */
#include "algorithms/arms/lanes.h"

#include <string.h>

/* ---- Clocks: one per stage and lane, and one for reading ahead ---- */

enum { TEXT, COUNTS, WEIGHTS, OWN, STAGES };

static size_t clock_of(const fp_pass *pass, size_t stage, size_t lane) { return stage * pass->lane_count + lane; }
static size_t clock_of_reading(const fp_pass *pass) { return STAGES * pass->lane_count; }
static size_t clock_count(const fp_pass *pass) { return clock_of_reading(pass) + 1; }

static void add_clocks(fp_pass *pass, size_t position, const double *clock) {
    size_t count = clock_count(pass);
    double *row = pass->clock + fp_pipeline_slice(position, pass->pipeline->source->count) * count;
    pthread_mutex_lock(&pass->lock);
    for (size_t i = 0; i < count; i++) row[i] += clock[i];
    pthread_mutex_unlock(&pass->lock);
}

fp_status fp_pass_open(fp_pass *pass, const fp_pipeline *pipeline, const fp_step *steps, fp_text_cache *cache,
                       bool first, fp_batch *threads, fp_arena *arena, fp_error *error) {
    *pass = (fp_pass){.pipeline = pipeline, .cache = cache, .threads = threads, .lock = PTHREAD_MUTEX_INITIALIZER};
    FP_TRY(fp_pass_plan(pass, steps, first, arena, error));
    pass->clock = fp_arena_alloc(arena, FP_PIPELINE_SLICES * clock_count(pass), sizeof *pass->clock);
    pass->arena = fp_arena_new_like(arena);
    return pass->clock && pass->arena ? FP_OK : fp_no_memory(error);
}

void fp_pass_close(fp_pass *pass) {
    for (size_t l = 0; l < pass->lane_count; l++) {
        fp_tally_close(pass->lanes[l].frequencies);
        fp_arena_free(pass->lanes[l].arena);
    }
    fp_arena_free(pass->arena);
    pthread_mutex_destroy(&pass->lock);
}

/* ---- One document: each stage runs when the first arm needs it ---- */

typedef struct course {
    fp_pass *pass;
    fp_string raw, id;
    size_t index, position; /* in the batch, and among all texts */
    fp_arena *arena, *kept; /* for this document, and for the results of the batch */
    bool *has;              /* [clocks] the stages that have run */
    double *clock, last;
    /* Of the first lane that makes each. */
    fp_text *texts;
    fp_counted *counted;
    fp_document *documents;
} course;

static fp_status open_course(course *on, fp_error *error) {
    const fp_pass *pass = on->pass;
    on->has = fp_arena_alloc(on->arena, clock_count(pass), sizeof *on->has);
    on->clock = fp_arena_alloc(on->arena, clock_count(pass), sizeof *on->clock);
    on->texts = fp_arena_raw(on->arena, pass->lane_count, sizeof *on->texts);
    on->counted = fp_arena_raw(on->arena, pass->lane_count, sizeof *on->counted);
    on->documents = fp_arena_raw(on->arena, pass->lane_count, sizeof *on->documents);
    on->last = on->pass->pipeline->untimed ? 0 : fp_seconds();
    return on->has && on->clock && on->texts && on->counted && on->documents ? FP_OK : fp_no_memory(error);
}

/* Charges the time since the last call to `clock`. */
static void lap(course *on, size_t clock) {
    on->has[clock] = true;
    if (on->pass->pipeline->untimed) return;
    double now = fp_seconds();
    on->clock[clock] += now - on->last;
    on->last = now;
}

static const fp_arm *arm_of(const course *on, size_t lane) {
    return on->pass->pipeline->arms[on->pass->lanes[lane].arm].arm;
}

static fp_status make_text(course *on, size_t lane, fp_error *error) {
    const fp_lane *of = on->pass->lanes + lane;
    if (on->has[clock_of(on->pass, TEXT, lane)]) return FP_OK;
    const fp_text *kept = fp_cached_text(of->kept, on->position);
    if (kept) on->texts[lane] = *kept;
    else FP_TRY(fp_arm_preprocess(arm_of(on, lane), on->raw, of->wanted, on->arena, on->texts + lane, error));
    if (of->keeps) fp_text_cache_keep(on->pass->cache, of->kept, on->position, on->texts + lane);
    lap(on, clock_of(on->pass, TEXT, lane));
    return FP_OK;
}

static fp_status make_units(course *on, size_t lane, fp_error *error) {
    size_t text = on->pass->lanes[lane].text, clock = clock_of(on->pass, COUNTS, lane);
    if (on->has[clock]) return FP_OK;
    FP_TRY(make_text(on, text, error));
    FP_TRY(fp_arm_extract(arm_of(on, lane), on->texts + text, on->arena, on->counted + lane, error));
    lap(on, clock);
    return FP_OK;
}

static fp_status make_counts(course *on, size_t lane, fp_error *error) {
    FP_TRY(make_units(on, lane, error));
    if (on->counted[lane].counts.hash) return FP_OK;
    FP_TRY(fp_arm_count_units(arm_of(on, lane), on->arena, on->counted + lane, error));
    lap(on, clock_of(on->pass, COUNTS, lane));
    return FP_OK;
}

static fp_status make_document(course *on, size_t lane, fp_error *error) {
    const fp_lane *of = on->pass->lanes + lane;
    size_t clock = clock_of(on->pass, WEIGHTS, lane);
    if (on->has[clock]) return FP_OK;
    FP_TRY((of->units ? make_units : make_counts)(on, of->counts, error));
    const fp_text *text = on->texts + of->text;
    const fp_counted *counted = on->counted + of->counts;
    fp_document *document = on->documents + lane;
    document->id = on->id;
    if (of->units) fp_arm_take_units(text, counted, document);
    else FP_TRY(fp_arm_weigh(arm_of(on, lane), text, counted, false, on->arena, document, error));
    lap(on, clock);
    return FP_OK;
}

/* ---- Results of a document ---- */

static fp_status keep(course *on, const void *from, size_t bytes, const void **to, fp_error *error) {
    void *made = FP_NEED(fp_arena_raw(on->kept, bytes, 1), error);
    if (bytes) memcpy(made, from, bytes);
    *to = made;
    return FP_OK;
}

static fp_status keep_terms(course *on, const fp_lane *lane, fp_error *error) {
    const fp_pass *pass = on->pass;
    fp_sketch *to = pass->made + lane->terms * pass->batch.count + on->index;
    if (to->data) return FP_OK;
    FP_TRY(make_counts(on, lane->counts, error));
    const fp_counts *counts = &on->counted[lane->counts].counts;
    to->size = counts->count * sizeof *counts->hash;
    return keep(on, counts->hash, to->size, &to->data, error);
}

static fp_status keep_made(course *on, const fp_lane *lane, fp_error *error) {
    const fp_pass *pass = on->pass;
    const fp_arm *arm = pass->pipeline->arms[lane->arm].arm;
    fp_sketch made, *to = pass->made + (size_t)(lane - pass->lanes) * pass->batch.count + on->index;
    FP_TRY(make_document(on, lane->weights, error));
    const fp_document *document = on->documents + lane->weights;
    if (lane->step == FP_STEP_SKETCH) FP_TRY(fp_arm_sketch_document(arm, document, on->arena, &made, error));
    else {
        FP_TRY(fp_learning_of(arm->instance.algorithm)->read(&arm->instance, document, on->arena, &made, error));
        made.empty = !fp_arm_finds(arm, document);
    }
    to->size = made.size;
    to->empty = made.empty;
    return keep(on, made.data, made.size, &to->data, error);
}

static fp_status run_lanes(course *on, fp_error *error) {
    fp_pass *pass = on->pass;
    FP_TRY(open_course(on, error));
    for (size_t l = 0; l < pass->lane_count; l++) {
        const fp_lane *lane = pass->lanes + l;
        if (!fp_lane_takes(pass, lane, on->position)) continue;
        FP_TRY((lane->step == FP_STEP_FREQUENCIES ? keep_terms : keep_made)(on, lane, error));
        lap(on, clock_of(pass, OWN, l));
    }
    if (!pass->pipeline->untimed) add_clocks(pass, on->position, on->clock);
    return FP_OK;
}

/* Puts the document's id in front of the reason, so that the user knows which text failed. */
static fp_status in_document(const fp_pass *pass, size_t index, fp_status status, fp_error *error) {
    const char *name = pass->pipeline->source->name;
    if (status == FP_OK || status == FP_ERROR_MEMORY || !pass->batch.id || !name) return status;
    fp_error reason = *error;
    fp_string id = pass->batch.id[index];
    fp_fail(error, status, "document %.*s: %.300s", (int)(id.length < 100 ? id.length : 100), id.data, reason.message);
    return fp_at(error, status, name, SIZE_MAX, reason.byte);
}

static fp_status run_document(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_pass *pass = context;
    const fp_text_batch *batch = &pass->batch;
    course on = {.pass = pass,
                 .raw = batch->text[index],
                 .id = batch->id ? batch->id[index] : batch->text[index],
                 .index = index,
                 .position = batch->first + index,
                 .arena = scratch,
                 .kept = kept};
    return in_document(pass, index, run_lanes(&on, error), error);
}

/* ---- Results of a batch, in order ---- */

static fp_status add_terms(fp_pass *pass, fp_lane *to, fp_error *error) {
    const bool *training = pass->pipeline->arms[to->arm].training;
    const fp_sketch *row = pass->made + to->terms * pass->batch.count;
    double start = fp_seconds();
    for (size_t i = 0; i < pass->batch.count; i++)
        if (!training || training[pass->batch.first + i])
            FP_TRY(fp_tally_add(to->frequencies, row[i].data, row[i].size / sizeof(uint64_t), error));
    to->seconds += fp_seconds() - start;
    return FP_OK;
}

static fp_status add_read(fp_pass *pass, fp_lane *to, fp_error *error) {
    const fp_instance *instance = &pass->pipeline->arms[to->arm].arm->instance;
    size_t row = (size_t)(to - pass->lanes) * pass->batch.count;
    double start = fp_seconds();
    for (size_t i = 0; i < pass->batch.count; i++) {
        if (!fp_lane_takes(pass, to, pass->batch.first + i)) continue;
        FP_TRY(fp_learning_of(instance->algorithm)->add(instance, to->state, pass->made[row + i], to->arena, error));
        to->documents += !pass->made[row + i].empty;
    }
    to->seconds += fp_seconds() - start;
    return FP_OK;
}

static fp_status learn(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    fp_pass *pass = context;
    fp_lane *lane = pass->lanes + index;
    if (lane->frequencies) return add_terms(pass, lane, error);
    return lane->step == FP_STEP_MODEL ? add_read(pass, lane, error) : FP_OK;
}

static fp_status hand_out(const fp_pass *pass, size_t count, fp_error *error) {
    const fp_pipeline *pipeline = pass->pipeline;
    for (size_t l = 0; l < pass->lane_count && count; l++) {
        const fp_lane *lane = pass->lanes + l;
        size_t row = l * pass->batch.count;
        if (lane->step == FP_STEP_SKETCH)
            FP_TRY(pipeline->take(pipeline->context, lane->arm, pass->batch.first, count, pass->made + row, error));
    }
    return FP_OK;
}

/* ---- A batch ---- */

static fp_status make_room(fp_pass *pass, fp_error *error) {
    size_t count = pass->batch.count;
    fp_arena_reset(pass->arena);
    pass->made = FP_NEED(fp_arena_alloc(pass->arena, pass->lane_count, count * sizeof *pass->made), error);
    for (size_t l = 0; l < pass->lane_count; l++)
        if (pass->lanes[l].keeps) fp_text_cache_expect(pass->cache, pass->lanes[l].kept, pass->batch.first + count);
    return FP_OK;
}

typedef struct reading {
    fp_pass *pass;
    fp_texts *texts;
} reading;

static void read_ahead(void *context) {
    reading *on = context;
    double start = fp_seconds();
    fp_texts_read(on->texts);
    pthread_mutex_lock(&on->pass->lock);
    on->pass->clock[clock_of_reading(on->pass)] += fp_seconds() - start;
    pthread_mutex_unlock(&on->pass->lock);
}

fp_status fp_pass_run(fp_pass *pass, const fp_text_batch *batch, fp_texts *ahead, fp_error *error) {
    size_t done;
    double start = fp_seconds();
    reading next = {pass, ahead};
    const fp_beside beside = {read_ahead, &next};
    pass->batch = *batch;
    FP_TRY(make_room(pass, error));
    fp_status status =
        fp_batch_run(pass->threads, batch->count, run_document, pass, ahead ? &beside : NULL, &done, error);
    pass->wall += fp_seconds() - start;
    fp_status handed = hand_out(pass, done, status == FP_OK ? error : NULL);
    FP_TRY(status);
    FP_TRY(handed);
    return pass->learns ? fp_batch_each(pass->threads, pass->lane_count, learn, pass, error) : FP_OK;
}

/* The seconds of a lane in one slice, from its clocks. */
static double seconds_of(const fp_pass *pass, size_t lane, const double *clock) {
    const fp_lane *of = pass->lanes + lane;
    bool weighs = of->step != FP_STEP_FREQUENCIES;
    return clock[clock_of(pass, TEXT, of->text)] + clock[clock_of(pass, COUNTS, of->counts)] +
           (weighs ? clock[clock_of(pass, WEIGHTS, of->weights)] : 0) + clock[clock_of(pass, OWN, lane)];
}

static void charge_lane(const fp_pass *pass, size_t lane, double share) {
    const fp_lane *of = pass->lanes + lane;
    fp_pipeline_arm *to = pass->pipeline->arms + of->arm;
    double learning = pass->lanes[of->tally].seconds;
    for (size_t s = 0; s < FP_PIPELINE_SLICES; s++) {
        double took = share * seconds_of(pass, lane, pass->clock + s * clock_count(pass));
        to->seconds += took;
        to->slice[s] += took + learning / FP_PIPELINE_SLICES;
    }
    to->seconds += learning;
}

void fp_pass_charge(const fp_pass *pass) {
    size_t clocks = FP_PIPELINE_SLICES * clock_count(pass);
    double all = 0;
    for (size_t i = 0; i < clocks; i++) all += pass->clock[i];
    for (size_t l = 0; l < pass->lane_count; l++) charge_lane(pass, l, all > 0 ? pass->wall / all : 0);
}
