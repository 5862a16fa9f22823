/* SPDX-License-Identifier: GPL-3.0-or-later
 * Positive pairs by the stage at which they are lost. */
#include "eval/analyses/recall_loss.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/experiment/groups.h"
#include "eval/statistics/proportion_interval.h"

/* ---- Pairs ---- */

static fp_status list_grouped(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    fp_unit_list by;
    double count = 0;
    FP_TRY(fp_groups_make(corpus, arena, &by, error));
    for (size_t g = 0; g < by.count; g++) count += (double)fp_pairs_of(by.begin[g + 1] - by.begin[g]);
    if (count > FP_RECALL_LOSS_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "the groups of %s hold %.0f pairs; --lost takes at most %d", corpus->name,
                       count, FP_RECALL_LOSS_MOST);
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, (size_t)count, sizeof *pairs), error);
    to->pairs = pairs;
    for (size_t g = 0; g < by.count; g++)
        for (size_t i = by.begin[g]; i < by.begin[g + 1]; i++)
            for (size_t j = i + 1; j < by.begin[g + 1]; j++)
                pairs[to->pair_count++] = (fp_pair){by.document[i], by.document[j], 1};
    return FP_OK;
}

static fp_status list_pairs(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    to->pairs = corpus->pairs;
    to->pair_count = corpus->pair_count;
    if (corpus->truth != FP_TRUTH_PAIRS) {
        to->pair_count = 0;
        FP_TRY(list_grouped(corpus, arena, to, error));
    }
    for (size_t i = 0; i < to->pair_count; i++) to->positive_count += to->pairs[i].label;
    if (to->pair_count == 0) return FP_OK;
    return fp_resample_make(to->pairs, to->pair_count, corpus->group, corpus->document_count, FP_SAMPLING_AUTO, arena,
                            &to->resample, error);
}

/* ---- Distances ---- */

/* Shared by the measurements and look-ups of all arms. */
typedef struct making {
    const fp_recall_loss *lost;
    fp_arenas arenas; /* of the threads */
    const fp_progress *progress;
    fp_arena *arena; /* for results */
} making;

/* Of listed pairs they are known. */
static fp_status measure(const making *with, const fp_measurement *of, const double **out, fp_error *error) {
    const fp_recall_loss *lost = with->lost;
    *out = of->distances;
    if (lost->corpus->truth == FP_TRUTH_PAIRS) return FP_OK;
    double *distance = FP_NEED(fp_arena_raw(with->arena, lost->pair_count, sizeof *distance), error);
    *out = distance;
    return fp_pairs_measure(lost->corpus, of, FP_PAIR_LIST(lost->pairs, lost->pair_count), &with->arenas,
                            "positive pairs", with->progress, distance, error);
}

static fp_status find_similarities(const making *with, fp_recall_loss_arm *arm, fp_error *error) {
    const fp_instance *exact = &arm->counterpart->arm->instance;
    const double *distance;
    FP_TRY(measure(with, arm->counterpart, &distance, error));
    double *similarity = FP_NEED(fp_arena_raw(with->arena, with->lost->pair_count, sizeof *similarity), error);
    for (size_t i = 0; i < with->lost->pair_count; i++)
        similarity[i] = exact->algorithm->similarity(exact, distance[i]);
    arm->similarity = similarity;
    return FP_OK;
}

/* ---- Look-ups ---- */

/* A look-up by one document finds the other if they have a key in common. */
static fp_status index_arm(const making *with, const fp_lsh_spec *spec, fp_recall_loss_arm *arm, fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm->measurement->arm);
    const fp_sketches *sketches = &arm->measurement->sketches;
    fp_lsh_form form;
    fp_error own = {0};
    fp_status status = fp_lsh_settle(spec, layout, &form, &own);
    if (status != FP_OK) return fp_fail(error, status, "%s: %s", fp_arm_name(arm->measurement->arm), own.message);
    FP_TRY(fp_lsh_open(&form, layout, with->arena, &arm->tables, error));
    arm->reach = form.reach;
    arm->index = FP_NEED(fp_lsh_text(&form, with->arena), error);
    bool *brought = FP_NEED(fp_arena_alloc(with->arena, with->lost->pair_count, sizeof *brought), error);
    for (size_t i = 0; i < with->lost->pair_count; i++) {
        fp_pair pair = with->lost->pairs[i];
        brought[i] =
            pair.label && fp_lsh_meet(arm->tables, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
    }
    arm->brought = brought;
    return fp_lsh_count_pairs(arm->tables, sketches, &with->arenas, with->progress, &arm->candidate_pairs, error);
}

/* ---- Arms ---- */

/* Whether some algorithm names this one as its counterpart: alone, or followed by a colon and parameters. */
static bool is_exact(const fp_arm *arm) {
    const char *name = arm->instance.algorithm->name;
    size_t length = strlen(name);
    const fp_algorithm *other;
    for (size_t i = 0; (other = fp_algorithm_at(i)); i++)
        if (other->counterpart && strncmp(other->counterpart, name, length) == 0 &&
            strchr(":", other->counterpart[length]))
            return true;
    return false;
}

fp_status fp_recall_loss_make(const fp_outcome *outcome, const fp_lsh_spec *spec, const double *within,
                              const fp_progress *progress, fp_arena *arena, fp_recall_loss *lost, fp_error *error) {
    *lost = (fp_recall_loss){.corpus = outcome->corpus, .arm_count = outcome->count};
    fp_recall_loss_arm *arms = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *arms), error);
    FP_TRY(list_pairs(outcome->corpus, arena, lost, error));
    FP_ARENAS(arenas, progress, arena, error);
    making with = {lost, arenas, progress, arena};
    lost->arms = arms;
    for (size_t i = 0; i < outcome->count; i++) {
        fp_recall_loss_arm *arm = arms + i;
        fp_lsh_spec own;
        arm->measurement = outcome->measurements + i;
        arm->counterpart = outcome->counterparts ? outcome->counterparts->of_arm[i] : NULL;
        arm->index = "";
        arm->reach = NAN;
        arm->exact = !arm->counterpart && is_exact(arm->measurement->arm);
        const fp_layout *layout = fp_arm_layout(arm->measurement->arm);
        FP_TRY(measure(&with, arm->measurement, &arm->distance, error));
        if (arm->counterpart) FP_TRY(find_similarities(&with, arm, error));
        if (fp_lsh_places(layout) && (spec || fp_lsh_within_distance(layout, within[i], &own)))
            FP_TRY(index_arm(&with, spec ? spec : &own, arm, error));
    }
    return FP_OK;
}

/* ---- Class of a pair at a threshold, and counts of the classes ---- */

bool fp_recall_loss_applies(const fp_recall_loss_arm *arm, fp_loss loss) {
    switch (loss) {
    case FP_LOSS_INDEX: return arm->tables != NULL;
    case FP_LOSS_SKETCH: return arm->similarity != NULL;
    case FP_LOSS_SIMILARITY: return arm->similarity || arm->exact;
    case FP_LOSS_MEASURE: return !arm->similarity && !arm->exact;
    case FP_LOSS_LUCK: return arm->similarity != NULL;
    default: return true;
    }
}

/* The slack keeps a similarity exactly at the limit for h within it, whatever its rounding error. */
static bool exact_is_within(const fp_recall_loss_arm *arm, size_t pair, double threshold) {
    static const double SLACK = 1e-9;
    const fp_instance *instance = &arm->measurement->arm->instance;
    if (threshold >= instance->layout.maximum) return true;
    return arm->similarity[pair] >= instance->algorithm->similarity(instance, threshold) - SLACK;
}

/* FP_LOSS_LUCK for a pair that is found by luck. */
static fp_loss loss_of(const fp_recall_loss_arm *arm, size_t pair, double threshold) {
    bool near = arm->distance[pair] <= threshold, exact = arm->similarity && exact_is_within(arm, pair, threshold);
    if (near && arm->brought && !arm->brought[pair]) return FP_LOSS_INDEX;
    if (near) return arm->similarity && !exact ? FP_LOSS_LUCK : FP_LOSS_NONE;
    if (arm->exact) return FP_LOSS_SIMILARITY;
    return !arm->similarity ? FP_LOSS_MEASURE : exact ? FP_LOSS_SKETCH : FP_LOSS_SIMILARITY;
}

typedef struct fill_job {
    const fp_recall_loss *lost;
    double confidence;
    fp_recall_loss_row *rows;
} fill_job;

static fp_status fill_row(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    fill_job *job = context;
    const fp_recall_loss *lost = job->lost;
    fp_recall_loss_row *row = job->rows + index;
    size_t pairs = lost->pair_count;
    double *weight = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *weight), error);
    bool *success = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *success), error);
    fp_loss *loss = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *loss), error);
    memset(row->count, 0, sizeof row->count);
    for (size_t i = 0; i < pairs; i++) {
        if (!lost->pairs[i].label) continue;
        loss[i] = loss_of(lost->arms + row->arm, i, row->threshold);
        row->count[loss[i]]++;
        weight[i] = 1;
    }
    row->count[FP_LOSS_NONE] += row->count[FP_LOSS_LUCK];
    for (fp_loss c = 0; c < FP_LOSS_COLUMNS; c++) {
        row->share[c] = (fp_proportion){NAN, {NAN, NAN}, 0};
        if (pairs == 0 || !fp_recall_loss_applies(lost->arms + row->arm, c)) continue;
        for (size_t i = 0; i < pairs; i++)
            success[i] = lost->pairs[i].label && (loss[i] == c || (c == FP_LOSS_NONE && loss[i] == FP_LOSS_LUCK));
        FP_TRY(fp_proportion_of(&lost->resample, weight, success, job->confidence, scratch, row->share + c, error));
    }
    return FP_OK;
}

fp_status fp_recall_loss_fill(const fp_recall_loss *lost, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_recall_loss_row *rows, size_t count, fp_error *error) {
    fill_job job = {lost, confidence, rows};
    return fp_parallel_in(arena, count, fill_row, &job, "shares", progress, error);
}

bool fp_recall_loss_needs_scan(const fp_recall_loss_arm *arm) {
    return !arm->tables && fp_lsh_places(fp_arm_layout(arm->measurement->arm)) > 0;
}

double fp_recall_loss_candidates(const fp_recall_loss_arm *arm) {
    double documents = (double)arm->measurement->sketches.count;
    if (!arm->tables || documents == 0) return NAN;
    return (documents + 2 * (double)arm->candidate_pairs) / documents - 1;
}
