/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tuning: split, measure, choose, compare; and what it will cost. */

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
                         .silent = fp_progress_silent(progress),
                         .arena = arena,
                         .tuned = tuned,
                         .error = error};
    work.results = fp_arena_alloc(arena, count, sizeof *work.results);
    work.calls = fp_arena_alloc(arena, count, sizeof *work.calls);
    work.naive = fp_arena_alloc(arena, count, sizeof *work.naive);
    if (!work.results || !work.calls || !work.naive) return fp_no_memory(error);
    tuned->results = work.results;
    FP_TRY(fp_tune_measure(&work));
    FP_TRY(fp_tune_choose_arms(&work));
    return fp_tune_compare(&work);
}
