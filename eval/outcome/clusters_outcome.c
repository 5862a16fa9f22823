/* SPDX-License-Identifier: GPL-3.0-or-later
 * Clusters of one outcome. */
#include "eval/outcome/clusters_outcome.h"

typedef struct work {
    const fp_outcome *outcome;
    const fp_inference_options *options;
    fp_progress progress; /* silent */
    fp_members members;
    fp_arena *scratch, *inner; /* `inner` is reset by each estimate */
} work;

static fp_status agree(const work *job, size_t arm, double h, fp_clusters_cell *cell, fp_error *error) {
    const fp_corpus *corpus = job->outcome->corpus;
    const fp_members *members = &job->members;
    const fp_inference_options *options = job->options;
    uint32_t *found = fp_arena_raw(job->scratch, members->count, sizeof *found);
    fp_contingency contingency;
    fp_agreements agreements;
    if (!found) return fp_no_memory(error);
    FP_TRY(fp_members_link(members, corpus->pairs, job->outcome->measurements[arm].distances, corpus->pair_count, h,
                           job->scratch, found, error));
    FP_TRY(fp_contingency_make(members->cluster, found, members->count, job->scratch, &contingency, error));
    FP_TRY(fp_agreements_run(&contingency, options->replicates, options->seed, options->empty, &job->progress,
                             job->scratch, &agreements, error));
    for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
        FP_TRY(fp_agreements_estimate(&agreements, (fp_agreement_kind)kind, options->method, options->confidence,
                                      job->inner, cell->agreement + kind, error));
    return FP_OK;
}

static fp_status fill(const work *job, fp_clusters_cell *cells, fp_error *error) {
    size_t thresholds = job->options->threshold_count;
    if (!job->scratch || !job->inner) return fp_no_memory(error);
    for (size_t cell = 0; cell < job->outcome->count * thresholds; cell++) {
        fp_arena_reset(job->scratch);
        FP_TRY(agree(job, cell / thresholds, job->options->thresholds[cell % thresholds], cells + cell, error));
    }
    return FP_OK;
}

fp_status fp_clusters_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                   const fp_progress *progress, fp_arena *arena, fp_clusters_outcome *out,
                                   fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to link", corpus->name);
    work job = {.outcome = outcome, .options = options, .progress = fp_progress_silent(progress)};
    FP_TRY(fp_members_make(corpus->pairs, corpus->pair_count, corpus->document_count, arena, &job.members, error));
    fp_clusters_cell *cells = fp_arena_alloc(arena, outcome->count * options->threshold_count, sizeof *cells);
    if (!cells) return fp_no_memory(error);
    job.scratch = fp_arena_new_like(arena);
    job.inner = fp_arena_new_like(arena);
    fp_status status = fill(&job, cells, error);
    fp_arena_free(job.scratch);
    fp_arena_free(job.inner);
    *out = (fp_clusters_outcome){outcome, options->threshold_count, options->thresholds, cells};
    return status;
}
