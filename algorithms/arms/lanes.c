/* SPDX-License-Identifier: GPL-3.0-or-later
 * Plans a pass: the step of each arm, and the work that arms share. */
#include "algorithms/arms/lanes.h"

/* ---- Steps ---- */

static bool counts_frequencies(const fp_arm *arm) { return arm->extractor && fp_extractor_learns(arm->extractor); }

fp_step fp_step_from(const fp_pipeline *pipeline, const fp_arm *arm, fp_step step) {
    if (step == FP_STEP_FREQUENCIES && !(pipeline->learns && counts_frequencies(arm))) step = FP_STEP_MODEL;
    if (step == FP_STEP_MODEL && !(pipeline->learns && fp_arm_fits(arm))) step = FP_STEP_SKETCH;
    if (step == FP_STEP_SKETCH && !pipeline->take) step = FP_STEP_DONE;
    return step;
}

/* ---- Lanes ---- */

static fp_status open_state(fp_lane *lane, const fp_pipeline_arm *of, fp_error *error) {
    const fp_instance *instance = &of->arm->instance;
    lane->arena = FP_NEED(fp_arena_new_like(of->arm->arena), error);
    if (instance->algorithm->needs & FP_NEEDS_PAIRS) lane->labels = (fp_training){of->pair_count, of->pairs};
    return fp_learning_of(instance->algorithm)->begin(instance, &lane->labels, lane->arena, &lane->state, error);
}

/* Finds the earlier lanes whose stages the lane shares. */
static void share(const fp_pass *pass, fp_lane *lane) {
    const fp_pipeline_arm *own = pass->pipeline->arms + lane->arm;
    bool counts = lane->step == FP_STEP_FREQUENCIES;
    size_t number = (size_t)(lane - pass->lanes);
    lane->text = lane->counts = lane->weights = lane->terms = lane->tally = number;
    for (size_t l = number; l-- > 0;) {
        const fp_lane *other = pass->lanes + l;
        const fp_pipeline_arm *of = pass->pipeline->arms + other->arm;
        if (!fp_arm_same_text(of->arm, own->arm)) continue;
        lane->text = l;
        if (!fp_arm_same_counts(of->arm, own->arm)) continue;
        lane->counts = l;
        if (counts != (other->step == FP_STEP_FREQUENCIES)) continue;
        if (counts) lane->terms = l;
        if (counts && of->training == own->training) lane->tally = l;
        if (!counts && other->units == lane->units &&
            (lane->units || (fp_arm_same_features(of->arm, own->arm) && of->arm->idf == own->arm->idf)))
            lane->weights = l;
    }
}

static fp_status add_lane(fp_pass *pass, size_t number, fp_step step, fp_error *error) {
    const fp_pipeline_arm *of = pass->pipeline->arms + number;
    fp_lane *lane = pass->lanes + pass->lane_count++;
    *lane = (fp_lane){.arm = number, .step = step, .units = fp_arm_takes_units(of->arm)};
    share(pass, lane);
    pass->lanes[lane->text].wanted |= fp_arm_wants(of->arm);
    if (step == FP_STEP_SKETCH) pass->sketches = true;
    else pass->learns = true;
    if (step == FP_STEP_MODEL) return open_state(lane, of, error);
    if (step == FP_STEP_SKETCH) return fp_arm_ready(of->arm, error);
    return pass->lanes + lane->tally == lane ? fp_tally_open(pass->pipeline->arena, &lane->frequencies, error) : FP_OK;
}

/* Texts are kept only if an arm reads them again in a later pass. */
static void plan_cache(fp_pass *pass, bool first) {
    for (size_t l = 0; l < pass->lane_count && first && pass->pipeline->kept; l++) {
        const fp_lane *lane = pass->lanes + l;
        const fp_arm *arm = pass->pipeline->arms[lane->arm].arm;
        bool again = fp_step_from(pass->pipeline, arm, lane->step + 1) != FP_STEP_DONE;
        if (again && arm->preprocessor) pass->lanes[lane->text].keeps = true;
    }
    for (size_t l = 0; l < pass->lane_count; l++) {
        fp_lane *lane = pass->lanes + l;
        if (lane->text == l)
            lane->kept = fp_text_cache_find(pass->cache, pass->pipeline->arms[lane->arm].arm, lane->keeps);
    }
}

fp_status fp_pass_plan(fp_pass *pass, const fp_step *steps, bool first, fp_arena *arena, fp_error *error) {
    size_t count = pass->pipeline->count;
    pass->lanes = FP_NEED(fp_arena_raw(arena, count, sizeof *pass->lanes), error);
    for (size_t a = 0; a < count; a++)
        if (steps[a] != FP_STEP_DONE) FP_TRY(add_lane(pass, a, steps[a], error));
    plan_cache(pass, first);
    return FP_OK;
}

/* ---- Results of learning ---- */

static fp_status take_frequencies(fp_pass *pass, fp_lane *from, fp_error *error) {
    fp_lane *first = pass->lanes + from->tally;
    double start = fp_seconds();
    if (from == first) {
        FP_TRY(fp_tally_idf(from->frequencies, pass->pipeline->arena, &from->idf, error));
        fp_tally_close(from->frequencies);
        from->frequencies = NULL;
    }
    from->seconds += fp_seconds() - start;
    return fp_arm_take_frequencies(pass->pipeline->arms[from->arm].arm, first->idf, error);
}

static fp_status take_model(fp_pass *pass, fp_lane *from, fp_error *error) {
    double start = fp_seconds();
    FP_TRY(fp_arm_take_model(pass->pipeline->arms[from->arm].arm, from->state, from->documents, pass->pipeline->arena,
                             error));
    from->seconds += fp_seconds() - start;
    return FP_OK;
}

fp_status fp_pass_learn(fp_pass *pass, fp_error *error) {
    const fp_tallying *tallying = pass->pipeline->tallying;
    if (tallying)
        return tallying->take(tallying->context, pass->lanes->frequencies, pass->lanes->state, pass->lanes->documents,
                              error);
    for (size_t l = 0; l < pass->lane_count; l++) {
        fp_lane *lane = pass->lanes + l;
        if (lane->step == FP_STEP_FREQUENCIES) FP_TRY(take_frequencies(pass, lane, error));
        if (lane->step == FP_STEP_MODEL) FP_TRY(take_model(pass, lane, error));
    }
    return FP_OK;
}
