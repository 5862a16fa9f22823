/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of found and true clusters: --level cluster. */
#include "eval/statistics/clusters.h"
#include "reports/analyses/analyses.h"

typedef struct work {
    const fp_outcome *outcome;
    const fp_inference_options *options;
    fp_progress progress; /* reports nothing */
    fp_members members;
    fp_arena *scratch, *inner; /* each estimate resets `inner` */
} work;

/* The agreement of found and true clusters at h; estimates[FP_AGREEMENT_KINDS]. */
static fp_status agree(const work *job, size_t arm, double h, fp_estimate *estimates, fp_error *error) {
    const fp_corpus *corpus = job->outcome->corpus;
    const fp_inference_options *options = job->options;
    const fp_members *members = &job->members;
    fp_contingency both;
    fp_agreements agreements;
    uint32_t *found = FP_NEED(fp_arena_raw(job->scratch, members->count, sizeof *found), error);
    FP_TRY(fp_members_link(members, corpus->pairs, job->outcome->measurements[arm].distances, corpus->pair_count, h,
                           job->scratch, found, error));
    FP_TRY(fp_contingency_make(members->cluster, found, members->count, job->scratch, &both, error));
    FP_TRY(fp_agreements_run(&both, options->replicates, options->seed, options->empty, &job->progress, job->scratch,
                             &agreements, error));
    for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
        FP_TRY(fp_agreements_estimate(&agreements, (fp_agreement_kind)kind, options->method, options->confidence,
                                      job->inner, estimates + kind, error));
    return FP_OK;
}

/* Single linkage over the labelled pairs with distance ≤ each threshold, under the arm's own hash seed. */
static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    const fp_corpus *corpus = of->outcome->corpus;
    const fp_inference_options *options = &of->questions->inference;
    size_t thresholds = options->threshold_count, cells = of->outcome->count * thresholds;
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to link", corpus->name);
    FP_SCRATCH(scratch, of->arena, error);
    FP_SCRATCH(inner, of->arena, error);
    work job = {of->outcome, options, fp_progress_quiet(of->progress), .scratch = scratch, .inner = inner};
    FP_TRY(fp_members_make(corpus->pairs, corpus->pair_count, corpus->document_count, of->arena, &job.members, error));
    fp_estimate *estimates = FP_NEED(fp_arena_alloc(of->arena, cells, FP_AGREEMENT_KINDS * sizeof *estimates), error);
    *found = estimates;
    for (size_t cell = 0; cell < cells; cell++) {
        fp_arena_reset(scratch);
        FP_TRY(agree(&job, cell / thresholds, options->thresholds[cell % thresholds],
                     estimates + cell * FP_AGREEMENT_KINDS, error));
    }
    return FP_OK;
}

/* ---- The analysis ---- */

static void add_rows(fp_table *table, const fp_found_arm *of) {
    const fp_inference_options *options = of->results->inference;
    const fp_estimate *estimate =
        (const fp_estimate *)of->found + of->arm * options->threshold_count * FP_AGREEMENT_KINDS;
    for (size_t t = 0; t < options->threshold_count; t++) {
        fp_results_add_names(table, of->outcome, of->arm, true);
        fp_table_put(table, options->thresholds[t]);
        for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++, estimate++) FP_TABLE_FIGURE(table, *estimate);
    }
}

/* In the order of fp_agreement_describe. */
static const char COLUMNS[] =
    "corpus|arm|scale|>threshold;e|>adjusted_rand~;l3|>bcubed_precision~;l3|>bcubed_recall~;l3|"
    ">bcubed_f1~;l3|>cluster_pair_precision~;l3|>cluster_pair_recall~;l3|>cluster_pair_f1~;l3";

static void brief(fp_brief *to) {
    to->print("\n");
    to->show(fp_results_rows(fp_analysis_clusters.tables, to->results, to->found, to->arena));
}

const fp_analysis fp_analysis_clusters = {
    .name = "clusters",
    .example = "--level cluster",
    .title = {"Clusters", "聚类"},
    .level = FP_LEVEL_CLUSTER,
    .run = run,
    .brief = brief,
    .tables = {{.name = "clusters", .columns = COLUMNS, .rows = add_rows, .whole = true}}};
