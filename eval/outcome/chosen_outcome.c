/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms at their own thresholds. */
#include "eval/outcome/chosen_outcome.h"

#include <math.h>

/* As the outcome's own inference, with the one threshold. */
static fp_status infer(const fp_outcome *outcome, const fp_inference_options *options, const fp_progress *progress,
                       fp_arena *arena, fp_chosen_arm *chosen, fp_error *error) {
    const fp_measurement *measurement = outcome->measurements + chosen->arm;
    fp_inference inference;
    fp_inference_options at = *options;
    at.thresholds = &chosen->threshold;
    at.threshold_count = 1;
    at.prevalence = 0;
    at.further_count = 0;
    at.further_seeds = NULL; /* the arm as it was chosen */
    if (outcome->inference->counted)
        FP_TRY(fp_inference_count(outcome->corpus, measurement, 1, &at, progress, arena, &inference, error));
    else
        FP_TRY(fp_inference_make(outcome->corpus, &measurement->distances, 1, &at, progress, arena, &inference, error));
    chosen->counts = fp_confusion_at(&measurement->histogram, chosen->threshold);
    chosen->precision = *fp_inference_of(&inference, &fp_measure_precision, 0);
    chosen->recall = *fp_inference_of(&inference, &fp_measure_recall, 0);
    chosen->f1 = *fp_inference_of(&inference, &fp_measure_f1, 0);
    return FP_OK;
}

fp_status fp_chosen_outcome_make(const fp_outcome *outcome, const double *thresholds,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_chosen_outcome *out, fp_error *error) {
    fp_chosen_arm *arms = fp_arena_alloc(arena, outcome->count, sizeof *arms);
    fp_progress silent = fp_progress_silent(progress);
    size_t count = 0;
    if (!arms) return fp_no_memory(error);
    for (size_t arm = 0; arm < outcome->count; arm++) {
        if (isnan(thresholds[arm])) continue;
        arms[count] = (fp_chosen_arm){.arm = arm, .threshold = thresholds[arm]};
        FP_TRY(infer(outcome, options, &silent, arena, arms + count++, error));
    }
    *out = (fp_chosen_outcome){outcome, count, arms};
    return FP_OK;
}
