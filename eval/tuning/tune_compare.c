/* SPDX-License-Identifier: GPL-3.0-or-later
 * Held-out measures with intervals, paired differences from the recommended arm, and the front of quality, bytes and
 * time. */
#include <math.h>
#include <string.h>

#include "eval/statistics/difference.h"
#include "eval/tuning/tune_parts.h"

typedef struct comparer {
    const fp_tune_work *work;
    const fp_split *split;
    bool *called;      /* [pair_count] */
    double *weight;    /* [pair_count] */
    bool *success;     /* [pair_count] */
    fp_arena *scratch; /* reset for every arm; what is above lives in another */
} comparer;

static double pair_weight(const fp_split *split, size_t pair) { return split->across[pair] ? split->weight : 1; }

/* ---- Measures ---- */

static fp_called_pairs count_called(const comparer *of) {
    fp_called_pairs sum = {0};
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool positive = of->split->pairs[i].label;
        sum.tp += positive && of->called[i];
        sum.fn += positive && !of->called[i];
        sum.fp_inside += !positive && of->called[i] && !of->split->across[i];
        sum.fp_across += of->called[i] && of->split->across[i];
    }
    return sum;
}

/* Shares of the pairs that are called, missed or both: false positives have their weight, missed positives `missed`. */
static fp_status share_of(const comparer *of, double false_positive, double missed, fp_proportion *share) {
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool positive = of->split->pairs[i].label;
        of->success[i] = positive && of->called[i];
        if (of->called[i]) of->weight[i] = positive ? 1 : false_positive * pair_weight(of->split, i);
        else of->weight[i] = positive ? missed : 0;
    }
    return fp_proportion_of(&of->work->tuned->resample, of->weight, of->success, of->work->options->confidence,
                            of->scratch, share, of->work->error);
}

/* F-beta = (1 + β²)q/(1 + β²q) for the share q = TP/(TP + FP + β²·FN), and rises with it: as F1 in count_measures.c. */
static double fbeta_of(double share, double square) { return (1 + square) * share / (1 + square * share); }

static fp_status fill_values(const comparer *of, fp_tune_proportions *measures) {
    const fp_objective *objective = &of->work->options->objective;
    fp_arena_reset(of->scratch);
    measures->called = count_called(of);
    FP_TRY(share_of(of, 1, 0, &measures->precision));
    FP_TRY(share_of(of, 0, 1, &measures->recall));
    measures->objective = measures->recall;
    if (!isnan(objective->min_precision)) return FP_OK;
    double square = objective->beta * objective->beta;
    FP_TRY(share_of(of, 1, square, &measures->objective));
    fp_proportion *f = &measures->objective;
    f->value = fp_called_fbeta(measures->called, of->split->weight, objective->beta);
    f->interval = isnan(f->value)
                      ? (fp_interval){NAN, NAN}
                      : (fp_interval){fbeta_of(f->interval.low, square), fbeta_of(f->interval.high, square)};
    return FP_OK;
}

static void mark(const comparer *of, size_t arm, size_t fold) {
    const fp_tune_calls *calls = of->work->calls + arm;
    for (size_t i = 0; i < calls->count; i++)
        if (fold == of->split->fold_count || of->split->pair_fold[calls->pairs[i]] == fold)
            of->called[calls->pairs[i]] = true;
}

static fp_status fill_all(const comparer *of) {
    const fp_tune_work *work = of->work;
    fp_tuned *tuned = work->tuned;
    size_t folds = of->split->fold_count, pairs = of->split->pair_count;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        memset(of->called, 0, pairs * sizeof *of->called);
        mark(of, i, folds);
        FP_TRY(fill_values(of, &work->results[i].held_out));
    }
    memset(of->called, 0, pairs * sizeof *of->called);
    for (size_t o = 0; o < folds; o++)
        if (tuned->outer[o].arm != FP_TUNE_NONE) mark(of, tuned->outer[o].arm, o);
    for (size_t i = 0; i < pairs; i++) {
        fp_called_pairs *fold = tuned->fold_called + of->split->pair_fold[i];
        if (of->split->pairs[i].label) ++*(of->called[i] ? &fold->tp : &fold->fn);
        else if (of->called[i]) ++*(of->split->across[i] ? &fold->fp_across : &fold->fp_inside);
    }
    return fill_values(of, &tuned->held_out);
}

static void fill_naive(const comparer *of) {
    fp_tuned *tuned = of->work->tuned;
    const fp_objective *objective = &of->work->options->objective;
    const fp_proportion none = {NAN, {NAN, NAN}, NAN};
    tuned->naive_values = (fp_tune_proportions){.precision = none, .recall = none, .objective = none};
    if (tuned->naive.arm != FP_TUNE_NONE) {
        fp_called_pairs called = of->work->naive[tuned->naive.arm];
        tuned->naive_values.called = called;
        tuned->naive_values.precision.value = fp_called_precision(called, of->split->weight);
        tuned->naive_values.recall.value = fp_called_recall(called);
        tuned->naive_values.objective.value = fp_objective_value(objective, called, of->split->weight);
    }
    tuned->reached = fp_precision_reached(objective->min_precision, tuned->held_out.precision.interval.low);
    tuned->optimism = tuned->naive_values.objective.value - tuned->held_out.objective.value;
}

/* ---- Differences ---- */

typedef struct draws {
    const comparer *of;
    double *values; /* [arm_count][replicates + 1], the last as observed */
} draws;

/* The objective of an arm under weights of the pairs; NULL: 1 each. */
static double objective_under(const comparer *of, size_t arm, const uint32_t *weight, uint64_t positives) {
    const fp_tune_calls *calls = of->work->calls + arm;
    fp_called_pairs sum = {0};
    for (size_t i = 0; i < calls->count; i++) {
        size_t pair = calls->pairs[i];
        uint64_t times = weight ? weight[pair] : 1;
        if (of->split->pairs[pair].label) sum.tp += times;
        else if (of->split->across[pair]) sum.fp_across += times;
        else sum.fp_inside += times;
    }
    sum.fn = positives - sum.tp;
    return fp_objective_value(&of->work->options->objective, sum, of->split->weight);
}

static fp_status draw_replicate(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const draws *job = context;
    const fp_tuned *tuned = job->of->work->tuned;
    const fp_resample *resample = &tuned->resample;
    size_t replicates = job->of->work->options->replicates;
    uint32_t *multiplicity = fp_arena_raw(arena, resample->unit_count, sizeof *multiplicity);
    uint32_t *weight = fp_arena_raw(arena, resample->pair_count, sizeof *weight);
    if (!multiplicity || !weight) return fp_no_memory(error);
    uint64_t positives = 0;
    if (index == replicates) {
        for (size_t i = 0; i < resample->pair_count; i++) weight[i] = 1;
    } else {
        FP_TRY(fp_resample_draw(resample, job->of->work->options->split.seed, index, arena, multiplicity, error));
        fp_resample_weigh(resample, multiplicity, weight);
    }
    for (size_t i = 0; i < resample->pair_count; i++) positives += tuned->split.pairs[i].label ? weight[i] : 0;
    for (size_t arm = 0; arm < tuned->arm_count; arm++)
        job->values[arm * (replicates + 1) + index] = objective_under(job->of, arm, weight, positives);
    return FP_OK;
}

/* Adds `sign` times the derivative of the arm's held-out objective by the weight of each pair. */
static void add_influence(const comparer *of, size_t arm, double sign, double *influence) {
    const fp_objective *objective = &of->work->options->objective;
    const fp_tune_proportions *measures = &of->work->results[arm].held_out;
    bool recall = !isnan(objective->min_precision);
    double square = recall ? 0 : objective->beta * objective->beta, value = measures->objective.value, called = 0;
    for (size_t i = 0; i < of->split->pair_count; i++) of->called[i] = false;
    mark(of, arm, of->split->fold_count);
    double false_positives =
        (double)measures->called.fp_inside + of->split->weight * (double)measures->called.fp_across;
    called = recall
                 ? (double)(measures->called.tp + measures->called.fn)
                 : (1 + square) * (double)measures->called.tp + square * (double)measures->called.fn + false_positives;
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool positive = of->split->pairs[i].label;
        double change = 0;
        if (positive) change = of->called[i] ? (recall ? 1 : 1 + square) * (1 - value) : -(recall ? 1 : square) * value;
        else if (of->called[i] && !recall) change = -pair_weight(of->split, i) * value;
        influence[i] += sign * change / called;
    }
}

double fp_tune_margin(const fp_tune_options *options) {
    return options->margin > 0 ? options->margin : FP_EQUIVALENCE_MARGIN;
}

static fp_interval interval_of(fp_replicates *drawn, double confidence) {
    fp_interval found = fp_replicates_interval(drawn, FP_METHOD_PERCENTILE, confidence);
    if (drawn->spread.variance == 0) return (fp_interval){drawn->observed, drawn->observed};
    return isnan(found.low) ? found : (fp_interval){fmax(-1, found.low), fmin(1, found.high)};
}

/* Marks the pairs that the two objectives count. */
static void mark_counted(const comparer *of, size_t arm, size_t other) {
    memset(of->called, 0, of->split->pair_count * sizeof *of->called);
    mark(of, arm, of->split->fold_count);
    mark(of, other, of->split->fold_count);
    for (size_t i = 0; i < of->split->pair_count; i++) of->called[i] |= of->split->pairs[i].label;
}

static fp_status compare_arm(const comparer *of, size_t arm, const double *values) {
    const fp_tuned *tuned = of->work->tuned;
    size_t replicates = of->work->options->replicates, best = tuned->best.arm;
    const double *mine = values + arm * (replicates + 1), *theirs = values + best * (replicates + 1);
    fp_tune_arm *result = of->work->results + arm;
    fp_arena_reset(of->scratch);
    double *differences = fp_arena_raw(of->scratch, replicates, sizeof *differences);
    double *influence = fp_arena_alloc(of->scratch, of->split->pair_count, sizeof *influence);
    if (!differences || !influence) return fp_no_memory(of->work->error);
    for (size_t i = 0; i < replicates; i++) differences[i] = mine[i] - theirs[i];
    result->difference = mine[replicates] - theirs[replicates];
    result->difference_interval = (fp_interval){NAN, NAN};
    result->p = NAN;
    bool nothing = of->work->calls[arm].count + of->work->calls[best].count == 0;
    if (nothing) result->difference = NAN; /* two arms that call no pair are not thereby alike */
    if (isnan(result->difference)) return FP_OK;
    add_influence(of, arm, 1, influence);
    add_influence(of, best, -1, influence);
    fp_replicates drawn;
    fp_dyadic spread;
    mark_counted(of, arm, best);
    FP_TRY(fp_dyadic_of(&tuned->resample, influence, of->called, of->scratch, &spread, of->work->error));
    fp_replicates_draw(differences, replicates, result->difference, &spread, &drawn);
    result->p = fp_difference_p(&drawn);
    double confidence = of->work->options->confidence;
    result->difference_interval = interval_of(&drawn, confidence);
    fp_interval narrow = interval_of(&drawn, fp_equivalence_confidence(confidence));
    fp_estimated estimated = {result->difference, sqrt(spread.variance), narrow, (double)tuned->resample.unit_count};
    fp_equivalence_options how = {confidence, fp_tune_margin(of->work->options), tuned->arm_count - 1};
    result->equivalence = fp_equivalence_of(&estimated, &how);
    return FP_OK;
}

static fp_status adjust(const fp_tune_work *work) {
    size_t count = work->tuned->arm_count;
    double *p = fp_arena_raw(work->arena, count, sizeof *p);
    if (!p) return fp_no_memory(work->error);
    for (size_t i = 0; i < count; i++) p[i] = work->results[i].p;
    FP_TRY(fp_holm(p, count, work->arena, p, work->error));
    for (size_t i = 0; i < count; i++) {
        work->results[i].p_adjusted = p[i];
        work->results[i].apart = p[i] < 1 - work->options->confidence;
    }
    return FP_OK;
}

static fp_status compare_all(const comparer *of) {
    const fp_tune_work *work = of->work;
    const fp_tuned *tuned = work->tuned;
    size_t replicates = work->options->replicates;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        fp_tune_arm *result = work->results + i;
        result->difference = result->p = result->p_adjusted = NAN;
        result->difference_interval = (fp_interval){NAN, NAN};
        result->equivalence = fp_equivalence_unknown(fp_tune_margin(work->options));
    }
    if (tuned->best.arm == FP_TUNE_NONE) return FP_OK;
    draws job = {of, fp_arena_raw(work->arena, tuned->arm_count, (replicates + 1) * sizeof *job.values)};
    fp_arenas arenas = {0};
    if (!job.values) return fp_no_memory(work->error);
    FP_TRY(fp_arenas_open(&arenas, work->progress, work->arena, work->error));
    fp_status status =
        fp_parallel(replicates + 1, &arenas, true, draw_replicate, &job, "bootstrap", work->progress, work->error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    for (size_t i = 0; i < tuned->arm_count; i++)
        if (i != tuned->best.arm) FP_TRY(compare_arm(of, i, job.values));
    return adjust(work);
}

/* ---- The front ---- */

static bool dominates(const fp_tune_arm *one, const fp_tune_arm *other) {
    double quality = one->held_out.objective.value, others = other->held_out.objective.value;
    if (!(quality >= others && one->bytes <= other->bytes && one->microseconds <= other->microseconds)) return false;
    return quality > others || one->bytes < other->bytes || one->microseconds < other->microseconds;
}

static void find_front(const fp_tune_work *work) {
    size_t count = work->tuned->arm_count;
    for (size_t i = 0; i < count; i++) {
        fp_tune_arm *result = work->results + i;
        result->front = result->held_out.objective.value > 0;
        for (size_t j = 0; j < count && result->front; j++) result->front = !dominates(work->results + j, result);
    }
}

/* ---- All ---- */

static fp_status run(comparer *of, fp_arena *arena) {
    size_t pairs = of->split->pair_count;
    of->called = fp_arena_raw(arena, pairs, sizeof *of->called);
    of->success = fp_arena_raw(arena, pairs, sizeof *of->success);
    of->weight = fp_arena_raw(arena, pairs, sizeof *of->weight);
    if (!of->called || !of->success || !of->weight) return fp_no_memory(of->work->error);
    FP_TRY(fill_all(of));
    fill_naive(of);
    FP_TRY(compare_all(of));
    find_front(of->work);
    return FP_OK;
}

fp_status fp_tune_compare(const fp_tune_work *work) {
    fp_arena *arena = fp_arena_new_like(work->arena);
    comparer of = {.work = work, .split = &work->tuned->split, .scratch = fp_arena_new_like(work->arena)};
    fp_status status = arena && of.scratch ? run(&of, arena) : fp_no_memory(work->error);
    fp_arena_free(of.scratch);
    fp_arena_free(arena);
    return status;
}
