/* SPDX-License-Identifier: GPL-3.0-or-later
 * Strata of one outcome. */
#include "eval/outcome/strata_outcome.h"

#include "eval/outcome/strata_groups.h"

fp_status fp_strata_outcome_make(const fp_outcome *outcome, const fp_strata_choice *choice,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error) {
    *out = (fp_strata_outcome){.outcome = outcome};
    const fp_corpus *corpus = outcome->corpus;
    FP_TRY(fp_strata_make(corpus, choice->by, choice->bounds, choice->bound_count, arena, &out->strata, error));
    fp_stratum *each = fp_arena_alloc(arena, out->strata.count, sizeof *each);
    const double **distances = fp_outcome_distances(outcome, arena);
    if (!each || !distances) return fp_no_memory(error);
    out->each = each;
    out->replicates = options->replicates;
    if (corpus->truth == FP_TRUTH_GROUPS)
        return fp_strata_infer_groups(outcome, &out->strata, options, progress, arena, each, error);
    fp_inference_options drawing = *options;
    fp_divided_pairs divided = {.corpus = corpus,
                                .strata = &out->strata,
                                .arm_count = outcome->count,
                                .lane_count = outcome->lane_count,
                                .further = outcome->further,
                                .distances = distances};
    FP_TRY(fp_strata_replicates(corpus, &out->strata, outcome->lane_count, options->replicates, arena,
                                &drawing.replicates, error));
    for (size_t s = 0; s < out->strata.count; s++)
        FP_TRY(fp_stratum_infer(&divided, s, &drawing, progress, arena, each + s, error));
    out->replicates = drawing.replicates;
    return FP_OK;
}
