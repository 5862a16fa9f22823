/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rankings of one outcome. */
#include "eval/outcome/retrieval_outcome.h"

static fp_status fill(const fp_outcome *outcome, fp_arena *scratch, fp_retrieval_measures *means, size_t *queries,
                      fp_error *error) {
    for (size_t arm = 0; arm < outcome->count; arm++) {
        fp_retrieval retrieval;
        fp_arena_reset(scratch);
        FP_TRY(
            fp_retrieval_from_pairs(outcome->corpus, outcome->measurements[arm].distances, scratch, &retrieval, error));
        means[arm] = fp_retrieval_mean(&retrieval);
        *queries = retrieval.count;
    }
    return FP_OK;
}

fp_status fp_retrieval_outcome_make(const fp_outcome *outcome, fp_arena *arena, fp_retrieval_outcome *out,
                                    fp_error *error) {
    if (outcome->corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to rank", outcome->corpus->name);
    *out = (fp_retrieval_outcome){.outcome = outcome};
    fp_retrieval_measures *means = fp_arena_alloc(arena, outcome->count, sizeof *means);
    fp_arena *scratch = fp_arena_new();
    fp_status status = means && scratch ? fill(outcome, scratch, means, &out->queries, error) : fp_no_memory(error);
    out->means = means;
    fp_arena_free(scratch);
    return status;
}
