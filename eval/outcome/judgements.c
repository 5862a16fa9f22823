/* SPDX-License-Identifier: GPL-3.0-or-later
 * Thresholds from elsewhere, and what is right at them. */
#include "eval/outcome/judgements.h"

#include <math.h>

#include "eval/units/folds.h"

const char *fp_threshold_source_name(fp_threshold_source source) {
    static const char *const NAMES[] = {"cross-fitted", "stated", "choice"};
    return NAMES[source];
}

typedef struct work {
    const fp_bootstrap *bootstrap;
    const fp_threshold_at *at; /* NULL: all are cross-fitted */
    size_t folds;              /* 0: there are too few units */
    const uint8_t *fold;       /* [unit_count] */
    bool *right;               /* [arm_count · pair_count] */
    fp_judgements *out;
} work;

/* ---- Folds ---- */

/* A pair across two units is one of both. */
static fp_status deal(work *to, fp_arena *arena, fp_arena *scratch, fp_error *error) {
    const fp_resample *resample = to->bootstrap->resample;
    const fp_ranking *any = to->bootstrap->rankings; /* labels are the same in all */
    fp_unit_load *load = fp_arena_alloc(scratch, resample->unit_count, sizeof *load);
    uint8_t *fold = fp_arena_raw(arena, resample->unit_count, 1);
    if (!load || !fold) return fp_no_memory(error);
    for (size_t i = 0; i < resample->pair_count; i++) {
        size_t positive = any->slot[i] & 1;
        uint32_t a = resample->first[i], b = resample->second[i];
        load[a].positives += positive;
        load[a].size++;
        if (a == b) continue;
        load[b].positives += positive;
        load[b].size++;
    }
    to->folds = resample->unit_count < FP_CROSS_FIT_FOLDS ? resample->unit_count : FP_CROSS_FIT_FOLDS;
    if (to->folds < 3) to->folds = 0;
    to->fold = fold;
    return to->folds ? fp_folds_deal(load, resample->unit_count, to->folds, 0, scratch, fold, error) : FP_OK;
}

/* ---- One arm ---- */

static bool is_right(const fp_ranking *ranking, size_t pair, double threshold) {
    bool near = ranking->distance[ranking->slot[pair] / 2] <= threshold;
    return near == (ranking->slot[pair] & 1);
}

typedef struct fold_pair {
    uint8_t low, high;
} fold_pair;

static fold_pair folds_of(const work *job, size_t pair) {
    const fp_resample *resample = job->bootstrap->resample;
    uint8_t a = job->fold[resample->first[pair]], b = job->fold[resample->second[pair]];
    return a < b ? (fold_pair){a, b} : (fold_pair){b, a};
}

/* Pairs inside a unit, and those across two: of these fewer stay when folds are left out. */
typedef struct kept {
    uint64_t all[2], stay[2];
    bool any; /* some pair lies in the folds themselves */
} kept;

static bool is_across(const work *job, size_t pair) {
    return job->bootstrap->resample->first[pair] != job->bootstrap->resample->second[pair];
}

static bool touches(fold_pair own, fold_pair of) {
    return own.low == of.low || own.low == of.high || own.high == of.low || own.high == of.high;
}

static kept count_kept(const work *job, size_t pairs, fold_pair of) {
    kept count = {{0, 0}, {0, 0}, false};
    for (size_t i = 0; i < pairs; i++) {
        fold_pair own = folds_of(job, i);
        count.any |= own.low == of.low && own.high == of.high;
        count.all[is_across(job, i)]++;
        count.stay[is_across(job, i)] += !touches(own, of);
    }
    return count;
}

/* Each that stays stands for all of its kind, so that precision keeps its meaning (as in split.h). Whole numbers. */
static uint64_t weight_of(const kept *count, bool across) {
    enum { SCALE = 1 << 16 };
    return count->stay[across] ? count->all[across] * SCALE / count->stay[across] : 0;
}

/* The best threshold over the pairs that touch neither fold. */
static fp_status choose(const work *job, const fp_ranking *ranking, fold_pair of, const kept *count, fp_arena *scratch,
                        double *threshold, fp_error *error) {
    fp_arena_reset(scratch);
    uint64_t *cells = fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *cells),
             weight[2] = {weight_of(count, false), weight_of(count, true)};
    fp_ranked_step *steps = fp_arena_raw(scratch, ranking->bin_count, sizeof *steps);
    if (!cells || !steps) return fp_no_memory(error);
    for (size_t i = 0; i < ranking->pair_count; i++)
        if (!touches(folds_of(job, i), of)) cells[ranking->slot[i]] += weight[is_across(job, i)];
    fp_ranked ranked = fp_ranked_of(ranking->bin_count, ranking->distance, cells, steps);
    *threshold = fp_measure_best_threshold.over_range(&ranked);
    return FP_OK;
}

static fp_status cross_fit(const work *job, const fp_ranking *ranking, fp_arena *scratch, bool *right,
                           fp_judgements *out, fp_error *error) {
    double threshold[FP_CROSS_FIT_FOLDS][FP_CROSS_FIT_FOLDS];
    *out = (fp_judgements){.source = FP_THRESHOLD_CROSS_FITTED, .low = NAN, .high = NAN};
    for (uint8_t i = 0; i < job->folds; i++) {
        for (uint8_t j = i; j < job->folds; j++) {
            kept count = count_kept(job, ranking->pair_count, (fold_pair){i, j});
            double *chosen = &threshold[i][j];
            if (!count.any) continue;
            FP_TRY(choose(job, ranking, (fold_pair){i, j}, &count, scratch, chosen, error));
            if (isnan(*chosen)) return FP_OK;
            out->low = fmin(out->low, *chosen);
            out->high = fmax(out->high, *chosen);
        }
    }
    if (isnan(out->low)) return FP_OK;
    for (size_t i = 0; i < ranking->pair_count; i++) {
        fold_pair own = folds_of(job, i);
        right[i] = is_right(ranking, i, threshold[own.low][own.high]);
    }
    out->right = right;
    return FP_OK;
}

static fp_status judge(void *context, size_t arm, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    const fp_ranking *ranking = job->bootstrap->rankings + arm;
    bool *right = job->right + arm * ranking->pair_count;
    const fp_threshold_at *at = job->at ? job->at + arm : NULL;
    if (!at || at->source == FP_THRESHOLD_CROSS_FITTED)
        return cross_fit(job, ranking, scratch, right, job->out + arm, error);
    for (size_t i = 0; i < ranking->pair_count; i++) right[i] = is_right(ranking, i, at->threshold);
    job->out[arm] = (fp_judgements){at->source, at->threshold, at->threshold, right};
    return FP_OK;
}

/* ---- All ---- */

fp_status fp_judgements_make(const fp_bootstrap *bootstrap, const fp_threshold_at *at, const fp_progress *progress,
                             fp_arena *arena, fp_judgements *judgements, fp_error *error) {
    size_t arms = bootstrap->arm_count, pairs = bootstrap->resample->pair_count;
    if (arms > SIZE_MAX / pairs) return fp_no_memory(error);
    work job = {.bootstrap = bootstrap, .at = at, .right = fp_arena_raw(arena, arms * pairs, 1), .out = judgements};
    if (!job.right) return fp_no_memory(error);
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = deal(&job, arena, arenas.each[0], error);
    if (status == FP_OK) status = fp_parallel(arms, &arenas, true, judge, &job, "judgements", progress, error);
    fp_arenas_free(&arenas);
    return status;
}
