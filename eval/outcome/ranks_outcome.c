/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ranks of arms over corpora. */
#include "eval/outcome/ranks_outcome.h"

#include <math.h>

#include "eval/outcome/seeds.h"

static double average_precision(const fp_outcome *outcome, size_t arm) {
    return fp_seeds_curve_mean(outcome, arm, offsetof(fp_curve, average_precision));
}

static bool is_defined(const fp_outcome *outcome) {
    for (size_t arm = 0; arm < outcome->count; arm++)
        if (isnan(average_precision(outcome, arm))) return false;
    return true;
}

bool fp_ranks_outcome_can(const fp_outcome *outcomes, size_t count) {
    size_t defined = 0;
    for (size_t i = 0; i < count; i++) {
        if (outcomes[i].count < 2 || outcomes[i].count != outcomes[0].count) return false;
        defined += is_defined(outcomes + i);
    }
    return defined >= 2;
}

fp_status fp_ranks_outcome_make(const fp_outcome *outcomes, size_t count, double confidence, fp_arena *arena,
                                fp_ranks *ranks, fp_error *error) {
    size_t arms = outcomes[0].count;
    if (arms && count > SIZE_MAX / arms) return fp_no_memory(error);
    double *values = fp_arena_alloc(arena, count * arms, sizeof *values);
    if (!values) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++)
        for (size_t arm = 0; arm < arms; arm++) values[i * arms + arm] = average_precision(outcomes + i, arm);
    return fp_ranks_make(values, count, arms, confidence, arena, ranks, error);
}
