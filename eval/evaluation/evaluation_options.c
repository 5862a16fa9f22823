/* SPDX-License-Identifier: GPL-3.0-or-later
 * The options of an evaluation, checked. */
#include "eval/evaluation/evaluation_options.h"

#include <math.h>
#include <string.h>

#include "base/sized.h"

/* ---- Names ---- */

static const char *const LEVELS[] = {"pair", "document", NULL},
                         *const METHODS[] = {"mid-p", "clopper-pearson", "percentile", "bca", NULL},
                         *const RULES[] = {"na", "zero", "one", NULL};
static const fp_level LEVEL[] = {FP_LEVEL_PAIR, FP_LEVEL_DOCUMENT};
static const fp_method METHOD[] = {FP_METHOD_MID_P, FP_METHOD_CLOPPER_PEARSON, FP_METHOD_PERCENTILE, FP_METHOD_BCA};
static const fp_empty RULE[] = {FP_EMPTY_NA, FP_EMPTY_ZERO, FP_EMPTY_ONE};

/* NULL is the first. */
static fp_status find_name(const char *what, const char *name, const char *const *names, size_t *position,
                           fp_error *error) {
    char known[128] = "";
    for (*position = 0; names[*position]; ++*position) {
        if (!name || strcmp(name, names[*position]) == 0) return FP_OK;
        size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", *position ? ", " : "", names[*position]);
    }
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s takes %s, not \"%s\"", what, known, name);
}

static fp_status take_names(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    size_t level, method, rule;
    FP_TRY(find_name("level", from->level, LEVELS, &level, error));
    FP_TRY(find_name("interval", from->interval, METHODS, &method, error));
    FP_TRY(find_name("empty", from->empty, RULES, &rule, error));
    to->level = LEVEL[level];
    to->inference.method = METHOD[method];
    to->inference.empty = RULE[rule];
    return FP_OK;
}

/* ---- Numbers ---- */

static fp_status take_thresholds(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    enum { USUAL = 10 };
    size_t count = from->thresholds ? from->threshold_count : USUAL;
    double *thresholds = fp_arena_raw(to->arena, count, sizeof *thresholds);
    if (!thresholds) return fp_no_memory(error);
    if (count == 0) return fp_fail(error, FP_ERROR_RANGE, "no threshold is given");
    for (size_t i = 0; i < count; i++) {
        thresholds[i] = from->thresholds ? from->thresholds[i] : (double)(i + 1);
        if (!(thresholds[i] >= 0) || isinf(thresholds[i]) || (i && !(thresholds[i] > thresholds[i - 1])))
            return fp_fail(error, FP_ERROR_RANGE, "threshold %zu is %g; thresholds are 0 or more, and ascend", i,
                           thresholds[i]);
    }
    to->inference.thresholds = thresholds;
    to->inference.threshold_count = count;
    return FP_OK;
}

static fp_status take_numbers(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    fp_inference_options *inference = &to->inference;
    inference->confidence = from->confidence == 0 ? 0.95 : from->confidence;
    inference->prevalence = from->prevalence;
    inference->replicates = from->replicates ? from->replicates : FP_REPLICATES;
    inference->seed = from->seed ? *from->seed : 1;
    inference->hash_seeds.count = from->hash_seeds;
    to->negatives = from->negatives;
    to->progress = from->progress;
    if (!(inference->confidence > 0 && inference->confidence < 1))
        return fp_fail(error, FP_ERROR_RANGE, "confidence is %g; it lies between 0 and 1", inference->confidence);
    if (!(inference->prevalence >= 0 && inference->prevalence < 1))
        return fp_fail(error, FP_ERROR_RANGE, "prevalence is %g; it lies between 0 and 1", inference->prevalence);
    if (inference->replicates < FP_REPLICATES_FEWEST || inference->replicates > FP_REPLICATES_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "%zu replicates are not %d to %d", inference->replicates,
                       FP_REPLICATES_FEWEST, FP_REPLICATES_MOST);
    return FP_OK;
}

/* ---- Measures ---- */

static fp_status take_measures(const fp_evaluation_options *from, fp_evaluation *to, fp_error *error) {
    fp_inference_options *inference = &to->inference;
    fp_measure *further = fp_arena_alloc(to->arena, from->measure_count, sizeof *further);
    if (!further) return fp_no_memory(error);
    for (size_t i = 0; i < from->measure_count; i++)
        FP_TRY(fp_measure_find(from->measures[i], inference->prevalence, further + i, error));
    inference->further = further;
    inference->further_count = from->measure_count;
    if (!from->compared) return FP_OK;
    return fp_measure_parse(from->compared, inference->thresholds, inference->threshold_count, inference->prevalence,
                            &inference->compared, error);
}

fp_status fp_evaluation_options_take(const fp_evaluation_options *options, fp_evaluation *evaluation, fp_error *error) {
    fp_evaluation_options own;
    FP_TRY(fp_sized_copy(&own, sizeof own, options, "fp_evaluation_options", error));
    FP_TRY(take_names(&own, evaluation, error));
    FP_TRY(take_thresholds(&own, evaluation, error));
    FP_TRY(take_numbers(&own, evaluation, error));
    return take_measures(&own, evaluation, error);
}
