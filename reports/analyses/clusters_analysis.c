/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of found and true clusters: --level cluster. */
#include "reports/analyses/analysis_outcomes.h"

#include "reports/analyses/analyses.h"
#include "eval/evaluation/outcome.h"

typedef struct work {
    const fp_outcome *outcome;
    const fp_inference_options *options;
    fp_progress progress; /* reports nothing */
    fp_members members;
    fp_arena *scratch, *inner; /* each estimate resets `inner` */
} work;

/* Contingency table of found and true clusters. */
static fp_status link(const work *job, size_t arm, double h, fp_contingency *to, fp_error *error) {
    const fp_corpus *corpus = job->outcome->corpus;
    const fp_members *members = &job->members;
    uint32_t *found = fp_arena_raw(job->scratch, members->count, sizeof *found);
    FP_TRY(fp_members_link(members, corpus->pairs, job->outcome->measurements[arm].distances, corpus->pair_count, h,
                           job->scratch, found, error));
    return fp_contingency_make(members->cluster, found, members->count, job->scratch, to, error);
}

static fp_status agree(const work *job, size_t arm, double h, fp_clusters_cell *cell, fp_error *error) {
    const fp_inference_options *options = job->options;
    fp_contingency both;
    fp_agreements agreements;
    FP_TRY(link(job, arm, h, &both, error));
    FP_TRY(fp_agreements_run(&both, options->replicates, options->seed, options->empty, &job->progress, job->scratch,
                             &agreements, error));
    for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
        FP_TRY(fp_agreements_estimate(&agreements, (fp_agreement_kind)kind, options->method, options->confidence,
                                      job->inner, cell->agreement + kind, error));
    return FP_OK;
}

static fp_status fill(const work *job, fp_clusters_cell *cells, fp_error *error) {
    size_t thresholds = job->options->threshold_count;
    for (size_t cell = 0; cell < job->outcome->count * thresholds; cell++) {
        fp_arena_reset(job->scratch);
        FP_TRY(agree(job, cell / thresholds, job->options->thresholds[cell % thresholds], cells + cell, error));
    }
    return FP_OK;
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    const fp_corpus *corpus = of->outcome->corpus;
    const fp_inference_options *options = &of->questions->inference;
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to link", corpus->name);
    FP_SCRATCH(scratch, of->arena, error);
    FP_SCRATCH(inner, of->arena, error);
    work job = {of->outcome, options, fp_progress_quiet(of->progress), .scratch = scratch, .inner = inner};
    FP_TRY(fp_members_make(corpus->pairs, corpus->pair_count, corpus->document_count, of->arena, &job.members, error));
    fp_clusters_outcome *out = fp_arena_alloc(of->arena, 1, sizeof *out);
    fp_clusters_cell *cells = fp_arena_alloc(of->arena, of->outcome->count * options->threshold_count, sizeof *cells);
    *out = (fp_clusters_outcome){of->outcome, options->threshold_count, options->thresholds, cells};
    *found = out;
    return fill(&job, cells, error);
}

/* ---- The analysis ---- */

static void add_rows(fp_table *table, const fp_found_arm *of) {
    const fp_clusters_outcome *found = of->found;
    for (size_t t = 0; t < found->threshold_count; t++) {
        const fp_clusters_cell *cell = found->cells + of->arm * found->threshold_count + t;
        fp_results_add_names(table, of->outcome, of->arm, true);
        fp_table_put(table, found->thresholds[t]);
        for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++) FP_TABLE_FIGURE(table, cell->agreement[kind]);
    }
}

/* In the order of fp_agreement_describe. */
static const char COLUMNS[] =
    "corpus|arm|scale|>threshold;e|>adjusted_rand~;l3|>bcubed_precision~;l3|>bcubed_recall~;l3|"
    ">bcubed_f1~;l3|>cluster_pair_precision~;l3|>cluster_pair_recall~;l3|>cluster_pair_f1~;l3";

static void brief(fp_brief *to) {
    to->say("\n");
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
