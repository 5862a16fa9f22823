/* SPDX-License-Identifier: GPL-3.0-or-later
 * Paired differences from the recommended arm. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/tuning/tune_parts.h"

typedef struct draws {
    const fp_tune_comparer *of;
    size_t first;   /* first replicate to compute */
    size_t most;    /* largest number of replicates */
    double *values; /* [arm_count][most + 1], the last as observed */
} draws;

/* The objective of an arm under weights of the pairs; NULL: 1 each. */
static double objective_under(const fp_tune_comparer *of, size_t arm, const uint32_t *weight, uint64_t positives) {
    const fp_tune_calls *calls = of->work->calls + arm;
    fp_called_pairs sum = {0};
    for (size_t i = 0; i < calls->count; i++) {
        size_t pair = calls->pairs[i];
        uint64_t times = weight ? weight[pair] : 1;
        if (of->split->pairs[pair].label) sum.tp += times;
        else sum.fp += times;
    }
    sum.fn = positives - sum.tp;
    return fp_objective_value(&of->work->options->objective, sum, of->split->weight);
}

static fp_status draw_replicate(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const draws *job = context;
    const fp_tuned *tuned = job->of->work->tuned;
    const fp_resample *resample = &tuned->resample;
    index += job->first;
    uint32_t *multiplicity = FP_NEED(fp_arena_raw(arena, resample->unit_count, sizeof *multiplicity), error);
    uint32_t *weight = FP_NEED(fp_arena_raw(arena, resample->pair_count, sizeof *weight), error);
    uint64_t positives = 0;
    if (index == job->most) {
        for (size_t i = 0; i < resample->pair_count; i++) weight[i] = 1;
    } else {
        FP_TRY(fp_resample_draw(resample, job->of->work->options->split.seed, index, arena, multiplicity, error));
        fp_resample_weigh(resample, multiplicity, weight);
    }
    for (size_t i = 0; i < resample->pair_count; i++) positives += tuned->split.pairs[i].label ? weight[i] : 0;
    for (size_t arm = 0; arm < tuned->arm_count; arm++)
        job->values[arm * (job->most + 1) + index] = objective_under(job->of, arm, weight, positives);
    return FP_OK;
}

/* Adds `sign` times the derivative of the arm's held-out objective by the weight of each pair. */
static void add_influence(const fp_tune_comparer *of, size_t arm, double sign, double *influence) {
    const fp_objective *objective = &of->work->options->objective;
    const fp_tune_proportions *measures = &of->work->results[arm].held_out;
    bool recall = !isnan(objective->min_precision);
    double square = recall ? 0 : objective->beta * objective->beta, value = measures->objective.value, called = 0;
    for (size_t i = 0; i < of->split->pair_count; i++) of->called[i] = false;
    fp_tune_mark(of, arm, SIZE_MAX);
    double false_positives = of->split->weight * (double)measures->called.fp;
    called = recall
                 ? (double)(measures->called.tp + measures->called.fn)
                 : (1 + square) * (double)measures->called.tp + square * (double)measures->called.fn + false_positives;
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool positive = of->split->pairs[i].label;
        double change = 0;
        if (positive) change = of->called[i] ? (recall ? 1 : 1 + square) * (1 - value) : -(recall ? 1 : square) * value;
        else if (of->called[i] && !recall) change = -of->split->weight * value;
        influence[i] += sign * change / called;
    }
}

double fp_tune_margin(const fp_tune_options *options) {
    return options->margin > 0 ? options->margin : FP_EQUIVALENCE_MARGIN;
}

static fp_interval interval_of(fp_replicates *drawn, double confidence, fp_interval *monte_carlo) {
    fp_interval found = fp_replicates_interval(drawn, FP_METHOD_PERCENTILE, confidence, monte_carlo);
    if (drawn->spread.variance == 0) return (fp_interval){drawn->observed, drawn->observed};
    return isnan(found.low) ? found : (fp_interval){fmax(-1, found.low), fmin(1, found.high)};
}

/* Marks the pairs that the two objectives count. */
static void mark_counted(const fp_tune_comparer *of, size_t arm, size_t other) {
    memset(of->called, 0, of->split->pair_count * sizeof *of->called);
    fp_tune_mark(of, arm, SIZE_MAX);
    fp_tune_mark(of, other, SIZE_MAX);
    for (size_t i = 0; i < of->split->pair_count; i++) of->called[i] |= of->split->pairs[i].label;
}

static fp_status compare_arm(const fp_tune_comparer *of, size_t arm, const draws *from) {
    const fp_tuned *tuned = of->work->tuned;
    size_t replicates = tuned->replicates, best = tuned->best.arm, row = from->most + 1;
    const double *mine = from->values + arm * row, *theirs = from->values + best * row;
    fp_tune_arm *result = of->work->results + arm;
    fp_arena_reset(of->scratch);
    double *differences = FP_NEED(fp_arena_raw(of->scratch, replicates, sizeof *differences), of->work->error);
    double *influence = FP_NEED(fp_arena_alloc(of->scratch, of->split->pair_count, sizeof *influence), of->work->error);
    for (size_t i = 0; i < replicates; i++) differences[i] = mine[i] - theirs[i];
    result->difference = mine[from->most] - theirs[from->most];
    result->difference_interval = (fp_interval){NAN, NAN};
    result->p = NAN;
    bool nothing = of->work->calls[arm].count + of->work->calls[best].count == 0;
    /* Two arms that call no pair are not thereby equal, and an arm without a choice is not thereby worse. */
    if (nothing || result->chosen.arm == FP_TUNE_NONE) result->difference = NAN;
    if (isnan(result->difference)) return FP_OK;
    add_influence(of, arm, 1, influence);
    add_influence(of, best, -1, influence);
    fp_replicates drawn;
    fp_dyadic spread;
    mark_counted(of, arm, best);
    FP_TRY(fp_dyadic_of(&tuned->resample, influence, of->called, of->scratch, &spread, of->work->error));
    fp_replicates_draw(differences, replicates, result->difference, &spread, &drawn);
    result->p = fp_difference_p(&drawn);
    result->p_error = fp_difference_p_error(&drawn);
    double confidence = of->work->options->confidence;
    result->difference_interval = interval_of(&drawn, confidence, &result->monte_carlo);
    fp_interval narrow = interval_of(&drawn, fp_equivalence_confidence(confidence), NULL);
    fp_estimated estimated = {result->difference, sqrt(spread.variance), 0, narrow, (double)tuned->resample.unit_count};
    fp_equivalence_options how = {confidence, fp_tune_margin(of->work->options), tuned->arm_count - 1};
    result->equivalence = fp_equivalence_of(&estimated, &how);
    return FP_OK;
}

/* Holm's decisions, and how many of them more replicates might change. */
static fp_status decide(const fp_tune_work *work) {
    FP_SCRATCH(scratch, work->arena, work->error);
    size_t count = work->tuned->arm_count;
    double level = 1 - work->options->confidence, *p = FP_NEED(fp_arena_raw(scratch, count, sizeof *p), work->error),
           *errors = FP_NEED(fp_arena_raw(scratch, count, sizeof *errors), work->error);
    for (size_t i = 0; i < count; i++) {
        p[i] = work->results[i].p;
        errors[i] = work->results[i].p_error;
    }
    FP_TRY(fp_holm_unsettled(&(fp_drawn_tests){p, errors, count}, level, work->arena, &work->tuned->unsettled,
                             work->error));
    FP_TRY(fp_holm(p, count, work->arena, p, work->error));
    for (size_t i = 0; i < count; i++) {
        work->results[i].p_adjusted = p[i];
        work->results[i].apart = p[i] < level;
    }
    return FP_OK;
}

static void clear_all(const fp_tune_work *work) {
    const fp_tuned *tuned = work->tuned;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        fp_tune_arm *result = work->results + i;
        result->difference = result->p = result->p_adjusted = result->p_error = NAN;
        result->difference_interval = result->monte_carlo = (fp_interval){NAN, NAN};
        result->equivalence = fp_equivalence_unknown(fp_tune_margin(work->options));
    }
}

/* Computes replicates until there are `replicates`. */
static fp_status draw_on(const fp_tune_work *work, draws *job, size_t replicates, fp_arenas *arenas) {
    job->first = work->tuned->replicates;
    work->tuned->replicates = replicates;
    return fp_parallel(replicates - job->first, arenas, true, draw_replicate, job, "bootstrap", work->progress,
                       work->error);
}

/* Compares, and adds replicates until every verdict is settled or the largest number of replicates is reached. */
static fp_status settle(const fp_tune_comparer *of, draws *job, fp_arenas *arenas) {
    const fp_tune_work *work = of->work;
    fp_tuned *tuned = work->tuned;
    job->first = job->most;
    FP_TRY(fp_parallel(1, arenas, true, draw_replicate, job, "bootstrap", work->progress, work->error));
    size_t next = work->options->replicates;
    for (;;) {
        FP_TRY(draw_on(work, job, next, arenas));
        for (size_t i = 0; i < tuned->arm_count; i++)
            if (i != tuned->best.arm) FP_TRY(compare_arm(of, i, job));
        FP_TRY(decide(work));
        if (!tuned->unsettled || tuned->replicates >= job->most) return FP_OK;
        next = tuned->replicates < job->most / 2 ? 2 * tuned->replicates : job->most;
    }
}

/* The values take at most a quarter of a gibibyte. */
static size_t most_of(const fp_tune_work *work) {
    size_t least = work->options->replicates, most = work->options->most_replicates;
    size_t affordable = ((size_t)1 << 28) / sizeof(double) / work->tuned->arm_count;
    if (most > affordable) most = affordable;
    return most > least ? most : least;
}

fp_status fp_tune_differ(const fp_tune_comparer *of) {
    const fp_tune_work *work = of->work;
    const fp_tuned *tuned = work->tuned;
    clear_all(work);
    if (tuned->best.arm == FP_TUNE_NONE) return FP_OK;
    size_t most = most_of(work);
    draws job = {.of = of, .most = most};
    job.values = FP_NEED(fp_arena_raw(work->arena, tuned->arm_count, (most + 1) * sizeof *job.values), work->error);
    FP_ARENAS(arenas, work->progress, work->arena, work->error);
    return settle(of, &job, &arenas);
}
