/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where a pair is found or lost at a threshold, and how many are. */
#include "eval/analysis/recall_loss.h"

#include <math.h>
#include <string.h>

const char *fp_loss_name(fp_loss loss) {
    static const char *const NAMES[FP_LOSS_COLUMNS] = {"found",           "lost_index",   "lost_sketch",
                                                       "lost_similarity", "lost_measure", "found_by_chance"};
    return NAMES[loss];
}

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
    double *weight = fp_arena_alloc(scratch, pairs, sizeof *weight);
    bool *success = fp_arena_alloc(scratch, pairs, sizeof *success);
    unsigned char *class_of = fp_arena_raw(scratch, lost->positive_count, 2);
    if (!weight || !success || !class_of) return fp_no_memory(error);
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
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fill_job job = {lost, confidence, rows};
    fp_status status = fp_parallel(count, &arenas, true, fill_row, &job, "shares", progress, error);
    fp_arenas_free(&arenas);
    return status;
}

bool fp_recall_loss_needs_scan(const fp_recall_loss_arm *arm) {
    return !arm->tables && fp_lsh_places(fp_arm_layout(arm->measurement->arm)) > 0;
}

double fp_recall_loss_candidates(const fp_recall_loss_arm *arm) {
    if (!arm->tables || arm->work.queries == 0) return NAN;
    return (double)arm->work.candidates / (double)arm->work.queries - 1;
}
