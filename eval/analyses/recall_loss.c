/* SPDX-License-Identifier: GPL-3.0-or-later
 * Positive pairs by the place where they are lost. */
#include "eval/analyses/recall_loss.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/experiment/groups.h"

/* ---- Positives ---- */

static fp_status list_labelled(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) count += corpus->pairs[i].label == 1;
    fp_pair *positives = FP_NEED(fp_arena_raw(arena, count, sizeof *positives), error);
    uint32_t *labelled = FP_NEED(fp_arena_raw(arena, count, sizeof *labelled), error);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        if (corpus->pairs[i].label != 1) continue;
        labelled[to->positive_count] = (uint32_t)i;
        positives[to->positive_count++] = corpus->pairs[i];
    }
    to->positives = positives;
    to->labelled = labelled;
    if (corpus->pair_count == 0) return FP_OK;
    return fp_resample_make(corpus->pairs, corpus->pair_count, corpus->group, corpus->document_count, FP_SAMPLING_AUTO,
                            arena, &to->resample, error);
}

static fp_status list_grouped(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    fp_groups by;
    double count = 0;
    FP_TRY(fp_groups_make(corpus, arena, &by, error));
    for (size_t g = 0; g < corpus->group_count; g++) {
        double size = (double)(by.begin[g + 1] - by.begin[g]);
        count += size * (size - 1) / 2;
    }
    if (count > FP_RECALL_LOSS_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "the groups of %s hold %.0f pairs; --lost takes at most %d", corpus->name,
                       count, FP_RECALL_LOSS_MOST);
    fp_pair *positives = FP_NEED(fp_arena_raw(arena, (size_t)count, sizeof *positives), error);
    uint32_t *labelled = FP_NEED(fp_arena_raw(arena, (size_t)count, sizeof *labelled), error);
    for (size_t g = 0; g < corpus->group_count; g++) {
        for (size_t i = by.begin[g]; i < by.begin[g + 1]; i++) {
            for (size_t j = i + 1; j < by.begin[g + 1]; j++) {
                labelled[to->positive_count] = (uint32_t)to->positive_count;
                positives[to->positive_count++] = (fp_pair){by.member[i], by.member[j], 1};
            }
        }
    }
    to->positives = positives;
    to->labelled = labelled;
    if (to->positive_count == 0) return FP_OK;
    return fp_resample_make(positives, to->positive_count, corpus->group, corpus->document_count, FP_SAMPLING_AUTO,
                            arena, &to->resample, error);
}

/* ---- Distances ---- */

/* What all arms are measured and looked up with. */
typedef struct making {
    const fp_recall_loss *lost;
    fp_arenas arenas; /* of the threads */
    const fp_progress *progress;
    fp_arena *arena; /* for what stays */
} making;

/* `similarity`: wanted instead of the distance. */
static fp_status measure(const making *with, const fp_measurement *of, bool similarity, const double **out,
                         fp_error *error) {
    const fp_recall_loss *lost = with->lost;
    const fp_instance *instance = &of->arm->instance;
    double *value = FP_NEED(fp_arena_raw(with->arena, lost->positive_count, sizeof *value), error);
    *out = value;
    FP_TRY(fp_pairs_measure(lost->corpus, of, FP_PAIR_LIST(lost->positives, lost->positive_count), &with->arenas,
                            "positive pairs", with->progress, value, error));
    for (size_t i = 0; similarity && i < lost->positive_count; i++)
        value[i] = instance->algorithm->similarity(instance, value[i]);
    return FP_OK;
}

/* ---- Look-ups ---- */

/* A look-up of one brings the other where they have a key in common. */
static fp_status query_all(const making *with, fp_recall_loss_arm *arm, fp_error *error) {
    const fp_sketches *sketches = &arm->measurement->sketches;
    bool *brought = FP_NEED(fp_arena_alloc(with->arena, with->lost->positive_count, sizeof *brought), error);
    for (size_t i = 0; i < with->lost->positive_count; i++) {
        fp_pair pair = with->lost->positives[i];
        brought[i] = fp_lsh_meet(arm->tables, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
    }
    arm->brought = brought;
    return fp_lsh_count_pairs(arm->tables, sketches, &with->arenas, with->progress, &arm->candidate_pairs, error);
}

static fp_status index_arm(const making *with, const fp_lsh_spec *spec, fp_recall_loss_arm *arm, fp_error *error) {
    const fp_instance *instance = &arm->measurement->arm->instance;
    fp_lsh_form form;
    fp_error own = {0};
    fp_status status = fp_lsh_settle(spec, &instance->layout, &form, &own);
    if (status != FP_OK) return fp_fail(error, status, "%s: %s", fp_arm_name(arm->measurement->arm), own.message);
    FP_TRY(fp_lsh_open(&form, &instance->layout, with->arena, &arm->tables, error));
    arm->reach = form.reach;
    arm->index = fp_lsh_text(&form, with->arena);
    return arm->index ? FP_OK : fp_no_memory(error);
}

/* ---- Arms ---- */

/* Some algorithm names this one as its counterpart: alone, or with parameters behind a colon. */
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

/* What the arms are looked up by: fp_recall_loss_make. */
typedef struct asked {
    const fp_lsh_spec *spec;
    const double *within;
} asked;

/* *any is false where only a full scan will do. */
static fp_status choose_index(asked by, const fp_layout *layout, size_t arm, fp_lsh_spec *spec, bool *any,
                              fp_error *error) {
    *any = fp_lsh_places(layout) > 0;
    if (!*any) return FP_OK;
    if (by.spec) *spec = *by.spec;
    else if (by.within) *any = fp_lsh_within_distance(layout, by.within[arm], spec);
    else return fp_lsh_default(layout, spec, error);
    return FP_OK;
}

/* `spec` NULL: by a full scan. */
static fp_status make_arm(const making *with, const fp_lsh_spec *spec, fp_recall_loss_arm *arm, fp_error *error) {
    arm->index = "";
    arm->reach = NAN;
    arm->exact = !arm->counterpart && is_exact(arm->measurement->arm);
    FP_TRY(measure(with, arm->measurement, false, &arm->distance, error));
    if (arm->counterpart) FP_TRY(measure(with, arm->counterpart, true, &arm->similarity, error));
    if (!spec) return FP_OK;
    FP_TRY(index_arm(with, spec, arm, error));
    return query_all(with, arm, error);
}

fp_status fp_recall_loss_make(const fp_outcome *outcome, const fp_lsh_spec *spec, const double *within,
                              const fp_progress *progress, fp_arena *arena, fp_recall_loss *lost, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    *lost = (fp_recall_loss){.corpus = corpus, .arm_count = outcome->count};
    fp_recall_loss_arm *arms = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *arms), error);
    making with = {.lost = lost, .progress = progress, .arena = arena};
    FP_TRY(corpus->truth == FP_TRUTH_PAIRS ? list_labelled(corpus, arena, lost, error)
                                           : list_grouped(corpus, arena, lost, error));
    FP_ARENAS(arenas, progress, arena, error);
    with.arenas = arenas;
    lost->arms = arms;
    for (size_t i = 0; i < outcome->count; i++) {
        arms[i].measurement = outcome->measurements + i;
        arms[i].counterpart = outcome->counterparts ? outcome->counterparts->of_arm[i] : NULL;
        fp_lsh_spec own;
        bool any;
        FP_TRY(choose_index((asked){spec, within}, fp_arm_layout(arms[i].measurement->arm), i, &own, &any, error));
        FP_TRY(make_arm(&with, any ? &own : NULL, arms + i, error));
    }
    return FP_OK;
}

/* ---- Where a pair is found or lost at a threshold, and how many are ---- */

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

/* The slack keeps a similarity that is exactly what h stands for within, whatever its last digits. */
static bool exact_is_within(const fp_recall_loss_arm *arm, size_t positive, double threshold) {
    static const double SLACK = 1e-9;
    const fp_instance *instance = &arm->measurement->arm->instance;
    if (threshold >= instance->layout.maximum) return true;
    return arm->similarity[positive] >= instance->algorithm->similarity(instance, threshold) - SLACK;
}

/* The class of one positive pair at a threshold, and whether luck found it. */
static fp_loss loss_of(const fp_recall_loss_arm *arm, size_t positive, double threshold, bool *luck) {
    bool near = arm->distance[positive] <= threshold,
         exact = arm->similarity && exact_is_within(arm, positive, threshold);
    *luck = false;
    if (near && arm->brought && !arm->brought[positive]) return FP_LOSS_INDEX;
    *luck = near && arm->similarity && !exact;
    if (near) return FP_LOSS_NONE;
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
    size_t pairs = lost->resample.pair_count;
    double *weight = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *weight), error);
    bool *success = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *success), error);
    unsigned char *class_of = FP_NEED(fp_arena_raw(scratch, lost->positive_count, 2), error);
    memset(row->count, 0, sizeof row->count);
    for (size_t i = 0; i < lost->positive_count; i++) {
        bool luck;
        fp_loss loss = loss_of(lost->arms + row->arm, i, row->threshold, &luck);
        class_of[2 * i] = (unsigned char)loss;
        class_of[2 * i + 1] = luck;
        row->count[loss]++;
        row->count[FP_LOSS_LUCK] += luck;
        weight[lost->labelled[i]] = 1;
    }
    for (int c = 0; c < FP_LOSS_COLUMNS; c++) {
        row->share[c] = (fp_proportion){NAN, {NAN, NAN}, 0};
        if (pairs == 0 || !fp_recall_loss_applies(lost->arms + row->arm, (fp_loss)c)) continue;
        for (size_t i = 0; i < lost->positive_count; i++)
            success[lost->labelled[i]] = c == FP_LOSS_LUCK ? class_of[2 * i + 1] : class_of[2 * i] == c;
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
