/* SPDX-License-Identifier: GPL-3.0-or-later
 * One batch of a pass: documents on all threads, then their results in order. */
#include "algorithms/arms/lanes.h"

#include <string.h>

/* ---- Clocks: one per text group, count group, weight group and lane, and one for `beside` ---- */

static size_t clock_of_counts(const fp_pass_plan *plan, size_t group) { return plan->text_count + group; }
static size_t clock_of_weights(const fp_pass_plan *plan, size_t group) {
    return plan->text_count + plan->count_count + group;
}
static size_t clock_of_lane(const fp_pass_plan *plan, size_t lane) {
    return plan->text_count + plan->count_count + plan->weight_count + lane;
}
static size_t clock_of_beside(const fp_pass_plan *plan) { return clock_of_lane(plan, plan->lane_count); }

static size_t clock_count(const fp_pass_plan *plan) { return clock_of_beside(plan) + 1; }

static void add_clocks(fp_pass *pass, size_t position, const double *clock) {
    size_t count = clock_count(pass->plan);
    double *row = pass->clock + fp_pipeline_slice(position, pass->plan->pipeline->source->count) * count;
    pthread_mutex_lock(&pass->lock);
    for (size_t i = 0; i < count; i++) row[i] += clock[i];
    pthread_mutex_unlock(&pass->lock);
}

fp_status fp_pass_open(fp_pass *pass, fp_pass_plan *plan, fp_batch *threads, fp_arena *arena, fp_error *error) {
    *pass = (fp_pass){.plan = plan, .threads = threads, .lock = PTHREAD_MUTEX_INITIALIZER};
    pass->clock = fp_arena_alloc(arena, FP_PIPELINE_SLICES * clock_count(plan), sizeof *pass->clock);
    pass->arena = fp_arena_new_like(arena);
    return pass->clock && pass->arena ? FP_OK : fp_no_memory(error);
}

void fp_pass_close(fp_pass *pass) {
    fp_arena_free(pass->arena);
    pthread_mutex_destroy(&pass->lock);
}

/* ---- One document: each stage runs when the first arm needs it ---- */

typedef struct course {
    const fp_pass_plan *plan;
    fp_string raw, id;
    size_t position;
    fp_arena *arena;
    bool *has; /* [clocks] the stages that have run */
    double *clock, last;
    fp_text *texts;
    fp_counted *counted;
    fp_document *documents;
} course;

static fp_status open_course(course *on, fp_error *error) {
    const fp_pass_plan *plan = on->plan;
    on->has = fp_arena_alloc(on->arena, clock_of_beside(plan) + 1, sizeof *on->has);
    on->clock = fp_arena_alloc(on->arena, clock_of_beside(plan) + 1, sizeof *on->clock);
    on->texts = fp_arena_raw(on->arena, plan->text_count, sizeof *on->texts);
    on->counted = fp_arena_raw(on->arena, plan->count_count, sizeof *on->counted);
    on->documents = fp_arena_raw(on->arena, plan->weight_count, sizeof *on->documents);
    on->last = on->plan->pipeline->untimed ? 0 : fp_seconds();
    return on->has && on->clock && on->texts && on->counted && on->documents ? FP_OK : fp_no_memory(error);
}

/* Charges the time since the last call to `clock`. */
static void lap(course *on, size_t clock) {
    on->has[clock] = true;
    if (on->plan->pipeline->untimed) return;
    double now = fp_seconds();
    on->clock[clock] += now - on->last;
    on->last = now;
}

static fp_status make_text(course *on, size_t group, fp_error *error) {
    const fp_text_group *of = on->plan->texts + group;
    if (on->has[group]) return FP_OK;
    const fp_text *kept = fp_cached_text(of->kept, on->position);
    if (kept) on->texts[group] = *kept;
    else FP_TRY(fp_arm_preprocess(of->arm, on->raw, of->wanted, on->arena, on->texts + group, error));
    if (of->keeps) fp_text_cache_keep(on->plan->cache, of->kept, on->position, on->texts + group);
    lap(on, group);
    return FP_OK;
}

static fp_status make_units(course *on, size_t group, fp_error *error) {
    const fp_count_group *of = on->plan->counts + group;
    if (on->has[clock_of_counts(on->plan, group)]) return FP_OK;
    FP_TRY(make_text(on, of->text, error));
    FP_TRY(fp_arm_extract(of->arm, on->texts + of->text, on->arena, on->counted + group, error));
    lap(on, clock_of_counts(on->plan, group));
    return FP_OK;
}

static fp_status make_counts(course *on, size_t group, fp_error *error) {
    FP_TRY(make_units(on, group, error));
    if (on->counted[group].counts.hash) return FP_OK;
    FP_TRY(fp_arm_count_units(on->plan->counts[group].arm, on->arena, on->counted + group, error));
    lap(on, clock_of_counts(on->plan, group));
    return FP_OK;
}

static fp_status make_document(course *on, size_t group, fp_error *error) {
    const fp_weight_group *of = on->plan->weights + group;
    if (on->has[clock_of_weights(on->plan, group)]) return FP_OK;
    FP_TRY((of->units ? make_units : make_counts)(on, of->counts, error));
    const fp_text *text = on->texts + on->plan->counts[of->counts].text;
    const fp_counted *counted = on->counted + of->counts;
    fp_document *document = on->documents + group;
    document->id = on->id;
    if (of->units) fp_arm_take_units(text, counted, document);
    else FP_TRY(fp_arm_weigh(of->arm, text, counted, false, on->arena, document, error));
    lap(on, clock_of_weights(on->plan, group));
    return FP_OK;
}

/* ---- Results of a document ---- */

static fp_status keep(const void *from, size_t bytes, fp_arena *kept, const void **to, fp_error *error) {
    void *made = FP_NEED(fp_arena_raw(kept, bytes, 1), error);
    if (bytes) memcpy(made, from, bytes);
    *to = made;
    return FP_OK;
}

static fp_status keep_terms(fp_pass *pass, course *on, const fp_lane *lane, size_t index, fp_arena *kept,
                            fp_error *error) {
    fp_counted_terms *to = pass->terms + on->plan->counts[lane->counts].row * pass->texts.count + index;
    if (to->hash) return FP_OK;
    FP_TRY(make_counts(on, lane->counts, error));
    const fp_counts *counts = &on->counted[lane->counts].counts;
    const void *hash = NULL;
    FP_TRY(keep(counts->hash, counts->count * sizeof *counts->hash, kept, &hash, error));
    *to = (fp_counted_terms){hash, counts->count};
    return FP_OK;
}

static fp_status keep_made(fp_pass *pass, course *on, const fp_lane *lane, size_t index, fp_arena *kept,
                           fp_error *error) {
    const fp_arm *arm = pass->plan->pipeline->arms[lane->arm].arm;
    size_t row = (size_t)(lane - pass->plan->lanes) * pass->texts.count;
    fp_sketch made;
    FP_TRY(make_document(on, lane->weights, error));
    const fp_document *document = on->documents + lane->weights;
    if (lane->step == FP_STEP_SKETCH) FP_TRY(fp_arm_sketch_document(arm, document, on->arena, &made, error));
    else {
        FP_TRY(fp_learning_of(arm->instance.algorithm)->read(&arm->instance, document, on->arena, &made, error));
        made.empty = !fp_arm_finds(arm, document);
    }
    fp_sketch *to = pass->made + row + index;
    to->size = made.size;
    to->empty = made.empty;
    return keep(made.data, made.size, kept, &to->data, error);
}

static fp_status run_lanes(fp_pass *pass, course *on, size_t index, fp_arena *kept, fp_error *error) {
    const fp_pass_plan *plan = pass->plan;
    FP_TRY(open_course(on, error));
    for (size_t l = 0; l < plan->lane_count; l++) {
        const fp_lane *lane = plan->lanes + l;
        if (!fp_lane_takes(plan, lane, pass->texts.first + index)) continue;
        FP_TRY((lane->step == FP_STEP_FREQUENCIES ? keep_terms : keep_made)(pass, on, lane, index, kept, error));
        lap(on, clock_of_lane(plan, l));
    }
    if (!plan->pipeline->untimed) add_clocks(pass, on->position, on->clock);
    return FP_OK;
}

/* Puts the document's id in front of the reason, so that the user knows which text failed. */
static fp_status in_document(const fp_pass *pass, size_t index, fp_status status, fp_error *error) {
    const char *name = pass->plan->pipeline->source->name;
    if (status == FP_OK || status == FP_ERROR_MEMORY || !pass->texts.id || !name) return status;
    fp_error reason = *error;
    fp_string id = pass->texts.id[index];
    fp_fail(error, status, "document %.*s: %.300s", (int)(id.length < 100 ? id.length : 100), id.data, reason.message);
    return fp_at(error, status, name, SIZE_MAX, reason.byte);
}

static fp_status run_document(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_pass *pass = context;
    const fp_text_batch *texts = &pass->texts;
    course on = {.plan = pass->plan, .raw = texts->text[index], .position = texts->first + index, .arena = scratch};
    on.id = texts->id ? texts->id[index] : on.raw;
    return in_document(pass, index, run_lanes(pass, &on, index, kept, error), error);
}

/* ---- Results of a batch, in order ---- */

static fp_status add_terms(fp_pass *pass, fp_tally_group *to, fp_error *error) {
    const fp_counted_terms *row = pass->terms + pass->plan->counts[to->counts].row * pass->texts.count;
    double start = fp_seconds();
    for (size_t i = 0; i < pass->texts.count; i++)
        if (!to->training || to->training[pass->texts.first + i])
            FP_TRY(fp_tally_add(to->tally, row[i].hash, row[i].count, error));
    to->seconds += fp_seconds() - start;
    return FP_OK;
}

static fp_status add_read(fp_pass *pass, fp_lane *to, fp_error *error) {
    const fp_instance *instance = &pass->plan->pipeline->arms[to->arm].arm->instance;
    size_t row = (size_t)(to - pass->plan->lanes) * pass->texts.count;
    double start = fp_seconds();
    for (size_t i = 0; i < pass->texts.count; i++) {
        if (!fp_lane_takes(pass->plan, to, pass->texts.first + i)) continue;
        FP_TRY(fp_learning_of(instance->algorithm)->add(instance, to->state, pass->made[row + i], to->arena, error));
        to->documents += !pass->made[row + i].empty;
    }
    to->seconds += fp_seconds() - start;
    return FP_OK;
}

/* `index` counts the tallies, then the lanes. */
static fp_status learn(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    fp_pass *pass = context;
    fp_pass_plan *plan = pass->plan;
    if (index < plan->tally_count) return add_terms(pass, plan->tallies + index, error);
    fp_lane *lane = plan->lanes + index - plan->tally_count;
    return lane->step == FP_STEP_MODEL ? add_read(pass, lane, error) : FP_OK;
}

static bool learns(const fp_pass_plan *plan) {
    for (size_t l = 0; l < plan->lane_count; l++)
        if (plan->lanes[l].step != FP_STEP_SKETCH) return true;
    return false;
}

static fp_status hand_out(const fp_pass *pass, size_t count, fp_error *error) {
    const fp_pipeline *pipeline = pass->plan->pipeline;
    for (size_t l = 0; l < pass->plan->lane_count && count; l++) {
        const fp_lane *lane = pass->plan->lanes + l;
        size_t row = l * pass->texts.count;
        if (lane->step == FP_STEP_SKETCH)
            FP_TRY(pipeline->take(pipeline->context, lane->arm, pass->texts.first, count, pass->made + row, error));
    }
    return FP_OK;
}

/* ---- A batch ---- */

static fp_status make_room(fp_pass *pass, fp_error *error) {
    size_t count = pass->texts.count;
    fp_arena_reset(pass->arena);
    pass->terms = FP_NEED(fp_arena_alloc(pass->arena, pass->plan->row_count, count * sizeof *pass->terms), error);
    pass->made = FP_NEED(fp_arena_alloc(pass->arena, pass->plan->lane_count, count * sizeof *pass->made), error);
    for (size_t t = 0; t < pass->plan->text_count; t++)
        if (pass->plan->texts[t].keeps)
            fp_text_cache_expect(pass->plan->cache, pass->plan->texts[t].kept, pass->texts.first + count);
    return FP_OK;
}

typedef struct companion {
    fp_pass *pass;
    void (*run)(void *context);
    void *context;
} companion;

static void run_companion(void *context) {
    companion *on = context;
    double start = fp_seconds();
    on->run(on->context);
    pthread_mutex_lock(&on->pass->lock);
    on->pass->clock[clock_of_beside(on->pass->plan)] += fp_seconds() - start;
    pthread_mutex_unlock(&on->pass->lock);
}

fp_status fp_pass_run(fp_pass *pass, const fp_text_batch *texts, void (*beside)(void *context), void *context,
                      fp_error *error) {
    size_t done, learning = pass->plan->tally_count + pass->plan->lane_count;
    double start = fp_seconds();
    companion with = {pass, beside, context};
    const fp_beside run = {run_companion, &with};
    pass->texts = *texts;
    FP_TRY(make_room(pass, error));
    fp_status status =
        fp_batch_run(pass->threads, texts->count, run_document, pass, beside ? &run : NULL, &done, error);
    pass->wall += fp_seconds() - start;
    fp_status handed = hand_out(pass, done, status == FP_OK ? error : NULL);
    FP_TRY(status);
    FP_TRY(handed);
    return learns(pass->plan) ? fp_batch_each(pass->threads, learning, learn, pass, error) : FP_OK;
}

/* The seconds of a lane in one slice, from its clocks. */
static fp_pipeline_seconds take_slice(const fp_pass *pass, size_t lane, const double *clock) {
    const fp_pass_plan *plan = pass->plan;
    const fp_lane *of = plan->lanes + lane;
    bool weighs = of->weights != FP_NO_PLACE;
    return (fp_pipeline_seconds){.texts = clock[plan->counts[of->counts].text],
                                 .counts = clock[clock_of_counts(plan, of->counts)],
                                 .weights = weighs ? clock[clock_of_weights(plan, of->weights)] : 0,
                                 .own = clock[clock_of_lane(plan, lane)]};
}

static void charge_lane(const fp_pass *pass, size_t lane, double share) {
    const fp_pass_plan *plan = pass->plan;
    const fp_lane *of = plan->lanes + lane;
    fp_pipeline_arm *to = plan->pipeline->arms + of->arm;
    double learning = of->seconds + (of->tally != FP_NO_PLACE ? plan->tallies[of->tally].seconds : 0);
    for (size_t s = 0; s < FP_PIPELINE_SLICES; s++) {
        fp_pipeline_seconds took = take_slice(pass, lane, pass->clock + s * clock_count(plan));
        to->seconds.texts += share * took.texts;
        to->seconds.counts += share * took.counts;
        to->seconds.weights += share * took.weights;
        to->seconds.own += share * took.own;
        to->slice[s] += share * fp_pipeline_seconds_of(&took) + learning / FP_PIPELINE_SLICES;
    }
    to->seconds.own += learning;
}

void fp_pass_charge(const fp_pass *pass) {
    size_t clocks = FP_PIPELINE_SLICES * clock_count(pass->plan);
    double all = 0;
    for (size_t i = 0; i < clocks; i++) all += pass->clock[i];
    for (size_t l = 0; l < pass->plan->lane_count; l++) charge_lane(pass, l, all > 0 ? pass->wall / all : 0);
}
