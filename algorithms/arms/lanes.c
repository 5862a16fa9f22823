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

/* ---- Groups ---- */

static size_t text_group(fp_pass *pass, const fp_arm *arm) {
    size_t t = 0;
    while (t < pass->text_count && !fp_arm_same_text(pass->texts[t].arm, arm)) t++;
    if (t == pass->text_count) pass->texts[pass->text_count++] = (fp_text_group){.arm = arm};
    pass->texts[t].wanted |= fp_arm_wants(arm);
    return t;
}

static size_t count_group(fp_pass *pass, const fp_arm *arm) {
    size_t text = text_group(pass, arm), c = 0;
    while (c < pass->count_count && !fp_arm_same_counts(pass->counts[c].arm, arm)) c++;
    if (c == pass->count_count) pass->counts[pass->count_count++] = (fp_count_group){arm, text, FP_NO_PLACE};
    return c;
}

static size_t weight_group(fp_pass *pass, const fp_arm *arm, size_t counts) {
    size_t w = 0;
    bool units = fp_arm_takes_units(arm);
    for (; w < pass->weight_count; w++) {
        const fp_weight_group *group = pass->weights + w;
        if (group->counts != counts || group->units != units) continue;
        if (units || (fp_arm_same_features(group->arm, arm) && group->arm->idf == arm->idf)) return w;
    }
    pass->weights[pass->weight_count++] = (fp_weight_group){arm, counts, units};
    return w;
}

static fp_status tally_group(fp_pass *pass, size_t counts, const bool *training, size_t *group, fp_error *error) {
    size_t t = 0;
    while (t < pass->tally_count && (pass->tallies[t].counts != counts || pass->tallies[t].training != training)) t++;
    *group = t;
    if (t < pass->tally_count) return FP_OK;
    pass->tallies[pass->tally_count++] = (fp_tally_group){.counts = counts, .training = training};
    if (pass->counts[counts].row == FP_NO_PLACE) pass->counts[counts].row = pass->row_count++;
    return fp_tally_open(pass->pipeline->arena, &pass->tallies[t].tally, error);
}

/* ---- Lanes ---- */

static fp_status open_state(fp_lane *lane, const fp_pipeline_arm *of, fp_error *error) {
    const fp_instance *instance = &of->arm->instance;
    lane->arena = FP_NEED(fp_arena_new_like(of->arm->arena), error);
    if (instance->algorithm->needs & FP_NEEDS_PAIRS) lane->labels = (fp_training){of->pair_count, of->pairs};
    return fp_learning_of(instance->algorithm)->begin(instance, &lane->labels, lane->arena, &lane->state, error);
}

static fp_status add_lane(fp_pass *pass, size_t number, fp_step step, fp_error *error) {
    const fp_pipeline_arm *of = pass->pipeline->arms + number;
    fp_lane *lane = pass->lanes + pass->lane_count++;
    *lane = (fp_lane){.arm = number, .step = step, .weights = FP_NO_PLACE, .tally = FP_NO_PLACE};
    lane->counts = count_group(pass, of->arm);
    if (step == FP_STEP_SKETCH) pass->sketches = true;
    else pass->learns = true;
    if (step == FP_STEP_FREQUENCIES) return tally_group(pass, lane->counts, of->training, &lane->tally, error);
    lane->weights = weight_group(pass, of->arm, lane->counts);
    return step == FP_STEP_MODEL ? open_state(lane, of, error) : fp_arm_ready(of->arm, error);
}

/* Texts are kept only if an arm reads them again in a later pass. */
static void plan_cache(fp_pass *pass, bool first) {
    for (size_t l = 0; l < pass->lane_count && first && pass->pipeline->kept; l++) {
        const fp_lane *lane = pass->lanes + l;
        const fp_arm *arm = pass->pipeline->arms[lane->arm].arm;
        bool again = fp_step_from(pass->pipeline, arm, lane->step + 1) != FP_STEP_DONE;
        if (again && arm->preprocessor) pass->texts[pass->counts[lane->counts].text].keeps = true;
    }
    for (size_t t = 0; t < pass->text_count; t++)
        pass->texts[t].kept = fp_text_cache_find(pass->cache, pass->texts[t].arm, pass->texts[t].keeps);
}

fp_status fp_pass_plan(fp_pass *pass, const fp_step *steps, bool first, fp_arena *arena, fp_error *error) {
    size_t count = pass->pipeline->count;
    pass->texts = FP_NEED(fp_arena_raw(arena, count, sizeof *pass->texts), error);
    pass->counts = FP_NEED(fp_arena_raw(arena, count, sizeof *pass->counts), error);
    pass->weights = FP_NEED(fp_arena_raw(arena, count, sizeof *pass->weights), error);
    pass->tallies = FP_NEED(fp_arena_raw(arena, count, sizeof *pass->tallies), error);
    pass->lanes = FP_NEED(fp_arena_raw(arena, count, sizeof *pass->lanes), error);
    for (size_t a = 0; a < count; a++)
        if (steps[a] != FP_STEP_DONE) FP_TRY(add_lane(pass, a, steps[a], error));
    plan_cache(pass, first);
    return FP_OK;
}

/* ---- Results of learning ---- */

static fp_status take_frequencies(fp_pass *pass, fp_tally_group *from, fp_error *error) {
    double start = fp_seconds();
    FP_TRY(fp_tally_idf(from->tally, pass->pipeline->arena, &from->idf, error));
    fp_tally_close(from->tally);
    from->tally = NULL;
    from->seconds += fp_seconds() - start;
    return FP_OK;
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
        return tallying->take(tallying->context, pass->tally_count ? pass->tallies->tally : NULL, pass->lanes->state,
                              pass->lanes->documents, error);
    for (size_t t = 0; t < pass->tally_count; t++) FP_TRY(take_frequencies(pass, pass->tallies + t, error));
    for (size_t l = 0; l < pass->lane_count; l++) {
        fp_lane *lane = pass->lanes + l;
        fp_arm *arm = pass->pipeline->arms[lane->arm].arm;
        if (lane->step == FP_STEP_FREQUENCIES)
            FP_TRY(fp_arm_take_frequencies(arm, pass->tallies[lane->tally].idf, error));
        if (lane->step == FP_STEP_MODEL) FP_TRY(take_model(pass, lane, error));
    }
    return FP_OK;
}
