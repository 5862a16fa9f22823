/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tuning: split, measure, choose, compare; and its expected duration. */
#include "eval/tuning/tune.h"

#include <math.h>
#include <string.h>

#include "eval/experiment/experiment.h"
#include "eval/tuning/tune_parts.h"

static fp_status check(const fp_tune_options *options, size_t count, fp_error *error) {
    FP_TRY(fp_objective_check(&options->objective, error));
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there is no arm to tune");
    if (count >= FP_TUNE_NONE) return fp_fail(error, FP_ERROR_RANGE, "%zu arms are too many", count);
    if (options->replicates == 0 || options->replicates > 1000000)
        return fp_fail(error, FP_ERROR_RANGE, "%zu replicates are not 1 to 1000000", options->replicates);
    return FP_OK;
}

static fp_status open_split(const fp_corpus *corpus, const fp_tune_options *options, fp_arena *arena, fp_tuned *tuned,
                            fp_error *error) {
    FP_TRY(fp_split_make(corpus, &options->split, arena, &tuned->split, error));
    const fp_split *split = &tuned->split;
    return fp_resample_make(split->pairs, split->pair_count, corpus->group, split->document_count, FP_SAMPLING_AUTO,
                            arena, &tuned->resample, error);
}

fp_status fp_tune(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                  const fp_progress *progress, fp_arena *arena, fp_tuned *tuned, fp_error *error) {
    FP_TRY(check(options, count, error));
    size_t folds = options->split.folds;
    *tuned = (fp_tuned){.options = options, .arm_count = count, .arms = arms, .set_count = folds * (folds + 1) / 2};
    tuned->level = (1 - options->confidence) / (double)count;
    FP_TRY(open_split(corpus, options, arena, tuned, error));
    fp_tune_work work = {.corpus = corpus,
                         .options = options,
                         .progress = progress,
                         .quiet = fp_progress_quiet(progress),
                         .arena = arena,
                         .tuned = tuned,
                         .error = error};
    work.results = FP_NEED(fp_arena_alloc(arena, count, sizeof *work.results), error);
    work.calls = FP_NEED(fp_arena_alloc(arena, count, sizeof *work.calls), error);
    work.naive = FP_NEED(fp_arena_alloc(arena, count, sizeof *work.naive), error);
    tuned->results = work.results;
    FP_TRY(fp_tune_measure(&work));
    FP_TRY(fp_tune_choose_arms(&work));
    return fp_tune_compare(&work);
}

/* ---- Held-out measures with intervals ---- */

static fp_called_pairs count_called(const fp_tune_comparer *of) {
    fp_called_pairs sum = {0};
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool positive = of->split->pairs[i].label;
        sum.tp += positive && of->called[i];
        sum.fn += positive && !of->called[i];
        sum.fp += !positive && of->called[i];
    }
    return sum;
}

/* Shares of the called and missed pairs; `false_positive`: factor of false positives, `missed`: weight of misses. */
static fp_status share_of(const fp_tune_comparer *of, double false_positive, double missed, fp_proportion *share) {
    for (size_t i = 0; i < of->split->pair_count; i++) {
        bool positive = of->split->pairs[i].label;
        of->success[i] = positive && of->called[i];
        if (of->called[i]) of->weight[i] = positive ? 1 : false_positive * of->split->weight;
        else of->weight[i] = positive ? missed : 0;
    }
    return fp_proportion_of(&of->work->tuned->resample, of->weight, of->success, of->work->options->confidence,
                            of->scratch, share, of->work->error);
}

/* F-beta = (1 + β²)q/(1 + β²q) for the share q = TP/(TP + FP + β²·FN), and rises with it: as F1 in count_measures.c. */
static double fbeta_of(double share, double square) { return (1 + square) * share / (1 + square * share); }

static fp_status fill_values(const fp_tune_comparer *of, fp_tune_proportions *measures) {
    const fp_objective *objective = &of->work->options->objective;
    fp_arena_reset(of->scratch);
    measures->called = count_called(of);
    FP_TRY(share_of(of, 1, 0, &measures->precision));
    FP_TRY(share_of(of, 0, 1, &measures->recall));
    measures->objective = measures->recall;
    if (!isnan(objective->min_precision)) {
        if (!isnan(measures->precision.value))
            measures->precision.interval = (fp_interval){objective->min_precision, 1};
        return FP_OK;
    }
    double square = objective->beta * objective->beta;
    FP_TRY(share_of(of, 1, square, &measures->objective));
    fp_proportion *f = &measures->objective;
    f->value = fp_called_fbeta(measures->called, of->split->weight, objective->beta);
    f->interval = isnan(f->value)
                      ? (fp_interval){NAN, NAN}
                      : (fp_interval){fbeta_of(f->interval.low, square), fbeta_of(f->interval.high, square)};
    return FP_OK;
}

void fp_tune_mark(const fp_tune_comparer *of, size_t arm, size_t set) {
    const fp_tune_calls *calls = of->work->calls + arm;
    for (size_t i = 0; i < calls->count; i++)
        if (set == SIZE_MAX || of->split->pair_set[calls->pairs[i]] == set) of->called[calls->pairs[i]] = true;
}

static fp_status fill_all(const fp_tune_comparer *of) {
    const fp_tune_work *work = of->work;
    fp_tuned *tuned = work->tuned;
    size_t pairs = of->split->pair_count;
    for (size_t i = 0; i < tuned->arm_count; i++) {
        memset(of->called, 0, pairs * sizeof *of->called);
        fp_tune_mark(of, i, SIZE_MAX);
        FP_TRY(fill_values(of, &work->results[i].held_out));
    }
    memset(of->called, 0, pairs * sizeof *of->called);
    for (size_t s = 0; s < tuned->set_count; s++)
        if (tuned->outer[s].arm != FP_TUNE_NONE) fp_tune_mark(of, tuned->outer[s].arm, s);
    for (size_t i = 0; i < pairs; i++) {
        fp_called_pairs *set = tuned->set_called + of->split->pair_set[i];
        if (of->split->pairs[i].label) ++*(of->called[i] ? &set->tp : &set->fn);
        else set->fp += of->called[i];
    }
    return fill_values(of, &tuned->held_out);
}

static void fill_naive(const fp_tune_comparer *of) {
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
    tuned->optimism = tuned->naive_values.objective.value - tuned->held_out.objective.value;
}

/* ---- The front of quality, bytes and time ---- */

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

fp_status fp_tune_compare(const fp_tune_work *work) {
    FP_SCRATCH(arena, work->arena, work->error);
    FP_SCRATCH(scratch, work->arena, work->error);
    size_t pairs = work->tuned->split.pair_count;
    fp_tune_comparer of = {.work = work, .split = &work->tuned->split, .scratch = scratch};
    of.called = FP_NEED(fp_arena_raw(arena, pairs, sizeof *of.called), work->error);
    of.success = FP_NEED(fp_arena_raw(arena, pairs, sizeof *of.success), work->error);
    of.weight = FP_NEED(fp_arena_raw(arena, pairs, sizeof *of.weight), work->error);
    FP_TRY(fill_all(&of));
    fill_naive(&of);
    FP_TRY(fp_tune_differ(&of));
    find_front(work);
    return FP_OK;
}

/* ---- Expected duration ---- */

enum { SAMPLE = 150, MOST_PARTNERS = 30, TOGETHER = 8 }; /* documents; pairs of each; arms that are tuned at once */
static const double LONGEST = 2;                         /* seconds for the estimate itself */
static const double DRAW = 4e-9;                         /* seconds for each pair and bootstrap replicate */

/* Approximately the number that the split keeps. */
static double count_pairs(const fp_corpus *corpus, const fp_split_options *split) {
    double documents = (double)corpus->document_count;
    if (corpus->truth != FP_TRUTH_GROUPS) return (double)corpus->pair_count;
    return fmin(documents * documents / 2, (double)split->most_negatives);
}

/* Documents at equal distances in the corpus, with their texts in memory. Every two are called duplicates; each is
 * paired with as many as a document of the corpus. */
static fp_status take_sample(const fp_corpus *corpus, double pairs_each, fp_arena *arena, fp_corpus *sample,
                             fp_error *error) {
    size_t all = corpus->document_count, most = (size_t)fmax(1, fmin(pairs_each, MOST_PARTNERS));
    uint32_t *chosen = FP_NEED(fp_arena_raw(arena, SAMPLE, sizeof *chosen), error),
             *group = FP_NEED(fp_arena_raw(arena, SAMPLE, sizeof *group), error);
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, SAMPLE * most, sizeof *pairs), error);
    fp_string *texts = FP_NEED(fp_arena_raw(arena, SAMPLE, sizeof *texts), error);
    for (size_t i = 0; i < SAMPLE; i++) chosen[i] = (uint32_t)(i * all / SAMPLE), group[i] = UINT32_MAX;
    FP_TRY(fp_corpus_part(corpus, chosen, SAMPLE, arena, sample, error));
    FP_TRY(fp_corpus_fetch(corpus, chosen, SAMPLE, arena, texts, error));
    sample->texts = texts;
    sample->origin = NULL;
    sample->truth = FP_TRUTH_PAIRS;
    sample->pairs = pairs;
    sample->group = group;
    sample->pair_count = sample->group_count = 0;
    for (uint32_t i = 0; i < SAMPLE; i++)
        for (uint32_t j = i + 1; j < SAMPLE && j <= i + most; j++)
            pairs[sample->pair_count++] = (fp_pair){i, j, i % 2 == 0 && j == i + 1};
    return FP_OK;
}

/* Times the second of two runs: the first reads dictionaries and fills caches. Tunes copies of the arms, because an arm
 * that learns notes a caution if its documents are few. */
static fp_status time_arms(const fp_corpus *sample, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                           const fp_progress *progress, double *seconds, fp_error *error) {
    fp_tune_options how = *options;
    fp_arm copy[TOGETHER], *own[TOGETHER];
    for (size_t i = 0; i < count; i++) copy[i] = *arms[i], own[i] = copy + i;
    how.once = true;
    how.replicates = 1;
    how.most_replicates = 0;
    for (int run = 0; run < 2; run++) {
        FP_SCRATCH(scratch, sample->memory, error);
        fp_tuned tuned;
        double start = fp_seconds();
        FP_TRY(fp_tune(sample, own, count, &how, progress, scratch, &tuned, error));
        *seconds = fp_seconds() - start;
    }
    return FP_OK;
}

/* Adds the seconds and the number of the arms that can be timed: of distances from a file those of the labelled pairs
 * alone may be known, and the tuning reports other mistakes. */
static fp_status time_some(const fp_corpus *sample, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                           const fp_progress *progress, double *sum, size_t *timed, fp_error *error) {
    double took;
    fp_error why;
    fp_status status = time_arms(sample, arms, count, options, progress, &took, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status == FP_OK) *sum += took, *timed += count;
    for (size_t i = 0; status != FP_OK && count > 1 && i < count; i++)
        FP_TRY(time_some(sample, arms + i, 1, options, progress, sum, timed, error));
    return FP_OK;
}

/* With so few documents several threads would mostly wait for each other. */
fp_status fp_tune_estimate(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                           const fp_progress *progress, double *seconds, fp_error *error) {
    double pairs = count_pairs(corpus, &options->split), documents = (double)corpus->document_count, sum = 0;
    bool sampled = corpus->document_count > SAMPLE;
    size_t some, timed = 0;
    const fp_progress one = {.threads = 1};
    fp_corpus sample = *corpus;
    FP_SCRATCH(arena, corpus->memory, error);
    if (sampled) FP_TRY(take_sample(corpus, pairs / documents, arena, &sample, error));
    double start = fp_seconds();
    for (size_t done = 0; done < count && fp_seconds() - start < LONGEST; done += some) {
        some = count - done < TOGETHER ? count - done : TOGETHER;
        FP_TRY(time_some(&sample, arms + done, some, options, &one, &sum, &timed, error));
    }
    *seconds =
        sum * (double)count / fmax(1, (double)timed) / fp_threads(progress) * (sampled ? documents / SAMPLE : 1) +
        (double)options->replicates * (pairs + fmin(pairs, documents) * (double)count) * DRAW;
    return FP_OK;
}
