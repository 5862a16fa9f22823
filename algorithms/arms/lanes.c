/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which arm does what in a pass, and with whom. */
#include "algorithms/arms/lanes.h"

/* ---- Steps ---- */

static bool counts_frequencies(const fp_arm *arm) { return arm->extractor && fp_extractor_learns(arm->extractor); }

fp_step fp_step_from(const fp_pipeline *pipeline, const fp_arm *arm, fp_step step) {
    if (step == FP_STEP_FREQUENCIES && !(pipeline->learns && counts_frequencies(arm))) step = FP_STEP_MODEL;
    if (step == FP_STEP_MODEL && !(pipeline->learns && fp_arm_fits(arm))) step = FP_STEP_SKETCH;
    if (step == FP_STEP_SKETCH && !pipeline->take) step = FP_STEP_DONE;
    return step;
}

/* ---- Groups ---- */

static size_t text_group(fp_pass_plan *plan, const fp_arm *arm) {
    size_t t = 0;
    while (t < plan->text_count && !fp_arm_same_text(plan->texts[t].arm, arm)) t++;
    if (t == plan->text_count) plan->texts[plan->text_count++] = (fp_text_group){.arm = arm};
    plan->texts[t].wanted |= fp_arm_wants(arm);
    return t;
}

static size_t count_group(fp_pass_plan *plan, const fp_arm *arm) {
    size_t text = text_group(plan, arm), c = 0;
    while (c < plan->count_count && !fp_arm_same_counts(plan->counts[c].arm, arm)) c++;
    if (c == plan->count_count) plan->counts[plan->count_count++] = (fp_count_group){arm, text, FP_NO_PLACE};
    return c;
}

static size_t weight_group(fp_pass_plan *plan, const fp_arm *arm, size_t counts) {
    size_t w = 0;
    bool units = fp_arm_takes_units(arm);
    for (; w < plan->weight_count; w++) {
        const fp_weight_group *group = plan->weights + w;
        if (group->counts != counts || group->units != units) continue;
        if (units || (fp_arm_same_features(group->arm, arm) && group->arm->idf == arm->idf)) return w;
    }
    plan->weights[plan->weight_count++] = (fp_weight_group){arm, counts, units};
    return w;
}

static fp_status tally_group(fp_pass_plan *plan, size_t counts, const bool *training, size_t *group, fp_error *error) {
    size_t t = 0;
    while (t < plan->tally_count && (plan->tallies[t].counts != counts || plan->tallies[t].training != training)) t++;
    *group = t;
    if (t < plan->tally_count) return FP_OK;
    plan->tallies[plan->tally_count++] = (fp_tally_group){.counts = counts, .training = training};
    if (plan->counts[counts].row == FP_NO_PLACE) plan->counts[counts].row = plan->row_count++;
    return fp_tally_open(plan->pipeline->arena, &plan->tallies[t].tally, error);
}

/* ---- Lanes ---- */

static fp_status open_state(fp_lane *lane, const fp_pipeline_arm *of, fp_error *error) {
    const fp_instance *instance = &of->arm->instance;
    lane->arena = FP_NEED(fp_arena_new_like(of->arm->arena), error);
    if (instance->algorithm->needs & FP_NEEDS_PAIRS) lane->labels = (fp_training){of->pair_count, of->pairs};
    return fp_learning_of(instance->algorithm)->begin(instance, &lane->labels, lane->arena, &lane->state, error);
}

static fp_status add_lane(fp_pass_plan *plan, size_t number, fp_step step, fp_error *error) {
    const fp_pipeline_arm *of = plan->pipeline->arms + number;
    fp_lane *lane = plan->lanes + plan->lane_count++;
    *lane = (fp_lane){.arm = number, .step = step, .weights = FP_NO_PLACE, .tally = FP_NO_PLACE};
    lane->counts = count_group(plan, of->arm);
    if (step == FP_STEP_FREQUENCIES) return tally_group(plan, lane->counts, of->training, &lane->tally, error);
    lane->weights = weight_group(plan, of->arm, lane->counts);
    return step == FP_STEP_MODEL ? open_state(lane, of, error) : fp_arm_ready(of->arm, error);
}

static fp_status make_plan(fp_pass_plan *plan, const fp_step *steps, fp_arena *arena, fp_error *error) {
    size_t count = plan->pipeline->count;
    plan->texts = FP_NEED(fp_arena_raw(arena, count, sizeof *plan->texts), error);
    plan->counts = FP_NEED(fp_arena_raw(arena, count, sizeof *plan->counts), error);
    plan->weights = FP_NEED(fp_arena_raw(arena, count, sizeof *plan->weights), error);
    plan->tallies = FP_NEED(fp_arena_raw(arena, count, sizeof *plan->tallies), error);
    plan->lanes = FP_NEED(fp_arena_raw(arena, count, sizeof *plan->lanes), error);
    for (size_t a = 0; a < count; a++)
        if (steps[a] != FP_STEP_DONE) FP_TRY(add_lane(plan, a, steps[a], error));
    return FP_OK;
}

/* Texts are kept only if an arm reads them again in a later pass. */
static void plan_cache(fp_pass_plan *plan, bool first) {
    for (size_t l = 0; l < plan->lane_count && first && plan->pipeline->kept; l++) {
        const fp_lane *lane = plan->lanes + l;
        const fp_arm *arm = plan->pipeline->arms[lane->arm].arm;
        bool again = fp_step_from(plan->pipeline, arm, lane->step + 1) != FP_STEP_DONE;
        if (again && arm->preprocessor) plan->texts[plan->counts[lane->counts].text].keeps = true;
    }
    for (size_t t = 0; t < plan->text_count; t++)
        plan->texts[t].kept = fp_text_cache_find(plan->cache, plan->texts[t].arm, plan->texts[t].keeps);
}

fp_status fp_pass_plan_open(fp_pass_plan *plan, const fp_pipeline *pipeline, const fp_step *steps, fp_text_cache *cache,
                            bool first, fp_arena *arena, fp_error *error) {
    *plan = (fp_pass_plan){.pipeline = pipeline, .cache = cache};
    fp_status status = make_plan(plan, steps, arena, error);
    if (status == FP_OK) plan_cache(plan, first);
    if (status != FP_OK) fp_pass_plan_close(plan);
    return status;
}

void fp_pass_plan_close(fp_pass_plan *plan) {
    for (size_t t = 0; t < plan->tally_count; t++) fp_tally_close(plan->tallies[t].tally);
    for (size_t l = 0; l < plan->lane_count; l++) fp_arena_free(plan->lanes[l].arena);
    plan->tally_count = plan->lane_count = 0;
}

/* ---- Results of learning ---- */

static fp_status take_frequencies(fp_pass_plan *plan, fp_tally_group *from, fp_error *error) {
    double start = fp_seconds();
    FP_TRY(fp_tally_idf(from->tally, plan->pipeline->arena, &from->idf, error));
    fp_tally_close(from->tally);
    from->tally = NULL;
    from->seconds += fp_seconds() - start;
    return FP_OK;
}

static fp_status take_model(fp_pass_plan *plan, fp_lane *from, fp_error *error) {
    double start = fp_seconds();
    FP_TRY(fp_arm_take_model(plan->pipeline->arms[from->arm].arm, from->state, from->documents, plan->pipeline->arena,
                             error));
    from->seconds += fp_seconds() - start;
    return FP_OK;
}

fp_status fp_pass_plan_end(fp_pass_plan *plan, fp_error *error) {
    const fp_tallying *tallying = plan->pipeline->tallying;
    if (tallying)
        return tallying->take(tallying->context, plan->tally_count ? plan->tallies->tally : NULL, plan->lanes->state,
                              plan->lanes->documents, error);
    for (size_t t = 0; t < plan->tally_count; t++) FP_TRY(take_frequencies(plan, plan->tallies + t, error));
    for (size_t l = 0; l < plan->lane_count; l++) {
        fp_lane *lane = plan->lanes + l;
        fp_arm *arm = plan->pipeline->arms[lane->arm].arm;
        if (lane->step == FP_STEP_FREQUENCIES)
            FP_TRY(fp_arm_take_frequencies(arm, plan->tallies[lane->tally].idf, error));
        if (lane->step == FP_STEP_MODEL) FP_TRY(take_model(plan, lane, error));
    }
    return FP_OK;
}
