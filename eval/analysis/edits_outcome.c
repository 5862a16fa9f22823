/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances by length and edits, arm by arm. */
#include "eval/analysis/edits_outcome.h"

#include "eval/analysis/expected.h"

fp_status fp_edits_outcome_make(const fp_strata_outcome *divided, double confidence, const fp_progress *progress,
                                fp_arena *arena, fp_edits_outcome *out, fp_error *error) {
    const fp_outcome *outcome = divided->outcome;
    const fp_corpus *corpus = outcome->corpus;
    *out = (fp_edits_outcome){.divided = divided};
    if (corpus->truth != FP_TRUTH_PAIRS) return FP_OK;
    fp_edits *edits;
    const fp_edit_cell **of_arm = fp_arena_alloc(arena, outcome->count, sizeof *of_arm);
    if (!of_arm) return fp_no_memory(error);
    FP_TRY(fp_edits_of_pairs(corpus, progress, arena, &edits, error));
    for (size_t arm = 0; arm < outcome->count; arm++) {
        const fp_measurement *measurement = outcome->measurements + arm,
                             *exact = outcome->counterparts ? outcome->counterparts->of_arm[arm] : NULL;
        double *expected;
        fp_edit_cell *cells;
        FP_TRY(fp_expected_distances(measurement->arm, exact, corpus->pairs, corpus->pair_count, progress, arena,
                                     &expected, error));
        fp_edited_pairs pairs = {corpus, edits, measurement->distances, expected};
        FP_TRY(fp_edit_cells_make(&pairs, &divided->strata, confidence, arena, &cells, error));
        of_arm[arm] = cells;
    }
    out->of_arm = of_arm;
    return FP_OK;
}
