/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of clusters. */
#include "reports/tables/clusters_table.h"

/* Measures of one arm at one threshold. */
static fp_status add_agreements(const fp_outcome *outcome, const fp_members *members, size_t arm, double h,
                                const fp_inference_options *options, fp_arena *scratch, fp_table *table,
                                fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    uint32_t *found = fp_arena_raw(scratch, members->count, sizeof *found);
    fp_arena *inner = fp_arena_new();
    fp_contingency contingency;
    fp_agreements agreements;
    fp_estimate estimate;
    if (!found || !inner) {
        fp_arena_free(inner);
        return fp_no_memory(error);
    }
    fp_status status = fp_members_link(members, corpus->pairs, outcome->measurements[arm].distances, corpus->pair_count,
                                       h, scratch, found, error);
    if (status == FP_OK)
        status = fp_contingency_make(members->cluster, found, members->count, scratch, &contingency, error);
    if (status == FP_OK)
        status = fp_agreements_run(&contingency, options->replicates, options->seed, options->empty, NULL, scratch,
                                   &agreements, error);
    for (int kind = 0; kind < FP_AGREEMENT_KINDS && status == FP_OK; kind++) {
        status = fp_agreements_estimate(&agreements, (fp_agreement_kind)kind, options->method, options->confidence,
                                        inner, &estimate, error);
        if (status != FP_OK) break;
        fp_table_real(table, estimate.value, 3);
        fp_table_real(table, estimate.interval.low, 3);
        fp_table_real(table, estimate.interval.high, 3);
    }
    fp_arena_free(inner);
    return status;
}

static fp_table *open_table(fp_arena *arena) {
    const char *columns = "corpus|arm|scale|>threshold";
    for (int kind = 0; kind < FP_AGREEMENT_KINDS && columns; kind++) {
        const char *name = fp_agreement_describe((fp_agreement_kind)kind)->name;
        columns = fp_format(arena, "%s|>%s|>low|>high", columns, name);
    }
    return columns ? fp_table_new(columns, arena) : NULL;
}

static fp_status add_outcome(const fp_results *results, const fp_outcome *outcome, const fp_inference_options *options,
                             fp_arena *arena, fp_arena *scratch, fp_table *table, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    fp_members members;
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to link", corpus->name);
    FP_TRY(fp_members_make(corpus->pairs, corpus->pair_count, corpus->document_count, arena, &members, error));
    for (size_t arm = 0; arm < outcome->count; arm++) {
        for (int64_t h = results->first_threshold; h <= results->last_threshold; h++) {
            fp_table_text(table, corpus->name);
            fp_table_text(table, fp_arm_name(outcome->measurements[arm].arm));
            fp_table_text(table, outcome->measurements[arm].arm->instance.layout.scale);
            fp_table_count(table, (uint64_t)h);
            fp_arena_reset(scratch);
            FP_TRY(add_agreements(outcome, &members, arm, (double)h, options, scratch, table, error));
        }
    }
    return FP_OK;
}

fp_status fp_results_clusters(const fp_results *results, const fp_inference_options *options, fp_arena *arena,
                              fp_table **table, fp_error *error) {
    fp_arena *scratch = fp_arena_new();
    *table = open_table(arena);
    fp_status status = scratch && *table ? FP_OK : fp_no_memory(error);
    for (size_t i = 0; i < results->count && status == FP_OK; i++)
        status = add_outcome(results, results->outcomes + i, options, arena, scratch, *table, error);
    fp_arena_free(scratch);
    return status;
}

static void define(const fp_measure_row *row, FILE *stream) { fprintf(stream, "%s: %s\n", row->name, row->definition); }

void fp_results_define(fp_level level, FILE *stream) {
    define(fp_level_describe(level), stream);
    if (level == FP_LEVEL_CLUSTER) {
        for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
            define(fp_agreement_describe((fp_agreement_kind)kind), stream);
        return;
    }
    static const fp_measure_kind TOLD[] = {FP_MEASURE_PRECISION, FP_MEASURE_RECALL, FP_MEASURE_F1,
                                           FP_MEASURE_AVERAGE_PRECISION};
    for (size_t i = 0; i < sizeof TOLD / sizeof *TOLD; i++) define(fp_measure_describe(TOLD[i]), stream);
}
