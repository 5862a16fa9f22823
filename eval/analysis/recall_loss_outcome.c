/* SPDX-License-Identifier: GPL-3.0-or-later
 * Losses of one outcome. */
#include "eval/analysis/recall_loss_outcome.h"

#include <math.h>

/* That of the arm's largest F1 over the whole range; without one, because there are no positives, the first of the
 * list. */
static double best_threshold(const fp_outcome *outcome, const fp_recall_loss_options *options, size_t arm) {
    if (options->best && !isnan(options->best[arm])) return options->best[arm];
    double of_curve = outcome->curves[arm].best_threshold;
    return isnan(of_curve) ? options->thresholds[0] : of_curve;
}

fp_status fp_recall_loss_outcome_make(const fp_outcome *outcome, const fp_recall_loss_options *options,
                                      const fp_progress *progress, fp_arena *arena, fp_recall_loss_outcome *out,
                                      fp_error *error) {
    size_t thresholds = options->threshold_count, listed = outcome->count * thresholds;
    fp_recall_loss_row *rows = fp_arena_alloc(arena, listed + outcome->count, sizeof *rows);
    double *within = fp_arena_raw(arena, outcome->count, sizeof *within);
    if (!rows || !within) return fp_no_memory(error);
    for (size_t i = 0; i < listed; i++)
        rows[i] = (fp_recall_loss_row){.arm = i / thresholds, .threshold = options->thresholds[i % thresholds]};
    for (size_t arm = 0; arm < outcome->count; arm++) {
        within[arm] = best_threshold(outcome, options, arm);
        rows[listed + arm] = (fp_recall_loss_row){.arm = arm, .threshold = within[arm]};
    }
    FP_TRY(fp_recall_loss_make(outcome, options->spec, within, progress, arena, &out->lost, error));
    FP_TRY(fp_recall_loss_fill(&out->lost, options->confidence, progress, arena, rows, listed + outcome->count, error));
    out->row_count = listed;
    out->rows = rows;
    out->best = rows + listed;
    return FP_OK;
}
