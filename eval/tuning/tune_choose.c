/* SPDX-License-Identifier: GPL-3.0-or-later
 * Choices: the threshold of each arm on all pairs, and without each set of folds; then the arm. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/tuning/tune_parts.h"

/* ---- Thresholds of one arm ---- */

static const fp_tune_choice NO_CHOICE = {.arm = FP_TUNE_NONE, .threshold = NAN, .score = NAN};

typedef struct chooser {
    const fp_tune_work *work;
    const fp_split *split;
    const fp_tune_steps *steps;
    uint32_t arm;
    fp_step_counts counts;
    fp_arena *scratch;
} chooser;

/* The best threshold by `step` on the pairs that touch no fold of the set; FP_NO_FOLD_SET: on all pairs. */
static fp_best_step search(const chooser *of, const uint16_t *step, size_t without) {
    const fp_split *split = of->split;
    bool touches[FP_SPLIT_MOST_SETS] = {false};
    for (size_t s = 0; without != FP_NO_FOLD_SET && s < of->work->tuned->set_count; s++)
        touches[s] = fp_fold_sets_meet(s, without);
    memset(of->counts.cells, 0, 2 * of->counts.count * sizeof *of->counts.cells);
    for (size_t i = 0; i < split->pair_count; i++)
        if (!touches[split->pair_set[i]]) of->counts.cells[2 * step[i] + !split->pairs[i].label]++;
    return fp_objective_search(&of->work->options->objective, &of->counts, split->weight);
}

static fp_tune_choice choice_of(const chooser *of, const fp_best_step *best) {
    if (!best->found) return NO_CHOICE;
    return (fp_tune_choice){of->arm, fp_threshold_grid_value(&of->steps->scale, best->step), best->score};
}

/* ---- A precision ---- */

/* Pairs in the order of their steps, by a counting sort: those of a step end at end[step]. */
static fp_status sort_pairs(const chooser *of, uint32_t **pairs, uint32_t **end) {
    const fp_split *split = of->split;
    const uint16_t *step = of->steps->held_out;
    *pairs = FP_NEED(fp_arena_raw(of->scratch, split->pair_count, sizeof **pairs), of->work->error);
    *end = FP_NEED(fp_arena_alloc(of->scratch, of->counts.count + 1, sizeof **end), of->work->error);
    for (size_t i = 0; i < split->pair_count; i++) (*end)[step[i] + 1]++;
    for (size_t i = 0; i < of->counts.count; i++) (*end)[i + 1] += (*end)[i];
    for (size_t i = 0; i < split->pair_count; i++) (*pairs)[(*end)[step[i]]++] = (uint32_t)i;
    return FP_OK;
}

/* The evidence at every step that has pairs; step[path->count] receives these steps. */
static fp_status find_path(const chooser *of, fp_evidence_path *path, uint16_t **step) {
    const fp_split *split = of->split;
    uint32_t *pairs, *end;
    fp_evidence_sums sums;
    fp_evidence *at = FP_NEED(fp_arena_raw(of->scratch, of->counts.count, sizeof *at), of->work->error);
    *step = FP_NEED(fp_arena_raw(of->scratch, of->counts.count, sizeof **step), of->work->error);
    FP_TRY(sort_pairs(of, &pairs, &end));
    FP_TRY(fp_evidence_open(split->unit_count, split->weight, of->scratch, &sums, of->work->error));
    *path = (fp_evidence_path){.at = at};
    for (size_t s = 0, i = 0; s < of->counts.count; s++) {
        if (i == end[s]) continue;
        for (; i < end[s]; i++) {
            fp_pair pair = split->pairs[pairs[i]];
            fp_evidence_add(&sums, split->unit[pair.a], split->unit[pair.b], pair.label);
        }
        at[path->count] = fp_evidence_now(&sums, of->work->tuned->level);
        (*step)[path->count++] = (uint16_t)s;
    }
    fp_evidence_bound(at, path->count);
    return FP_OK;
}

/* The loosest threshold that shows the requested precision; if none does, that of the largest precision shown, in
 * hundredths. */
static fp_status choose_by_precision(const chooser *of, fp_best_step *best) {
    const fp_tuned *tuned = of->work->tuned;
    double wanted = of->work->options->objective.min_precision;
    fp_evidence_path path;
    uint16_t *step;
    FP_TRY(find_path(of, &path, &step));
    double shown = wanted;
    size_t reach = fp_evidence_reach(&path, wanted, tuned->level);
    bool found = reach != SIZE_MAX;
    for (int i = (int)ceil(wanted * 100) - 1; i > 0 && reach == SIZE_MAX; i--)
        reach = fp_evidence_reach(&path, shown = i / 100.0, tuned->level);
    fp_tune_promise *promise = &of->work->results[of->arm].promise;
    *promise = (fp_tune_promise){.threshold = NAN};
    *best = (fp_best_step){.score = NAN};
    if (reach == SIZE_MAX) return FP_OK;
    *promise = (fp_tune_promise){shown, fp_threshold_grid_value(&of->steps->scale, step[reach]), path.at[reach]};
    if (found) *best = (fp_best_step){true, step[reach], path.at[reach].right / (double)of->split->positives};
    return FP_OK;
}

/* ---- All choices of an arm ---- */

/* The calls of the arm in each set at the threshold chosen without that set. */
static fp_status list_calls(const chooser *of, const fp_best_step *outer) {
    const fp_tune_work *work = of->work;
    const fp_split *split = of->split;
    size_t count = 0;
    uint32_t *pairs = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass && !(pairs = fp_arena_raw(work->arena, count, sizeof *pairs))) return fp_no_memory(work->error);
        count = 0;
        for (size_t i = 0; i < split->pair_count; i++) {
            const fp_best_step *best = outer + split->pair_set[i];
            if (!best->found || of->steps->held_out[i] > best->step) continue;
            if (pairs) pairs[count] = (uint32_t)i;
            count++;
        }
    }
    work->calls[of->arm] = (fp_tune_calls){count, pairs};
    return FP_OK;
}

/* If a precision is requested, one choice holds for all sets. */
static fp_status choose_outer(const chooser *of, const fp_best_step *chosen) {
    const fp_tune_work *work = of->work;
    fp_best_step outer[FP_SPLIT_MOST_SETS];
    bool precision = !isnan(work->options->objective.min_precision);
    fp_tune_choice *choices = FP_NEED(fp_arena_raw(work->arena, work->tuned->set_count, sizeof *choices), work->error);
    for (size_t s = 0; s < work->tuned->set_count; s++) {
        outer[s] = precision ? *chosen : search(of, of->steps->held_out, s);
        choices[s] = choice_of(of, outer + s);
    }
    work->results[of->arm].outer = choices;
    return list_calls(of, outer);
}

static void count_naive(const chooser *of, const fp_best_step *naive) {
    fp_called_pairs *to = of->work->naive + of->arm;
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool called = naive->found && of->steps->naive[i] <= naive->step;
        if (of->split->pairs[i].label) ++*(called ? &to->tp : &to->fn);
        else to->fp += called;
    }
}

fp_status fp_tune_choose_thresholds(const fp_tune_work *work, size_t arm, const fp_tune_steps *steps,
                                    fp_arena *scratch) {
    fp_arena_reset(scratch);
    chooser of = {.work = work,
                  .split = &work->tuned->split,
                  .steps = steps,
                  .arm = (uint32_t)arm,
                  .counts = {.count = steps->scale.count},
                  .scratch = scratch};
    of.counts.cells = FP_NEED(fp_arena_raw(scratch, 2 * of.counts.count, sizeof *of.counts.cells), work->error);
    fp_best_step chosen, naive = search(&of, steps->naive, FP_NO_FOLD_SET);
    if (isnan(work->options->objective.min_precision)) chosen = search(&of, steps->held_out, FP_NO_FOLD_SET);
    else FP_TRY(choose_by_precision(&of, &chosen));
    work->results[arm].chosen = choice_of(&of, &chosen);
    work->results[arm].naive = choice_of(&of, &naive);
    count_naive(&of, &naive);
    return choose_outer(&of, &chosen);
}

/* ---- Arms ---- */

/* Better score; then fewer bytes; then the order of the grid. */
static bool better(const fp_tune_work *work, fp_tune_choice one, fp_tune_choice other) {
    if (one.arm == FP_TUNE_NONE || other.arm == FP_TUNE_NONE) return one.arm != FP_TUNE_NONE;
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
    if (!none && a->chosen.score != b->chosen.score) return a->chosen.score > b->chosen.score ? -1 : 1;
    if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
    return FP_ORDER(a->arm, b->arm);
}

static fp_status order_arms(const fp_tune_work *work) {
    size_t count = work->tuned->arm_count;
    ranked *rows = FP_NEED(fp_arena_raw(work->arena, count, sizeof *rows), work->error);
    uint32_t *order = FP_NEED(fp_arena_raw(work->arena, count, sizeof *order), work->error);
    for (size_t i = 0; i < count; i++) rows[i] = (ranked){(uint32_t)i, work->results[i].chosen, work->results[i].bytes};
    qsort(rows, count, sizeof *rows, by_rank);
    for (size_t i = 0; i < count; i++) order[i] = rows[i].arm;
    work->tuned->order = order;
    return FP_OK;
}

/* The arm that shows the largest precision, when none shows the requested one. */
static uint32_t nearest_of(const fp_tuned *tuned) {
    uint32_t nearest = FP_TUNE_NONE;
    double most = 0;
    for (uint32_t i = 0; i < tuned->arm_count; i++) {
        double shown = tuned->results[i].promise.precision;
        if (shown <= most) continue;
        most = shown;
        nearest = i;
    }
    return nearest;
}

fp_status fp_tune_choose_arms(const fp_tune_work *work) {
    fp_tuned *tuned = work->tuned;
    tuned->naive = NO_CHOICE;
    for (size_t s = 0; s < tuned->set_count; s++) tuned->outer[s] = NO_CHOICE;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        const fp_tune_arm *result = work->results + i;
        if (better(work, result->naive, tuned->naive)) tuned->naive = result->naive;
        for (size_t s = 0; s < tuned->set_count; s++)
            if (better(work, result->outer[s], tuned->outer[s])) tuned->outer[s] = result->outer[s];
    }
    FP_TRY(order_arms(work));
    tuned->best = work->results[tuned->order[0]].chosen;
    tuned->nearest = nearest_of(tuned);
    return FP_OK;
}
