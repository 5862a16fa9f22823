/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rankings of one outcome. */
#include "eval/outcome/retrieval_outcome.h"

#include "eval/outcome/seeds.h"

static void add_share(fp_retrieval_measures *to, const fp_retrieval_measures *own, double share) {
    to->retrieved = own->retrieved;
    to->relevant = own->relevant;
    to->relevant_retrieved = own->relevant_retrieved;
    to->average_precision += share * own->average_precision;
    to->r_precision += share * own->r_precision;
    to->reciprocal_rank += share * own->reciprocal_rank;
    for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++) to->precision[k] += share * own->precision[k];
}

/* The mean over the seeds of an arm; the queries, and what they have, are the same under all. */
static fp_status fill(const fp_outcome *outcome, fp_arena *scratch, fp_retrieval_measures *means, size_t *queries,
                      fp_error *error) {
    for (size_t arm = 0; arm < outcome->count; arm++) {
        size_t seeds = fp_seeds_count(outcome, arm);
        means[arm] = (fp_retrieval_measures){0};
        for (size_t k = 0; k < seeds; k++) {
            const double *distances = outcome->measurements[fp_seeds_lane(outcome, arm, k)].distances;
            fp_retrieval retrieval;
            fp_arena_reset(scratch);
            FP_TRY(fp_retrieval_from_pairs(outcome->corpus, distances, scratch, &retrieval, error));
            fp_retrieval_measures own = fp_retrieval_mean(&retrieval);
            add_share(means + arm, &own, 1 / (double)seeds);
            *queries = retrieval.count;
        }
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
