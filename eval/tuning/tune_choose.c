/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choices: the threshold of each arm without each outer fold, then the arm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/tuning/tune_parts.h"

/* ---- Thresholds of one arm ---- */

typedef struct chooser {
    const fp_tune_work *work;
    const fp_split *split;
    const fp_tune_steps *steps;
    fp_step_counts counts;
    /* Where a precision is asked for: */
    double *limit, *strict; /* [counts.count] its lower limits: by itself, and as one of as many as there are arms; NULL
                               otherwise */
    uint32_t *begin, *pair; /* pairs by step: pair[begin[step]] … pair[begin[step + 1] − 1] */
    fp_proportion_sums sums;
} chooser;

static fp_status open_chooser(chooser *of, fp_arena *scratch) {
    const fp_tune_work *work = of->work;
    size_t steps = of->counts.count, pairs = of->split->pair_count;
    of->counts.cells = fp_arena_raw(scratch, 3 * steps, sizeof *of->counts.cells);
    if (!of->counts.cells) return fp_no_memory(work->error);
    if (isnan(work->options->objective.min_precision)) return FP_OK;
    of->limit = fp_arena_raw(scratch, steps, sizeof *of->limit);
    of->strict = fp_arena_raw(scratch, steps, sizeof *of->strict);
    of->begin = fp_arena_raw(scratch, steps + 2, sizeof *of->begin);
    of->pair = fp_arena_raw(scratch, pairs, sizeof *of->pair);
    if (!of->limit || !of->strict || !of->begin || !of->pair) return fp_no_memory(work->error);
    return fp_proportion_open(&work->tuned->resample, scratch, &of->sums, work->error);
}

static size_t class_of(const fp_split *split, size_t pair) {
    return split->pairs[pair].label ? 0 : split->across[pair] ? 2 : 1;
}

/* Which pairs are looked at, and by which model: those of all folds but `without` (fold_count: of all); a pair's step
 * comes from the slot of `without`, or, with `own`, from that of its own fold. */
typedef struct view {
    size_t without;
    bool own;
} view;

static bool is_seen(const chooser *of, view by, size_t pair) { return of->split->pair_fold[pair] != by.without; }

static size_t step_of(const chooser *of, view by, size_t pair) {
    return of->steps->slot[by.own ? of->split->pair_fold[pair] : by.without][pair];
}

/* A counting sort. begin[step + 1] first is where the step goes on, and in the end where it ends. */
static void sort_pairs(const chooser *of, view by) {
    of->begin[0] = of->begin[1] = 0;
    for (size_t i = 0; i < of->counts.count; i++) {
        const uint32_t *cell = of->counts.cells + 3 * i;
        of->begin[i + 2] = of->begin[i + 1] + cell[0] + cell[1] + cell[2];
    }
    for (size_t i = 0; i < of->split->pair_count; i++)
        if (is_seen(of, by, i)) of->pair[of->begin[step_of(of, by, i) + 1]++] = (uint32_t)i;
}

/* The lower limit of precision, as the report has it, at every step that has pairs, and after Bonferroni's correction
 * over the arms: all steps in one pass. */
static void find_limits(chooser *of, view by) {
    const fp_split *split = of->split;
    double confidence = of->work->options->confidence,
           strict = 1 - (1 - confidence) / (double)of->work->tuned->arm_count;
    sort_pairs(of, by);
    fp_proportion_clear(&of->sums);
    for (size_t step = 0; step < of->counts.count; step++) {
        if (of->begin[step] == of->begin[step + 1]) continue;
        for (size_t i = of->begin[step]; i < of->begin[step + 1]; i++) {
            size_t pair = of->pair[i];
            fp_proportion_add(&of->sums, pair, split->across[pair] ? split->weight : 1, split->pairs[pair].label);
        }
        of->limit[step] = fp_proportion_now(&of->sums, confidence).interval.low;
        of->strict[step] = fp_proportion_now(&of->sums, strict).interval.low;
    }
}

/* The best threshold on the pairs of a view: where a precision is asked for, one whose strict limit keeps to it, and
 * only if there is none, *bare, one whose limit does by itself. */
static fp_best_step search(chooser *of, view by, bool *bare) {
    const fp_split *split = of->split;
    memset(of->counts.cells, 0, 3 * of->counts.count * sizeof *of->counts.cells);
    for (size_t i = 0; i < split->pair_count; i++)
        if (is_seen(of, by, i)) of->counts.cells[3 * step_of(of, by, i) + class_of(split, i)]++;
    if (of->limit) find_limits(of, by);
    fp_best_step best = fp_objective_search(&of->work->options->objective, &of->counts, of->strict, split->weight);
    *bare = !best.found;
    return best.found ? best
                      : fp_objective_search(&of->work->options->objective, &of->counts, of->limit, split->weight);
}

/* Searches, and writes down what was found. */
static fp_best_step choose(chooser *of, view by, size_t arm, fp_tune_choice *choice) {
    bool bare;
    fp_best_step best = search(of, by, &bare);
    *choice = (fp_tune_choice){.arm = FP_TUNE_NONE, .threshold = NAN, .score = NAN};
    if (best.found)
        *choice =
            (fp_tune_choice){(uint32_t)arm, fp_threshold_grid_value(&of->steps->scale, best.step), best.score, bare};
    return best;
}

static void count_pair(const fp_split *split, size_t pair, bool called, fp_called_pairs *to) {
    if (split->pairs[pair].label) ++*(called ? &to->tp : &to->fn);
    else if (called) ++*(split->across[pair] ? &to->fp_across : &to->fp_inside);
}

/* What the arm calls on each outer fold at the threshold chosen without it. */
static fp_status list_calls(const chooser *of, size_t arm, const fp_best_step *outer) {
    const fp_tune_work *work = of->work;
    const fp_split *split = of->split;
    size_t count = 0;
    uint32_t *pairs = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && !(pairs = fp_arena_raw(work->arena, count, sizeof *pairs))) return fp_no_memory(work->error);
        count = 0;
        for (size_t i = 0; i < split->pair_count; i++) {
            size_t fold = split->pair_fold[i];
            if (!outer[fold].found || of->steps->slot[fold][i] > outer[fold].step) continue;
            if (pairs) pairs[count] = (uint32_t)i;
            count++;
        }
    }
    work->calls[arm] = (fp_tune_calls){count, pairs};
    return FP_OK;
}

fp_status fp_tune_choose_thresholds(const fp_tune_work *work, size_t arm, const fp_tune_steps *steps,
                                    fp_arena *scratch) {
    fp_arena_reset(scratch);
    const fp_split *split = &work->tuned->split;
    chooser of = {.work = work, .split = split, .steps = steps, .counts = {.count = steps->scale.count}};
    FP_TRY(open_chooser(&of, scratch));
    fp_tune_arm *result = work->results + arm;
    fp_best_step outer[FP_SPLIT_MOST_FOLDS];
    for (size_t o = 0; o < split->fold_count; o++) outer[o] = choose(&of, (view){o, false}, arm, result->outer + o);
    work->nearest[arm] = choose(&of, (view){split->fold_count, true}, arm, &result->chosen);
    fp_best_step naive = choose(&of, (view){split->fold_count, false}, arm, &result->naive);
    for (size_t i = 0; i < split->pair_count; i++)
        count_pair(split, i, naive.found && steps->slot[split->fold_count][i] <= naive.step, work->naive + arm);
    return list_calls(&of, arm, outer);
}

/* ---- Arms ---- */

/* Not bare; better score; then fewer bytes; then the order of the grid. */
static bool better(const fp_tune_work *work, fp_tune_choice one, fp_tune_choice other) {
    if (one.arm == FP_TUNE_NONE || other.arm == FP_TUNE_NONE) return one.arm != FP_TUNE_NONE;
    if (one.bare != other.bare) return other.bare;
    if (one.score != other.score) return one.score > other.score;
    double bytes = work->results[one.arm].bytes, others = work->results[other.arm].bytes;
    return bytes != others ? bytes < others : one.arm < other.arm;
}

typedef struct ranked {
    uint32_t arm;
    fp_tune_choice chosen;
    double bytes;
} ranked;

static int by_rank(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    bool none = a->chosen.arm == FP_TUNE_NONE, other = b->chosen.arm == FP_TUNE_NONE;
    if (none != other) return none - other;
    if (a->chosen.bare != b->chosen.bare) return a->chosen.bare - b->chosen.bare;
    if (!none && a->chosen.score != b->chosen.score) return a->chosen.score > b->chosen.score ? -1 : 1;
    if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
    return FP_ORDER(a->arm, b->arm);
}

static fp_status order_arms(const fp_tune_work *work) {
    size_t count = work->tuned->arm_count;
    ranked *rows = fp_arena_raw(work->arena, count, sizeof *rows);
    uint32_t *order = fp_arena_raw(work->arena, count, sizeof *order);
    if (!rows || !order) return fp_no_memory(work->error);
    for (size_t i = 0; i < count; i++) rows[i] = (ranked){(uint32_t)i, work->results[i].chosen, work->results[i].bytes};
    qsort(rows, count, sizeof *rows, by_rank);
    for (size_t i = 0; i < count; i++) order[i] = rows[i].arm;
    work->tuned->order = order;
    return FP_OK;
}

/* Who comes nearest to the precision that nobody reaches. */
static void find_nearest(const fp_tune_work *work) {
    fp_tuned *tuned = work->tuned;
    tuned->nearest_precision = NAN;
    tuned->nearest = (fp_tune_choice){.arm = FP_TUNE_NONE, .threshold = NAN, .score = NAN};
    for (size_t i = 0; i < tuned->arm_count; i++) {
        const fp_best_step *one = work->nearest + i;
        if (isnan(one->nearest_precision) || one->nearest_precision <= tuned->nearest_precision) continue;
        fp_threshold_grid scale = fp_threshold_grid_of(fp_arm_layout(tuned->arms[i]));
        tuned->nearest_precision = one->nearest_precision;
        tuned->nearest = (fp_tune_choice){(uint32_t)i, fp_threshold_grid_value(&scale, one->nearest_step), NAN, false};
    }
}

fp_status fp_tune_choose_arms(const fp_tune_work *work) {
    fp_tuned *tuned = work->tuned;
    const fp_tune_choice none = {.arm = FP_TUNE_NONE, .threshold = NAN, .score = NAN};
    tuned->naive = none;
    for (size_t o = 0; o < tuned->split.fold_count; o++) tuned->outer[o] = none;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        const fp_tune_arm *result = work->results + i;
        if (better(work, result->naive, tuned->naive)) tuned->naive = result->naive;
        for (size_t o = 0; o < tuned->split.fold_count; o++)
            if (better(work, result->outer[o], tuned->outer[o])) tuned->outer[o] = result->outer[o];
    }
    FP_TRY(order_arms(work));
    tuned->best = work->results[tuned->order[0]].chosen;
    find_nearest(work);
    return FP_OK;
}
